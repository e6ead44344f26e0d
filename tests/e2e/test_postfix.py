"""The milter in a real Postfix: what arrives is tagged and otherwise unaltered, whatever happens on the way."""

import email
import os
import re
import signal
import smtplib
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.e2e.postfix import Postfix, postfix
from tests.serve.making import TAUGHT
from tests.serve.running import Running, serving
from tests.serve.waiting import eventually
from thresher.config import Settings

pytestmark = [pytest.mark.postfix, pytest.mark.skipif(os.geteuid() != 0, reason="Postfix is started by root only")]

NEW = TAUGHT + 5
OURS = ("X-Spam", "X-Spam-Score", "X-Spam-Level", "X-Thresher")
ADDED = re.compile(
    rb"^(?:Return-Path|X-Original-To|Delivered-To|Received|X-Spam[a-z-]*|X-Thresher):.*\n(?:[ \t].*\n)*",
    re.MULTILINE | re.IGNORECASE,
)


@contextmanager
def both(
    settings: Settings,
    folder: Path,
    *,
    workers: int = 1,
    environment: Mapping[str, str] | None = None,
    **postfix_settings: str,
) -> Iterator[tuple[Running, Postfix]]:
    """Run the daemon at a Unix socket, and Postfix with it as its milter."""
    address = f"unix:{folder}/milter.sock"
    given = {"THRESHER_SERVE_SOCKET_MODE": "0666", **(environment or {})}
    with (
        serving(settings, "--milter", address, workers=workers, environment=given) as daemon,
        postfix(folder, smtpd_milters=address, **{"milter_default_action": "accept", **postfix_settings}) as server,
    ):
        yield daemon, server


def arrived(server: Postfix, count: int, user: str = "alice") -> list[bytes]:
    eventually(lambda: len(server.delivered(user)) >= count)
    found = server.delivered(user)
    assert len(found) == count
    return found


def without_what_was_added(raw: bytes) -> bytes:
    head, blank, body = raw.partition(b"\n\n")
    return ADDED.sub(b"", head + b"\n").rstrip(b"\n") + blank + body


def told(raw: bytes) -> dict[str, list[str]]:
    message = email.message_from_bytes(raw)
    return {name: message.get_all(name, []) for name in OURS}


@pytest.mark.parametrize("protocol", ["6", "4", "3", "2"])
def test_mail_is_tagged_and_otherwise_unaltered_in_every_version(
    settings: Settings, open_folder: Path, protocol: str
) -> None:
    with both(settings, open_folder, milter_protocol=protocol) as (_, server):
        server.send(spam(NEW))
        [raw] = arrived(server, 1)
        server.send(ham(NEW), "ben@home.example")
        [other] = arrived(server, 1, "ben")
    assert without_what_was_added(raw) == spam(NEW)
    assert without_what_was_added(other) == ham(NEW)
    headers = told(raw)
    assert headers["X-Spam"] == ["Yes"]
    assert float(headers["X-Spam-Score"][0]) >= 5
    assert headers["X-Spam-Level"][0].startswith("*****")
    assert re.match(r"spam, p=0\.9\d+,\s+why=.+,\s+id=[0-9a-f]{32}$", headers["X-Thresher"][0], re.DOTALL)
    assert told(other)["X-Spam"] == ["No"]


def test_forged_copies_of_our_headers_are_gone(settings: Settings, open_folder: Path) -> None:
    forged = b"X-Spam: No\nX-SPAM-score: -99\nx-thresher: ham, p=0.0000,\n id=00\nX-Spam: No\nX-Spam-Level: \n"
    with both(settings, open_folder) as (_, server):
        server.send(forged + b"X-Kept: one\n" + spam(NEW))
        [raw] = arrived(server, 1)
    headers = told(raw)
    assert [len(values) for values in headers.values()] == [1, 1, 1, 1]
    assert headers["X-Spam"] == ["Yes"]
    assert without_what_was_added(raw) == b"X-Kept: one\n" + spam(NEW)


def test_several_recipients_each_get_it(settings: Settings, open_folder: Path) -> None:
    with both(settings, open_folder) as (_, server):
        server.send(spam(NEW), "alice@home.example", "ben@home.example")
        assert [told(raw)["X-Spam"] for user in ("alice", "ben") for raw in arrived(server, 1, user)] == [["Yes"]] * 2


def test_a_session_with_many_messages_and_one_broken_off(settings: Settings, open_folder: Path) -> None:
    with both(settings, open_folder) as (_, server):
        with smtplib.SMTP("127.0.0.1", server.port) as client:
            client.sendmail("a@away.example", ["alice@home.example"], spam(NEW).decode())
            client.mail("a@away.example")
            client.rcpt("alice@home.example")
            client.rset()
            client.sendmail("a@away.example", ["alice@home.example"], ham(NEW).decode())
        with smtplib.SMTP("127.0.0.1", server.port) as client:
            client.mail("a@away.example")
            client.rcpt("alice@home.example")
            client.docmd("DATA")
            client.send(b"Subject: half\r\n\r\nhalf of a")
            assert client.sock is not None
            client.sock.shutdown(socket.SHUT_RDWR)
            client.close()
        server.send(spam(NEW + 1))
        verdicts = sorted(told(raw)["X-Spam"][0] for raw in arrived(server, 3))
    assert verdicts == ["No", "Yes", "Yes"]


def test_a_huge_message_passes_whole(settings: Settings, open_folder: Path) -> None:
    huge = spam(NEW) + b"".join(b"%09d and so on and so on and so on and so on\n" % i for i in range(400_000))
    assert len(huge) > 20_000_000
    with both(settings, open_folder) as (_, server):
        server.send(huge)
        [raw] = arrived(server, 1)
    assert without_what_was_added(raw) == huge
    assert told(raw)["X-Spam"] == ["Yes"]


def test_bytes_of_every_kind_pass_unaltered(settings: Settings, open_folder: Path) -> None:
    """What SMTP itself carries: any byte but a bare line end, lines up to 998 bytes, dots at their beginnings."""
    odd = (
        b"Subject: \xff\xfe odd\nX-Folded: one\n\ttwo\n  three\n\n.\n..\n"
        + bytes(range(1, 10))
        + bytes(range(14, 256))
        + b"\n"
    )
    with both(settings, open_folder) as (_, server):
        server.send(odd)
        [raw] = arrived(server, 1)
    assert without_what_was_added(raw) == odd


@pytest.mark.parametrize(("deed", "code"), [("reject", 550), ("tempfail", 451)])
def test_spam_can_be_refused(settings: Settings, open_folder: Path, deed: str, code: int) -> None:
    with both(settings, open_folder, environment=policy(deed)) as (_, server):
        with pytest.raises(smtplib.SMTPDataError) as refusal:
            server.send(spam(NEW))
        server.send(ham(NEW))
        arrived(server, 1)
    assert refusal.value.smtp_code == code
    if deed == "reject":
        assert b"looks like spam" in refusal.value.smtp_error


def policy(deed: str) -> dict[str, str]:
    return {"THRESHER_SERVE_SPAM": deed, "THRESHER_SERVE_ACT_FROM": "0.9"}


def test_spam_can_be_held(settings: Settings, open_folder: Path) -> None:
    with both(settings, open_folder, environment=policy("quarantine")) as (_, server):
        server.send(spam(NEW))
        server.send(ham(NEW))
        arrived(server, 1)
        [held] = server.queued()
        assert "!" in held, "Postfix marks what is on hold"
        server.command("postsuper", "-H", "ALL")
        server.command("postqueue", "-f")
        assert sorted(told(raw)["X-Spam"][0] for raw in arrived(server, 2)) == ["No", "Yes"]


def test_spam_can_be_marked_in_its_subject(settings: Settings, open_folder: Path) -> None:
    with both(settings, open_folder, environment=policy("subject")) as (_, server):
        server.send(spam(NEW))
        server.send(ham(NEW), "ben@home.example")
        [raw] = arrived(server, 1)
        [other] = arrived(server, 1, "ben")
    assert email.message_from_bytes(raw)["Subject"] == f"[SPAM] You WON ${NEW}00 !!!"
    assert email.message_from_bytes(other)["Subject"] == f"Minutes of meeting {NEW}"


@pytest.mark.parametrize(("action", "code"), [("accept", 250), ("tempfail", 451)])
def test_without_the_daemon_postfix_does_as_it_was_told(
    settings: Settings, open_folder: Path, action: str, code: int
) -> None:
    with both(settings, open_folder, milter_default_action=action) as (daemon, server):
        daemon.stop()
        assert answer_to(server, spam(NEW)) == code
        if code == 250:
            [raw] = arrived(server, 1)
            assert told(raw)["X-Spam"] == []


@pytest.mark.parametrize("action", ["accept", "tempfail"])
def test_no_message_is_lost_or_altered_while_workers_are_killed(
    settings: Settings, open_folder: Path, action: str
) -> None:
    """bench/milter_kills.py does the same with 10,000."""
    least, deaths = 60, 5
    enough = threading.Event()

    def kill(daemon: Running) -> None:
        while not enough.wait(0.2):
            for worker in daemon.workers[:1]:
                os.kill(worker, signal.SIGKILL)

    def died(daemon: Running) -> int:
        return daemon.log.count("was killed by SIGKILL and is replaced")

    with both(settings, open_folder, workers=2, milter_default_action=action) as (daemon, server):
        killer = threading.Thread(target=kill, args=(daemon,))
        killer.start()
        count = 0
        try:
            # Not a fixed number: a fast machine delivers sixty messages before the first worker has died.
            while count < least or died(daemon) < deaths:
                send_until_taken(server, numbered(count))
                count += 1
        finally:
            enough.set()
            killer.join()
        found = arrived(server, count)
        server.send(spam(NEW), "ben@home.example")
        assert told(arrived(server, 1, "ben")[0])["X-Spam"] == ["Yes"]
    assert sorted(map(without_what_was_added, found)) == sorted(map(numbered, range(count)))


def numbered(number: int) -> bytes:
    return b"X-Number: %d\n" % number + (spam(number) if number % 2 else ham(number))


def answer_to(server: Postfix, raw: bytes) -> int:
    """Send a message and return the code it was answered with; 421 where the connection broke."""
    try:
        server.send(raw)
    except smtplib.SMTPResponseException as refusal:
        return refusal.smtp_code
    except smtplib.SMTPServerDisconnected:
        return 421
    return 250


def send_until_taken(server: Postfix, raw: bytes) -> None:
    """Send as mail servers do: what is refused for now is tried again."""
    while (code := answer_to(server, raw)) != 250:
        assert 400 <= code < 500
