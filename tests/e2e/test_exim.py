"""A real Exim with `spam =` in its ACL, plain and as rspamd's client, with nothing but its documented configuration."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.e2e.exim import AS_RSPAMD, DEFERRED, PLAIN, Exim, exim
from tests.serve.making import TAUGHT
from tests.serve.running import free_port, serving
from tests.serve.waiting import eventually
from thresher.config import Settings

pytestmark = [pytest.mark.exim, pytest.mark.skipif(os.geteuid() != 0, reason="Exim is started by root only")]

NEW = TAUGHT + 5


def delivered(server: Exim, holds: Callable[[bytes], bool]) -> bytes:
    """Wait until what was delivered is as it shall be."""
    try:
        eventually(lambda: holds(server.box))
    except AssertionError:
        raise AssertionError(server.log) from None
    return server.box


@pytest.fixture
def place(open_folder: Path) -> Path:
    """Give Exim's folder."""
    path = open_folder / "exim"
    path.mkdir()
    return path


def test_ham_is_delivered_with_its_score_and_spam_is_refused(settings: Settings, place: Path) -> None:
    port = free_port()
    with serving(settings, "--spamd", f":{port}"), exim(place, f"127.0.0.1 {port}", PLAIN) as server:
        assert server.send(ham(NEW)) == ""
        box = delivered(server, lambda box: b"any other business" in box)
        assert b"\nX-Spam-Score: -" in box
        assert b"\nX-Spam-Report: thresher takes this message for ham: " in box
        assert server.send(spam(NEW)).startswith("550 b'This message looks like spam (")
    assert "spam acl condition" not in server.log
    assert b"Congratulations" not in server.box


def test_as_a_client_of_rspamd_it_learns_the_action(settings: Settings, place: Path) -> None:
    port = free_port()
    address = f"127.0.0.1 {port} variant=rspamd"
    with serving(settings, "--spamd", f":{port}"), exim(place, address, AS_RSPAMD) as server:
        assert server.send(ham(NEW)) == ""
        box = delivered(server, lambda box: b"any other business" in box)
        assert b"\nX-Spam-Action: no action\n" in box
        assert server.send(spam(NEW)).startswith("550 b'This message looks like spam (")
    assert "spam acl condition" not in server.log


LONG = b"Nothing more follows but this line, many times over, so that judging takes its time.\r\n" * 40_000
"""3 MB: a short message may be judged before anybody looks at the clock."""


@pytest.mark.parametrize("variant", ["", " variant=rspamd"])
def test_a_message_that_cannot_be_judged_is_not_held_back(settings: Settings, place: Path, variant: str) -> None:
    """An error would make Exim answer 451; a time-out of next to nothing makes one of every long message."""
    port = free_port()
    environment = {"THRESHER_SERVE_TIMEOUT": "0.000001"}
    with (
        serving(settings, "--spamd", f":{port}", environment=environment),
        exim(place, f"127.0.0.1 {port}{variant}", AS_RSPAMD if variant else PLAIN) as server,
    ):
        assert server.send(spam(NEW) + LONG) == ""
        delivered(server, lambda box: b"Congratulations" in box)
    assert "spam acl condition" not in server.log


def test_a_unix_socket_serves_as_well(settings: Settings, place: Path, open_folder: Path) -> None:
    path = open_folder / "spamd.sock"
    given = {"THRESHER_SERVE_SOCKET_MODE": "0666"}
    with (
        serving(settings, "--spamd", f"unix:{path}", environment=given),
        exim(place, str(path), PLAIN) as server,
    ):
        assert server.send(spam(NEW)).startswith("550 b'This message looks like spam (")


def test_without_a_daemon_the_manuals_recipe_takes_the_mail(place: Path) -> None:
    """`/defer_ok` is Exim's own way to say so."""
    with exim(place, f"127.0.0.1 {free_port()} retry=none", DEFERRED) as server:
        assert server.send(spam(NEW)) == ""
        delivered(server, lambda box: b"Congratulations" in box)
