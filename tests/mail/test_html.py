"""HTML is read as a reader sees it, and the signs of somebody hiding something are noted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.mail.html import Page, read_html


def text(source: str) -> str:
    return " ".join(read_html(source.encode()).text.decode().split())


def signs(source: str) -> set[str]:
    return {sign.decode() for sign in read_html(source.encode()).signs}


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("plain text", "plain text"),
        ("<p>One</p><p>Two</p>", "one two"),
        ("one<br>two<BR/>three<hr>four", "one two three four"),
        ("<table><tr><td>one</td><td>two</td></tr></table>", "one two"),
        ("<P CLASS=x\nID='y'>one</P\n>two", "one two"),
        ("a < b and c > d", "a < b and c > d"),
        ("1<2", "1<2"),
        ("", ""),
    ],
)
def test_tags_part_words(source: str, wanted: str) -> None:
    assert text(source) == wanted


@pytest.mark.parametrize(
    "source",
    [
        "v<b></b>iagra",
        "<b>v</b>iagra",
        "v<font size=1></font>ia<i>g</i>ra",
        "<span>vi</span><span class=a>agra</span>",
        "v<!-- x -->iagra",
        "vi<!---->agra",
        "v<a name=x>iagra</a>",
        "&#118;iagr&#x61;",
        "v&#105agra",
    ],
)
def test_inline_tags_comments_and_entities_do_not_part_a_word(source: str) -> None:
    assert text(source) == "viagra"


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("caf&eacute; &amp; t&ecirc;te", "café & tête"),
        ("a&nbsp;b", "a b"),
        ("&lt;script&gt;", "<script>"),
        ("&#8364; &#x20AC;", "€ €"),
        ("&#0; &#xD800; &#x110000;", "\ufffd \ufffd \ufffd"),
        ("R&D; &unknown;", "r&d; &unknown;"),
        ("&#99999999999999999999;", "\ufffd"),
    ],
)
def test_entities_are_letters(source: str, wanted: str) -> None:
    assert text(source) == wanted


@pytest.mark.parametrize("digits", [4299, 4301, 60_000])
def test_a_letter_by_a_number_without_end_is_read_past(digits: int) -> None:
    """Python refuses to read a number of more than 4,300 digits."""
    assert "café" in text("caf&eacute; &#" + "9" * digits)


@pytest.mark.parametrize(
    "silent",
    [
        "<style>p { color: red }</style>",
        "<STYLE type='text/css'>p { color: red }</STYLE >",
        "<script>var red = '<p>';</script>",
        "<!-- red -->",
        "<!-- red > red -->",
        "<style>red</style><script>red</script><!-- red --><style>red</style>",
    ],
)
def test_what_no_reader_is_shown_is_no_text(silent: str) -> None:
    assert [word for word in text(f"one {silent} two").split() if word.isalnum()] == ["one", "two"]


@pytest.mark.parametrize("comment", ["<!-->", "<!--->", "<!---->", "<!-- x -->", "<!-- x > y -- z -->"])
def test_a_comment_ends_where_a_browser_ends_it(comment: str) -> None:
    assert text(f"one {comment} two <!-- x --> three") == "one two three"


@pytest.mark.parametrize("opening", ["<!--", "<style>", "<script>"])
def test_what_was_never_closed_is_read_after_all(opening: str) -> None:
    assert "two" in text(f"one {opening} two three")
    assert "unclosed" in signs(f"one {opening} two three")
    assert "unclosed" not in signs("one <!-- two --> three")


HIDING = [
    '<p style="display:none">{}</p>',
    "<div style='DISPLAY : NONE;'>{}</div>",
    '<span style="visibility:hidden">{}</span>',
    '<span style="font-size:0">{}</span>',
    '<span style="font-size: 1px; color: red">{}</span>',
    '<td style="opacity:0">{}</td>',
    '<div style="mso-hide:all">{}</div>',
    '<div style="max-height:0;overflow:hidden">{}</div>',
    '<div style="text-indent:-9999px">{}</div>',
    '<font color="#ffffff">{}</font>',
    "<font color=white>{}</font>",
    '<p style="color:#fff">{}</p>',
    '<p style="color: #FEFEFE">{}</p>',
    '<div style="display:none"><div>{}</div></div>',
    '<body bgcolor="#FFFFFF">one <font color="#ffffff">{}</font>',
    '<body bgcolor=white text=black><p style="color:white">{}</p>',
]


@pytest.mark.parametrize("hiding", HIDING)
def test_text_a_reader_does_not_see_stands_apart(hiding: str) -> None:
    page = read_html(f"one {hiding.format('secret')} two".encode())
    assert set(page.text.split()) == {b"one", b"two"}
    assert page.hidden.split() == [b"secret"]
    assert b"hidden-text" in page.signs


@pytest.mark.parametrize(
    "shown",
    [
        '<p style="display:block">{}</p>',
        '<p style="font-size:12px">{}</p>',
        '<p style="font-size:1em">{}</p>',
        '<p style="font-size:1.5em">{}</p>',
        '<p style="font-size:1.1rem;color:red">{}</p>',
        '<p style="opacity:0.9">{}</p>',
        '<p style="max-height:100px">{}</p>',
        '<font color="#ff0000">{}</font>',
        '<table bgcolor="#000000"><tr><td><font color="#ffffff">{}</font></td></tr></table>',
        '<div style="background:navy"><p style="color:#fff">{}</p></div>',
        '<p style="background-color:white">{}</p>',
        "<p>display:none {}</p>",
    ],
)
def test_text_a_reader_sees_is_text(shown: str) -> None:
    page = read_html(shown.format("seen").encode())
    assert b"seen" in page.text.split()
    assert b"hidden-text" not in page.signs


@pytest.mark.parametrize(
    "image",
    [
        '<img src="http://a.example/x.gif" width="1" height="1">',
        "<IMG SRC=http://a.example/x.gif WIDTH=1 HEIGHT=1>",
        '<img src="http://a.example/x.gif" style="width:1px;height:1px">',
        '<img src="http://a.example/x.gif" height=0/>',
    ],
)
def test_a_picture_of_one_dot_tracks(image: str) -> None:
    assert {"tracking-pixel", "remote-image", "images:1"} <= signs(image)


@pytest.mark.parametrize("size", ["width=10 height=10", 'width="100%"', "", "border=1"])
def test_a_picture_of_more_dots_does_not(size: str) -> None:
    assert "tracking-pixel" not in signs(f'<img src="http://a.example/x.gif" {size}>')


@pytest.mark.parametrize(
    "link",
    [
        '<a href="http://evil.example.net/x">www.bank.example.com</a>',
        "<a href=http://evil.example.net>https://bank.example.com/login</a>",
        '<a class=x href="https://evil.example.net/?bank.example.com"><b>bank.example.com</b></a>',
        '<a href="http://bank.example.com@evil.example.net/">bank.example.com</a>',
        '<a href="http&#58;//evil.example.net/">bank.example.com</a>',
    ],
)
def test_a_link_that_shows_another_host_is_noted(link: str) -> None:
    assert "link-shows-another-host" in signs(link)


@pytest.mark.parametrize(
    "link",
    [
        '<a href="http://www.example.com/x">example.com</a>',
        '<a href="http://mail.example.com/x">https://www.example.com/login</a>',
        '<a href="http://click.example.net/x">Read more...</a>',
        '<a href="http://click.example.net/x">our offers at example</a>',
        '<a href="mailto:ann@example.org">example.com</a>',
        '<a href="/x">example.com</a>',
    ],
)
def test_a_link_that_shows_its_own_host_or_none_is_not(link: str) -> None:
    assert "link-shows-another-host" not in signs(link)


def test_links_and_pictures_are_links() -> None:
    page = read_html(
        b'<a href="http://one.example/a?x=1&amp;y=2">a</a><img src=http://two.example/b.gif>'
        b"<form action='https://three.example/c'></form><a href=mailto:ann@example.org>d</a><img src=cid:1>"
    )
    assert page.urls == [b"one.example/a?x=1&y=2", b"two.example/b.gif", b"three.example/c"]
    assert {b"link:mailto", b"link:cid", b"form", b"images:2"} <= set(page.signs)


def test_a_page_of_pictures_without_text_shows_by_its_counts() -> None:
    found = signs("<html><body>" + '<img src="http://a.example/1.jpg">' * 4 + "</body></html>")
    assert {"images:3", "links:0", "img", "html", "body"} <= found
    assert found & {"text:0", "text:1", "text:2"}


PIECES = st.sampled_from(
    [
        *("<", ">", "</", "<a href=", "http://a.example", "'", '"', " ", "\n", "=", "&", "&#", ";", "x", "é", "9" * 30),
        *("<p style=", "display:none", "color=#ffffff", "</p>", "<b>", "<img width=1", "bank.example.com"),
        *("<!--", "-->", "<style", "</style>", "<script>"),
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=60))
def test_any_source_is_a_page(source: str) -> None:
    page = read_html(source.encode("utf-8", "replace"))
    assert isinstance(page, Page)
    assert len(page.text) + len(page.hidden) <= 3 * len(source.encode("utf-8", "replace")) + 10
    assert [sign for sign in page.signs if b" " in sign or not sign] == []
