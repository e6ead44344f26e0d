"""Declared charset + bytes -> UTF-8 bytes, by a ladder; never an exception.

The ladder: what is declared, if it is a charset of text; else strict UTF-8; else a guess for undeclared text; else
windows-1252, which gives every byte some letter. UTF-8 goes first where a one-byte charset is declared and the bytes
are valid UTF-8 beyond ASCII: chance makes that practically impossible, wrong labels make it common.
"""

import codecs
import re
from encodings.aliases import aliases
from functools import lru_cache
from typing import Final

# Charsets of mail that are not a codec's own name, and subsets that are sent under the name of their superset.
ALIASES: Final = {
    "ascii": "utf-8",
    "us-ascii": "utf-8",
    "utf8": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "unicode-1-1-utf-7": "utf-7",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "big5": "big5hkscs",
    "ks_c_5601-1987": "cp949",
    "ks_c_5601": "cp949",
    "euc-kr": "cp949",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "iso-2022-jp": "iso2022_jp_2",
}
# Text codecs that Python knows by their own name only.
_NO_ALIAS: Final = frozenset({"cp1006", "cp720", "cp737", "cp856", "cp874", "koi8_t", "koi8_u", "mac_croatian"})
# A name nobody knows is never looked up: Python searches the disk for it, and remembers it for ever. Nor are idna,
# punycode, undefined and the escapes, which have no alias, and mbcs, which is whatever a Windows machine speaks.
_KNOWN: Final = (_NO_ALIAS | aliases.keys() | set(aliases.values())) - {"mbcs", "ansi", "dbcs"}
_NO_NAME: Final = re.compile(r"[^a-z0-9]+")
# Charsets whose text may be all ASCII bytes and still mean something else.
_STATEFUL: Final = ("iso2022", "utf-7", "utf-16", "utf-32", "hz")
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
JAPANESE: Final = b"\x1b$"
"""What begins every run of Japanese in ISO-2022-JP, which looks like ASCII otherwise."""
GUESS_BYTES: Final = 512
BYTES_BEFORE: Final = 6
"""Bytes before the first 8-bit one that are looked at too: a text that ends in "caf\\xe9" is no Cyrillic one."""
GUESS_SHARE: Final = 0.4
"""8-bit share of text above which it is no Latin text."""
SMALL_LETTERS: Final = 0.75
_HIGH: Final = re.compile(rb"[\x80-\xff]")
_SMALL_LETTERS_OF: Final = {"koi8-r": bytes(range(0xC0, 0xE0)), "cp1251": bytes(range(0xE0, 0x100))}
_ASCII: Final = bytes(range(128))
_DOUBLE: Final = re.compile(rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]")
_HIGH_TRAIL: Final = range(0xA1, 0xFF)
# Codec, first and second bytes, and the share of characters that must be such. Kana; then the second bytes that only
# Big5 has; Hangul; the first level of GB 2312. Japanese comes first because its text holds a third of kana at least,
# Korean before Chinese because its block lies inside the other.
_COMMON: Final = (
    ("cp932", range(0x82, 0x84), range(0x40, 0xFD), 0.3),
    ("euc_jp", range(0xA4, 0xA6), _HIGH_TRAIL, 0.3),
    ("big5hkscs", range(0xA4, 0xC7), range(0x40, 0x7F), 0.15),
    ("cp949", range(0xB0, 0xC9), _HIGH_TRAIL, 0.8),
    ("gb18030", range(0xB0, 0xD8), _HIGH_TRAIL, 0.5),
)


@lru_cache(maxsize=512)
def codec_of(charset: str) -> str:
    """Return the codec for a declared charset, or nothing where it is unknown or no charset of text."""
    name = charset.strip().strip("\"'").lower()
    name = _NO_NAME.sub("_", ALIASES.get(name, name))
    if name not in _KNOWN:
        return ""
    info = codecs.lookup(name)
    return info.name if info._is_text_encoding else ""  # noqa: SLF001 - no public way to ask


def to_utf8(data: bytes, charset: str, defects: dict[str, None], undeclared: str = "") -> bytes:
    """Return the text as valid UTF-8, without NUL bytes.

    Where neither what is declared nor UTF-8 fits, undeclared is the codec to take; without it the text decides.
    """
    codec = codec_of(charset) if charset else ""
    if charset and not codec:
        defects["unknown-charset"] = None
    if data.isascii() and not codec.startswith(_STATEFUL) and b"\0" not in data:
        # One byte is looked for ten times as fast as two.
        if JAPANESE[:1] not in data or JAPANESE not in data:
            return data
        defects["undeclared-iso-2022-jp"] = None
        codec = "iso2022_jp_2"
    text = _decode(data, codec, undeclared, defects)
    if "\0" in text:
        defects["nul-bytes"] = None
        text = text.replace("\0", "")
    return text.encode("utf-8", "replace")


def _decode(data: bytes, codec: str, undeclared: str, defects: dict[str, None]) -> str:
    for mark, marked in _BOMS:
        if data.startswith(mark):
            return data.decode(marked, "replace")
    if not codec.startswith(_STATEFUL) and data.count(b"\0") * 3 > len(data):
        defects["undeclared-utf-16"] = None
        codec = "utf-16"
    if codec == "utf-16":
        return data.decode(_byte_order(data), "replace")
    if codec.startswith(_STATEFUL):
        return _declared(data, codec, undeclared, defects)
    text = _strict_utf8(data)
    if text is not None:
        if codec not in {"", "utf-8"} and not data.isascii():
            defects["lying-charset"] = None
        return text
    if codec in {"", "utf-8"}:
        defects["lying-charset" if codec else "undeclared-8-bit"] = None
        return data.decode(undeclared or guess(data), "replace")
    return _declared(data, codec, undeclared, defects)


def _byte_order(data: bytes) -> str:
    """UTF-16 without a byte order mark: blanks and most letters of mail have their zero byte first in big-endian."""
    return "utf-16-be" if data[::2].count(0) > data[1::2].count(0) else "utf-16-le"


def _strict_utf8(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A character cut in two by a bound at the very end is no lie, if there were whole ones before it.
        if error.reason == "unexpected end of data" and not data[: error.start].isascii():
            return data[: error.start].decode("utf-8")
        return None


def _declared(data: bytes, codec: str, undeclared: str, defects: dict[str, None]) -> str:
    try:
        return data.decode(codec)
    except UnicodeError:
        text = data.decode(codec, "replace")
        if text.count("\ufffd") * 20 > len(text):
            defects["lying-charset"] = None
            return data.decode(undeclared or guess(data), "replace")
        return text


def guess(data: bytes) -> str:
    """Codec of undeclared 8-bit text. Mostly ASCII, it is Latin; else one of those most often sent undeclared."""
    first = _HIGH.search(data)
    begin = max(first.start() - BYTES_BEFORE, 0) if first else 0
    sample = data[begin : begin + GUESS_BYTES] if first else b""
    high = sample.translate(None, _ASCII)
    if len(high) <= GUESS_SHARE * len(sample):
        return "cp1252"
    return _cyrillic(high) or _double_byte(sample) or "cp1252"


def _cyrillic(high: bytes) -> str:
    """Most letters of a text are small ones, and each charset has these in a block of 32."""
    for codec, small in _SMALL_LETTERS_OF.items():
        if len(high) - len(high.translate(None, small)) > SMALL_LETTERS * len(high):
            return codec
    return ""


def _double_byte(sample: bytes) -> str:
    """Tell East Asian charsets by the first and second bytes of their commonest characters."""
    pairs = _DOUBLE.findall(sample)
    for codec, leads, trails, share in _COMMON:
        if sum(pair[0] in leads and pair[1] in trails for pair in pairs) > share * len(pairs):
            return codec
    return ""
