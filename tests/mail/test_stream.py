"""The token stream says what stood where, so that a person can read it."""

import pytest

from tests.mail.reading import letter, lines, words_of
from thresher.mail.mime import parse
from thresher.mail.stream import MAX_STREAM_TEXT, MAX_TEXT, tokenize


def multipart(*parts: str) -> bytes:
    return letter(
        "Content-Type: multipart/mixed; boundary=b", body="".join(f"--b\n{part}\n" for part in parts) + "--b--\n"
    )


def test_a_plain_letter() -> None:
    stream = tokenize(parse(letter("To: ben@example.net", body="Hello Ben,\n\nsee http://www.example.co.uk/a!\n")))
    found = lines(stream)
    assert [field for field, _ in found] == ["from", "subject", "to", "body", "url", "message"]
    assert [word for word in dict(found)["body"] if word] == [
        "hello",
        "ben",
        "see",
        "http",
        "www",
        "example",
        "co",
        "uk",
        "a",
    ]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("invoice.pdf", {"ending:pdf", "invoice"}),
        ("Invoice_2024-03.PDF", {"ending:pdf", "invoice", "2024-03"}),
        ("photo.jpg.exe", {"ending:exe", "double-ending", "photo", "jpg"}),
        ("my.long.name.zip", {"ending:zip", "double-ending", "my", "long", "name"}),
        ("README", {"readme"}),
        (".hidden", {"ending:hidden", "hidden"}),
        ("меню.pdf", {"ending:pdf", "меню"}),
    ],
)
def test_an_attachment_gives_its_name_in_pieces(name: str, wanted: set[str]) -> None:
    raw = multipart("\nhello", f'Content-Type: application/zip; name="{name}"\n\nx')
    found = words_of(raw)["attachment"] - {"type:application/zip", "size:0"}
    assert found == wanted


def test_one_ending_is_not_two() -> None:
    raw = multipart('Content-Type: application/zip; name="report of v1.2 from march.zip"\n\nx')
    assert "double-ending" not in words_of(raw)["attachment"]


@pytest.mark.parametrize(("size", "size_class"), [(0, 0), (1, 0), (3, 1), (15, 2), (1000, 5), (1_000_000, 10)])
def test_an_attachment_gives_its_type_and_its_size_by_powers_of_four(size: int, size_class: int) -> None:
    raw = letter("Content-Type: image/png", body="x" * size)
    assert words_of(raw)["attachment"] == {"type:image/png", f"size:{size_class}"}


def test_text_that_is_attached_is_read_and_an_attachment() -> None:
    found = words_of(
        letter("Content-Type: text/plain", "Content-Disposition: attachment; filename=a.txt", body="hello")
    )
    assert found["body"] == {"hello"}
    assert {"type:text/plain", "ending:txt"} <= found["attachment"]


def test_a_picture_without_text_is_seen_as_such() -> None:
    found = words_of(letter("Content-Type: image/png", body="x"))
    assert {"no-text", "has:image/png"} <= found["message"]
    assert "no-text" not in words_of(letter())["message"]
    page = words_of(letter("Content-Type: text/html", body="<img src=http://a.example/b.png>"))
    assert {"images:1", "remote-image", "img"} <= page["html"]
    assert page["body"] == set()


def test_a_page_gives_what_is_seen_what_is_hidden_and_where_it_leads() -> None:
    source = '<p>Seen <a href="http://a.example.net/x">b.example.com</a></p><p style="display:none">secret</p>'
    found = words_of(letter("Content-Type: text/html", body=source))
    assert "secret" not in found["body"]
    assert found["hidden"] == {"secret"}
    assert {"hidden-text", "link-shows-another-host", "links:1"} <= found["html"]
    assert {"host:a.example.net", "domain:example.net"} <= found["url"]


def test_a_link_that_comes_twice_stands_there_once() -> None:
    stream = lines(tokenize(parse(letter(body="http://a.example/ and http://a.example/ and http://b.example/"))))
    assert [field for field, _ in stream].count("url") == 2


def test_the_shape_of_the_whole_message() -> None:
    found = words_of(multipart("\nhello", "Content-Type: text/html\n\n<p>hello", "Content-Type: image/png\n\nx"))[
        "message"
    ]
    assert {"parts:2", "has:text/plain", "has:text/html", "has:image/png"} <= found


def test_defects_are_words_but_for_what_is_done_by_storing() -> None:
    """A From line says that the message once lay in an mbox, and nothing about who sent it."""
    assert "defect:8-bit-header" in words_of("Subject: Café\n\n".encode("latin-1"))["message"]
    assert not [word for word in words_of(b"From ann\nSubject: a\n\n")["message"] if word.startswith("defect")]


@pytest.mark.parametrize(("marks", "size"), [("", 0), ("!", 1), ("!!!", 2), ("!" * 9, 4)])
def test_marks_are_counted_by_powers_of_two(marks: str, size: int) -> None:
    raw = f"Subject: hello{marks}\n\nhello{marks}\n".encode()
    assert {f"!:{size}", f"subject!:{size}"} <= words_of(raw)["message"]


def test_disguises_are_noted_wherever_they_are_met() -> None:
    assert "look-alike-letters" in words_of(letter("X-Name: pаypаl"))["message"]
    assert "invisible-characters" in words_of(letter(body="v\u200biagra"))["message"]
    assert not {"look-alike-letters", "invisible-characters"} & words_of(letter(body="Grüße"))["message"]


def test_text_is_bounded_in_each_part_and_in_all() -> None:
    words = "".join(f"w{number} " for number in range(20_000))
    one = tokenize(parse(letter(body=words)))
    many = tokenize(parse(multipart(*["\n" + words[: MAX_TEXT + 1000]] * 9)))
    assert MAX_TEXT <= len(one) <= MAX_TEXT + 2000
    assert MAX_STREAM_TEXT <= len(many) <= MAX_STREAM_TEXT + 4000


def test_the_end_of_a_long_text_is_no_half_character() -> None:
    stream = tokenize(parse(letter(body="x" + "é" * MAX_TEXT)))
    assert "é" * 100 in stream.decode()
