"""HTML source -> what a reader sees, and how it was built. Linear in its input, bounded, never an exception.

One split at tags, one walk over them. It is no HTML parser and need not be: the filter wants words, links, and the
signs of somebody hiding something. Why not a parser: evidence/html-reader.md.
"""

import html
import re
from typing import Final, NamedTuple

from thresher.mail.urls import MAX_URL, MAX_URLS, host_of, registered_domain, shown_host

MAX_TAGS: Final = 3000
MAX_LINK_TEXT: Final = 200
_TAG: Final = re.compile(rb"<([a-z!/?][^<>]*)>?")
_NAME: Final = re.compile(rb"/?[a-z][a-z0-9]{0,15}")
_HREF: Final = re.compile(rb"\b(?:href|src|action|background)\s*=\s*[\"']?\s*([^\s\"'<>]+)")
_SIZE_OF_A_DOT: Final = re.compile(rb"\b(?:width|height)\s*[=:]\s*[\"']?\s*[012](?:px)?[\"'\s;/]")
_HIDING: Final = re.compile(
    rb"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:\.\d+)?(?:px|pt|em|%)?\s*[;\"']|opacity\s*:\s*0\s*[;\"']"
    rb"|mso-hide\s*:\s*all|max-height\s*:\s*0|text-indent\s*:\s*-\d{3}|size\s*=\s*[\"']?-\d"
)
_WHITE: Final = re.compile(rb"\bcolor\s*[:=]\s*[\"']?\s*(?:#?f[ef]f[ef]f[ef]\b|#fff\b|white\b)")
_DARK_PAGE: Final = re.compile(rb"bgcolor|background")
_VOID: Final = frozenset(
    {b"br", b"img", b"hr", b"input", b"meta", b"link", b"area", b"base", b"col", b"embed", b"wbr", b"source", b"param"}
)
# Tags that do not break a word: V<b></b>iagra reads as one.
_INLINE: Final = frozenset(
    name
    for inline in (b"b", b"i", b"u", b"s", b"em", b"strong", b"font", b"span", b"small", b"big", b"a", b"sub", b"sup", b"tt")
    for name in (inline, b"/" + inline)
)
_SILENT: Final = ((b"<!--", b"-->"), (b"<style", b"</style"), (b"<script", b"</script"))


class Page(NamedTuple):
    """What one HTML part says and how."""

    text: bytes
    hidden: bytes
    """Text that a reader does not see."""
    signs: list[bytes]
    """Structure: tag names, counts by size class, and what looks like hiding."""
    urls: list[bytes]


def read_html(source: bytes) -> Page:
    """Read UTF-8 HTML source."""
    lowered = source.lower()
    signs: dict[bytes, None] = {}
    for opening, closing in _SILENT:
        lowered = _cut_out(lowered, opening, closing, signs)
    pieces = _TAG.split(lowered, MAX_TAGS)
    if len(pieces) > 2 * MAX_TAGS:
        # What follows the last tag read is markup still; its words are worth less than its cost.
        pieces[-1] = b""
    walk = _Walk(signs)
    walk.run(pieces)
    return Page(_unescape(walk.text), _unescape(walk.hidden), [*signs, *walk.counts()], walk.urls)


def _cut_out(source: bytes, opening: bytes, closing: bytes, signs: dict[bytes, None]) -> bytes:
    start = source.find(opening)
    if start < 0:
        return source
    kept = [source[:start]]
    while start >= 0:
        signs[opening.strip(b"<!-") or b"comment"] = None
        end = source.find(closing, start + len(opening))
        if end < 0:
            signs[b"unclosed"] = None
            # A browser shows nothing of it either, but what an author forgot to close is often the message.
            kept.append(source[start + len(opening) :])
            break
        begin = end + len(closing)
        start = source.find(opening, begin)
        kept.append(source[begin : start if start >= 0 else None])
    return b"".join(kept)


def _unescape(pieces: list[bytes]) -> bytes:
    text = b"".join(pieces)
    if b"&" not in text:
        return text
    return html.unescape(text.decode("utf-8", "replace")).encode("utf-8", "replace")


class _Walk:
    """One pass over text and tags."""

    def __init__(self, signs: dict[bytes, None]) -> None:
        self.signs = signs
        self.text: list[bytes] = []
        self.hidden: list[bytes] = []
        self.urls: list[bytes] = []
        self.images = 0
        self.links = 0
        self.hiding = b""
        """Name of the element that hides what it holds, while inside it."""
        self.nested = 0
        self.link = b""
        self.link_text: list[bytes] | None = None
        self.page_has_background = False

    def run(self, pieces: list[bytes]) -> None:
        """Take text and tags in turn, as re.split gives them."""
        (self.hidden if self.hiding else self.text).append(pieces[0])
        seen: set[bytes] = set()
        for tag, text in zip(pieces[1::2], pieces[2::2], strict=True):
            match = _NAME.match(tag)
            name = match[0] if match else b"!"
            if name not in seen:
                seen.add(name)
                if not name.startswith((b"/", b"!")):
                    self.signs[name] = None
            if len(tag) > len(name) or name == b"a":
                self._attributes(name, tag)
            if name == b"/a":
                self._end_link()
            out = self.hidden if self.hiding else self.text
            if self.hiding:
                self._leave(name)
            if name not in _INLINE:
                out.append(b" ")
            if text:
                out.append(text)
                if self.link_text is not None:
                    self.link_text.append(text)

    def _leave(self, name: bytes) -> None:
        if name == self.hiding:
            self.nested += 1
        elif name == b"/" + self.hiding:
            self.nested -= 1
            if not self.nested:
                self.hiding = b""

    def _attributes(self, name: bytes, tag: bytes) -> None:
        if name == b"img":
            self.images += 1
            if _SIZE_OF_A_DOT.search(tag + b" "):
                self.signs[b"tracking-pixel"] = None
        if b"=" not in tag:
            return
        if name in {b"a", b"img", b"form", b"area", b"iframe", b"body", b"table"}:
            self._link(name, tag)
        if name in {b"body", b"td", b"table", b"tr", b"div"} and _DARK_PAGE.search(tag):
            self.page_has_background = True
        if not self.hiding and name not in _VOID and not name.startswith(b"/"):
            self._maybe_hide(name, tag)

    def _maybe_hide(self, name: bytes, tag: bytes) -> None:
        if (b"style" in tag and _HIDING.search(tag + b'"')) or (
            not self.page_has_background and b"color" in tag and _WHITE.search(tag)
        ):
            self.signs[b"hidden-text"] = None
            self.hiding = name
            self.nested = 1

    def _link(self, name: bytes, tag: bytes) -> None:
        match = _HREF.search(tag)
        if not match:
            return
        target = match[1][:MAX_URL]
        if b"&" in target:
            target = html.unescape(target.decode("utf-8", "replace")).encode("utf-8", "replace")
        scheme = target.partition(b":")[0]
        if scheme in {b"mailto", b"cid", b"javascript", b"data", b"tel"}:
            self.signs[b"link:" + scheme] = None
        elif b"://" in target:
            if len(self.urls) < MAX_URLS:
                self.urls.append(target)
            if name == b"img":
                self.signs[b"remote-image"] = None
        if name == b"a":
            self.links += 1
            self.link = target
            self.link_text = []

    def _end_link(self) -> None:
        if self.link_text is None:
            return
        shown = shown_host(b"".join(self.link_text)[:MAX_LINK_TEXT])
        if shown and b"://" in self.link and registered_domain(shown) != registered_domain(host_of(self.link)):
            self.signs[b"link-shows-another-host"] = None
        self.link_text = None

    def counts(self) -> list[bytes]:
        """Images, links and text by size class: powers of four for text, of two for the others."""
        length = sum(map(len, self.text))
        return [
            b"images:%d" % self.images.bit_length(),
            b"links:%d" % self.links.bit_length(),
            b"text:%d" % (length.bit_length() // 2),
        ]
