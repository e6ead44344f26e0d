"""bytes -> Message. Total: any bytes whatever give a Message with its defects listed, never an exception.

Everything is bounded: bytes looked at, header fields, parts, depth, text. What lies beyond a bound is not read, and the
message says so in its defects. Structure is found with bytes.find and bytes.split only, which are linear; why this and
not a MIME library: evidence/mime-reader.md.
"""

import codecs
import re
from functools import lru_cache
from itertools import islice
from typing import Final

from thresher.mail import kernel
from thresher.mail.charset import JAPANESE, guess, to_utf8
from thresher.mail.headers import charset_of, decode_words, parameter
from thresher.mail.transfer import decode_transfer
from thresher.values import Message, Part

MAX_RAW: Final = 4 << 20
"""Bytes of a message that are looked at; text behind four megabytes of attachments is not worth its time."""
MAX_HEADER: Final = 128 << 10
MAX_FIELDS: Final = 400
MAX_PARTS: Final = 64
MAX_DEPTH: Final = 8
MAX_SOURCE: Final = 32 << 10
"""Bytes of one part's text that are decoded; the words taken from it are bounded once more in mail.stream."""
MAX_SOURCES: Final = 96 << 10
"""The same for all parts together, which bounds what decoding and HTML can cost (bench/mail_bounds.py); none of 8,476
messages of two public corpora reaches two thirds of it."""
MAX_TEXT_PARTS: Final = 12
MAX_VALUE: Final = 4096
"""Bytes of a header's value that are looked at for the structure."""
MAX_FILENAME: Final = 250
MIN_DELIMITER: Final = 4
"""A boundary that nobody named has more than two characters: two hyphens begin a signature, four are a rule."""

_FIELD: Final = re.compile(rb"^([!-9;-~]{1,76}[ \t]*):(.*)$", re.MULTILINE)
_FIELD_END: Final = re.compile(rb"\n(?![ \t])")
_WIDE_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

Fields = list[tuple[bytes, bytes]]
_NAMES: Final[dict[bytes, bytes]] = {}
"""Names of headers met, as written and in lower case: few come in all mail. The kernel bounds it."""


def parse(raw: bytes) -> Message:
    """Read a message of any bytes."""
    defects: dict[str, None] = {}
    size = len(raw)
    if size > MAX_RAW:
        raw = raw[:MAX_RAW]
        defects["cut-off"] = None
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    raw = _without_mbox_line(_without_mark(raw, defects), defects)
    headers, body = read_header(raw, defects)
    parts: list[Part] = []
    if not headers:
        defects["no-headers"] = None
    _Reader(parts, defects).read(headers, body, 0)
    if not _is_plain(raw[: len(raw) - len(body)]):
        headers = _in_utf8(headers, defects)
    return Message(tuple(headers), tuple(parts), tuple(defects), size)


def _without_mark(raw: bytes, defects: dict[str, None]) -> bytes:
    """Undo what an editor does that saves a message: the mark would stand before the first header's name."""
    if raw.startswith(_WIDE_MARKS):
        defects["byte-order-mark"] = None
        return to_utf8(raw, "", defects)
    if raw.startswith(codecs.BOM_UTF8):
        defects["byte-order-mark"] = None
        return raw[len(codecs.BOM_UTF8) :]
    return raw


def _without_mbox_line(raw: bytes, defects: dict[str, None]) -> bytes:
    if raw.startswith((b"From ", b">From ")):
        defects["mbox-from-line"] = None
        return raw.partition(b"\n")[2]
    return raw


def read_header(raw: bytes, defects: dict[str, None]) -> tuple[Fields, bytes]:
    """Split off the header block. It ends at an empty line, or at the first line that is no header."""
    end = 0 if raw.startswith(b"\n") else raw.find(b"\n\n")
    head = raw if end < 0 else raw[:end]
    body = b"" if end < 0 else raw[end + 2 :] if end else raw[1:]
    if len(head) > MAX_HEADER:
        defects["header-cut-off"] = None
        head = head[: max(head.rfind(b"\n", 0, MAX_HEADER), 0) or MAX_HEADER]
    fields = kernel.split_fields(head, MAX_FIELDS, _NAMES) if kernel.COMPILED else None
    if fields is not None:
        return fields, body
    unfolded = head.replace(b"\n ", b" ").replace(b"\n\t", b" ")
    lines = unfolded.count(b"\n") + 1
    if lines > MAX_FIELDS:
        defects["too-many-headers"] = None
        unfolded = b"\n".join(unfolded.split(b"\n", MAX_FIELDS)[:MAX_FIELDS])
        lines = MAX_FIELDS
    fields = [(name.rstrip().lower(), value) for name, value in _FIELD.findall(unfolded)]
    if len(fields) != lines:
        fields, end = _until_no_header(unfolded, head, defects)
        body = raw[end:] if end < len(head) else body
    return fields, body


def _until_no_header(unfolded: bytes, head: bytes, defects: dict[str, None]) -> tuple[Fields, int]:
    """Read a header block in which not every line is a header: it ends at the first that is none; say where."""
    fields: Fields = []
    for line in unfolded.split(b"\n"):
        match = _FIELD.fullmatch(line)
        if not match:
            if not line:
                break
            defects["no-blank-line-after-headers"] = None
            return fields, _offset_of_field(head, len(fields))
        fields.append((match[1].rstrip().lower(), match[2]))
    return fields, len(head)


def _offset_of_field(head: bytes, number: int) -> int:
    """Where the field with this number begins in the header block as it stands, folded."""
    return next(islice(_FIELD_END.finditer(head), number - 1, None)).end() if number else 0


def _is_plain(head: bytes) -> bool:
    """Whether the values in a header block are text as they stand."""
    return kernel.is_plain(head) and JAPANESE[:1] not in head and b"\0" not in head


def _in_utf8(fields: Fields, defects: dict[str, None]) -> Fields:
    """Decode values that hold what none may: bytes beyond ASCII, the escapes of ISO-2022-JP, NUL.

    Each alone is short, so that what they are in, unless UTF-8, is guessed from all of them.
    """
    values = b"\n".join([value for _, value in fields])
    if b"=?" in values:
        _note_broken_words(fields, defects)
    if values.isascii() and JAPANESE not in values and b"\0" not in values:
        return fields
    high = [value for _, value in fields if not value.isascii()]
    if high:
        defects["8-bit-header"] = None
    codec = guess(b" ".join(high))
    return [(name, _value_in_utf8(value, codec, defects)) for name, value in fields]


def _note_broken_words(fields: Fields, defects: dict[str, None]) -> None:
    """List what is wrong with the encoded words that people see; what they say is read in mail.fields."""
    met: dict[str, None] = {}
    for name in (b"subject", b"from"):
        decode_words(first(fields, name), met)
    met.pop("undeclared-8-bit", None)
    defects.update(met)


def _value_in_utf8(value: bytes, codec: str, defects: dict[str, None]) -> bytes:
    met: dict[str, None] = {}
    text = to_utf8(value[:MAX_VALUE], "", met, codec)
    if not met and value.isascii():
        return value
    # That 8-bit text is undeclared goes without saying, here.
    met.pop("undeclared-8-bit", None)
    defects.update(met)
    return text


def first(headers: Fields, wanted: bytes) -> bytes:
    """Return the first field of this name, as far as anybody looks at it, or nothing."""
    return kernel.field_value(headers, wanted)[:MAX_VALUE].strip()


@lru_cache(maxsize=1024)
def _token(value: bytes) -> bytes:
    """Return the word before a header's parameters and comments, in lower case."""
    found = value.partition(b";")[0].split(None, 1)
    return found[0].strip(b'"').lower() if found else b""


class _Reader:
    """Walks the MIME tree and appends its leaves to parts."""

    def __init__(self, parts: list[Part], defects: dict[str, None]) -> None:
        self.parts = parts
        self.defects = defects
        self.texts = 0
        self.room = MAX_SOURCES

    def read(self, headers: Fields, body: bytes, depth: int) -> None:
        content_type = first(headers, b"content-type")
        kind = _token(content_type)
        if b"/" not in kind:
            if content_type:
                self.defects["no-media-type"] = None
            kind = b"text/plain"
        if kind.startswith(b"multipart/"):
            pieces = self._pieces(content_type, body) if depth < MAX_DEPTH else []
            if pieces:
                self._read_pieces(pieces, depth)
                return
            self.defects["no-boundary" if depth < MAX_DEPTH else "too-deep"] = None
            kind = b"text/plain"
        elif kind == b"message/rfc822":
            if depth < MAX_DEPTH:
                self._read_inner_message(headers, body, depth)
                return
            self.defects["too-deep"] = None
        text = b""
        if kind.startswith((b"text/", b"message/")):
            text = self._text(content_type, headers, body)
        self._leaf(kind, content_type, headers, text, len(body))

    def _read_pieces(self, pieces: list[bytes], depth: int) -> None:
        for piece in pieces:
            if len(self.parts) == MAX_PARTS:
                self.defects["too-many-parts"] = None
                return
            # A part's own defects of form are the message's.
            self.read(*read_header(piece, self.defects), depth + 1)

    def _pieces(self, content_type: bytes, body: bytes) -> list[bytes]:
        """Split a multipart body at its boundary; where the named one does not occur, at the one that does."""
        named = parameter(content_type, b"boundary")
        for boundary in (named, _guess_boundary(body)):
            if not boundary:
                continue
            pieces = _split_at(body, boundary, MAX_PARTS)
            if pieces:
                if boundary != named:
                    self.defects["wrong-boundary" if named else "no-boundary"] = None
                return pieces
        return []

    def _read_inner_message(self, headers: Fields, body: bytes, depth: int) -> None:
        encoding = _token(first(headers, b"content-transfer-encoding"))
        if encoding in {b"base64", b"quoted-printable"}:
            body = decode_transfer(body, encoding, MAX_RAW, self.defects)
        inner_headers, inner_body = read_header(_without_mbox_line(body.lstrip(b"\n"), self.defects), self.defects)
        shown = [first(inner_headers, b"from"), first(inner_headers, b"subject")]
        text = b"\n".join(decode_words(value, {}) for value in shown)
        self._leaf(b"message/rfc822", first(headers, b"content-type"), headers, text, len(body))
        self.read(inner_headers, inner_body, depth + 1)

    def _text(self, content_type: bytes, headers: Fields, body: bytes) -> bytes:
        limit = min(MAX_SOURCE, self.room)
        if self.texts == MAX_TEXT_PARTS or not limit:
            self.defects["too-much-text"] = None
            return b""
        encoding = _token(first(headers, b"content-transfer-encoding"))
        data = decode_transfer(body, encoding, limit, self.defects)
        self.texts += 1
        self.room -= len(data)
        return to_utf8(data, charset_of(content_type), self.defects)

    def _leaf(self, kind: bytes, content_type: bytes, headers: Fields, text: bytes, size: int) -> None:
        if len(self.parts) == MAX_PARTS:
            self.defects["too-many-parts"] = None
            return
        disposition = first(headers, b"content-disposition")
        attached = disposition[:10].lower() == b"attachment"
        filename = _filename(disposition, content_type)
        self.parts.append(Part(kind[:80].decode("ascii", "replace"), text, filename, size, attached))


def _filename(disposition: bytes, content_type: bytes) -> str:
    for value, name in ((disposition, b"filename"), (content_type, b"name")):
        if b"name" in value.lower():
            found = decode_words(parameter(value, name)[:MAX_FILENAME], {})
            if found:
                return found.decode("utf-8", "replace")
    return ""


def _guess_boundary(body: bytes) -> bytes:
    """Take the first line that begins with two hyphens and occurs again as the boundary."""
    start = 0 if body.startswith(b"--") else body.find(b"\n--") + 1
    if not body.startswith(b"--", start):
        return b""
    line = body[start : start + 200].partition(b"\n")[0].rstrip()
    return line[2:] if len(line) > MIN_DELIMITER and body.count(b"\n" + line) + (start == 0) > 1 else b""


def _split_at(body: bytes, boundary: bytes, most: int) -> list[bytes]:
    """Return the parts between the delimiter lines, without preamble and epilogue."""
    delimiter = b"\n--" + boundary
    pieces: list[list[bytes]] = []
    for chunk in (b"\n" + body).split(delimiter, 4 * most)[1:]:
        line, _, content = chunk.partition(b"\n")
        if line.startswith(b"--") and not line[2:].strip():
            break
        if not line.strip():
            pieces.append([content])
        elif pieces:
            # A longer boundary that begins with this one: not a delimiter of ours.
            pieces[-1] += (delimiter, chunk)
    return [b"".join(piece) for piece in pieces]
