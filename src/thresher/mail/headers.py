"""Header values -> text: encoded words (RFC 2047) and parameters (RFC 2231); never an exception."""

import binascii
import re
from functools import lru_cache
from itertools import islice
from typing import Final

from thresher.mail.charset import to_utf8
from thresher.mail.transfer import decode_base64, unquoted

_ENCODED_WORD: Final = re.compile(rb"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
# Read where every run of blanks is one blank: two repetitions that compete for a long run would be quadratic.
_PARAMETER: Final = re.compile(rb'[; ] ?([^\s=;]{1,60}) ?= ?(?:"((?:[^"\\]|\\.)*)"|([^;]*))')
_ESCAPED: Final = re.compile(rb'\\(["\\])')
MAX_PARAMETERS: Final = 40


def decode_words(value: bytes, defects: dict[str, None]) -> bytes:
    """Return the header's text as UTF-8, its encoded words decoded.

    Neighbouring encoded words of one charset are joined before decoding: senders split inside a character.
    """
    if b"=?" not in value:
        return _plain(value, defects)
    out: list[bytes] = []
    run = b""
    run_charset = b""
    end = 0
    for match in _ENCODED_WORD.finditer(value):
        charset, how, coded = match.groups()
        charset = charset.partition(b"*")[0].lower()
        between = value[end : match.start()]
        if between.strip() or charset != run_charset:
            out.append(_text(run, run_charset, defects))
            run = b""
            if between.strip() or not end:
                out.append(_plain(between, defects))
        run += decode_base64(coded, defects) if how in b"bB" else binascii.a2b_qp(coded, header=True)
        run_charset = charset
        end = match.end()
    rest = value[end:]
    if b"=?" in rest:
        defects["broken-encoded-word"] = None
    out += [_text(run, run_charset, defects), _plain(rest, defects)]
    return b"".join(out)


def _plain(text: bytes, defects: dict[str, None]) -> bytes:
    return text if text.isascii() else to_utf8(text, "", defects)


def _text(data: bytes, charset: bytes, defects: dict[str, None]) -> bytes:
    return to_utf8(data, charset.decode("ascii", "replace"), defects) if data else b""


@lru_cache(maxsize=2048)
def charset_of(content_type: bytes) -> str:
    """Return the charset that a Content-Type declares, or nothing. Few different ones come in all mail."""
    if b"harset" not in content_type and b"HARSET" not in content_type:
        return ""
    return parameter(content_type, b"charset").partition(b" ")[0].decode("ascii", "replace")


def parameter(value: bytes, wanted: bytes) -> bytes:
    """Return one parameter of a Content-Type or Content-Disposition as it stands; of RFC 2231's pieces the text."""
    plain = b""
    pieces: list[tuple[int, bool, bytes]] = []
    for match in islice(_PARAMETER.finditer(b" ".join(value.split())), MAX_PARAMETERS):
        name, star, number = match[1].lower().partition(b"*")
        if name != wanted:
            continue
        raw = match[3].strip(b"\"' ") if match[2] is None else _ESCAPED.sub(rb"\1", match[2])
        if star:
            digits = number.rstrip(b"*")
            pieces.append((int(digits) if digits.isdigit() else 0, match[1].endswith(b"*"), raw))
        elif not plain:
            plain = raw
    return _joined(sorted(pieces)) if pieces else plain


def _joined(pieces: list[tuple[int, bool, bytes]]) -> bytes:
    """Join an RFC 2231 parameter's numbered pieces; the first may name the charset: utf-8'en'caf%C3%A9."""
    charset = b""
    data: list[bytes] = []
    for index, (_, extended, raw) in enumerate(pieces):
        part = raw
        if extended and index == 0 and part.count(b"'") > 1:
            charset, _, part = part.split(b"'", 2)
        data.append(unquoted(part) if extended else part)
    return to_utf8(b"".join(data), charset.decode("ascii", "replace"), {})
