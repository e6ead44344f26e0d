"""A message's own text in sections, its telling words marked: what every page about a message shows. Pure.

Nothing here is escaped: who writes a page does that, for every character.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from thresher.mail.fields import MAX_VALUE
from thresher.mail.headers import decode_words
from thresher.mail.html import read_html
from thresher.mail.stream import MAX_STREAM_TEXT, MAX_TEXT
from thresher.report.explained import DIGITS
from thresher.report.marking import Marker, Piece
from thresher.values import Message, Part

HEADERS: Final = (b"from", b"reply-to", b"to", b"subject")
"""Headers shown as text: those a mail program shows. The others speak in the table."""
STEPS: Final = 5
"""Shades of a mark."""
REASONS: Final = 6
"""Features named in one tooltip."""
_EMPTY_LINES: Final = re.compile(r"\n[ \t\r]*(?:\n[ \t\r]*)+")


class Section(NamedTuple):
    """A stretch of the message's own text."""

    title: str
    pieces: list[Piece]
    cut_off: bool = False


class Mark(NamedTuple):
    """Some characters, and how they are marked."""

    text: str
    style: str
    """``s3`` or ``h3``: for spam or for ham, and how much; empty if they told nothing."""
    title: str


def headers_of(message: Message, marker: Marker) -> Iterator[Section]:
    """Yield the headers people look at."""
    for wanted in HEADERS:
        for name, value in message.headers:
            if name == wanted:
                field = name.decode()
                text = decode_words(value[:MAX_VALUE], {}).decode("utf-8", "replace").strip()
                yield Section(field, marker.mark_names(field, marker.mark(field, text)))


def sections_of(message: Message, marker: Marker) -> Iterator[Section]:
    """Yield the parts' texts, as far as the filter reads them."""
    room = MAX_STREAM_TEXT
    for part in message.parts:
        if part.filename or part.attached:
            yield Section("attachment", marker.mark("attachment", part.filename or part.content_type))
        if not part.text:
            continue
        text, hidden = _text_of(part)
        read = text[: min(room, MAX_TEXT)]
        room -= len(read)
        pieces = marker.mark("body", _spaced(read))
        yield Section(_titled(part), pieces, len(read) < len(text))
        if hidden:
            yield Section("hidden text", marker.mark("hidden", _spaced(hidden)))


def strongest_of(sections: Iterable[Section]) -> float:
    """Return the greatest share of a piece."""
    return max((abs(piece.share) for section in sections for piece in section.pieces), default=0.0)


def marks_of(pieces: Iterable[Piece], strongest: float) -> list[Mark]:
    """Say how each piece is marked."""
    return [_mark(piece, strongest) for piece in pieces]


def _mark(piece: Piece, strongest: float) -> Mark:
    step = round(STEPS * abs(piece.share) / strongest) if strongest else 0
    if not step:
        return Mark(piece.text, "", "")
    reasons = sorted(piece.reasons, key=lambda reason: -abs(reason.share))
    named = [f"{reason.share:+.{DIGITS}f} {reason.text}" for reason in reasons[:REASONS]]
    if len(reasons) > REASONS:
        named.append(f"and {len(reasons) - REASONS} more")
    return Mark(
        piece.text, f"{'s' if piece.share > 0 else 'h'}{step}", f"{piece.share:+.{DIGITS}f}: {'; '.join(named)}"
    )


def _text_of(part: Part) -> tuple[bytes, bytes]:
    if part.content_type != "text/html":
        return part.text, b""
    page = read_html(part.text)
    return page.text, page.hidden


def _spaced(text: bytes) -> str:
    """Return text with at most one empty line in a row: where tags were, there are often many."""
    return _EMPTY_LINES.sub("\n\n", text.decode("utf-8", "replace")).strip()


def _titled(part: Part) -> str:
    if part.content_type == "text/html":
        return "text/html, as its text: lower case and without tags"
    return part.content_type
