"""Where one message of an mbox ends and the next begins."""

import io
import mailbox
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.boxes.mbox import FROM_LINE, LONGEST_LINE, only_message, split, unquote, whole

ENOUGH = 1 << 30
FROM = b"From ann@example.org Thu Jan  1 00:00:00 1970\n"

# What goes wrong at the seams: line ends of both kinds, From lines and what looks like them, lines of nearly their
# length.
CRLF_FROM = FROM.replace(b"\n", b"\r\n")
fragments = st.sampled_from([
    b"\n", b"\n\n", b"\r\n", b"\r\n\r\n", b"\r", b"From ", b">From ", b">>From ", b"From here on\n", FROM, b"\n" + FROM,
    b"\r\n" + CRLF_FROM, b"Subject: tea\n", b"x" * 300 + b"\n", b"y" * (LONGEST_LINE - 5), b"\x00\xff",
])  # fmt: skip
texts = st.lists(fragments, max_size=30).map(b"".join)


def raws(data: bytes, limit: int = ENOUGH) -> list[bytes]:
    return [piece.raw for piece in split([data], limit)]


def line_by_line(data: bytes) -> list[bytes]:
    """Do the same the slow and obvious way."""
    lines = list(io.BytesIO(data))
    if not lines or not FROM_LINE.fullmatch(lines[0]):
        return [data]
    blank = (b"\n", b"\r\n")
    messages: list[list[bytes]] = [[]]
    previous = lines[0]
    for line in lines[1:]:
        if previous in blank and FROM_LINE.fullmatch(line):
            messages[-1].pop()
            messages.append([])
        else:
            messages[-1].append(line)
        previous = line
    if messages[-1] and messages[-1][-1] in blank:
        messages[-1].pop()
    return [re.sub(rb"(?m)^>(>*From )", rb"\1", b"".join(lines)) for lines in messages]


@pytest.mark.parametrize(
    "line",
    [
        "From ann@example.org Thu Jan  1 00:00:00 1970",
        "From MAILER-DAEMON Fri Jul  8 12:08:34 2011",
        "From - Tue Mar 02 09:15:00 2004",
        "From ann at example.org  Mon Feb  2 17:00:01 2009",
        "From 1600000000000000001@xxx Sun Sep 13 12:26:40 +0000 2020",
        "From ann@example.org Thu Jan  1 00:00:00 EST 1970",
        "From ann@example.org Thu Jan  1 00:00:00 1970 +0200",
        "From ann@example.org Thu, 1 Jan 1970 00:00:00 +0000 (UTC)",
        "From ann@example.org 1970-01-01T00:00:00Z",
        "From ann@example.org Thu Jan  1 00:00",
        "From ann Thu Jan  1 00:00:00 1970 remote from hub",
        "From  Thu Jan  1 00:00:00 1970",
        "From ann@example.org Thu Jan  1 00:00:00 1970  ",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_from_line_ends_in_a_date_of_any_usual_form(line: str, end: str) -> None:
    assert FROM_LINE.fullmatch((line + end).encode())


@pytest.mark.parametrize(
    "line",
    [
        "From here on the path is steep.",
        "From 10:30 on we serve lunch.",
        "From May 2019 to June 2020 the shop was closed.",
        "From Monday at 10:30 we meet in room 2019, second floor",
        "From now until 10:30 in 2019",
        "From: Ann <ann@example.org>",
        "from ann@example.org Thu Jan  1 00:00:00 1970",
        "From ann@example.org",
        "From",
        "",
    ],
)
def test_a_sentence_that_begins_with_from_is_no_from_line(line: str) -> None:
    assert not FROM_LINE.fullmatch(line.encode() + b"\n")


def test_an_mbox_splits_at_from_lines_after_a_blank_line() -> None:
    assert raws(FROM + b"Subject: a\n\none\n\n" + FROM + b"Subject: b\n\ntwo\n\n") == [
        b"Subject: a\n\none\n",
        b"Subject: b\n\ntwo\n",
    ]


def test_an_mbox_with_crlf_splits_the_same() -> None:
    data = FROM + b"Subject: a\n\none\n\n" + FROM + b"Subject: b\n\ntwo\n\n"
    assert raws(data.replace(b"\n", b"\r\n")) == [raw.replace(b"\n", b"\r\n") for raw in raws(data)]


def test_a_from_line_without_a_blank_line_before_it_is_text() -> None:
    assert raws(FROM + b"Subject: a\n\none\n" + FROM + b"two\n") == [b"Subject: a\n\none\n" + FROM + b"two\n"]


def test_an_unquoted_sentence_that_begins_with_from_does_not_split() -> None:
    body = b"Subject: a\n\nOne.\n\nFrom here on it rains.\n"
    assert raws(FROM + body) == [body]


def test_a_from_line_that_lacks_its_line_end_is_text() -> None:
    assert raws(FROM + b"Subject: a\n\n" + FROM.rstrip()) == [b"Subject: a\n\n" + FROM.rstrip()]


def test_a_from_line_longer_than_any_address_is_text() -> None:
    assert raws(FROM + b"\nFrom " + b"a" * LONGEST_LINE + FROM[4:] + b"x\n") == [
        b"\nFrom " + b"a" * LONGEST_LINE + FROM[4:] + b"x\n"
    ]


def test_messages_without_a_body_or_without_anything_keep_their_places() -> None:
    pieces = list(split([FROM + b"\n" + FROM + b"Subject: a\n\n" + FROM + b"\n"], ENOUGH))
    assert [piece.raw for piece in pieces] == [b"", b"Subject: a\n", b""]
    assert [piece.number for piece in pieces] == [1, 2, 3]


def test_one_quoting_is_undone_per_line() -> None:
    assert unquote(b">From a\n>>From b\n> From c\nsaid >From d\n>Fromage\n") == (
        b"From a\n>From b\n> From c\nsaid >From d\n>Fromage\n"
    )


def test_a_file_with_one_from_line_is_one_message_without_it() -> None:
    [piece] = split([FROM + b"Subject: a\n\n>From me\n\n"], ENOUGH)
    assert (piece.number, piece.raw) == (0, b"Subject: a\n\nFrom me\n")


def test_a_file_without_a_from_line_is_one_message_as_it_is() -> None:
    data = b"Subject: a\n\n>From me\n\n" + FROM + b"\n"
    assert raws(data) == [data]


def test_a_file_that_begins_with_a_sentence_from_keeps_it() -> None:
    data = b"From what I hear\n\n" + FROM + b"x\n"
    assert raws(data) == [data]


def test_no_chunks_are_an_empty_message() -> None:
    assert [piece.raw for piece in split([], ENOUGH)] == [b""]


def test_offset_and_length_lead_from_the_from_line_to_the_end_of_the_message() -> None:
    data = FROM + b"a\n\n" + CRLF_FROM + b"b\r\n\r\n" + FROM + b"c"
    found = [data[piece.offset : piece.offset + piece.length] for piece in split([data], 0)]
    assert found == [FROM + b"a\n", CRLF_FROM + b"b\r\n", FROM + b"c"]


def test_a_long_message_is_cut_at_the_limit_and_says_so() -> None:
    pieces = list(split([FROM + b"0123456789\n\n" + FROM + b"0123456\n"], 8))
    assert [(piece.raw, piece.truncated) for piece in pieces] == [(b"01234567", True), (b"0123456\n", False)]


def test_a_stream_of_one_message_is_read_no_further_than_the_limit() -> None:
    chunks = iter([b"12345", b"67890", b"abcde", b"never"])
    piece = whole(chunks, 8)
    assert (piece.raw, piece.truncated) == (b"12345678", True)
    assert list(chunks) == [b"abcde", b"never"]


@given(texts)
def test_splitting_equals_the_obvious_way_line_by_line(data: bytes) -> None:
    assert raws(data) == line_by_line(data)


@given(texts, st.lists(st.integers(1, 1500), max_size=20))
def test_the_size_of_the_chunks_makes_no_difference(data: bytes, sizes: list[int]) -> None:
    rest = io.BytesIO(data)
    chunks = [chunk for size in sizes if (chunk := rest.read(size))]
    assert list(split([*chunks, rest.read()], ENOUGH)) == list(split([data], ENOUGH))


def test_byte_by_byte_makes_no_difference() -> None:
    data = b"".join(FROM + b"Subject: %d\n\n%b\n\n" % (n, b"word " * 10 * n) for n in range(40))
    assert list(split((data[i : i + 1] for i in range(len(data))), ENOUGH)) == list(split([data], ENOUGH))


@given(texts)
def test_the_short_cut_for_a_single_message_equals_splitting(data: bytes) -> None:
    short_cut = only_message(FROM + data)
    assert short_cut is None or [short_cut] == raws(FROM + data)


@given(texts, st.integers(0, 400))
def test_a_limit_cuts_messages_and_nothing_else(data: bytes, limit: int) -> None:
    full = list(split([FROM + data], ENOUGH))
    cut = list(split([FROM + data], limit))
    # Quotes are undone after the cut, so what is left may be shorter than the limit.
    assert [len(piece.raw) <= limit for piece in cut] == [True] * len(full)
    assert all(piece.raw.startswith(short.raw[:-6]) for piece, short in zip(full, cut, strict=True))
    assert [piece[:3] for piece in cut] == [piece[:3] for piece in full]


@given(st.lists(texts, min_size=1, max_size=5))
def test_what_the_standard_library_writes_reads_back_equal(messages: list[bytes]) -> None:
    # It takes a leading From line for its own, and ends each message with a line end.
    messages = [re.sub(rb"\A(From )+", b"", message) for message in messages]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "inbox")
        box = mailbox.mbox(path)
        for message in messages:
            box.add(message)
        box.close()
        data = path.read_bytes()
    ended = [message if message.endswith(b"\n") else message + b"\n" for message in messages]
    # It quotes lines that begin with From but not those already quoted; see the law in mbox.py.
    assert raws(data) == [re.sub(rb"(?m)^>(>*From )", rb"\1", message) for message in ended]
