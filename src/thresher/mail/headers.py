"""Header values -> text: encoded words (RFC 2047) and parameters (RFC 2231); never an exception."""

import binascii
import re
from functools import lru_cache
from typing import Final
from urllib.parse import unquote_to_bytes

from thresher.mail.charset import to_utf8
from thresher.mail.transfer import decode_base64

_ENCODED_WORD: Final = re.compile(rb"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
_PARAMETER: Final = re.compile(rb';\s*([^\s=;]{1,60})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))')
MAX_PARAMETERS: Final = 40


def decode_words(value: bytes, defects: dict[str, None]) -> bytes:
    """Return the header's text as UTF-8, its encoded words decoded.

    Neighbouring encoded words of one charset are joined before decoding: senders split inside a character.
    """
    if b"=?" not in value:
        return value if value.isascii() else to_utf8(value, "", defects)
    out: list[bytes] = []
    run = b""
    run_charset = b""
    end = 0
    for match in _ENCODED_WORD.finditer(value):
        charset, how, coded = match.groups()
        between = value[end : match.start()]
        same = run and charset.lower() == run_charset and not between.strip()
        if not same:
            out += [_text(run, run_charset, defects), between if between.strip() or not run else b"", b""]
            run = b""
        run += decode_base64(coded, defects) if how in b"bB" else binascii.a2b_qp(coded, header=True)
        run_charset = charset.lower()
        end = match.end()
    rest = value[end:]
    if b"=?" in rest:
        defects["broken-encoded-word"] = None
    out += [_text(run, run_charset, defects), rest if rest.isascii() else to_utf8(rest, "", defects)]
    return b"".join(out)


def _text(data: bytes, charset: bytes, defects: dict[str, None]) -> bytes:
    if not data:
        return b""
    return to_utf8(data, charset.partition(b"*")[0].decode("ascii", "replace"), defects)


@lru_cache(maxsize=2048)
def charset_of(content_type: bytes) -> str:
    """Return the charset that a Content-Type declares, or nothing. Few different ones come in all mail."""
    return parameters(content_type).get("charset", "") if b"harset" in content_type or b"HARSET" in content_type else ""


def parameters(value: bytes) -> dict[str, str]:
    """Return the parameters of a Content-Type or Content-Disposition; RFC 2231's and the common wrong forms too."""
    plain: dict[str, str] = {}
    pieces: dict[str, list[tuple[int, bool, bytes]]] = {}
    for count, match in enumerate(_PARAMETER.finditer(value)):
        if count == MAX_PARAMETERS:
            break
        key = match[1].decode("ascii", "replace").lower()
        raw = match[2] if match[2] is not None else match[3].strip().strip(b"\"'")
        name, star, rest = key.partition("*")
        if star:
            number = rest.rstrip("*")
            pieces.setdefault(name, []).append((int(number) if number.isdecimal() else 0, key.endswith("*"), raw))
        else:
            plain.setdefault(name, decode_words(raw.replace(b"\\", b""), {}).decode("utf-8", "replace"))
    for name, found in pieces.items():
        plain[name] = _joined(sorted(found))
    return plain


def _joined(pieces: list[tuple[int, bool, bytes]]) -> str:
    """Join an RFC 2231 parameter's numbered pieces; the first may name the charset: utf-8'en'caf%C3%A9."""
    charset = b""
    data = b""
    for index, (_, extended, raw) in enumerate(pieces):
        part = raw
        if extended and index == 0 and part.count(b"'") >= 2:
            charset, _, part = part.split(b"'", 2)
        data += unquote_to_bytes(part) if extended else part
    return to_utf8(data, charset.decode("ascii", "replace"), {}).decode("utf-8", "replace")
