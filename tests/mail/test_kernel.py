"""Mail reads the same by the kernel as compiled, by the same file as Python reads it, and without it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.kernels import compiled, interpreted
from thresher.demo import messages
from thresher.mail import kernel
from thresher.mail.fields import header_fields
from thresher.mail.html import Page, read_html
from thresher.mail.mime import MAX_FIELDS, parse, read_header
from thresher.mail.stream import tokenize
from thresher.values import Message

LOOPS = (
    "split_fields",
    "header_lines",
    "is_plain",
    "without_id",
    "shape_of",
    "field_value",
    "count_marks",
    "without_tags",
    "find_places",
)
"""What the rest of mail/ calls."""
INTERPRETED = interpreted(kernel)
ODD = sorted((Path(__file__).parents[1] / "corpus").glob("*.eml"))
SPLICED = (
    b"\n",
    b"\n\n",
    b"\n ",
    b"\n\t",
    b":",
    b" :",
    b"\0",
    b"\x1b$B",
    b"\xe9",
    b"=?utf-8?q?a?=",
    b"...",
    b"; id x ",
)
SPLICED_TAGS = (
    b"<",
    b">",
    b"<b>",
    b"</",
    b"<!--",
    b"<br/>x",
    b"< p>",
    b"<img src=http://a.b/c width=1>",
    b"&lt;",
    b"\x0b",
)


@contextmanager
def reading_by(way: str) -> Iterator[None]:
    """Read with the loops of one kernel, or with none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "COMPILED", way != "patterns")
        for name in LOOPS if way == "interpreted" else ():
            patch.setattr(kernel, name, getattr(INTERPRETED, name))
        yield


def same_every_way(read: Callable[[], object]) -> object:
    """Read in every way there is here, and return what all of them give."""
    results = []
    for way in ("compiled", "interpreted", "patterns") if kernel.COMPILED else ("interpreted", "patterns"):
        with reading_by(way):
            results.append(read())
    assert all(result == results[0] for result in results)
    return results[0]


def spoilt(raw: bytes, dice: Random) -> bytes:
    for _ in range(dice.randrange(1, 6)):
        at = dice.randrange(min(len(raw), 3000) + 1)
        raw = raw[:at] + dice.choice(SPLICED + SPLICED_TAGS) + raw[at + dice.randrange(20) :]
    return raw


def test_the_kernel_is_compiled_here() -> None:
    """The other tests of this file would hold the same file to itself."""
    assert compiled(kernel).COMPILED
    assert not INTERPRETED.COMPILED


def test_mail_reads_the_same_whole_and_spoilt() -> None:
    dice = Random(5)
    whole = [message.raw for message in messages(40, seed=9)] + [path.read_bytes() for path in ODD]
    assert len(whole) > 100
    for raw in whole + [spoilt(raw, dice) for raw in whole]:
        message = same_every_way(partial(parse, raw))
        assert isinstance(message, Message)
        same_every_way(partial(tokenize, message))


@given(
    st.lists(
        st.sampled_from([b"a", b"Subject", b":", b" ", b"\t", b"\n", b"\n ", b"x" * 77, b"\xff", b"\0", b"; id 7"])
    )
)
@example([])
@example([b"a", b":", b"\n"])
@example([b"a", b":", b"\n "])
@example([b"x" * 77, b":"])
@example([b"a:\n"] * (MAX_FIELDS + 1))
def test_header_blocks_read_the_same(pieces: list[bytes]) -> None:
    raw = b"".join(pieces)

    def read() -> object:
        defects: dict[str, None] = {}
        hints: set[bytes] = set()
        fields, body = read_header(raw, defects)
        return fields, body, defects, header_fields(fields, hints), hints

    same_every_way(read)


@given(st.lists(st.sampled_from([*SPLICED_TAGS, b"a", b"/b", b"font", b" ", b"\n", b"text", b"\xc3\xa9", b"href="])))
@example([b"<"])
@example([b"<b"])
@example([b"text<"])
@example([b"<b", b"<b>", b"a"])
def test_pages_read_the_same(pieces: list[bytes]) -> None:
    page = same_every_way(lambda: read_html(b"".join(pieces)))
    assert isinstance(page, Page)


@pytest.mark.parametrize("way", ["compiled", "interpreted"])
def test_a_piece_beyond_the_end_is_refused(way: str) -> None:
    """The one place where bytes are reached without Python's own check has its own."""
    piece = compiled(kernel).piece if way == "compiled" else INTERPRETED.piece
    for begin, end in ((-1, 2), (3, 2), (0, 5)):
        with pytest.raises(IndexError):
            piece(b"four", begin, end)
    assert piece(b"four", 1, 3) == b"ou"
