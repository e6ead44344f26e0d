"""HTML source -> what a reader sees, and how it was built. Linear in its input, bounded, never an exception.

A few passes of simple regular expressions, each of which runs in C. It is no HTML parser and need not be: the filter
wants words, links, and the signs of somebody hiding something. Why not a parser: evidence/html-reader.md.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from thresher.mail import kernel
from thresher.mail.urls import MAX_URL, MAX_URLS, host_of, registered_domain, split_url

MAX_MARKUP: Final = 8 << 10
"""Bytes of a page, its styles and scripts cut out, that are read: 32 KB are no better (evidence/text-bounds.md)."""
MAX_PLACES: Final = 200
"""Places of one attribute that are looked at."""
MAX_NESTED: Final = 50
MAX_IMAGES: Final = 100


def _numbers_of_pairs(words: Sequence[bytes]) -> bytes:
    """Number words by their first two bytes, as the kernel wants it."""
    numbers = bytearray(1 << 16)
    for number, word in enumerate(words, 1):
        numbers[256 * word[0] + word[1]] = number
    return bytes(numbers)


_TAG: Final = re.compile(rb"<([a-z!/?][^\s<>]*)[^<>]*>?")
_ANY_NAME: Final = re.compile(rb"<(/?)([a-z][a-z0-9]{0,15})(?=[\s>])")
_NAME: Final = re.compile(rb"<([a-z][a-z0-9]{0,15})")
# Tags that do not break a word: V<b></b>iagra reads as one.
_INLINE: Final = (
    b"b", b"i", b"u", b"s", b"em", b"strong", b"font", b"span", b"small", b"big", b"a", b"sub", b"sup", b"tt",
)  # fmt: skip
_GLUE: Final = frozenset((*_INLINE, *(b"/" + name for name in _INLINE)))
_LINKING_WORDS: Final = (b"href", b"src", b"action", b"background")
# Here and below: possessive, or neighbouring runs of blanks are shared out in all possible ways; bounded, because many
# may begin in one tag (bench/hostile_mail.py).
_TARGET: Final = re.compile(rb"\s*+=\s*+[\"']?+\s*+([^\s\"'<>]{1,%d})" % MAX_URL)
_SHOWN_HOST: Final = re.compile(
    rb"[^<>]{0,1000}+>\s{0,100}+(?:<[^<>/]{0,300}+>\s{0,100}+){0,4}(?:https?://)?((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,18})(?=[/:?\s<])"
)
_IMAGE: Final = re.compile(rb"<img\s([^<>]*)")
_SIZE_OF_A_DOT: Final = re.compile(rb"(?:width|height)\s*+[=:]\s*+[\"']?+\s*+[012](?:px)?(?:[\"'\s;/]|$)")
_HIDING_WORDS: Final = (
    b"display", b"visibility", b"font-size", b"opacity", b"mso-hide", b"max-height", b"text-indent",
)  # fmt: skip
_HIDING: Final = re.compile(
    rb"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*(?:0(?:\.\d{1,4})?(?:px|pt|r?em|%)?|1(?:\.\d{1,4})?(?:px|pt|%))\s*[;\"'>]"
    rb"|opacity\s*:\s*0\s*[;\"'>]|mso-hide\s*:\s*all|max-height\s*:\s*0|text-indent\s*:\s*-\d{3}"
)
_IS_WHITE: Final = rb"\s*+[:=]\s*+[\"']?+\s*+(?:#?f[ef]f[ef]f[ef]\b|#fff\b|white\b)"
_COLOUR: Final = b"color"
_GROUND_WORDS: Final = (b"bgcolor", b"background")
_WORDS: Final = tuple(dict.fromkeys((*_HIDING_WORDS, *_GROUND_WORDS, _COLOUR, *_LINKING_WORDS)))
_PAIRS: Final = _numbers_of_pairs(_WORDS)
_WHITE: Final = re.compile(rb"color" + _IS_WHITE)
_WHITE_GROUND: Final = re.compile(rb"(?:bgcolor|background(?:-color)?)" + _IS_WHITE)
_BEFORE_NAME: Final = (b" ", b"\n", b"\t", b";", b'"', b"'")
_LONG_NUMBER: Final = re.compile("&#[0-9]{9,}+")
_SILENT: Final = ((b"<!--", b"-->"), (b"<style", b"</style"), (b"<script", b"</script"))
_VOID: Final = frozenset(
    {b"br", b"img", b"hr", b"input", b"meta", b"link", b"area", b"base", b"col", b"embed", b"wbr", b"source", b"param"}
)
_PROTOCOLS: Final = frozenset({b"mailto", b"cid", b"javascript", b"data", b"tel"})


Places = Mapping[bytes, Sequence[int]]


class Page(NamedTuple):
    """What one HTML part says and how."""

    text: bytes
    hidden: bytes
    """Text that a reader does not see."""
    signs: list[bytes]
    """Structure: tag names, counts by size class, and what looks like hiding."""
    urls: list[bytes]
    """Targets of links and images, from the host on."""


def read_html(source: bytes) -> Page:
    """Read UTF-8 HTML source."""
    lowered = source.lower()
    signs: dict[bytes, None] = {}
    for opening, closing in _SILENT:
        lowered = _cut_out(lowered, opening, closing, signs)
    markup = lowered[:MAX_MARKUP]
    places = _places(markup)
    lowered, hidden = _cut_hidden(markup, places, signs)
    urls = _links(lowered, places if lowered is markup else _places(lowered), signs)
    images = _IMAGE.findall(lowered)[:MAX_IMAGES]
    if any(map(_SIZE_OF_A_DOT.search, images)):
        signs[b"tracking-pixel"] = None
    names: set[bytes] = set()
    text = _plain(lowered, names)
    counts = [
        b"images:%d" % len(images).bit_length(),
        b"links:%d" % lowered.count(b"<a ").bit_length(),
        # Powers of four for text, of two for the others.
        b"text:%d" % (len(text).bit_length() // 2),
    ]
    return Page(text, _plain(hidden, names), [*sorted(name for name in names if name.isalnum()), *signs, *counts], urls)


def _cut_out(source: bytes, opening: bytes, closing: bytes, signs: dict[bytes, None]) -> bytes:
    start = source.find(opening)
    if start < 0:
        return source
    kept = [source[:start]]
    signs[opening.strip(b"<!-") or b"comment"] = None
    while start >= 0:
        # From the third byte on: to a browser `<!-->` is a whole comment. No other opening holds its closing.
        end = source.find(closing, start + 2)
        if end < 0:
            signs[b"unclosed"] = None
            # A browser shows nothing of it either, but what an author forgot to close is often the message.
            kept.append(source[start + len(opening) :])
            break
        begin = end + len(closing)
        start = source.find(opening, begin)
        kept.append(source[begin : start if start >= 0 else None])
    return b"".join(kept)


def _plain(lowered: bytes, names: set[bytes]) -> bytes:
    """Return the text, a blank for each tag that ends a word. Adds the tags' names to names."""
    if kernel.COMPILED:
        return _unescape(kernel.without_tags(lowered, _GLUE, names))
    pieces = _TAG.split(lowered)
    names.update(pieces[1::2])
    pieces[1::2] = [b"" if name in _GLUE else b" " for name in pieces[1::2]]
    return _unescape(b"".join(pieces))


def _unescape(text: bytes) -> bytes:
    if b"&" not in text:
        return text
    from html import unescape

    shown = text.decode("utf-8", "replace")
    try:
        shown = unescape(shown)
    except ValueError:
        # A character's number of more digits than Python reads.
        shown = unescape(_LONG_NUMBER.sub(" ", shown))
    return shown.encode("utf-8", "replace")


def _cut_hidden(lowered: bytes, places: Places, signs: dict[bytes, None]) -> tuple[bytes, bytes]:
    """Take out what stands inside elements that a reader does not see."""
    kept: list[bytes] = []
    hidden: list[bytes] = []
    done = 0
    for at in _hiding_places(lowered, places):
        opening = lowered.rfind(b"<", done, at)
        end = lowered.find(b">", at) + 1
        name = _NAME.match(lowered, opening) if opening >= done else None
        if not end or not name or name[1] in _VOID or lowered.find(b">", opening, at) >= 0:
            continue
        signs[b"hidden-text"] = None
        closing = _closing(lowered, name[1], end)
        kept.append(lowered[done:end])
        hidden.append(lowered[end:closing])
        done = closing
    if not done:
        return lowered, b""
    kept.append(lowered[done:])
    return b"".join(kept), b" ".join(hidden)


def _places(lowered: bytes) -> Places:
    """Return where the words stand that attributes begin with."""
    if kernel.COMPILED:
        return dict(zip(_WORDS, kernel.find_places(lowered, _WORDS, _PAIRS, MAX_PLACES), strict=True))
    return {word: list(_places_of(lowered, word)) for word in _WORDS}


def _places_of(lowered: bytes, word: bytes) -> Iterator[int]:
    """bytes.find runs ten times faster than a pattern that begins with a choice."""
    at = lowered.find(word)
    for _ in range(MAX_PLACES):
        if at < 0:
            return
        yield at
        at = lowered.find(word, at + len(word))


def _hiding_places(lowered: bytes, places: Places) -> list[int]:
    """Return where an attribute hides its element."""
    found = [at for word in _HIDING_WORDS for at in places[word] if _HIDING.match(lowered, at)]
    # White text is invisible only where nothing before it has painted the page another colour.
    grounds = (at for word in _GROUND_WORDS for at in places[word])
    painted = min((at for at in grounds if not _WHITE_GROUND.match(lowered, at)), default=len(lowered))
    found += [
        at
        for at in places[_COLOUR]
        if at + len(_COLOUR) <= painted and lowered[at - 1 : at] in _BEFORE_NAME and _WHITE.match(lowered, at)
    ]
    return sorted(found)


def _closing(lowered: bytes, name: bytes, start: int) -> int:
    """Return where the element that begins here ends; at the end of the source if it is never closed."""
    depth = 1
    steps = 0
    for match in _ANY_NAME.finditer(lowered, start):
        if match[2] == name:
            depth += -1 if match[1] else 1
            steps += 1
            if depth == 0 or steps > MAX_NESTED:
                return match.start()
    return len(lowered)


def _links(lowered: bytes, places: Places, signs: dict[bytes, None]) -> list[bytes]:
    urls: dict[bytes, None] = {}
    for word in _LINKING_WORDS:
        done = 0
        for at in places[word]:
            # What stands inside another's target is none: there may be one at every fifth byte of it.
            match = _TARGET.match(lowered, at + len(word)) if at >= done else None
            if match:
                done = match.end()
                _add_link(lowered, word, match, urls, signs)
            if len(urls) == MAX_URLS:
                return list(urls)
    return list(urls)


def _add_link(
    lowered: bytes, word: bytes, match: re.Match[bytes], urls: dict[bytes, None], signs: dict[bytes, None]
) -> None:
    target = match[1]
    scheme, slashes, rest = (_unescape(target) if b"&" in target else target).partition(b"://")
    if not slashes:
        scheme = scheme.partition(b":")[0]
        if scheme in _PROTOCOLS:
            signs[b"link:" + scheme] = None
        return
    urls[rest[:MAX_URL]] = None
    if word == b"src":
        signs[b"remote-image"] = None
    elif word == b"href":
        shown = _SHOWN_HOST.match(lowered, match.end())
        if shown and registered_domain(shown[1]) != registered_domain(host_of(split_url(rest)[0])):
            signs[b"link-shows-another-host"] = None
