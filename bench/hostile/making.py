"""What the hostile shapes are made with, and the list in which they enter themselves."""

from collections.abc import Callable
from typing import Final

MEGABYTE: Final = 1 << 20
SOURCE: Final = 64 << 10
"""Twice as much of one part's text as is decoded."""
LETTER: Final = b"From: a@example.org\nTo: b@example.net\nSubject: hello\nDate: Mon, 4 Mar 2024 10:20:30 +0100\n"
SHAPES: Final[dict[str, Callable[[], bytes]]] = {}
"""Name -> maker, in the order of the files."""


def shape(make: Callable[[], bytes]) -> Callable[[], bytes]:
    """Enter a maker under its name."""
    SHAPES[make.__name__.replace("_", " ")] = make
    return make


def fill(unit: bytes, size: int = MEGABYTE) -> bytes:
    """Repeat as often as fits."""
    return unit * (size // len(unit))


def headers(*lines: bytes, times: int = 400) -> bytes:
    """These header lines again and again, before a short body; `%d` in them counts."""
    line = b"".join(line + b"\n" for line in lines)
    block = b"".join(line.replace(b"%d", b"%d" % number) for number in range(times))
    return (LETTER + block)[: MEGABYTE - 10] + b"\n\nbody\n"


def one_part(body: bytes, content_type: bytes = b"text/plain", encoding: bytes = b"8bit") -> bytes:
    """A message of one part, cut to a megabyte."""
    head = LETTER + b"Content-Type: " + content_type + b"\nContent-Transfer-Encoding: " + encoding + b"\n\n"
    return (head + body)[:MEGABYTE]


def parts(bodies: list[bytes], content_type: bytes, more: bytes = b"") -> bytes:
    """A flat multipart of these bodies."""
    head = LETTER + b'Content-Type: multipart/mixed; boundary="x"\n\n'
    each = [b"--x\nContent-Type: " + content_type + b"\n" + more + b"\n" + body + b"\n" for body in bodies]
    return (head + b"".join(each))[: MEGABYTE - 6] + b"--x--\n"


def full_parts(body: bytes, content_type: bytes = b"text/plain", more: bytes = b"") -> bytes:
    """As many parts with this body as a megabyte holds."""
    room = MEGABYTE // (min(len(body), SOURCE) + 100)
    return parts([body[:SOURCE]] * min(room, 200), content_type, more)
