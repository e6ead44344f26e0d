"""Adding a verdict to a message changes nothing else, whatever the message looks like."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.mail.annotate import annotated

CORPUS = sorted((Path(__file__).parents[1] / "corpus").iterdir())
VERDICT = [(b"X-Bogosity", b"Ham, tests=bogofilter")]
STRIP = [b"x-bogosity"]
LINE = b"X-Bogosity: Ham, tests=bogofilter"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"A: b\n\nhello\n", b"A: b\n%b\n\nhello\n"),
        (b"A: b\r\n\r\nhello\r\n", b"A: b\r\n%b\r\n\r\nhello\r\n"),
        (b"A: b\n", b"A: b\n%b\n"),
        (b"A: b", b"A: b\n%b\n"),
        (b"", b"%b\n"),
        (b"\nhello\n", b"%b\n\nhello\n"),
        (b"A: b\nno field\n\nhello\n", b"A: b\n%b\nno field\n\nhello\n"),
        (b" continues nothing\n\nhello\n", b"%b\n\n continues nothing\n\nhello\n"),
        (b"From a Sat Jan  3 01:05:34 2026\nA: b\n\nhello\n", b"From a Sat Jan  3 01:05:34 2026\nA: b\n%b\n\nhello\n"),
        (b"\xef\xbb\xbfA: b\n\nhello\n", b"\xef\xbb\xbfA: b\n%b\n\nhello\n"),
        (b"\xef\xbb\xbf", b"\xef\xbb\xbf%b\n"),
        (b"A: b\n folded\n\tagain\n\nhello\n", b"A: b\n folded\n\tagain\n%b\n\nhello\n"),
    ],
)
def test_a_field_goes_to_the_end_of_the_header(before: bytes, after: bytes) -> None:
    assert annotated(before, VERDICT, STRIP) == after % LINE


@pytest.mark.parametrize(
    "forged",
    [
        b"X-Bogosity: Spam\nA: b\nC: d\n",
        b"A: b\nX-BOGOSITY : Spam,\n tests=bogofilter\nC: d\n",
        b"A: b\nC: d\nx-bogosity:yes\n",
        b"X-Bogosity:\nA: b\nx-bogosity: Ham\nC: d\nX-Bogosity: Ham\n",
    ],
)
def test_forged_ones_are_taken_out_wherever_they_stand(forged: bytes) -> None:
    body = b"\nX-Bogosity: Spam is what the body may say\n"
    assert annotated(forged + body, VERDICT, STRIP) == b"A: b\nC: d\n" + LINE + b"\n" + body


def test_a_longer_name_is_another_name() -> None:
    assert annotated(b"X-Bogosity-Too: Spam\n\n", VERDICT, STRIP) == b"X-Bogosity-Too: Spam\n" + LINE + b"\n\n"


def test_without_names_to_strip_all_stay() -> None:
    assert annotated(b"X-Bogosity: Spam\n\n", VERDICT) == b"X-Bogosity: Spam\n" + LINE + b"\n\n"


def test_a_folded_value_takes_the_line_ends_of_the_message() -> None:
    assert annotated(b"A: b\r\n\r\n", [(b"C", b"d,\n e")]) == b"A: b\r\nC: d,\r\n e\r\n\r\n"


def assert_nothing_else_changed(raw: bytes) -> None:
    head, ours, tail = annotated(raw, [(b"X-Ours", b"yes")]).partition(b"X-Ours: yes")
    assert ours
    tail = tail.removeprefix(b"\r").removeprefix(b"\n")
    # A last line without end gets one, and so does ours before a line that would continue it.
    more = (b"", b"\n", b"\r\n")
    assert head + tail in {raw + end for end in more} or tail in {end + raw[len(head) :] for end in more}


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_message_of_the_corpus_keeps_its_bytes(path: Path) -> None:
    assert_nothing_else_changed(path.read_bytes())


def test_there_are_messages_in_the_corpus() -> None:
    assert len(CORPUS) > 80


PIECES = st.sampled_from([b"A: b", b"X-Bogosity: Spam", b"\r\n", b"\n", b" c", b"From x\n", b":", b"hello", b"\0"])
MAIL = st.lists(PIECES | st.binary(max_size=5), max_size=12).map(b"".join)


@given(MAIL)
def test_of_any_bytes_nothing_is_lost(raw: bytes) -> None:
    assert_nothing_else_changed(raw)


@given(MAIL)
def test_of_any_bytes_one_verdict_is_left(raw: bytes) -> None:
    once = annotated(raw, VERDICT, STRIP)
    assert len(re.findall(rb"(?m)^" + re.escape(LINE) + rb"\r?$", once)) == 1
    assert annotated(once, VERDICT, STRIP) == once
