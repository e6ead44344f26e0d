"""Each header is read as it deserves, and verdicts of filters not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mail.reading import lines, words_of
from thresher.mail.fields import MAX_RECEIVED, VERDICTS, header_fields
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize


def read(header: str) -> set[str]:
    """The words of one header, as they stand in the stream."""
    name = header.partition(":")[0].lower()
    return words_of(f"{header}\n\nbody\n".encode("utf-8", "surrogateescape"))[name]


def order(*headers: str) -> list[str]:
    raw = "\n".join([*headers, "", "body"]).encode()
    return [field for field, _ in lines(tokenize(parse(raw)))]


# Verdicts.


@pytest.mark.parametrize("name", [name.decode() for name in VERDICTS])
@pytest.mark.parametrize("ending", ["", "-status", "Flag"])
def test_the_verdict_of_a_filter_leaves_no_trace(name: str, ending: str) -> None:
    plain = "Subject: hello\n\nbody\n"
    assert tokenize(parse(f"{name.title()}{ending}: Yes, spam\n{plain}".encode())) == tokenize(parse(plain.encode()))


@pytest.mark.parametrize(
    "name",
    [
        "X-Spam-Status",
        "X-Spam-Flag",
        "X-Spam-Level",
        "X-Bogosity",
        "X-Rspamd-Score",
        "X-Thresher",
        "X-Thresher-Probability",
    ],
)
def test_the_verdicts_that_people_meet_are_among_them(name: str) -> None:
    assert name.lower().encode().startswith(VERDICTS)


def test_headers_that_only_look_like_verdicts_are_read() -> None:
    assert read("X-Mailer: Rake 2.1") == {"rake", "2", "1"}
    assert read("X-Priority: 1 (High)") == {"1", "high"}


# Who sends it, and to whom.


def test_a_sender_is_a_name_and_an_address() -> None:
    found = read('From: "Miller, Ann" <ann.miller@mail.example.co.uk>')
    assert {"miller", "ann"} <= found
    assert {"address:ann.miller@mail.example.co.uk", "domain:example.co.uk"} <= found


def test_a_sender_without_a_name_has_an_address_all_the_same() -> None:
    assert {"address:ann@example.org", "domain:example.org"} <= read("From: ann@example.org")
    assert not [word for word in read("From: Ann Miller") if ":" in word]


def test_case_of_an_address_makes_no_difference() -> None:
    assert "address:ann@example.org" in read("From: ANN@Example.ORG")


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("Reply-To: Ann <ann@mail.example.org>", "reply-to:same"),
        ("Reply-To: Ben <ben@example.net>", "reply-to:other"),
        ("Reply-To: undisclosed", "reply-to:none"),
        ("Return-Path: <bounce@example.org>", "return-path:same"),
        ("Return-Path: <bounce@mailer.example.com>", "return-path:other"),
        ("Return-Path: <>", "return-path:none"),
        ("Sender: list@example.net", "sender:other"),
    ],
)
def test_where_addresses_disagree_is_said(header: str, wanted: str) -> None:
    for raw in (f"From: ann@example.org\n{header}\n\n", f"{header}\nFrom: ann@example.org\n\n"):
        assert words_of(raw.encode())["against-from"] == {wanted}


def test_with_a_sender_alone_nothing_disagrees() -> None:
    assert "against-from" not in order("From: ann@example.org", "To: ben@example.net")


@pytest.mark.parametrize(
    ("to", "size"),
    [
        ("ben@example.net", 1),
        ("a@x.example, b@x.example, c@x.example", 2),
        (", ".join(["a@x.example"] * 9), 4),
        ("undisclosed", 0),
    ],
)
def test_recipients_are_counted_by_powers_of_two(to: str, size: int) -> None:
    assert f"recipients:{size}" in read(f"To: {to}")
    assert f"recipients:{size}" in read(f"Cc: {to}")


# The way it took.


def test_received_headers_give_hosts_and_no_identifiers() -> None:
    found = read(
        "Received: from mail.example.org (mail.example.org [192.0.2.1])\n\tby mx.example.net (Postfix) with ESMTPS"
        " id 4QX7z1Abc\n\tfor <ben@example.net>; Mon, 4 Mar 2024 10:20:30 +0100"
    )
    assert {"from", "mail", "example", "org", "192", "by", "mx", "postfix", "esmtps", "for", "ben"} <= found
    assert not {"4qx7z1abc", "id", "mon", "2024"} & found


def test_of_many_received_headers_the_first_are_read() -> None:
    fields = order(*[f"Received: from host{number}.example by mx" for number in range(50)], "Subject: hello")
    assert fields.count("received") == MAX_RECEIVED
    assert "subject" in fields


def test_the_verdict_on_its_authentication_is_read() -> None:
    assert {"spf", "pass", "dkim", "fail"} <= read("Authentication-Results: mx.example.net; spf=pass; dkim=fail")


def test_of_a_signature_who_signed_and_how_is_read_and_nothing_else() -> None:
    found = read("DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=mail; h=from:to; bh=Zm9v; b=YmFy")
    assert found == {"a=rsa-sha256", "d=example.org", "s=mail"}


# Shapes instead of values.


@pytest.mark.parametrize(
    ("identifier", "shape"),
    [
        ("<20240304102030.GA4711@mail.example.org>", "shape:9.a9"),
        ("<CAKz=abc-DEF+9@mail.example.org>", "shape:a=a-a+9"),
        ("<4711@mail.example.org>", "shape:9"),
        ("<@mail.example.org>", "shape:"),
        ("nonsense", "shape:"),
    ],
)
def test_a_message_id_has_a_shape_and_a_host(identifier: str, shape: str) -> None:
    assert shape in read(f"Message-ID: {identifier}")
    if "@" in identifier:
        assert {"mail", "example", "org"} <= read(f"Message-ID: {identifier}")


@pytest.mark.parametrize(
    ("date", "wanted"),
    [
        ("Mon, 14 Mar 2024 10:20:30 +0100", {"zone:+0100"}),
        ("Mon, 4 Mar 2024 10:20:30 -0700 (PDT)", {"zone:-0700", "zone-name"}),
        ("Mon, 04 Mar 2024 10:20:30 GMT", {"zone:gmt", "zero-day"}),
        ("4 Mar 2024 10:20:30 +0000", {"zone:+0000", "no-weekday"}),
        ("Mon, 14 Mar 2024 10:20 +0000", {"zone:+0000", "no-seconds"}),
        ("Mon, 14 Mar 2024 10:20:30 ", {"zone:none"}),
        ("2024-03-04T10:20:30Z", {"odd-form"}),
        ("yesterday", {"odd-form"}),
        ("Mon, 14 Mar 24 10:20:30 +0000", {"odd-form"}),
        ("Mon, 14 Mar 2024 10:20:30" + " " * 500 + "!", {"odd-form"}),
        ("Mon,  14  Mar  2024   10:20:30   +0100   (CET)  ", {"zone:+0100", "zone-name"}),
    ],
)
def test_of_a_date_the_form_is_read_and_never_the_day(date: str, wanted: set[str]) -> None:
    assert read(f"Date: {date}") == wanted


def test_of_a_content_type_the_boundary_shows_its_shape() -> None:
    found = read('Content-Type: multipart/mixed; boundary="----=_NextPart_000_0012"')
    assert {"multipart", "mixed", "boundary:----=_a_9_9"} <= found
    assert {"text", "plain", "charset", "utf-8"} <= read("Content-Type: text/plain; charset=utf-8")


@pytest.mark.parametrize("name", ["References", "In-Reply-To", "Content-Length", "X-UID"])
def test_of_headers_whose_value_never_comes_again_the_presence_is_read(name: str) -> None:
    assert read(f"{name}: <20240304.4711@example.org>") == set()
    assert name.lower() in order(f"{name}: <20240304.4711@example.org>")


# All of them.


def test_headers_stand_in_the_order_of_the_message() -> None:
    fields = order("Subject: a", "From: b@c.example", "X-Odd: d", "Subject: e")
    assert fields[:4] == ["subject", "from", "x-odd", "subject"]


def test_lists_are_read() -> None:
    assert {"unsubscribe", "example", "org"} <= read("List-Unsubscribe: <mailto:unsubscribe@example.org>")
    assert {"gardeners"} <= read("List-Id: Gardeners <garden.example.org>")


def test_any_other_header_is_words() -> None:
    assert read("X-Anything: Some =?utf-8?q?caf=C3=A9?= here") == {"some", "café", "here"}


@pytest.mark.parametrize("name", ["Subject", "From", "To", "X-Odd", "Content-Type"])
def test_a_value_read_again_gives_the_same_words_and_hints(name: str) -> None:
    """Some values are kept for the next message that has them."""
    headers = [(name.lower().encode(), "pаypаl <a@pаypаl.example>".encode())]
    first: set[bytes] = set()
    second: set[bytes] = set()
    assert header_fields(headers, first) == header_fields(headers, second)
    assert first == second == {b"look-alike-letters"}


NAMES = st.sampled_from(
    ["From", "To", "Reply-To", "Date", "Message-ID", "Received", "DKIM-Signature", "Content-Type", "X-Y"]
)
PIECES = st.sampled_from(
    [
        b"a@b.example",
        b"<",
        b">",
        b"@",
        b" ",
        b";",
        b"d=",
        b"id ",
        b"1",
        b"(",
        b")",
        b":",
        b"boundary=",
        b"=?utf-8?q?",
        b"?=",
        b"a" * 70,
    ]
)


@given(NAMES, st.lists(PIECES | st.binary(max_size=3), max_size=25).map(b"".join))
def test_any_value_is_one_line_of_words(name: str, value: bytes) -> None:
    value = value.replace(b"\n", b"").replace(b"\r", b"")
    raw = name.encode() + b": " + value + b"\n\nbody\n"
    fields = [field for field, _ in lines(tokenize(parse(raw)))]
    assert fields[0] == name.lower()
    assert set(fields[1:]) <= {"body", "message", "against-from", "attachment", "html"}
