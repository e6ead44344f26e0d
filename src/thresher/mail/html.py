"""HTML source -> what a reader sees, and how it was built. Linear in its input, bounded, never an exception.

One split at tags, one walk over them. It is no HTML parser and need not be: the filter wants words, links, and the
signs of somebody hiding something. Why not a parser: evidence/html-reader.md.
"""

import html
import re
from typing import Final, NamedTuple

from thresher.mail.urls import MAX_URL, MAX_URLS, host_of, registered_domain, shown_host, split_url

MAX_TAGS: Final = 2000
MAX_LINK_TEXT: Final = 200
_TAG: Final = re.compile(rb"<(/?[a-z][a-z0-9]{0,15}|[!?])([^<>]*)>?")
_HREF: Final = re.compile(rb"(?:href|src|action|background)\s*=\s*[\"']?\s*([^\s\"'<>]+)")
_SIZE_OF_A_DOT: Final = re.compile(rb"(?:width|height)\s*[=:]\s*[\"']?\s*[012](?:px)?(?:[\"'\s;/]|$)")
_HIDING: Final = re.compile(
    rb"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:\.\d{1,4})?(?:px|pt|em|%)?\s*(?:[;\"']|$)"
    rb"|opacity\s*:\s*0\s*(?:[;\"']|$)|mso-hide\s*:\s*all|max-height\s*:\s*0|text-indent\s*:\s*-\d{3}"
)
_WHITE: Final = re.compile(rb"(?:^|[\s;\"'])color\s*[:=]\s*[\"']?\s*(?:#?f[ef]f[ef]f[ef]\b|#fff\b|white\b)")
_SILENT: Final = ((b"<!--", b"-->"), (b"<style", b"</style"), (b"<script", b"</script"))
_VOID: Final = frozenset(
    {b"br", b"img", b"hr", b"input", b"meta", b"link", b"area", b"base", b"col", b"embed", b"wbr", b"source", b"param"}
)
_LINKING: Final = frozenset({b"a", b"img", b"form", b"area", b"iframe", b"body", b"table"})
_PAINTED: Final = frozenset({b"body", b"td", b"table", b"tr", b"div"})
# Tags that do not break a word: V<b></b>iagra reads as one.
_INLINE: Final = frozenset(
    name
    for inline in (b"b", b"i", b"u", b"s", b"em", b"strong", b"font", b"span", b"small", b"big", b"a", b"sub", b"sup", b"tt")
    for name in (inline, b"/" + inline)
)
_PROTOCOLS: Final = frozenset({b"mailto", b"cid", b"javascript", b"data", b"tel"})


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
    pieces = _TAG.split(lowered, MAX_TAGS)
    if len(pieces) > 3 * MAX_TAGS:
        # What follows the last tag read is markup still; its words are worth less than its cost.
        pieces[-1] = b""
    walk = _Walk(signs)
    walk.run(pieces)
    return Page(_unescape(b"".join(walk.text)), _unescape(b"".join(walk.hidden)), walk.all_signs(), walk.urls)


def _cut_out(source: bytes, opening: bytes, closing: bytes, signs: dict[bytes, None]) -> bytes:
    start = source.find(opening)
    if start < 0:
        return source
    kept = [source[:start]]
    signs[opening.strip(b"<!-") or b"comment"] = None
    while start >= 0:
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


def _unescape(text: bytes) -> bytes:
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
        self.out = self.text
        self.names: set[bytes] = set()
        self.images = 0
        self.links = 0
        self.hiding = b""
        """Name of the element that hides what it holds, while inside it."""
        self.nested = 0
        self.link_target = b""
        self.link_text: list[bytes] | None = None
        self.painted = False
        """Whether the page has a background of its own, on which white text can be seen."""

    def run(self, pieces: list[bytes]) -> None:
        """Take text, tag name and attributes in turn, as re.split gives them."""
        self.text.append(pieces[0])
        self.names.update(pieces[1::3])
        for name, attributes, text in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
            if self.hiding:
                self._inside_hidden(name)
            if attributes:
                self._attributes(name, attributes)
            if name not in _INLINE:
                self.out.append(b" ")
            elif name == b"/a" and self.link_text is not None:
                self._end_link()
            if text:
                self.out.append(text)
                if self.link_text is not None:
                    self.link_text.append(text)

    def _inside_hidden(self, name: bytes) -> None:
        if name == self.hiding:
            self.nested += 1
        elif name == b"/" + self.hiding:
            self.nested -= 1
            if not self.nested:
                self.hiding = b""
                self.out = self.text

    def _attributes(self, name: bytes, attributes: bytes) -> None:
        if name in _LINKING:
            if name == b"img":
                self.images += 1
                if _SIZE_OF_A_DOT.search(attributes):
                    self.signs[b"tracking-pixel"] = None
            match = _HREF.search(attributes)
            if match:
                self._link(name, match[1][:MAX_URL])
        if name in _PAINTED and b"background" in attributes or b"bgcolor" in attributes:
            self.painted = True
        if (
            not self.hiding
            and name not in _VOID
            and (
                (b"style" in attributes and _HIDING.search(attributes))
                or (b"color" in attributes and not self.painted and _WHITE.search(attributes))
            )
        ):
            self.signs[b"hidden-text"] = None
            self.hiding = name
            self.nested = 1
            self.out = self.hidden

    def _link(self, name: bytes, target: bytes) -> None:
        if b"&" in target:
            target = _unescape(target)
        scheme, slashes, rest = target.partition(b"://")
        if slashes:
            if len(self.urls) < MAX_URLS:
                self.urls.append(rest)
            if name == b"img":
                self.signs[b"remote-image"] = None
        else:
            scheme = scheme.partition(b":")[0]
            if scheme in _PROTOCOLS:
                self.signs[b"link:" + scheme] = None
        if name == b"a":
            self.links += 1
            self.link_target = rest
            self.link_text = []

    def _end_link(self) -> None:
        text = b"".join(self.link_text or ())[:MAX_LINK_TEXT]
        self.link_text = None
        if b"." in text and self.link_target:
            shown = shown_host(text)
            if shown and registered_domain(shown) != registered_domain(host_of(split_url(self.link_target)[0])):
                self.signs[b"link-shows-another-host"] = None

    def all_signs(self) -> list[bytes]:
        """Tag names, oddities; images, links and text by size class: powers of four for text, of two for the others."""
        length = sum(map(len, self.text))
        names = sorted(name for name in self.names if not name.startswith((b"/", b"!", b"?")))
        counts = [
            b"images:%d" % self.images.bit_length(),
            b"links:%d" % self.links.bit_length(),
            b"text:%d" % (length.bit_length() // 2),
        ]
        return [*names, *self.signs, *counts]
