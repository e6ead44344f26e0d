"""What a transfer encoding packed is unpacked as far as it goes."""

from base64 import b64encode
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.mail.transfer import decode_base64, decode_transfer, unquoted

LIMIT = 1 << 20


def read(body: bytes, encoding: bytes, limit: int = LIMIT) -> tuple[bytes, set[str]]:
    met: dict[str, None] = {}
    return decode_transfer(body, encoding, limit, met), set(met)


@pytest.mark.parametrize("encoding", [b"", b"7bit", b"8bit", b"binary", b"x-uuencode"])
def test_what_is_not_encoded_or_uuencoded_stays(encoding: bytes) -> None:
    assert read(b"begin 644 a\n#AB=3D\n", encoding) == (b"begin 644 a\n#AB=3D\n", set())


def test_an_encoding_nobody_knows_is_a_defect_and_the_body_stays() -> None:
    assert read(b"body", b"x-rot47") == (b"body", {"unknown-transfer-encoding"})


@pytest.mark.parametrize(
    ("body", "wanted", "defects"),
    [
        (b"aGVsbG8=\n", b"hello", set()),
        (b"aGVs\nbG8=", b"hello", set()),
        (b" aGVs\t\n bG8= \n\n", b"hello", set()),
        (b"aGVsbG8", b"hello", {"truncated-base64"}),
        (b"aGVsb", b"hel", {"truncated-base64"}),
        (b"aGV!sb\x80G8=", b"hello", {"broken-base64"}),
        (b"aGVs\nbG8=\naGk=\n", b"hellohi", set()),
        (b"====\naGk=\n", b"hi", set()),
        (b"aGk=\n-- \nthe list\n", b"hi\nthe list\n", {"text-after-base64"}),
        (b"aGVs\n_____\nto leave the list\n", b"hel\nto leave the list\n", {"text-after-base64"}),
        (b"aGk=\n--\nlist:here!\n", b"hi", {"text-after-base64"}),
        (b"", b"", set()),
        (b"\n\n", b"", set()),
    ],
)
def test_base64(body: bytes, wanted: bytes, defects: set[str]) -> None:
    assert read(body, b"base64") == (wanted, defects)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (b"caf=C3=A9", "café".encode()),
        (b"caf=c3=a9", "café".encode()),
        (b"one=\ntwo", b"onetwo"),
        (b"one=  \ntwo", b"onetwo"),
        (b"a=ZZb", b"a=ZZb"),
        (b"a=", b"a"),
        (b"a=3", b"a=3"),
        (b"a = b", b"a = b"),
    ],
)
def test_quoted_printable(body: bytes, wanted: bytes) -> None:
    assert read(body, b"quoted-printable")[0] == wanted


@pytest.mark.parametrize("encoding", [b"", b"base64", b"quoted-printable"])
def test_no_more_is_decoded_than_the_limit(encoding: bytes) -> None:
    body = b64encode(b"word " * 10_000) if encoding == b"base64" else b"word " * 10_000
    data, defects = read(body, encoding, 1000)
    assert 900 <= len(data) <= 1000
    assert data.startswith(b"word word")
    assert defects == set()


@given(st.binary(max_size=300), st.integers(1, 80))
def test_base64_gives_back_what_was_encoded(data: bytes, width: int) -> None:
    coded = b64encode(data)
    lines = [coded[start : start + width] for start in range(0, len(coded), width)]
    assert read(b"\n".join(lines), b"base64") == (data, set())


@given(st.binary(max_size=300), st.sampled_from([b"base64", b"quoted-printable", b""]), st.integers(0, 400))
def test_any_body_is_decoded_within_the_limit(body: bytes, encoding: bytes, limit: int) -> None:
    assert len(read(body, encoding, limit)[0]) <= limit


@given(st.lists(st.sampled_from([b"QUJD", b"=", b"!", b"\n", b" ", b"A", b"- "]), max_size=40).map(b"".join))
def test_base64_in_any_pieces_is_decoded(body: bytes) -> None:
    assert len(decode_base64(body, {})) <= len(body)


@given(
    st.lists(
        st.sampled_from([b"%41", b"%", b"%e9", b"%0A", b"=", b"=41", b"%zz", b"%4", b" "]) | st.binary(max_size=2)
    ).map(b"".join)
)
def test_percent_signs_are_undone_as_in_any_link(value: bytes) -> None:
    assert unquoted(value) == unquote_to_bytes(value)
