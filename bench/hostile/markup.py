"""Hostile HTML."""

from collections.abc import Callable

from bench.hostile.making import SHAPES, SOURCE, fill, full_parts, parts, shape


def html(body: bytes) -> bytes:
    """As many full HTML parts as a megabyte holds."""
    return full_parts(fill(body, SOURCE) if len(body) < SOURCE else body, b"text/html; charset=utf-8")


def _of(source: bytes) -> Callable[[], bytes]:
    """As many parts of this source as a megabyte holds."""
    return lambda: html(source)


for _name, _source in {
    "nested tags": fill(b"<b>", SOURCE // 2) + fill(b"</b>", SOURCE // 2),
    "nested blocks": fill(b"<div>", SOURCE),
    "short tags": b"<p>",
    "short tags with attributes": b"<p a=1>",
    "angle brackets": b"<",
    "closing angle brackets": b">",
    "unclosed tags": b"<a",
    "unclosed scripts": b"<script",
    "scripts": b"<script></script>",
    "styles": b"<style></style>a",
    "an unclosed style": b"<style>" + b"a" * SOURCE,
    "comments": b"<!---->",
    "unclosed comments": b"<!--",
    "an unclosed comment": b"<!-- " + b"word " * 13_000,
    "comments that make comments": b"<!<!---->--",
    "ampersands": b"&",
    "ampersands and hashes": b"&#",
    "a number of thousands of digits": b"&#" + b"9" * SOURCE,
    "numbers of four thousand digits": b"&#" + b"9" * 4299 + b";",
    "hexadecimal numbers": b"&#x" + b"f" * SOURCE,
    "unknown entities": b"&" + b"z" * 31,
    "almost an entity": b"&CounterClockwiseContourIntegra ",
    "entities without semicolon": b"&lt",
    "entities": b"&eacute;",
    "a link target of blanks": b"<a href=" + b" " * SOURCE,
    "link targets of blanks": b"<a href=" + b" " * 500 + b">",
    "a scarcely closed link target": b"<a href=" + b" " * (SOURCE - 100) + b'">',
    "link targets in one tag": b"<a " + b"href=" * 13_000,
    "quoted link targets in one tag": b"<a " + b"href=\"' " * 8_000,
    "an image as wide as blanks": b"<img width=" + b" " * SOURCE,
    "images as wide as blanks": b"<img width" + b" " * 500 + b">",
    "widths in one tag": b"<img " + b"width " * 10_000,
    "a colour of blanks": b"<font color=" + b" " * SOURCE,
    "colours in one tag": b"<font " + b" color=#fefef" * 5_000,
    "a style of blanks": b'<p style="font-size:1' + b" " * SOURCE,
    "a style of digits": b'<p style="font-size:1.' + b"1" * SOURCE,
    "styles in one tag": b'<p style="' + b"display: " * 7_000,
    "hidden and shown text": b'<p style="display:none">a</p>b',
    "hidden in hidden": b'<p style="display:none">a',
    "links": b'<a href="http://a.example.org/">b.example.com</a>',
    "open links": b"<a href=x>text",
    "images": b'<img src="http://a.example.org/x.gif" width=1>',
    "encoded link targets": b'<a href="&#104;ttp://a&amp;b">a.b</a>',
}.items():
    SHAPES[f"html of {_name}"] = _of(_source)


@shape
def html_links_to_hosts_all_different() -> bytes:
    link = b'<a href="http://%d.%b/">x%d.%b</a>'
    deep = b"a." * 7 + b"co.uk"
    each = SOURCE // 70
    numbers = [range(first, first + each) for first in range(0, 15 * each, each)]
    return parts([b"".join(link % (number, deep, number, deep) for number in some) for some in numbers], b"text/html")


@shape
def html_hidden_elements_all_different() -> bytes:
    ways = [b"display:none", b"visibility:hidden", b"mso-hide:all", b"max-height:0"]
    return html(b"".join(b'<t%x style="%b">a</t%x>' % (n, ways[n % 4], n) for n in range(1500)))


@shape
def html_links_in_one_tag_before_blanks() -> bytes:
    return html(b"<a " + b"href=a " * 140 + b">" + b" " * (SOURCE // 2 - 1000))


@shape
def html_links_in_one_tag_with_ampersands() -> bytes:
    return html(b"<a " + b"href=&" * 11_000)


@shape
def html_links_in_one_tag_that_look_like_entities() -> bytes:
    return html(b"<a " + "&\u0301href=href=href=href=href=".encode() * 1000)


@shape
def html_twelve_small_parts_of_tags() -> bytes:
    return parts([fill(b"<p>", 10 << 10)] * 12, b"text/html")


@shape
def html_tags_all_different() -> bytes:
    return html(b"".join(b"<t%x>" % number for number in range(9_000)))
