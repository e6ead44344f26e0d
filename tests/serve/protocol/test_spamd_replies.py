"""What clients of each version are answered, byte for byte."""

import re

import pytest

from thresher.serve.protocol.spamd import Code, Command, Dialect, Fault, Request
from thresher.serve.protocol.spamd_replies import MAX_REPORT, Found, fault, judged, points, pong, told

SPAM = Found(
    spam=True,
    score=15.04,
    threshold=5.0,
    symbols=("BAYES_99", "THRESHER_SPAM"),
    action="add header",
    report="Spam, and why.\n",
)
HAM = Found(spam=False, score=-3.2, threshold=5.0, symbols=("BAYES_00",), action="no action", report="Ham, and why.\n")
MESSAGE = b"A: b\r\nX-Spam: Yes\r\n\r\nhello\n\nagain\r\n"


def request(command: str, version: str = "1.5", dialect: Dialect = Dialect.SPAMC) -> Request:
    major, minor = version.split(".")
    return Request(Command(command), (int(major), int(minor)), dialect)


REPLIES = [
    ("CHECK", "1.2", SPAM, b"SPAMD/1.1 0 EX_OK\r\nSpam: True ; 15.0 / 5.0\r\n\r\n"),
    ("CHECK", "1.5", SPAM, b"SPAMD/1.1 0 EX_OK\r\nSpam: True ; 15.0 / 5.0\r\n\r\n"),
    ("CHECK", "1.5", HAM, b"SPAMD/1.1 0 EX_OK\r\nSpam: False ; -3.2 / 5.0\r\n\r\n"),
    ("SYMBOLS", "1.2", SPAM, b"SPAMD/1.1 0 EX_OK\r\nSpam: True ; 15.0 / 5.0\r\n\r\nBAYES_99,THRESHER_SPAM\r\n"),
    (
        "SYMBOLS",
        "1.3",
        SPAM,
        b"SPAMD/1.1 0 EX_OK\r\nContent-length: 22\r\nSpam: True ; 15.0 / 5.0\r\n\r\nBAYES_99,THRESHER_SPAM",
    ),
    ("REPORT", "1.2", SPAM, b"SPAMD/1.1 0 EX_OK\r\nSpam: True ; 15.0 / 5.0\r\n\r\nSpam, and why.\n"),
    ("REPORT", "1.2", HAM, b"SPAMD/1.1 0 EX_OK\r\nSpam: False ; -3.2 / 5.0\r\n\r\nHam, and why.\n"),
    (
        "REPORT",
        "1.3",
        HAM,
        b"SPAMD/1.1 0 EX_OK\r\nContent-length: 14\r\nSpam: False ; -3.2 / 5.0\r\n\r\nHam, and why.\n",
    ),
    (
        "REPORT_IFSPAM",
        "1.5",
        SPAM,
        b"SPAMD/1.1 0 EX_OK\r\nContent-length: 15\r\nSpam: Yes ; 15.0 / 5.0\r\n\r\nSpam, and why.\n",
    ),
    ("REPORT_IFSPAM", "1.5", HAM, b"SPAMD/1.1 0 EX_OK\r\nContent-length: 0\r\nSpam: No ; -3.2 / 5.0\r\n\r\n"),
    ("REPORT_IFSPAM", "1.2", HAM, b"SPAMD/1.1 0 EX_OK\r\nSpam: No ; -3.2 / 5.0\r\n\r\n"),
    ("PROCESS", "1.0", SPAM, b"SPAMD/1.0 0 EX_OK\r\n" + MESSAGE),
    ("PROCESS", "1.2", SPAM, b"SPAMD/1.1 0 EX_OK\r\nContent-length: 35\r\n\r\n" + MESSAGE),
    (
        "PROCESS",
        "1.3",
        SPAM,
        b"SPAMD/1.1 0 EX_OK\r\nContent-length: 35\r\nSpam: True ; 15.0 / 5.0\r\n\r\n" + MESSAGE,
    ),
    ("HEADERS", "1.2", SPAM, b"SPAMD/1.1 0 EX_OK\r\nContent-length: 21\r\n\r\n" + MESSAGE[:21]),
]


@pytest.mark.parametrize(("command", "version", "found", "expected"), REPLIES)
def test_each_version_gets_the_headers_its_clients_take(
    command: str, version: str, found: Found, expected: bytes
) -> None:
    assert judged(request(command, version), found, MESSAGE) == expected


def test_exim_never_meets_both_headers_at_once() -> None:
    """It asks REPORT of version 1.2, and on a reply with both it would defer the mail."""
    for found in (SPAM, HAM):
        head, _, _ = judged(request("REPORT", "1.2"), found).partition(b"\r\n\r\n")
        assert (b"Spam:" in head) != (b"Content-length:" in head)


def test_a_report_stays_within_what_exim_reads() -> None:
    assert len(judged(request("REPORT", "1.2"), SPAM._replace(report="why? " * 10_000))) < MAX_REPORT + 100 < 32_600


def test_the_length_counts_bytes() -> None:
    reply = judged(request("REPORT"), SPAM._replace(report="“né”\n"))
    head, _, content = reply.partition(b"\r\n\r\n")
    assert f"Content-length: {len(content)}".encode() in head


def test_a_message_without_a_blank_line_is_all_head() -> None:
    assert judged(request("HEADERS", "1.0"), SPAM, b"A: b\n").endswith(b"\r\nA: b\n")


@pytest.mark.parametrize(
    ("score", "spam", "printed"),
    [(4.96, False, "4.9"), (5.0, True, "5.0"), (4.94, False, "4.9"), (-0.01, False, "0.0"), (123.45, True, "123.5")],
)
def test_rounding_carries_no_score_over_the_threshold(score: float, printed: str, *, spam: bool) -> None:
    assert points(SPAM._replace(score=score, spam=spam)) == (printed, "5.0")


def test_exim_reads_the_reply_of_an_rspamd() -> None:
    """As its sscanf does: five figures, then the action."""
    reply = judged(request("CHECK", "1.3", Dialect.RSPAMC), SPAM)
    pattern = rb"RSPAMD/1\.3 0 EX_OK\r\nMetric: default; True; 15\.0 / 5\.0 / 15\.0\r\nAction: add header\r\n.*\r\n\r\n"
    assert re.fullmatch(pattern, reply, re.DOTALL)


@pytest.mark.parametrize(
    ("learned", "forgotten", "expected"),
    [
        (True, False, b"SPAMD/1.1 0 EX_OK\r\nDidSet: local\r\n\r\n"),
        (False, True, b"SPAMD/1.1 0 EX_OK\r\nDidRemove: local\r\n\r\n"),
        (False, False, b"SPAMD/1.1 0 EX_OK\r\n\r\n"),
    ],
)
def test_tell_is_answered_with_what_changed(expected: bytes, *, learned: bool, forgotten: bool) -> None:
    assert told(learned=learned, forgotten=forgotten) == expected


def test_ping_is_answered_pong() -> None:
    assert pong(request("PING")) == b"SPAMD/1.5 0 PONG\r\n"


def test_a_fault_is_answered_with_its_code_and_name() -> None:
    assert fault(Fault(Code.EX_PROTOCOL, "no such thing")) == b"SPAMD/1.0 76 EX_PROTOCOL no such thing\r\n"
    assert fault(Fault(Code.EX_TIMEOUT, "too late", Dialect.RSPAMC)) == b"RSPAMD/1.0 79 EX_TIMEOUT too late\r\n"
