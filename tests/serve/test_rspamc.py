"""The real rspamc is served as its own rspamd would serve it."""

import json
import re
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.cli.making import folder, ham, spam
from tests.serve.in_thread import serving
from thresher.serve.http import serve_http
from thresher.serve.scanner import Scanner

pytestmark = pytest.mark.rspamc

Ran = subprocess.CompletedProcess[bytes]


@pytest.fixture
def port(scanner: Scanner) -> Iterator[int]:
    """Give the port of a daemon that takes lessons from this machine."""
    with serving(scanner, partial(serve_http, learning=True)) as port:
        yield port


def rspamc(port: int, *arguments: str | Path, message: bytes = b"") -> Ran:
    """Run rspamc; one port is scanner and controller."""
    command = ["rspamc", "-h", f"127.0.0.1:{port}", *map(str, arguments)]
    return subprocess.run(command, input=message, capture_output=True, check=False)


def test_it_shows_a_verdict(port: int) -> None:
    ran = rspamc(port, message=spam(77))
    assert ran.returncode == 0
    lines = ran.stdout.decode().splitlines()
    assert lines[0].startswith("Results for file: stdin (")
    assert lines[1:4] == ["[Metric: default]", "Action: add header", "Spam: true"]
    assert re.fullmatch(r"Score: \d+\.\d\d / 5\.00", lines[4])
    assert re.fullmatch(r"Symbol: BAYES_SPAM \(\d+\.\d\d\)\[9\d\.\d\d%\]", lines[5])
    assert lines[6].startswith("Symbol: THRESHER_WHY (0.00)[")
    assert "Message-ID: 77.prize@lottery.example" in lines


def test_it_judges_a_folder_as_json(port: int, tmp_path: Path) -> None:
    place = folder(tmp_path / "mail", [spam(77), ham(77), spam(78)])
    ran = rspamc(port, "--json", "--compact", place)
    results = [json.loads(line) for line in ran.stdout.splitlines() if line]
    actions = {Path(result["filename"]).name: result["action"] for result in results}
    assert actions == {"00000.eml": "add header", "00001.eml": "no action", "00002.eml": "add header"}


def test_a_pipe_teaches_without_a_password_from_this_machine(port: int) -> None:
    """As Dovecot's imapsieve and Roundcube's markasjunk call it; already learned is no error, for they would retry."""
    ran = rspamc(port, "learn_spam", message=spam(500))
    assert (ran.returncode, b"success = true;" in ran.stdout) == (0, True)
    ran = rspamc(port, "learn_spam", message=spam(500))
    assert (ran.returncode, b"has been already learned as spam, ignore it" in ran.stdout) == (0, True)
    ran = rspamc(port, "learn_ham", message=spam(500))
    assert (ran.returncode, b"success = true;" in ran.stdout) == (0, True)


def test_the_password_is_asked_for_where_one_is_set(scanner: Scanner) -> None:
    with serving(scanner, partial(serve_http, learning=True, password="q2")) as port:
        ran = rspamc(port, "learn_spam", message=spam(500))
        assert (ran.returncode, b"HTTP error: 401, Unauthorized" in ran.stdout) == (1, True)
        assert b"success = true;" in rspamc(port, "-P", "q2", "learn_spam", message=spam(500)).stdout


def test_an_empty_message_is_an_error(port: int) -> None:
    ran = rspamc(port, "learn_ham", message=b"")
    assert (ran.returncode, b"HTTP error: 400" in ran.stdout) == (1, True)


def test_it_shows_statistics_and_uptime(port: int) -> None:
    rspamc(port, message=spam(77))
    out = rspamc(port, "stat").stdout.decode()
    assert "Messages scanned: 1\n" in out
    assert "Messages learned: 40\n" in out
    assert re.search(r"Statfile: BAYES_SPAM type: thresher; .*learned: 20; users: 1;", out)
    ran = rspamc(port, "uptime")
    assert (ran.returncode, b"Uptime:" in ran.stdout) == (0, True)


def test_a_message_goes_through_it_with_headers(port: int) -> None:
    out = rspamc(port, "--mime", message=spam(77)).stdout
    assert b"X-Spam-Action: add header" in out
    assert out.endswith(spam(77).partition(b"\n\n")[2])
