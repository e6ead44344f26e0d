"""Content-Transfer-Encoding undone, as far as the bytes allow; never an exception."""

import binascii
from typing import Final

_BASE64: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NOT_BASE64: Final = bytes(sorted(set(range(256)) - set(_BASE64)))
_BLANKS: Final = b" \t\n="


def decode_transfer(body: bytes, encoding: bytes, limit: int, defects: dict[str, None]) -> bytes:
    """Return at most about limit bytes of the decoded body."""
    if encoding == b"base64":
        return decode_base64(body[: limit * 3 // 2], defects)
    if encoding == b"quoted-printable":
        return binascii.a2b_qp(body[: limit * 2])[:limit]
    return body[:limit]


def decode_base64(body: bytes, defects: dict[str, None]) -> bytes:
    """Decode what is base64 in these bytes; anything else is passed over, a broken end cut off."""
    body, padding, rest = body.partition(b"=")
    if padding and rest.translate(None, _BLANKS):
        # Text after the padding: a mailing list's footer, or several encoded runs one after the other.
        defects["text-after-base64"] = None
    letters = body.translate(None, _NOT_BASE64)
    if len(letters) + body.count(b"\n") + body.count(b" ") < len(body):
        defects["broken-base64"] = None
    if len(letters) % 4 and not padding:
        defects["truncated-base64"] = None
    usable = len(letters) - (len(letters) % 4 == 1)
    return binascii.a2b_base64(letters[:usable] + b"=" * (-usable % 4))
