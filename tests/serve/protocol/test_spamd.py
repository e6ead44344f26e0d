"""spamd's protocol: every command and version, cut in any way, with anything after it; what is wrong has its code."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.serve.protocol.spamd import MAX_HEADERS, MAX_LINE, Code, Command, Dialect, Event, Fault, Reader, Request
from thresher.values import Label

LIMIT = 1000
MESSAGE = b"From: ada@work.example\r\nSubject: minutes\r\n\r\nDear all\r\n"


def fed(data: bytes, cuts: list[int] | None = None, *, end: bool = True) -> Event | None:
    """Feed a reader; with cuts, in pieces of these sizes, over and over."""
    reader = Reader(LIMIT)
    sizes = cuts or [max(len(data), 1)]
    start = piece = 0
    event: Event | None = None
    while start < len(data):
        size = sizes[piece % len(sizes)]
        event = event or reader.receive(data[start : start + size])
        start, piece = start + size, piece + 1
    if end:
        event = event or reader.end()
        assert reader.done
    if event:
        assert reader.receive(b"more") is None
    return event


def read(data: bytes, *, end: bool = False) -> Request:
    """Read a request in every way; all agree."""
    event = fed(data, end=end)
    assert fed(data, [1], end=end) == event
    assert fed(data, [7, 2], end=end) == event
    assert isinstance(event, Request), event
    return event


def refused(data: bytes, *, end: bool = False) -> Fault:
    """Read what is to be refused, in every way; all agree."""
    event = fed(data, end=end)
    assert fed(data, [1], end=end) == event
    assert isinstance(event, Fault), event
    return event


def asked(command: str, *headers: str, message: bytes = MESSAGE, length: int | None = -1) -> bytes:
    """Write a request."""
    lines = [command, *headers]
    if length is not None:
        lines.append(f"Content-length: {len(message) if length < 0 else length}")
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode() + message


@pytest.mark.parametrize("command", ["CHECK", "SYMBOLS", "REPORT", "REPORT_IFSPAM", "PROCESS", "HEADERS"])
@pytest.mark.parametrize("version", ["1.1", "1.2", "1.3", "1.4", "1.5"])
def test_each_command_of_each_version_is_read_without_waiting_for_the_end(command: str, version: str) -> None:
    request = read(asked(f"{command} SPAMC/{version}", "User: ada"))
    assert request.command is Command(command)
    assert request.version == (1, int(version[-1]))
    assert (request.user, request.message, request.dialect) == ("ada", MESSAGE, Dialect.SPAMC)


def test_what_follows_the_message_belongs_to_nobody() -> None:
    assert read(asked("CHECK SPAMC/1.5") + b"CHECK SPAMC/1.5\r\n\r\n").message == MESSAGE


def test_without_a_length_the_message_lasts_until_the_client_has_no_more() -> None:
    data = asked("CHECK SPAMC/1.2", length=None)
    assert fed(data, end=False) is None
    assert read(data, end=True).message == MESSAGE


def test_an_empty_length_is_none() -> None:
    assert read(b"CHECK SPAMC/1.2\r\nContent-length: \r\n\r\nhello", end=True).message == b"hello"


def test_a_client_of_version_1_0_sends_no_headers() -> None:
    assert read(b"CHECK SPAMC/1.0\r\n" + MESSAGE, end=True).message == MESSAGE


def test_an_empty_message_is_a_message() -> None:
    assert read(asked("CHECK SPAMC/1.5", message=b"")).message == b""


def test_bare_line_feeds_and_any_case_of_a_header_will_do() -> None:
    assert read(b"CHECK SPAMC/1.5\ncontent-LENGTH:5\nuser: ada\n\nhello").user == "ada"


def test_unknown_headers_are_kept_and_do_no_harm() -> None:
    request = read(asked("CHECK SPAMC/1.5", "X-Anything: goes: here", "Empty:"))
    assert request.headers[:2] == (("x-anything", "goes: here"), ("empty", ""))


def test_ping_is_answered_before_the_client_has_closed() -> None:
    assert read(b"PING SPAMC/1.2\r\n").command is Command.PING
    assert fed(b"PING SPAMC/1.5\r\n", end=False) is None
    assert read(b"PING SPAMC/1.5\r\n\r\n").command is Command.PING


def test_a_monitor_may_leave_out_the_blank_line_after_ping() -> None:
    assert read(b"PING SPAMC/1.5\n", end=True).command is Command.PING


def test_skip_is_read() -> None:
    assert read(b"SKIP SPAMC/1.5\r\n\r\n").command is Command.SKIP


@pytest.mark.parametrize(
    ("headers", "label", "learn", "forget"),
    [
        (["Message-class: spam", "Set: local"], Label.SPAM, True, False),
        (["Message-class: ham", "Set: local"], Label.HAM, True, False),
        (["Remove: local"], None, False, True),
        (["Message-class: spam", "Set: local,remote"], Label.SPAM, True, False),
        (["Message-class: ham", "Set: Local", "Remove: remote"], Label.HAM, True, False),
        (["Set: remote"], None, False, False),
        ([], None, False, False),
    ],
)
def test_tell_says_what_to_learn_or_forget(
    headers: list[str], label: Label | None, *, learn: bool, forget: bool
) -> None:
    request = read(asked("TELL SPAMC/1.5", *headers))
    assert (request.label, request.learn, request.forget) == (label, learn, forget)


@pytest.mark.parametrize(
    "headers",
    [
        ["Set: local"],
        ["Message-class: spam", "Set: local", "Remove: local"],
        ["Message-class: junk", "Set: local"],
    ],
)
def test_tell_refuses_what_has_no_meaning(headers: list[str]) -> None:
    assert refused(asked("TELL SPAMC/1.5", *headers)).code is Code.EX_PROTOCOL


def test_exim_as_a_client_of_rspamd_tells_the_envelope() -> None:
    request = read(
        b"CHECK RSPAMC/1.3\r\nContent-length: 5\r\nQueue-Id: 1vLx\r\nFrom: <ada@work.example>\r\n"
        b"Recipient-Number: 2\r\nRcpt: <b@home.example>\r\nRcpt: <c@home.example>\r\nHelo: there\r\n"
        b"IP: 192.0.2.1\r\n\r\nhello"
    )
    assert request.dialect is Dialect.RSPAMC
    assert [value for name, value in request.headers if name == "rcpt"] == ["<b@home.example>", "<c@home.example>"]
    assert request.message == b"hello"


def compressed(message: bytes = MESSAGE, *, cut: int = 0) -> bytes:
    """Compress as spamc -z does."""
    squeezed = zlib.compress(message)
    return squeezed[: len(squeezed) - cut]


def test_a_compressed_message_is_read() -> None:
    assert read(asked("CHECK SPAMC/1.5", "Compress: zlib", message=compressed())).message == MESSAGE


def test_bytes_after_the_end_of_what_was_compressed_are_passed_over() -> None:
    assert read(asked("CHECK SPAMC/1.5", "Compress: zlib", message=compressed() + b"junk")).message == MESSAGE


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (asked("CHECK SPAMC/1.5", "Compress: zlib", message=compressed(cut=3)), Code.EX_DATAERR),
        (asked("CHECK SPAMC/1.5", "Compress: zlib"), Code.EX_DATAERR),
        (asked("CHECK SPAMC/1.5", "Compress: zlib", message=compressed(bytes(LIMIT + 1))), Code.EX_DATAERR),
        (asked("CHECK SPAMC/1.5", "Compress: zlib", message=compressed(), length=None), Code.EX_PROTOCOL),
        (asked("CHECK SPAMC/1.5", "Compress: bzip2"), Code.EX_PROTOCOL),
        (asked("CHECK SPAMC/1.5", length=LIMIT + 1), Code.EX_DATAERR),
        (asked("CHECK SPAMC/1.5", "Content-length: -1", length=None), Code.EX_PROTOCOL),
        (asked("CHECK SPAMC/1.5", "Content-length: ten", length=None), Code.EX_PROTOCOL),
        (asked("CHECK SPAMC/1.5", "Content-length: " + "9" * 99, length=None), Code.EX_PROTOCOL),
        (asked("CHECK SPAMC/1.5", "no header"), Code.EX_PROTOCOL),
        (asked("CHECK SPAMC/1.5", "User: a\tb\x1b[31m"), Code.EX_PROTOCOL),
        (asked("CHECK SPAMC/1.5", "User: " + "a" * 400), Code.EX_PROTOCOL),
        (asked("CHECK SPAMC/1.5", *["A: b"] * (MAX_HEADERS + 1)), Code.EX_PROTOCOL),
        (asked("CHECK SPAMC/1.5", "A: " + "b" * MAX_LINE), Code.EX_PROTOCOL),
        (b"CHECK SPAMC/" + b"1" * MAX_LINE, Code.EX_PROTOCOL),
        (b"EHLO mail.example\r\n", Code.EX_PROTOCOL),
        (b"DANCE SPAMC/1.5\r\n", Code.EX_PROTOCOL),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", Code.EX_PROTOCOL),
        (b"check spamc/1.5\r\n", Code.EX_PROTOCOL),
        (b"CHECK SPAMC/one\r\n", Code.EX_PROTOCOL),
        (b"\x16\x03\x01\x02\x00\x01\x00\n", Code.EX_PROTOCOL),
    ],
    ids=lambda value: value[:40] if isinstance(value, bytes) else value.name,
)
def test_what_is_wrong_is_refused_with_its_code(data: bytes, code: Code) -> None:
    assert refused(data).code is code


@pytest.mark.parametrize(
    "data",
    [
        asked("CHECK SPAMC/1.5", length=len(MESSAGE) + 1),
        b"CHECK SPAMC/1.5\r\nUser: a",
        b"CHECK SPAMC/1.5\r\nUser: a\r\n",
        b"CHE",
        b"PING SPAMC/1.5",
    ],
)
def test_a_request_cut_short_is_an_error_of_protocol(data: bytes) -> None:
    assert fed(data, end=False) is None
    assert refused(data, end=True).code is Code.EX_PROTOCOL


def test_a_message_without_length_ends_at_the_limit() -> None:
    assert refused(asked("CHECK SPAMC/1.5", message=bytes(LIMIT + 1), length=None)).code is Code.EX_DATAERR


def test_of_a_client_that_says_nothing_there_is_nothing_to_say() -> None:
    assert fed(b"") is None


def test_a_reason_says_nothing_of_the_message() -> None:
    fault = refused(asked("CHECK SPAMC/1.5", message=b"secret" * 500, length=None))
    assert "secret" not in fault.reason


PIECES = st.sampled_from(
    [
        b"CHECK SPAMC/1.5\r\n", b"TELL SPAMC/1.2\r\n", b"PING SPAMC/1.5\r\n", b"Content-length: 8\r\n",
        b"Compress: zlib\r\n", b"Set: local\r\n", b"\r\n", b"\n", b"hello", b"\0",
        b"User: \xff\r\n", b"x\x9c", compressed(b"hi"),
    ]
)  # fmt: skip


@given(st.lists(PIECES | st.binary(max_size=20), max_size=12).map(b"".join), st.lists(st.integers(1, 9), min_size=1))
def test_any_bytes_cut_in_any_way_give_the_same_answer(data: bytes, cuts: list[int]) -> None:
    assert fed(data, cuts) == fed(data)
