"""bytes -> Message. Total: any bytes whatever give a Message with its defects listed, never an exception.

Everything is bounded: bytes looked at, header fields, parts, depth, text. What lies beyond a bound is not read, and the
message says so in its defects. Structure is found with bytes.find and bytes.split only, which are linear; why this and
not a MIME library: evidence/mime-reader.md.
"""

import re
from typing import Final

from thresher.mail.charset import to_utf8
from thresher.mail.headers import charset_of, parameters
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
MAX_PARAMETERS: Final = 4096
MAX_TEXT_PARTS: Final = 12

_FIELD: Final = re.compile(rb"^([!-9;-~]{1,76}[ \t]*):(.*)$", re.MULTILINE)


def parse(raw: bytes) -> Message:
    """Read a message of any bytes."""
    defects: dict[str, None] = {}
    size = len(raw)
    if size > MAX_RAW:
        raw = raw[:MAX_RAW]
        defects["cut-off"] = None
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    raw = _without_mbox_line(raw, defects)
    headers, body = read_header(raw, defects)
    parts: list[Part] = []
    if not headers:
        defects["no-headers"] = None
    _Reader(parts, defects).read(headers, body, 0)
    return Message(tuple(headers), tuple(parts), tuple(defects), size)


def _without_mbox_line(raw: bytes, defects: dict[str, None]) -> bytes:
    if raw.startswith((b"From ", b">From ")):
        defects["mbox-from-line"] = None
        return raw.partition(b"\n")[2]
    return raw


def read_header(raw: bytes, defects: dict[str, None]) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Split off the header block. It ends at an empty line, or at the first line that is no header."""
    end = 0 if raw.startswith(b"\n") else raw.find(b"\n\n")
    head = raw[:end] if 0 <= end <= MAX_HEADER else raw[:MAX_HEADER]
    unfolded = head.replace(b"\n ", b" ").replace(b"\n\t", b" ")
    fields = [(name.rstrip().lower(), value) for name, value in _FIELD.findall(unfolded)]
    if len(fields) != unfolded.count(b"\n") + 1:
        return _read_header_lines(raw, head, unfolded, end, defects)
    if len(fields) > MAX_FIELDS:
        defects["too-many-headers"] = None
        del fields[MAX_FIELDS:]
    if end < 0:
        return fields, b""
    return fields, raw[end + 2 :] if end else raw[1:]


def _read_header_lines(
    raw: bytes, head: bytes, unfolded: bytes, end: int, defects: dict[str, None]
) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Split off a header block in which not every line is a header: it ends at the first that is none."""
    fields: list[tuple[bytes, bytes]] = []
    for line in unfolded.split(b"\n"):
        match = _FIELD.fullmatch(line)
        if not match:
            if line:
                defects["no-blank-line-after-headers"] = None
                return fields, raw[_offset_of_field(head, len(fields)) :]
            break
        if len(fields) == MAX_FIELDS:
            defects["too-many-headers"] = None
            break
        fields.append((match[1].rstrip().lower(), match[2]))
    if end < 0:
        return fields, b""
    return fields, raw[end + 2 :] if end else raw[1:]


def _offset_of_field(head: bytes, number: int) -> int:
    """Where the field with this number begins in the header block as it stands, folded."""
    offset = 0
    for line in head.split(b"\n"):
        if not line.startswith((b" ", b"\t")) or offset == 0:
            if number == 0:
                return offset
            number -= 1
        offset += len(line) + 1
    return offset


def first(headers: list[tuple[bytes, bytes]], wanted: bytes) -> bytes:
    """Return the first field of this name, or nothing."""
    for name, value in headers:
        if name == wanted:
            return value.strip()
    return b""


class _Reader:
    """Walks the MIME tree and appends its leaves to parts."""

    def __init__(self, parts: list[Part], defects: dict[str, None]) -> None:
        self.parts = parts
        self.defects = defects
        self.texts = 0

    def read(self, headers: list[tuple[bytes, bytes]], body: bytes, depth: int) -> None:
        content_type = first(headers, b"content-type")
        kind = content_type.partition(b";")[0].strip().lower() or b"text/plain"
        if kind.startswith(b"multipart/"):
            pieces = self._pieces(content_type, body)
            if pieces and depth < MAX_DEPTH:
                self._read_pieces(pieces, depth)
                return
            self.defects["too-deep" if pieces else "no-boundary"] = None
            kind = b"text/plain"
        elif kind == b"message/rfc822" and depth < MAX_DEPTH:
            self._read_inner_message(headers, body, depth)
            return
        self._leaf(kind, content_type, headers, body)

    def _read_pieces(self, pieces: list[bytes], depth: int) -> None:
        for piece in pieces:
            if len(self.parts) >= MAX_PARTS:
                self.defects["too-many-parts"] = None
                return
            if piece.startswith(b"\n"):
                self.read([], piece[1:], depth + 1)
            else:
                # A part's own defects of form are the message's.
                self.read(*read_header(piece, self.defects), depth + 1)

    def _pieces(self, content_type: bytes, body: bytes) -> list[bytes]:
        """Split a multipart body at its boundary; where the named one does not occur, at the one that does."""
        named = parameters(content_type[:MAX_PARAMETERS]).get("boundary", "").encode("utf-8", "replace")
        for boundary in (named, _guess_boundary(body)):
            if not boundary:
                continue
            pieces = _split_at(body, boundary, MAX_PARTS)
            if pieces:
                if boundary != named:
                    self.defects["wrong-boundary"] = None
                return pieces
        return []

    def _read_inner_message(self, headers: list[tuple[bytes, bytes]], body: bytes, depth: int) -> None:
        encoding = first(headers, b"content-transfer-encoding").lower()
        if encoding in {b"base64", b"quoted-printable"}:
            body = decode_transfer(body, encoding, MAX_RAW, self.defects)
        inner_headers, inner_body = read_header(_without_mbox_line(body.lstrip(b"\n"), self.defects), self.defects)
        text = b"\n".join(value for name, value in inner_headers if name in {b"subject", b"from"})
        self._leaf(b"message/rfc822", b"", [], text)
        self.read(inner_headers, inner_body, depth + 1)

    def _leaf(self, kind: bytes, content_type: bytes, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        disposition = first(headers, b"content-disposition")
        attached = disposition[:10].lower().startswith(b"attachment")
        filename = _filename(content_type, disposition)
        text = b""
        if kind.startswith((b"text/", b"message/")) and self.texts < MAX_TEXT_PARTS:
            self.texts += 1
            encoding = first(headers, b"content-transfer-encoding").lower()
            data = decode_transfer(body, encoding, MAX_SOURCE, self.defects)
            text = to_utf8(data, charset_of(content_type[:MAX_PARAMETERS]), self.defects)
        shown = kind[:80].decode("ascii", "replace")
        self.parts.append(Part(shown, text, filename, len(body), attached))


def _filename(content_type: bytes, disposition: bytes) -> str:
    for value, key in ((disposition, "filename"), (content_type, "name")):
        if b"name" in value.lower():
            found = parameters(value[:MAX_PARAMETERS]).get(key)
            if found:
                return found[:200]
    return ""


def _guess_boundary(body: bytes) -> bytes:
    """Take the first line that begins with two hyphens and occurs again as the boundary."""
    start = 0 if body.startswith(b"--") else body.find(b"\n--") + 1
    if not body.startswith(b"--", start):
        return b""
    line = body[start : start + 200].partition(b"\n")[0].rstrip()
    return line[2:] if len(line) > 4 and body.count(b"\n" + line) + (start == 0) > 1 else b""


def _split_at(body: bytes, boundary: bytes, most: int) -> list[bytes]:
    """Return the parts between the delimiter lines, without preamble and epilogue."""
    delimiter = b"\n--" + boundary
    rest = b"\n" + body
    pieces: list[bytes] = []
    held = None
    for chunk in rest.split(delimiter, 4 * most)[1:]:
        line, _, content = chunk.partition(b"\n")
        if line.startswith(b"--") and not line[2:].strip():
            break
        if line.strip():
            # A longer boundary that begins with this one: not a delimiter of ours.
            if held is not None:
                pieces[held] += delimiter + chunk
            continue
        held = len(pieces)
        pieces.append(content)
    return pieces
