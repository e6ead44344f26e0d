"""Bytes in any charset, or in none that was declared, become UTF-8."""

import codecs
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.mail.charset import _KNOWN, codec_of, guess, to_utf8

SENTENCES = {
    "koi8-r": "Привет, приходи в субботу на кофе, цветут тюльпаны",
    "cp1251": "Привет, приходи в субботу на кофе, цветут тюльпаны",
    "gb18030": "亲爱的朋友，花园里的郁金香都开了，星期六请来我们家喝咖啡",
    "big5hkscs": "親愛的朋友，花園裡的鬱金香都開了，星期六請來我們家喝咖啡",
    "cp932": "友だちへ、庭のチューリップが咲きました。土曜日にコーヒーを飲みに来てください",
    "euc_jp": "友だちへ、庭のチューリップが咲きました。土曜日にコーヒーを飲みに来てください",
    "cp949": "친구에게, 정원에 튤립이 피었습니다. 토요일에 커피 마시러 오세요",
    "cp1252": "Liebe Grüße aus dem Garten, das Café ist schön und die Äpfel sind süß",
}


def read(data: bytes, charset: str = "") -> str:
    return to_utf8(data, charset, {}).decode()


def defects(data: bytes, charset: str = "") -> set[str]:
    met: dict[str, None] = {}
    to_utf8(data, charset, met)
    return set(met)


@pytest.mark.parametrize(
    ("charset", "codec"),
    [
        ("utf-8", "utf-8"),
        ("UTF8", "utf-8"),
        ('"us-ascii"', "utf-8"),
        ("ISO-8859-1", "cp1252"),
        ("iso_8859-2", "iso8859-2"),
        ("windows-1251", "cp1251"),
        ("GB2312", "gb18030"),
        ("KS_C_5601-1987", "cp949"),
        ("koi8-u", "koi8-u"),
        ("x-mac-nothing", ""),
        ("", ""),
    ],
)
def test_a_charset_has_a_codec_or_none(charset: str, codec: str) -> None:
    assert codec_of(charset) == codec


@pytest.mark.parametrize(
    "name",
    [
        "idna",
        "punycode",
        "undefined",
        "unicode_escape",
        "raw_unicode_escape",
        "zlib",
        "bz2",
        "base64",
        "hex",
        "rot13",
        "uu",
        "quopri",
        "mbcs",
        "oem",
    ],
)
def test_a_codec_that_is_no_charset_is_none(name: str) -> None:
    assert codec_of(name) == ""


def test_every_charset_that_is_known_can_be_used() -> None:
    usable = [codec_of(name) for name in sorted(_KNOWN)]
    assert len([codec for codec in usable if codec]) > 200
    assert all(codecs.lookup(codec) for codec in usable if codec)


def test_a_charset_nobody_knows_is_not_looked_for_on_the_disk() -> None:
    """Python would import a module of this name, and remember every name it ever failed to find."""
    before = set(sys.modules)
    assert [codec_of(f"x-made-up-{number}") for number in range(50)] == [""] * 50
    assert not {name for name in set(sys.modules) - before if name.startswith("encodings")}
    codecs_asked = sys.modules["encodings"]._cache  # noqa: SLF001 - where Python remembers
    assert not [name for name in codecs_asked if "made_up" in name or "made-up" in name]


@pytest.mark.parametrize("codec", SENTENCES)
def test_undeclared_text_is_told_by_its_bytes(codec: str) -> None:
    data = SENTENCES[codec].encode(codec)
    assert guess(data) == codec
    assert guess(b"<p>Hi, </p>" + data) == codec
    assert read(data) == SENTENCES[codec]
    assert defects(data) == {"undeclared-8-bit"}


@pytest.mark.parametrize("codec", SENTENCES)
def test_declared_text_is_believed(codec: str) -> None:
    data = SENTENCES[codec].encode(codec)
    assert read(data, codec) == SENTENCES[codec]
    assert defects(data, codec) == set()


@pytest.mark.parametrize("charset", ["", "iso-8859-1", "koi8-r", "big5", "x-martian", "us-ascii", "utf-8"])
def test_valid_utf_8_is_utf_8_whatever_is_declared(charset: str) -> None:
    assert read("Grüße, привет, 花园".encode(), charset) == "Grüße, привет, 花园"


@pytest.mark.parametrize(
    ("text", "charset", "wanted"),
    [
        ("Grüße".encode(), "iso-8859-1", {"lying-charset"}),
        ("Grüße an alle".encode("latin-1"), "utf-8", {"lying-charset"}),
        ("Grüße an alle".encode("latin-1"), "us-ascii", {"lying-charset"}),
        (b"plain", "x-martian", {"unknown-charset"}),
        (b"plain", "koi8-r", set()),
        (b"plain", "", set()),
        ("Grüße".encode(), "", set()),
        (b"pl\0ain text", "", {"nul-bytes"}),
        (b"\xff" * 40, "gb18030", {"lying-charset"}),
        ("slowo ".encode("utf-16-le"), "", {"undeclared-utf-16"}),
        (b"\x1b$BDm\x1b(B", "", {"undeclared-iso-2022-jp"}),
        (b"\x1b$BDm\x1b(B", "iso-2022-jp", set()),
    ],
)
def test_what_is_wrong_with_a_charset_is_a_defect(text: bytes, charset: str, wanted: set[str]) -> None:
    assert defects(text, charset) == wanted


@pytest.mark.parametrize("text", ["Café", "voilà", "déjà", "à", "Grüße aus Köln", "Ångström"])
def test_short_latin_text_loses_no_letter(text: str) -> None:
    """Its last letter looks like a character of UTF-8 cut in two."""
    assert read(text.encode("latin-1"), "iso-8859-1") == text
    assert read(("on y va, " + text).encode("latin-1")) == "on y va, " + text


def test_a_character_cut_in_two_by_a_bound_is_no_lie() -> None:
    cut = "Grüße vom Café".encode()[:-1]
    assert read(cut, "utf-8") == "Grüße vom Caf"
    assert defects(cut, "utf-8") == set()


@pytest.mark.parametrize("mark", [codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE])
def test_a_byte_order_mark_says_more_than_the_header_and_is_no_text(mark: bytes) -> None:
    codec = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
    data = mark + "Grüße".encode(codec.get(mark, "utf-32-le"))
    for charset in ("", "koi8-r", "x-martian"):
        assert read(data, charset) == "Grüße"


@pytest.mark.parametrize("order", ["le", "be"])
@pytest.mark.parametrize("charset", ["utf-16", "", "us-ascii"])
def test_utf_16_without_a_mark_is_told_by_where_its_zeros_stand(charset: str, order: str) -> None:
    assert read("Dear Ben, Grüße".encode(f"utf-16-{order}"), charset) == "Dear Ben, Grüße"


@given(st.binary(max_size=300), st.sampled_from(["", *sorted(_KNOWN)]))
def test_any_bytes_in_any_charset_are_text_without_nul(data: bytes, charset: str) -> None:
    text = to_utf8(data, charset, {})
    text.decode()
    assert b"\0" not in text


@given(
    st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=100),
    st.sampled_from(["utf-8", "utf-7", "utf-16", "utf-32", "gb18030"]),
)
def test_text_survives_every_charset_of_all_characters(text: str, charset: str) -> None:
    text = text.lstrip("\ufeff\ufffe")
    data = text.encode(charset)
    if data.count(b"\0") * 3 <= len(data) or charset in {"utf-16", "utf-32"}:
        assert read(data, charset) == text
