"""Text -> words: lower case, blanks between, nothing else changed; the same for LF and CRLF, for any disguise we know.

ASCII text takes one bytes.translate (evidence/tokenizer-speed.md). Other text goes through str: NFKC, case folding,
invisible characters removed, look-alike letters folded inside words that also hold Latin letters, and scripts without
blanks (Chinese, Japanese, Korean, Thai ...) cut into character pairs.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from string import ascii_uppercase
from typing import Final

KEPT: Final = b"$%'-"
"""Punctuation that stays inside words: prices, shares, "don't" and hyphens (evidence/features.md)."""


BEYOND_ASCII: Final = 0x80


def _table(kept: bytes) -> bytes:
    word = b"0123456789abcdefghijklmnopqrstuvwxyz" + kept
    return bytes(
        ord(chr(byte).lower()) if chr(byte) in ascii_uppercase else byte if byte in word or byte >= BEYOND_ASCII else 32
        for byte in range(256)
    )


WORDS: Final = _table(KEPT)
NAMES: Final = _table(KEPT + b"._@+/:=")
"""Keeps addresses, hosts and 'key:value' tokens whole."""

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]+"
)
# Letters, digits and marks stay; \w lacks combining marks, without which Indic and Thai words fall apart.
_NO_WORD: Final = re.compile(
    r"[^\w$%'\-\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0dff\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f]+|_+"
)
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)
# Cyrillic, Greek and other letters that look like Latin ones, from Unicode's confusables; lower case, after folding.
_LOOK_ALIKES: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u043a\u043c\u043d\u0442\u0432\u0433\u044c"
    "\u03b1\u03b5\u03bf\u03c1\u03c4\u03c5\u03c7\u03b9\u03ba\u03bd\u03b7\u03c9\u03b2"
    "\u0131\u0261\u0251\u0269\u028f\u1d04\u1d0f\u1d1c\u1d20\u1d21\u1d22\u0585\u057d\u0578\u0570\u0581",
    "aeopcyxijshdqwkmhtbrbaeoptyxikvnwbigaiycouvwzounhg",
)
_LOOK_ALIKE: Final = re.compile(f"[{''.join(map(chr, _LOOK_ALIKES))}]")
# A letter's marks are sorted by insertion: 8,000 of them took 100 ms. No script puts 32 on a letter; a blank ends them.
_MANY_MARKS: Final = re.compile("(?:[^\\w\\s!-~]|[\uff9e\uff9f]){32}")
MAX_GROWTH: Final = 2
"""Characters that one may become, on average over a text of more than a few: U+FDFA alone becomes 18."""
FEW: Final = 64
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_ASCII_LETTER: Final = re.compile(r"[a-z]")
_HIGH_WORD: Final = re.compile(rb"[\x80-\xff][^ ]*")
MANY_HIGH: Final = 5
"""Text with more than one byte in five beyond ASCII is read as a whole, other text by its few such words."""
CACHED_WORD: Final = 48
_ASCII: Final = bytes(range(128))
INVISIBLE: Final = b"invisible-characters"
LOOK_ALIKE: Final = b"look-alike-letters"


def words(text: bytes, hints: set[bytes]) -> bytes:
    """Return UTF-8 text as words between blanks. Adds the names of disguises met to hints."""
    lowered = text.translate(WORDS)
    if lowered.isascii():
        return lowered
    if len(lowered.translate(None, _ASCII)) * MANY_HIGH > len(lowered):
        return _unicode_words(lowered, hints)
    out: list[bytes] = []
    end = 0
    for match in _HIGH_WORD.finditer(lowered):
        begin = max(lowered.rfind(b" ", end, match.start()) + 1, end)
        word = lowered[begin : match.end()]
        out += (lowered[end:begin], _one_word(word, hints))
        end = match.end()
    out.append(lowered[end:])
    return b"".join(out)


def _one_word(word: bytes, hints: set[bytes]) -> bytes:
    if len(word) > CACHED_WORD:
        return _unicode_words(word, hints)
    plain, met = _cached_word(word)
    hints |= met
    return plain


@lru_cache(maxsize=8192)
def _cached_word(word: bytes) -> tuple[bytes, frozenset[bytes]]:
    met: set[bytes] = set()
    return _unicode_words(word, met), frozenset(met)


def _unicode_words(lowered: bytes, hints: set[bytes]) -> bytes:
    text = lowered.decode("utf-8", "replace")
    shown = _INVISIBLE.sub("", text)
    if len(shown) != len(text):
        hints.add(INVISIBLE)
    composed = unicodedata.normalize("NFKC", _MANY_MARKS.sub(r"\g<0> ", shown))
    folded = composed[: FEW + MAX_GROWTH * len(shown)].casefold()
    if _LOOK_ALIKE.search(folded):
        folded = _LETTERS.sub(lambda word: _without_look_alikes(word[0], hints), folded)
    spaced = _UNSPACED.sub(_pairs_of_characters, _NO_WORD.sub(" ", folded))
    return spaced.encode("utf-8", "replace")


def _without_look_alikes(word: str, hints: set[bytes]) -> str:
    """Fold a word of Latin and look-alike letters; one that is wholly of another script is left alone."""
    if word.isascii() or not _ASCII_LETTER.search(word):
        return word
    plain = word.translate(_LOOK_ALIKES)
    if plain != word:
        hints.add(LOOK_ALIKE)
    return plain


def _pairs_of_characters(run: re.Match[str]) -> str:
    text = run[0]
    if len(text) == 1:
        return f" {text} "
    return f" {' '.join(map(''.join, pairwise(text)))} "
