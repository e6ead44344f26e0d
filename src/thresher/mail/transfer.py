"""Content-Transfer-Encoding undone, as far as the bytes allow; never an exception."""

import binascii
import re
from typing import Final

_BASE64: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NOT_BASE64: Final = bytes(sorted(set(range(256)) - set(_BASE64)))
_BETWEEN_WORDS: Final = re.compile(rb"\S[ \t]+\S")
_PADDED_BREAK: Final = re.compile(rb"=[ \t]+\n")
_LONE_PERCENT: Final = re.compile(rb"%(?![0-9a-fA-F]{2})")
_RULE: Final = b"-_* \t\n"
MAX_RUNS: Final = 400
"""Padded runs of one body that are decoded each; the rest is read as one."""
_LEFT_ALONE: Final = frozenset({b"", b"7bit", b"8bit", b"binary", b"x-uuencode", b"uuencode", b"x-uue"})
"""uuencoded text stays as it is: its names and its look are worth reading, its data is not."""


def decode_transfer(body: bytes, encoding: bytes, limit: int, defects: dict[str, None]) -> bytes:
    """Return at most about limit bytes of the decoded body."""
    if encoding == b"base64":
        read = body[: limit * 3 // 2]
        encoded, text = _without_text(read)
        met: dict[str, None] = {"text-after-base64": None} if text else {}
        data = decode_base64(encoded, met)
        if len(read) < len(body):
            # Cut off by us.
            met.pop("truncated-base64", None)
        defects.update(met)
        return (data + text)[:limit]
    if encoding == b"quoted-printable":
        body = body[: limit * 2]
        if b"= " in body or b"=\t" in body:
            # Blanks that a line got on its way do not end a soft break.
            body = _PADDED_BREAK.sub(b"=\n", body)
        return binascii.a2b_qp(body)[:limit]
    if encoding not in _LEFT_ALONE:
        defects["unknown-transfer-encoding"] = None
    return body[:limit]


def _without_text(body: bytes) -> tuple[bytes, bytes]:
    """Split off what a mailing list appends: base64 has no blanks between words, so the first line that has is text."""
    words = _BETWEEN_WORDS.search(body) if b" " in body or b"\t" in body else None
    if not words:
        return body, b""
    start = body.rfind(b"\n", 0, words.start()) + 1
    return body[:start].rstrip(_RULE), b"\n" + body[start:]


def decode_base64(body: bytes, defects: dict[str, None]) -> bytes:
    """Decode what is base64 in these bytes; anything else is passed over, a broken end cut off."""
    first, padding, rest = body.partition(b"=")
    if rest.strip(b" \t\n="):
        if not rest.translate(None, _BASE64 + b" \t\n="):
            # Encoded in pieces, each padded; and a stray padding before anything else would hide all of it.
            return b"".join(_decode_run(run, defects, padded=True) for run in body.split(b"=", MAX_RUNS))
        defects["text-after-base64"] = None
    return _decode_run(first, defects, padded=bool(padding))


def _decode_run(run: bytes, defects: dict[str, None], *, padded: bool) -> bytes:
    letters = run.translate(None, _NOT_BASE64)
    if len(letters) + sum(map(run.count, (b"\n", b" ", b"\t"))) < len(run):
        defects["broken-base64"] = None
    if len(letters) % 4 and not padded:
        defects["truncated-base64"] = None
    usable = len(letters) - (len(letters) % 4 == 1)
    return binascii.a2b_base64(letters[:usable] + b"=" * (-usable % 4))


def unquoted(value: bytes) -> bytes:
    """Undo percent-encoding; a percent sign that begins none stays. It is quoted-printable with another sign."""
    return binascii.a2b_qp(_LONE_PERCENT.sub(b"=25", value.replace(b"=", b"=3D")).replace(b"%", b"="))
