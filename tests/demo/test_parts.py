"""Headers, parts and attachments say to a standard reader what was put into them."""

from email import message_from_bytes
from email.header import decode_header, make_header
from email.utils import getaddresses, parsedate_to_datetime
from io import BytesIO
from zipfile import ZipFile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thresher.demo import files
from thresher.demo.dice import Dice
from thresher.demo.disguise import STYLES, disguise, hidden
from thresher.demo.draft import Draft
from thresher.demo.headers import date, encode, fold, mailbox
from thresher.demo.links import lookalike
from thresher.demo.mailers import MACHINES, PEOPLE
from thresher.demo.mime import file_name, join, text_part
from thresher.demo.people import Person, person
from thresher.demo.text import wrap

CHARSETS = ("us-ascii", "utf-8", "iso-8859-1", "koi8-r", "windows-1251", "iso-2022-jp", "shift_jis", "gb18030", "big5")
WORDS = (
    "Grüße aus Köln",
    "Добрый день, друзья",
    "日本語の長い件名です、どうぞよろしく",
    "电子邮件",
    "cafe",
    "Ωμέγα",
    "مرحبا",
)
LINE = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), min_size=1, max_size=120).filter(
    lambda text: text == " ".join(text.split())
)


def sender(mailer: int = 0) -> Person:
    return person(Dice(1), "en", "home.example", mailers=((*PEOPLE, *MACHINES)[mailer],))


@given(LINE | st.sampled_from(WORDS), st.sampled_from(CHARSETS), st.sampled_from("BQ"))
@example("日本語の長い件名です、どうぞよろしくお願いいたします" * 3, "iso-2022-jp", "B")
def test_an_encoded_header_reads_back_as_what_was_encoded(text: str, charset: str, style: str) -> None:
    encoded = encode(text, charset, style)
    if text.startswith("=?"):
        return
    assert encoded.isascii()
    assert str(make_header(decode_header(encoded.replace("\n ", " ")))) == text


@given(LINE | st.sampled_from(WORDS), st.sampled_from(CHARSETS), st.sampled_from("BQ"))
def test_no_encoded_word_is_longer_than_the_standard_allows(text: str, charset: str, style: str) -> None:
    if not text.isascii():
        assert max(map(len, encode(text, charset, style).split("\n "))) <= 75


@given(st.lists(st.text(st.characters(codec="ascii", exclude_categories=["C", "Z"]), min_size=1), min_size=1))
def test_unfolding_a_folded_line_gives_the_line(words: list[str]) -> None:
    line = f"Subject: {' '.join(words)}"
    assert fold(line).replace("\n ", " ") == line


@given(st.sampled_from(["Ann Lee", 'The "real" Ann', "Lee, Ann", "a\\b", "Jörg", "陈海涛", ""]))
def test_a_mailbox_reads_back_as_name_and_address(name: str) -> None:
    [(read, address)] = getaddresses([mailbox((name, "ann@home.example"), "utf-8", "B").replace("\n ", " ")])
    assert (str(make_header(decode_header(read))), address) == (name, "ann@home.example")


@given(st.integers(0, 4_000_000_000), st.sampled_from([0, 60, -300, 330, 540, -210]))
def test_a_date_reads_back_as_its_time_in_every_zone(time: int, zone: int) -> None:
    assert parsedate_to_datetime(date(time, zone)).timestamp() == time


@given(st.lists(LINE, max_size=5), st.sampled_from([*CHARSETS, "windows-1252"]), st.sampled_from([0, 1, 5, 8, 10]))
def test_a_text_part_reads_back_as_its_text(rows: list[str], charset: str, mailer: int) -> None:
    for encoding in ("7bit", "8bit", "quoted-printable", "base64"):
        draft = Draft("", sender(mailer), "", charset=charset, encoding=encoding)
        part = text_part("\n".join(rows), "plain", draft, draft.sender.mailer)
        head = "".join(f"{name}: {value}\n" for name, value in part.headers)
        read = message_from_bytes(f"{head}\n".encode() + part.body)
        payload = read.get_payload(decode=True)
        assert isinstance(payload, bytes)
        assert payload.decode(read.get_content_charset() or "").rstrip("\n") == "\n".join(rows).rstrip("\n")
        assert read.defects == []


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=60), st.sampled_from(["rfc2231", "split"]))
@example("Übersicht_für_das_nächste_Jahr_und_alles_was_noch_kommt.pdf", "split")
def test_a_file_name_reads_back_in_both_forms_of_rfc_2231(name: str, style: str) -> None:
    raw = f"Content-Disposition: attachment;\n {file_name('filename', name, style, 'utf-8')}\n\n"
    assert message_from_bytes(raw.encode()).get_filename() == name


def test_a_file_name_in_an_encoded_word_reads_back() -> None:
    raw = f"Content-Disposition: attachment;\n {file_name('filename', 'отчёт.pdf', 'word', 'koi8-r')}\n\n"
    read = message_from_bytes(raw.encode()).get_filename()
    assert str(make_header(decode_header(str(read)))) == "отчёт.pdf"


@pytest.mark.parametrize("mailer", range(len(PEOPLE + MACHINES)))
def test_every_mailer_writes_boundaries_that_hold_a_multipart_together(mailer: int) -> None:
    draft = Draft("", sender(mailer), "", charset="utf-8", encoding="8bit")
    parts = [text_part(text, "plain", draft, draft.sender.mailer) for text in ("one", "two")]
    whole = join(parts, "mixed", Dice(1), draft.sender.mailer)
    head = "".join(f"{name}: {value}\n" for name, value in whole.headers)
    read = message_from_bytes(f"MIME-Version: 1.0\n{head}\n".encode() + whole.body)
    assert [part.get_payload() for part in read.walk() if not part.is_multipart()] == ["one\n", "two\n"]
    assert read.defects == []


@given(st.lists(st.text("abc", min_size=1, max_size=30), max_size=60))
def test_wrapping_breaks_lines_at_spaces_only(words: list[str]) -> None:
    text = " ".join(words)
    rows = wrap(text).split("\n")
    assert " ".join(rows) == text
    assert all(len(row) <= 72 for row in rows)


def test_wrapping_a_language_without_spaces_leaves_links_whole() -> None:
    link = "https://home.example/a-rather-long-path/that-would-not-fit"
    text = f"{'写' * 50}{link}{'字' * 50}"
    rows = wrap(text, spaced=False).split("\n")
    assert "".join(rows) == text
    assert sum(link in row for row in rows) == 1
    assert len(rows) > 3


def test_an_archive_opens_and_its_checksum_is_right() -> None:
    made = files.archive(Dice(1), "a.zip", "naïve.js")
    with ZipFile(BytesIO(made.data)) as read:
        assert read.namelist() == ["naïve.js"]
        assert read.testzip() is None


def test_an_invitation_has_no_line_of_more_than_75_bytes() -> None:
    data = files.calendar(Dice(1), "日本語の会議" * 12, "会議室", "a@home.example", "b@home.example", 1.7e9)
    assert max(map(len, data.split(b"\n"))) <= 75


@pytest.mark.parametrize("style", STYLES)
def test_every_disguise_changes_words_and_leaves_links_alone(style: str) -> None:
    text = "Absolutely everything possible https://home.example/possible"
    changed = disguise(text, style, Dice(2), 1.0)
    assert changed.endswith(" https://home.example/possible")
    assert "Absolutely" not in changed


def test_hidden_text_is_in_the_page_and_styled_away() -> None:
    page = hidden(["a < b"], Dice(1))
    assert "a &lt; b" in page
    assert "style=" in page


@given(st.integers(0, 5_000))
def test_a_lookalike_is_never_the_host_it_imitates_and_stays_reserved(seed: int) -> None:
    made = lookalike(Dice(seed), "fine-bank.example")
    assert made != "fine-bank.example"
    assert made.endswith((".example", ".test"))
