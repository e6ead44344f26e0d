"""spamd's conversation over a socket: verdicts, lessons, messages with our headers, and errors that arrive."""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.serve.in_thread import said, serving
from thresher.config import Settings
from thresher.serve import spamd as module
from thresher.serve.scanner import Scanner
from thresher.serve.spamd import serve_spamd

Ask = Callable[..., bytes]


@contextmanager
def asking(scanner: Scanner, **options: object) -> Iterator[Ask]:
    """Run a daemon that speaks spamd's protocol; give what asks it."""
    with serving(scanner, partial(serve_spamd, **options)) as port:  # type: ignore[arg-type]

        def ask(command: str, *headers: str, message: bytes = b"", half_close: bool = True) -> bytes:
            lines = [command, *headers, f"Content-length: {len(message)}", ""]
            return said(port, "".join(f"{line}\r\n" for line in lines).encode() + message, half_close=half_close)

        yield ask


def test_verdicts_on_ham_and_spam_come_without_a_half_close_too(scanner: Scanner) -> None:
    with asking(scanner) as ask:
        for half_close in (True, False):
            reply = ask("CHECK SPAMC/1.5", message=spam(77), half_close=half_close)
            assert re.fullmatch(rb"SPAMD/1\.1 0 EX_OK\r\nSpam: True ; \d+\.\d / 5\.0\r\n\r\n", reply)
            reply = ask("CHECK SPAMC/1.5", message=ham(77), half_close=half_close)
            assert re.fullmatch(rb"SPAMD/1\.1 0 EX_OK\r\nSpam: False ; -?\d+\.\d / 5\.0\r\n\r\n", reply)


def test_symbols_name_spamassassins_rules_and_ours(scanner: Scanner) -> None:
    with asking(scanner) as ask:
        assert re.search(rb"\r\n\r\nBAYES_9\d+,THRESHER_SPAM$", ask("SYMBOLS SPAMC/1.5", message=spam(77)))
        assert re.search(rb"\r\n\r\nBAYES_0\d,THRESHER_HAM$", ask("SYMBOLS SPAMC/1.5", message=ham(77)))


def test_a_report_says_what_told_most(scanner: Scanner) -> None:
    with asking(scanner) as ask:
        _, _, content = ask("REPORT SPAMC/1.5", message=spam(77)).partition(b"\r\n\r\n")
        assert content.startswith(b"thresher takes this message for spam: probability of spam 0.9")
        assert len(re.findall(rb"(?m)^ *\+\d+\.\d\d  \S", content)) == 3


def test_a_processed_message_has_our_headers_and_no_forged_ones(scanner: Scanner) -> None:
    forged = b"X-Spam: No\r\nX-Spam-Status: No, score=-99\r\nX-Thresher: ham\r\n"
    raw = spam(77).replace(b"\n", b"\r\n")

    with asking(scanner) as ask:
        reply = ask("PROCESS SPAMC/1.5", message=forged + raw)
        head, _, message = reply.partition(b"\r\n\r\n")
        assert f"Content-length: {len(message)}".encode() in head
        assert message.count(b"X-Spam: Yes\r\n") == message.count(b"X-Spam:") == message.count(b"X-Thresher:") == 1
        assert b"X-Spam-Flag: YES\r\nX-Spam-Status: Yes, score=" in message
        assert re.sub(rb"X-(Spam|Thresher)[^:]*:[^\r]*\r\n( [^\r]*\r\n)*", b"", message) == raw
        _, _, headers = ask("HEADERS SPAMC/1.5", message=raw).partition(b"\r\n\r\n")
        assert headers == message[: message.index(b"\r\n\r\n") + 4]


def test_ping_is_answered_and_skip_is_not(scanner: Scanner) -> None:
    with asking(scanner) as ask:
        assert ask("PING SPAMC/1.5") == b"SPAMD/1.5 0 PONG\r\n"
        assert ask("SKIP SPAMC/1.5") == b""


def test_lessons_are_kept_corrected_and_taken_back_in_the_name_of_the_user(scanner: Scanner) -> None:
    with asking(scanner, learning=True) as ask:
        teach = partial(ask, "TELL SPAMC/1.5", message=spam(500))
        assert b"DidSet: local" in teach("Message-class: spam", "Set: local", "User: bob")
        assert b"DidSet" not in teach("Message-class: spam", "Set: local", "User: bob")
        assert b"DidSet: local" in teach("Message-class: ham", "Set: local", "User: bob")
        entries = asyncio.run(scanner.ask(lambda engine: list(engine.journal.entries())))
        assert [(entry.label, entry.source) for entry in entries if entry.user == "bob"] == [("ham", "spamd")]
        assert b"DidRemove: local" in teach("Remove: local", "User: bob")
        assert teach("Remove: local", "User: bob") == b"SPAMD/1.1 0 EX_OK\r\n\r\n"


def test_lessons_are_refused_where_learning_is_not_switched_on(scanner: Scanner) -> None:
    with asking(scanner) as ask:
        reply = ask("TELL SPAMC/1.5", "Message-class: spam", "Set: local", message=spam(500))
        assert reply.startswith(b"SPAMD/1.0 69 EX_UNAVAILABLE learning is not switched on")
    assert scanner.keeper.taught == 0


def test_a_lesson_that_could_not_be_kept_is_an_error(scanner: Scanner, settings: Settings, tmp_path: Path) -> None:
    with asking(scanner, learning=True) as ask:
        settings.home.rename(tmp_path / "elsewhere")
        reply = ask("TELL SPAMC/1.5", "Message-class: spam", "Set: local", message=spam(500))
        assert reply.startswith(b"SPAMD/1.0 75 EX_TEMPFAIL ")
        assert reply.count(b"\n") == 1


def test_what_could_not_be_judged_passes_as_unsure(scanner: Scanner, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error would make Exim hold the mail back."""
    monkeypatch.setattr(scanner, "in_hand", 1000)

    with asking(scanner) as ask:
        assert ask("REPORT SPAMC/1.2", message=spam(1)) == (
            b"SPAMD/1.1 0 EX_OK\r\nSpam: False ; 0.0 / 5.0\r\n\r\n"
            b"thresher has not judged this message: 1000 messages are waiting\n"
        )
        assert ask("SYMBOLS SPAMC/1.5", message=spam(1)).endswith(b"\r\n\r\nTHRESHER_UNJUDGED")
        assert b"X-Spam: Unsure\n" in ask("PROCESS SPAMC/1.5", message=spam(1))


def test_an_error_reaches_a_client_that_is_still_sending(scanner: Scanner) -> None:
    with asking(scanner, limit=1000) as ask:
        assert ask("CHECK SPAMC/1.5", message=bytes(8 << 20)).startswith(b"SPAMD/1.0 65 EX_DATAERR ")


@pytest.mark.parametrize("sent", [b"", b"CHECK SPAMC/1.5\r\nContent-length: 5\r\n\r\nhell"])
def test_a_client_that_takes_too_long_is_told_so(
    scanner: Scanner, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    with serving(scanner, serve_spamd) as port:
        assert said(port, sent, half_close=False) == b"SPAMD/1.0 79 EX_TIMEOUT no request within 0.05 s\r\n"


def test_a_client_that_comes_and_goes_gets_no_answer(scanner: Scanner) -> None:
    with serving(scanner, serve_spamd) as port:
        assert said(port, b"") == b""
