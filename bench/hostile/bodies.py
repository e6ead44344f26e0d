"""Hostile bodies: encodings and charsets that are broken, or that turn few bytes into much work."""

from base64 import b64encode
from collections.abc import Callable
from random import Random

from bench.hostile.making import MEGABYTE, SHAPES, SOURCE, fill, full_parts, one_part, shape


@shape
def nothing_but_blank_lines() -> bytes:
    return fill(b"\n")


@shape
def nothing_but_carriage_returns() -> bytes:
    return fill(b"\r")


@shape
def nothing_but_nul_bytes() -> bytes:
    return fill(b"\0")


@shape
def one_line_of_a_megabyte() -> bytes:
    return one_part(fill(b"word"))


@shape
def random_bytes() -> bytes:
    return Random(3).randbytes(MEGABYTE)


@shape
def random_bytes_in_many_parts() -> bytes:
    return full_parts(Random(4).randbytes(SOURCE))


@shape
def base64_without_line_breaks() -> bytes:
    return one_part(b64encode(fill(b"word ", 780_000)), encoding=b"base64")


@shape
def base64_in_many_parts() -> bytes:
    return full_parts(b64encode(b"word " * 10_000), more=b"Content-Transfer-Encoding: base64\n")


@shape
def base64_of_equals_signs() -> bytes:
    return full_parts(fill(b"QQ==", SOURCE), more=b"Content-Transfer-Encoding: base64\n")


@shape
def base64_that_is_none() -> bytes:
    return full_parts(Random(5).randbytes(SOURCE), more=b"Content-Transfer-Encoding: base64\n")


@shape
def quoted_printable_equals_signs() -> bytes:
    return full_parts(fill(b"=", SOURCE), more=b"Content-Transfer-Encoding: quoted-printable\n")


@shape
def quoted_printable_soft_breaks() -> bytes:
    return full_parts(fill(b"=\n", SOURCE), more=b"Content-Transfer-Encoding: quoted-printable\n")


@shape
def quoted_printable_trailing_blanks() -> bytes:
    return one_part(fill(b" " * 1000 + b"="), encoding=b"quoted-printable")


def _in_charset(name: str, body: bytes) -> Callable[[], bytes]:
    """Many parts of this text under this charset's name."""
    return lambda: full_parts(fill(body, SOURCE), b"text/plain; charset=" + name.partition(" ")[0].encode())


for _name, _body in {
    "utf-8 of bad bytes": b"\xff",
    "utf-8 cut in two": b"\xe4\xb8 ",
    "us-ascii of bad bytes": b"\xff\xfe ",
    "x-unknown of Cyrillic": "проверка ".encode("koi8-r"),
    "cp1252 of undefined bytes": b"\x81",
    "cp1252 of some undefined bytes": b"\x81" + b"a" * 40,
    "koi8-r": b"\xc1",
    "utf-7 of plus signs": b"+",
    "utf-7 of broken runs": b"+A",
    "utf-7": b"+ZeVnLIqe-",
    "utf-16 of surrogates": b"\x00\xd8",
    "utf-16 of text": "слово ".encode("utf-16-le"),
    "utf-32 of bad bytes": b"\xff",
    "iso-2022-jp of escapes": b"\x1b$B",
    "iso-2022-jp of bad bytes": b"\xff",
    "iso-2022-kr of bad bytes": b"\x0e\xff",
    "hz of tildes": b"~{~",
    "gb18030 of bad bytes": b"\xff",
    "gb18030 of some bad bytes": b"\xff" + b"a" * 40,
    "gb18030 of four bytes": b"\x81\x30\x81\x30",
    "big5 of bad bytes": b"\x80\xff",
    "cp949 of bad bytes": b"\xff",
    "cp932 of bad bytes": b"\xfd",
    "shift_jisx0213 of bad bytes": b"\xfd",
    "euc-jp of bad bytes": b"\xff",
    "johab of bad bytes": b"\xff",
}.items():
    SHAPES[f"charset {_name}"] = _in_charset(_name, _body)
