"""The real spamc, in all its modes, is served as its own spamd would serve it."""

import re
import socket
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.serve.in_thread import serving
from thresher.serve.scanner import Scanner
from thresher.serve.spamd import serve_spamd

pytestmark = pytest.mark.spamc

Ran = subprocess.CompletedProcess[bytes]


def spamc(port: int, *options: str, message: bytes) -> Ran:
    """Run spamc; -F so that no configuration of this machine counts, -x so that no error goes unseen."""
    command = ["spamc", "-F", "/dev/null", "-d", "127.0.0.1", "-p", str(port), "-u", "ada", "-x", *options]
    return subprocess.run(command, input=message, capture_output=True, check=False)


@pytest.fixture
def port(scanner: Scanner) -> Iterator[int]:
    """Give the port of a daemon that takes lessons too."""
    with serving(scanner, partial(serve_spamd, learning=True)) as port:
        yield port


def test_check_prints_score_and_threshold_and_tells_by_its_exit_code(port: int) -> None:
    ran = spamc(port, "-c", message=spam(77))
    assert ran.returncode == 1
    assert re.fullmatch(rb"\d+\.\d/5\.0\n", ran.stdout)
    ran = spamc(port, "-c", message=ham(77))
    assert ran.returncode == 0
    assert re.fullmatch(rb"-?\d+\.\d/5\.0\n", ran.stdout)


def test_the_exit_code_alone_tells_too(port: int) -> None:
    assert spamc(port, "-E", message=spam(77)).returncode == 1
    assert spamc(port, "-E", message=ham(77)).returncode == 0


@pytest.mark.parametrize("size", [0, 1, 300_000])
def test_a_message_comes_back_with_our_headers_and_otherwise_as_it_was(port: int, size: int) -> None:
    raw = spam(77) + b"x" * size + b"\r\n\0\xff"
    ran = spamc(port, message=raw)
    assert ran.returncode == 0
    assert b"X-Spam-Flag: YES\n" in ran.stdout
    assert re.sub(rb"X-(Spam|Thresher)[^:]*:[^\n]*\n( [^\n]*\n)*", b"", ran.stdout) == raw


def test_headers_alone_come_back_before_the_body_that_spamc_kept(port: int) -> None:
    ran = spamc(port, "--headers", message=ham(77))
    assert ran.returncode == 0
    assert ran.stdout.endswith(ham(77).partition(b"\n\n")[2])
    assert ran.stdout.count(b"X-Spam: No\n") == 1


def test_a_report_is_told_for_all_or_for_spam_only(port: int) -> None:
    for message in (spam(77), ham(77)):
        told = spamc(port, "-R", message=message).stdout
        assert re.match(rb"-?\d+\.\d/5\.0\nthresher takes this message for (spam|ham): ", told)
    assert spamc(port, "-r", message=spam(77)).stdout.startswith(b"thresher takes this message for spam: ")
    assert spamc(port, "-r", message=ham(77)).stdout == b""


def test_the_names_of_rules_are_told(port: int) -> None:
    assert re.fullmatch(rb"BAYES_\d+,THRESHER_SPAM\n?", spamc(port, "-y", message=spam(77)).stdout)


def test_the_server_is_alive(port: int) -> None:
    ran = spamc(port, "-K", message=b"")
    assert (ran.returncode, ran.stdout) == (0, b"SPAMD/1.5 0\n")


def test_lessons_change_the_verdict_and_are_taken_back(port: int) -> None:
    message = ham(900).replace(b"budget, garden", b"zebras, xylophones")
    assert spamc(port, "-L", "spam", message=message).stdout == b"Message successfully un/learned\n"
    assert spamc(port, "-L", "spam", message=message).stdout == b"Message was already un/learned\n"
    for _ in range(2):
        assert spamc(port, "-L", "ham", message=message).returncode == 0
    assert spamc(port, "-L", "forget", message=message).stdout == b"Message successfully un/learned\n"
    assert spamc(port, "-L", "forget", message=message).stdout == b"Message was already un/learned\n"


def test_reporting_to_others_is_no_error_and_does_not_happen(port: int) -> None:
    ran = spamc(port, "-C", "report", message=spam(77))
    assert ran.returncode == 0
    assert b"unable to report" in ran.stdout.lower()


def test_a_daemon_that_takes_no_lessons_says_so(scanner: Scanner) -> None:
    """74 is what spamc makes of the refusal of its own spamd, too."""
    with serving(scanner, serve_spamd) as port:
        assert spamc(port, "-L", "spam", message=spam(1)).returncode == 74


def test_a_unix_socket_serves_as_well(scanner: Scanner, tmp_path: Path) -> None:
    path = tmp_path / "socket"
    bound = socket.socket(socket.AF_UNIX)
    bound.bind(str(path))
    with serving(scanner, serve_spamd, bound):
        command = ["spamc", "-F", "/dev/null", "-U", str(path), "-x", "-c"]
        assert subprocess.run(command, input=spam(77), capture_output=True, check=False).returncode == 1


def test_without_x_an_unreachable_server_passes_the_mail_unchanged() -> None:
    """What spamc promises when the daemon is down; nothing of ours may stand in its way."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ["spamc", "-F", "/dev/null", "-d", "127.0.0.1", "-p", str(port), "--connect-retries", "1"]
    ran = subprocess.run(command, input=spam(77), capture_output=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, spam(77))
