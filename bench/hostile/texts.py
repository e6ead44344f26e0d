"""Hostile text: letters, marks and links that make its words costly."""

from collections.abc import Callable

from bench.hostile.making import SHAPES, SOURCE, fill, full_parts, shape


def _of(unit: str) -> Callable[[], bytes]:
    """Many parts of this text."""
    return lambda: full_parts(fill(unit.encode(), SOURCE), b"text/plain; charset=utf-8")


for _name, _unit in {
    "one run of Latin letters": "é",
    "one run of Latin and ASCII letters": "éa",
    "one ASCII word and a high one": "a" * 16_000 + "é ",
    "one run of Cyrillic letters": "ж",
    "look-alike letters": "pаypаl ",
    "one look-alike word": "pа",
    "one run of Chinese": "漢字",
    "one run of Thai": "กขค",
    "one run of Devanagari": "हिन्दी",
    "combining marks in order": "\u0301",
    "combining marks to be sorted": "a" + "\u0301" * 8_000 + "\u0323" * 8_000,
    "combining marks in small groups": "a" + ("\u0301" * 10 + "\u0323" * 10) * 800,
    "combining marks after voiced kana": "a" + ("\uff9e" * 29 + "\u0338" * 29) * 200,
    "marks from nine to one": "a" + "".join(c * 1600 for c in "\u0315\u0301\u0323\u05b0\u093c\u0338"),
    "ligatures that become a sentence": "\ufdfa",
    "letters that fold to three": "\u0390",
    "zero-width characters": "\u200b",
    "zero-width characters between letters": "a\u200b",
    "soft hyphens": "a\u00ad",
    "ideographic spaces": "\u3000",
    "words with one high letter": "abcdéfghijklm ",
    "half-width kana": "\uff76\uff9e",
    "jamo": "\u1100\u1161\u11a8",
    "mathematical letters": "\U0001d400",
    "emoji": "\U0001f600",
    "underscores": "é_",
    "apostrophes": "é'",
}.items():
    SHAPES[f"text of {_name}"] = _of(_unit)


@shape
def words_with_high_letters_all_different() -> bytes:
    text = "".join(f"é{number:06d}abcdef " for number in range(5000)).encode()
    return full_parts(text, b"text/plain; charset=utf-8")


@shape
def text_of_schemes() -> bytes:
    return full_parts(fill(b"http://", SOURCE))


@shape
def text_of_slashes() -> bytes:
    return full_parts(fill(b"://", SOURCE))


@shape
def text_of_percent_signs_in_links() -> bytes:
    return full_parts(fill(b"http://a/" + b"%41%zz" * 48 + b" ", SOURCE))


@shape
def text_of_deep_hosts() -> bytes:
    return full_parts(b" ".join(b"http://%b%d/" % (b"a." * 120, number) for number in range(200)))
