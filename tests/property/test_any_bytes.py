"""Any bytes whatever are a message: it is read, its token stream keeps its form, and line ends make no difference."""

from functools import reduce

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.mail.reading import OWN_FIELDS, assert_bounded, lines, normal
from thresher.demo import messages
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize

SEEDS = [message.raw for message in messages(150, seed=20)]
# What mail is made of; hypothesis finds out which of it, next to which, breaks something.
PIECES = st.sampled_from(
    [
        *(
            b"\n",
            b"\n\n",
            b"\n ",
            b"\t",
            b" ",
            b"\0",
            b"\x80",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b"\x1b$B",
            b"=",
            b"=\n",
            b";",
            b'"',
            b"&",
        ),
        *(
            b"--",
            b"--b",
            b"\n--b\n",
            b"\n--b--\n",
            b"\n--bb\n",
            b":",
            b"::",
            b"://",
            b"@",
            b"<",
            b">",
            b"<!--",
            b"-->",
            b"&#",
            b"9" * 20,
        ),
        *(
            b"From ",
            b"From: ",
            b"Subject: ",
            b"To: a@b.example",
            b"Reply-To: <",
            b"Date: Mon, 1 Jan 2024 1",
            b"Received: ",
            b"Message-ID: <",
        ),
        *(
            b"DKIM-Signature: d=",
            b"Body: ",
            b"Message: ",
            b"X-Spam-Flag: yes",
            b"Content-Disposition: attachment; filename=",
            b"name*0*=",
        ),
        *(
            b"Content-Type: ",
            b"multipart/mixed; boundary=b",
            b"multipart/mixed",
            b"message/rfc822",
            b"text/html",
            b"text/plain; charset=",
        ),
        *(b"utf-8", b"utf-7", b"utf-16", b"iso-2022-jp", b"gb18030", b"koi8-r", b"x-unknown", b"hz", b"utf-8''%e9"),
        *(
            b"Content-Transfer-Encoding: ",
            b"base64",
            b"quoted-printable",
            b"x-uuencode",
            b"=?utf-8?q?=c3?=",
            b"=?utf-7?b?",
            b"?=",
            b"=?x?q?",
        ),
        *(
            b"<a href=",
            b"<p style='display:none'>",
            b"</p>",
            b"<img width=1 src=http://a.example/",
            b"<script",
            b"</style",
            b"color=#ffffff",
        ),
        *(
            "é".encode(),
            "漢字".encode(),
            "ไทย".encode(),
            "pаypal".encode(),
            "a\u200bb".encode(),
            "\u0301\u0323".encode(),
            "ﷺ".encode(),
        ),
        *(
            b"word",
            b"QUJD",
            b"http://www.example.co.uk/%ff%0a/x",
            b"1.2.3.4",
            b"\nsubject\tinjected",
            b"\n subject\t",
            b"a" * 300,
        ),
    ]
)
PIECED = st.lists(PIECES | st.binary(max_size=6), max_size=40).map(b"".join)
ANY_BYTES = st.binary(max_size=600) | PIECED


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A letter of the demo in which something was cut out, doubled, overwritten, put in or torn off."""
    raw = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(raw)))
        end = min(len(raw), start + draw(st.sampled_from([0, 1, 2, 10, 100, 1000, len(raw)])))
        middle = draw(st.sampled_from([b"", raw[start:end] * 2]) | PIECES | st.binary(max_size=3))
        raw = raw[:start] + middle + raw[end:]
    return raw


MAIL = ANY_BYTES | mutated()


@given(MAIL)
@example(b"Content-Type: text/html\n\n&#" + b"9" * 5000)
def test_everything_is_read_and_the_token_stream_keeps_its_form(raw: bytes) -> None:
    message = parse(raw)
    assert_bounded(message, tokenize(message))


@pytest.mark.parametrize("before", ["", "a"])
@pytest.mark.parametrize(
    "mail",
    [
        "DKIM-Signature: d={}",
        "Message-ID: <a@{}>",
        "Content-Type: text/plain; {}; boundary=b",
        "Content-Type: image/{}",
        "Content-Type: image/png; name=a.{}",
        "Received: from {} id {}",
        "From: {}@example.org",
        "Subject: {}",
        "\nhttp://{}/",
        "Content-Type: text/html\n\n<a href='http://{}/'>a</a>",
    ],
)
def test_a_character_that_a_bound_cuts_in_two_leaves_no_half(mail: str, before: str) -> None:
    message = parse((mail.replace("{}", before + "é" * 20_000) + "\n\nbody\n").encode())
    assert_bounded(message, tokenize(message))


@given(MAIL)
def test_a_message_is_always_read_the_same(raw: bytes) -> None:
    assert tokenize(parse(raw)) == tokenize(parse(raw))


@given(MAIL)
def test_line_ends_make_no_difference(raw: bytes) -> None:
    raw = raw.replace(b"\r", b"")
    assert normal(tokenize(parse(raw.replace(b"\n", b"\r\n")))) == normal(tokenize(parse(raw)))


@given(ANY_BYTES)
def test_no_body_can_add_or_change_a_line_of_a_header(body: bytes) -> None:
    head = b"From: ann@example.org\nSubject: hello\nX-Mailer: pine\nContent-Type: text/html\n\n"
    stream = lines(tokenize(parse(head + body)))
    assert stream[:4] == lines(tokenize(parse(head)))[:4]
    assert {field for field, _ in stream[4:]} <= OWN_FIELDS


@given(st.lists(PIECES, max_size=12).map(b"".join))
def test_no_header_can_pass_for_something_else(value: bytes) -> None:
    raw = b"X-One: " + value.replace(b"\n", b" ") + b"\n\nbody\n"
    own = [line for line in lines(tokenize(parse(raw))) if line[0] != "x-one"]
    plain = [line for line in lines(tokenize(parse(b"X-One: a\n\nbody\n"))) if line[0] != "x-one"]
    assert own[:-1] == plain[:-1]
    assert own[-1][0] == "message"


@given(st.sampled_from(sorted(OWN_FIELDS)), st.sampled_from(["", " ", "\t"]))
def test_a_header_named_like_a_field_of_ours_does_not_fill_it(name: str, blank: str) -> None:
    raw = f"Subject: hello\n{name.title()}{blank}: zzz\n\nbody\n".encode()
    assert [field for field, words in lines(tokenize(parse(raw))) if field == name and "zzz" in words] == []


@given(st.lists(MAIL, max_size=3))
def test_what_was_read_before_makes_no_difference(earlier: list[bytes]) -> None:
    """Caches may only save time."""
    wanted = [tokenize(parse(raw)) for raw in SEEDS[:3]]
    reduce(lambda _, raw: tokenize(parse(raw)), earlier, b"")
    assert [tokenize(parse(raw)) for raw in SEEDS[:3]] == wanted
