"""Hostile structure: boundaries, depth, numbers of parts."""

from base64 import b64encode
from itertools import pairwise

from bench.hostile.making import LETTER, fill, full_parts, one_part, shape


@shape
def a_thousand_nested_multiparts() -> bytes:
    level = b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n'
    return LETTER + b"".join(level % (depth, depth) for depth in range(1000)) + b"\ntext\n"


@shape
def nested_multiparts_around_a_megabyte() -> bytes:
    level = b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n'
    return LETTER + b"".join(level % (depth, depth) for depth in range(20)) + b"\n" + fill(b"text ", 950_000)


@shape
def nested_messages_around_a_megabyte() -> bytes:
    return b"Content-Type: message/rfc822\n\n" * 20 + LETTER + b"\n" + fill(b"text ", 950_000)


@shape
def nested_messages_each_base64() -> bytes:
    message = LETTER + b"\n" + fill(b"text ", 40_000)
    head = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
    while len(message) < 700_000:
        message = head + b64encode(message)
    return message


@shape
def boundary_a_hundred_thousand_times() -> bytes:
    return LETTER + b"Content-Type: multipart/mixed; boundary=x\n\n" + fill(b"--x\n", 1_000_000)


@shape
def boundary_at_every_line_of_a_part() -> bytes:
    return LETTER + b"Content-Type: multipart/mixed; boundary=x\n\n" + fill(b"--x\n\na\n", 1_000_000)


@shape
def boundaries_that_begin_like_the_boundary() -> bytes:
    return LETTER + b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\n" + fill(b"\n--xy" + b"a" * 4000, 1_000_000)


@shape
def nested_boundaries_that_begin_like_the_boundary() -> bytes:
    names = [b"x" * depth for depth in range(1, 9)]
    levels = [b"--%b\nContent-Type: multipart/mixed; boundary=%b\n\n" % pair for pair in pairwise(names)]
    lines = b"".join(b"\n--%by" % name + b"a" * 480 for name in reversed(names))
    head = LETTER + b"Content-Type: multipart/mixed; boundary=x\n\n" + b"".join(levels)
    return head + b"--" + names[-1] + b"\n\n" + fill(lines, 1_000_000)


@shape
def no_boundary_at_all() -> bytes:
    return one_part(fill(b"text\n--\n"), b"multipart/mixed")


@shape
def another_boundary_on_every_line() -> bytes:
    return one_part(b"".join(b"--%06d\n" % number for number in range(110_000)), b"multipart/mixed; boundary=x")


@shape
def nested_multiparts_without_boundary() -> bytes:
    lines = fill(b"--x\nContent-Type: multipart/mixed\n\n--y\nContent-Type: multipart/mixed\n\n")
    return one_part(lines, b"multipart/mixed")


@shape
def parts_with_four_hundred_headers() -> bytes:
    part = b"--x\n" + b"".join(b"x-%d: some value\n" % number for number in range(800)) + b"\ntext\n"
    return LETTER + b"Content-Type: multipart/mixed; boundary=x\n\n" + fill(part, 1_000_000)


@shape
def messages_in_parts() -> bytes:
    inner = LETTER + b"".join(b"X-%d: some value\n" % number for number in range(400)) + b"\nbody\n"
    return full_parts(inner, b"message/rfc822")


@shape
def attachments_with_long_names() -> bytes:
    return full_parts(b"x", b"application/zip; name=" + "né".encode() * 1000, b"Content-Disposition: attachment\n")
