"""Bytes become a message: headers, the leaves of its tree, and what is wrong with it."""

import pytest

from thresher.mail import mime
from thresher.mail.mime import parse
from thresher.values import Part


def parts(raw: str) -> list[Part]:
    return list(parse(raw.encode()).parts)


def nested(depth: int, leaf: str) -> str:
    return "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(depth)) + leaf


def test_headers_keep_order_repetition_and_value() -> None:
    message = parse(b"Subject: one\nFROM:  Ann\nsubject:two\n\nbody\n")
    assert message.headers == ((b"subject", b" one"), (b"from", b"  Ann"), (b"subject", b"two"))


def test_folded_headers_are_one_line() -> None:
    assert parse(b"Subject: one\n two\n\tthree\n\n").headers == ((b"subject", b" one two three"),)


@pytest.mark.parametrize("end", [b"\r\n", b"\r", b"\n"])
def test_a_line_ends_in_any_of_three_ways(end: bytes) -> None:
    message = parse(b"Subject: one\nTo: two\n\nbody\nmore\n".replace(b"\n", end))
    assert message.headers == ((b"subject", b" one"), (b"to", b" two"))
    assert message.parts[0].text == b"body\nmore\n"


def test_a_leaf_knows_its_type_size_name_and_whether_it_is_attached() -> None:
    raw = (
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n--b\n"
        "Content-Type: Application/ZIP\nContent-Disposition: ATTACHMENT; filename=a.zip\n\n0123456789\n--b--\n"
    )
    assert parts(raw) == [
        Part("text/plain", b"hello", "", 5, attached=False),
        Part("application/zip", b"", "a.zip", 10, attached=True),
    ]


def test_a_picture_shown_in_the_text_is_not_attached() -> None:
    (part,) = parts("Content-Type: image/png; name=a.png\nContent-Disposition: inline; filename=b.png\n\nx")
    assert not part.attached
    assert part.filename == "b.png"


def test_the_size_of_a_message_is_what_was_sent() -> None:
    assert parse(b"Subject: a\r\n\r\nb\r\n").size == 17


def test_text_of_any_kind_is_read_and_nothing_else() -> None:
    assert parts("Content-Type: text/calendar\n\nx")[0].text == b"x"
    assert parts("Content-Type: message/delivery-status\n\nx")[0].text == b"x"
    assert parts("Content-Type: application/json\n\nx")[0].text == b""


@pytest.mark.parametrize("depth", range(1, mime.MAX_DEPTH + 1))
def test_a_tree_is_walked_to_its_bound(depth: int) -> None:
    message = parse(nested(depth, "\nleaf\n").encode())
    assert message.defects == ()
    assert [part.text for part in message.parts] == [b"leaf\n"]


def test_what_lies_deeper_is_read_as_text() -> None:
    message = parse(nested(mime.MAX_DEPTH + 1, "\nleaf\n").encode())
    assert message.defects == ("too-deep",)
    assert message.parts[0].text.endswith(b"leaf\n")


@pytest.mark.parametrize(("number", "defects"), [(mime.MAX_PARTS, ()), (mime.MAX_PARTS + 1, ("too-many-parts",))])
def test_parts_are_read_to_their_bound(number: int, defects: tuple[str, ...]) -> None:
    raw = "Content-Type: multipart/mixed; boundary=b\n\n" + "--b\nContent-Type: image/png\n\nx\n" * number + "--b--\n"
    message = parse(raw.encode())
    assert len(message.parts) == mime.MAX_PARTS
    assert message.defects == defects


def test_messages_within_count_as_parts_too() -> None:
    inner = "--b\nContent-Type: message/rfc822\n\nSubject: x\n\ny\n"
    raw = "Content-Type: multipart/mixed; boundary=b\n\n" + inner * mime.MAX_PARTS
    assert len(parts(raw)) == mime.MAX_PARTS


@pytest.mark.parametrize(("number", "defects"), [(mime.MAX_FIELDS, ()), (mime.MAX_FIELDS + 1, ("too-many-headers",))])
def test_headers_are_read_to_their_bound(number: int, defects: tuple[str, ...]) -> None:
    message = parse("".join(f"X-{n}: a\n" for n in range(number)).encode() + b"\nbody\n")
    assert len(message.headers) == mime.MAX_FIELDS
    assert message.defects == defects
    assert message.parts[0].text == b"body\n"


def test_text_is_read_to_its_bound_in_each_part_and_in_all() -> None:
    raw = (
        "Content-Type: multipart/mixed; boundary=b\n\n" + ("--b\n\n" + "word " * mime.MAX_SOURCE + "\n") * 6 + "--b--\n"
    )
    message = parse(raw.encode())
    assert message.defects == ("too-much-text",)
    assert max(len(part.text) for part in message.parts) == mime.MAX_SOURCE
    assert sum(len(part.text) for part in message.parts) == mime.MAX_SOURCES
    assert all(part.size == 5 * mime.MAX_SOURCE for part in message.parts)


def test_very_many_small_texts_are_read_to_their_bound() -> None:
    message = parse(("Content-Type: multipart/mixed; boundary=b\n\n" + "--b\n\nword\n" * 30).encode())
    assert [bool(part.text) for part in message.parts] == [True] * mime.MAX_TEXT_PARTS + [False] * (
        30 - mime.MAX_TEXT_PARTS
    )
    assert message.defects == ("too-much-text",)


@pytest.mark.parametrize("name", ["a b", "a\tb:", "\x80", "a\x7fb", "n" * 77, ""])
def test_what_cannot_be_a_headers_name_ends_the_headers(name: str) -> None:
    message = parse(b"Subject: one\n" + name.encode("latin-1") + b": x\nTo: two\n\nbody\n")
    assert [field for field, _ in message.headers] == [b"subject"]
    assert message.defects[0] == "no-blank-line-after-headers"
    assert message.parts[0].text.endswith(b": x\nTo: two\n\nbody\n")


@pytest.mark.parametrize("folded", [0, 1, 7])
def test_a_body_that_follows_at_once_begins_where_it_begins(folded: int) -> None:
    head = "Subject: one" + "\n two" * folded + "\nTo: x" + "\n\ty" * folded + "\n"
    message = parse(f"{head}This is no header\nat all\n".encode())
    assert len(message.headers) == 2
    assert message.parts[0].text == b"This is no header\nat all\n"


def test_eight_bit_headers_are_utf_8_and_guessed_from_all_of_them() -> None:
    message = parse("Subject: Да\nX-Note: приходи в субботу на кофе\nFrom: Ann\n\n".encode("koi8-r"))
    assert message.headers[0] == (b"subject", " Да".encode())
    assert message.headers[2] == (b"from", b" Ann")
    assert message.defects == ("8-bit-header",)


def test_defects_of_a_part_are_the_messages_and_stand_there_once() -> None:
    part = "--b\nContent-Type: text/plain; charset=x-martian\nContent-Transfer-Encoding: base64\n\n!!!!\n"
    assert parse(f"Content-Type: multipart/mixed; boundary=b\n\n{part}{part}".encode()).defects == (
        "broken-base64",
        "unknown-charset",
    )
