"""Header values are text, in whatever way it was packed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.mail.headers import charset_of, decode_words, parameter


def decoded(value: str) -> str:
    return decode_words(value.encode("latin-1"), {}).decode()


def defects(value: str) -> set[str]:
    met: dict[str, None] = {}
    decode_words(value.encode("latin-1"), met)
    return set(met)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("plain text", "plain text"),
        ("=?utf-8?q?caf=C3=A9?=", "café"),
        ("=?UTF-8?Q?CAF=c3=89_noir?=", "CAFÉ noir"),
        ("=?utf-8?b?Y2Fmw6k=?=", "café"),
        ("=?utf-8?B?Y2Fmw6k?=", "café"),
        ("=?iso-8859-1?q?caf=E9?=", "café"),
        ("=?koi8-r?b?09XC?=", "суб"),
        ("=?iso-2022-jp?b?GyRCRG0bKEI=?=", "庭"),
        ("=?utf-8?q??=", ""),
        ("a =?utf-8?q?b?= c", "a b c"),
        ("=?utf-8?q?a?= b =?utf-8?q?c?=", "a b c"),
        ("=?utf-8?q?a?= =?utf-8?q?b?=", "ab"),
        ("=?utf-8?q?a?==?utf-8?q?b?=", "ab"),
        ("=?utf-8?q?a?=\t =?iso-8859-1?q?_b?=", "a b"),
        ("=?utf-8?q?caf=C3?= =?UTF-8?b?qQ==?=", "café"),
        ("=?utf-8*en?q?caf=C3=A9?=", "café"),
    ],
)
def test_encoded_words_are_decoded_and_neighbours_joined(value: str, wanted: str) -> None:
    assert decoded(value) == wanted


@pytest.mark.parametrize("value", ["=?utf-8?q?caf=C3=A9", "=?utf-8?x?abc?=", "=?utf-8?=", "a =?b", "=?=?=?=?="])
def test_what_is_no_encoded_word_stays_and_is_a_defect(value: str) -> None:
    assert decoded(value) == value
    assert defects(value) == {"broken-encoded-word"}


def test_a_charset_nobody_knows_is_a_defect_and_its_text_still_read() -> None:
    assert decoded("=?x-martian?q?the_caf=E9?=") == "the café"
    assert "unknown-charset" in defects("=?x-martian?q?the_caf=E9?=")


def test_eight_bit_text_between_encoded_words_is_kept() -> None:
    assert decoded("=?utf-8?q?a?= the caf\xe9 here =?utf-8?q?b?=") == "a the café here b"
    assert decoded("vom Caf\xe9") == "vom Café"


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("text/plain; name=a.txt", "a.txt"),
        ("text/plain;name=a.txt", "a.txt"),
        ("text/plain ; NAME = a.txt ; x=y", "a.txt"),
        ('text/plain; name="a b;c.txt"; x=y', "a b;c.txt"),
        (r'text/plain; name="a \"b\" \\ c"', r'a "b" \ c'),
        (r'text/plain; name="C:\dir\a.txt"', r"C:\dir\a.txt"),
        ("text/plain; name='a.txt'", "a.txt"),
        ('text/plain; name="a.txt', "a.txt"),
        ("text/plain; name=a b.txt", "a b.txt"),
        ("text/plain name=a.txt", "a.txt"),
        ("text/plain; name=a.txt; name=b.txt", "a.txt"),
        ("text/plain; filename=a.txt", ""),
        ("text/plain; name", ""),
        ("text/plain; name=", ""),
        ("text/plain; name*=utf-8'en'caf%C3%A9.txt", "café.txt"),
        ("text/plain; name*=iso-8859-1''caf%E9.txt", "café.txt"),
        ("text/plain; name*=caf%C3%A9.txt", "café.txt"),
        ("text/plain; name*0=a; name*1=b; name*2=.txt", "ab.txt"),
        ("text/plain; name*2=c; name*0=a; name*1=b", "abc"),
        ("text/plain; name*0*=utf-8''caf%C3; name*1*=%A9; name*2=%41", "café%41"),
        ("text/plain; name=plain; name*=utf-8''better", "better"),
        ("text/plain; name*0*=%zz; name*1=y", "%zzy"),
    ],
)
def test_a_parameter_is_found_in_every_form_it_is_sent_in(value: str, wanted: str) -> None:
    assert parameter(value.encode(), b"name").decode() == wanted


def test_of_very_many_parameters_the_first_are_read() -> None:
    many = b"".join(b"; p%d=x" % number for number in range(1000))
    assert parameter(b"text/plain; name=a" + many, b"name") == b"a"
    assert parameter(b"text/plain" + many + b"; name=a", b"name") == b""


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("text/plain", ""),
        ("text/plain; charset=utf-8", "utf-8"),
        ("TEXT/PLAIN; CHARSET=KOI8-R", "KOI8-R"),
        ('text/html; Charset="big5"; format=flowed', "big5"),
        ("text/plain; charset=utf-8 format=flowed", "utf-8"),
    ],
)
def test_the_declared_charset(value: str, wanted: str) -> None:
    assert charset_of(value.encode()) == wanted


PIECES = st.sampled_from(
    [b"=?", b"?=", b"?q?", b"?b?", b"utf-8", b"utf-7", b"x", b"=", b"C3", b" ", b"'", b'"', b";", b"*0*=", b"\\"]
)
VALUES = st.lists(PIECES | st.binary(max_size=4), max_size=30).map(b"".join)


@given(VALUES)
def test_any_value_becomes_text(value: bytes) -> None:
    decode_words(value, {}).decode()


@given(VALUES, st.sampled_from([b"name", b"charset", b"x"]))
def test_any_value_has_parameters_or_none(value: bytes, name: bytes) -> None:
    assert isinstance(parameter(b"text/plain; " + name + b"*0*=" + value, name), bytes)
