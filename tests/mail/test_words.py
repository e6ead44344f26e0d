"""Words come out the same whatever disguise they wear."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.mail.words import INVISIBLE, LOOK_ALIKE, MAX_GROWTH, words


def read(text: str) -> list[str]:
    return words(text.encode(), set()).decode().split()


def hints(text: str) -> set[bytes]:
    met: set[bytes] = set()
    words(text.encode(), met)
    return met


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Buy NOW", "buy now"),
        ("ÄRGER Straße ΣΊΣΥΦΟΣ", "ärger strasse σίσυφοσ"),
        ("don't re-read", "don't re-read"),
        ("$19.99, 100% off!", "$19 99 100% off"),
        ("a_b (c) [d] {e} <f> g/h", "a b c d e f g h"),
        ("Crème\u00a0brûlée\u2003now\u3000here", "crème brûlée now here"),
        ("one\u2028two\u0085three", "one two three"),
    ],
)
def test_case_is_folded_and_punctuation_parts_words(text: str, wanted: str) -> None:
    assert read(text) == wanted.split()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("ｖｉａｇｒａ", "viagra"),
        ("𝐯𝐢𝐚𝐠𝐫𝐚 𝓯𝓻𝓮𝓮 𝕠𝕗𝕗𝕖𝕣", "viagra free offer"),
        ("ⓕⓡⓔⓔ", "free"),
        ("of\ufb01ce", "office"),
        ("cafe\u0301", "café"),
        ("①②③", "123"),
    ],
)
def test_letters_of_other_shapes_are_those_letters(text: str, wanted: str) -> None:
    assert read(text) == wanted.split()


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u034f", "\u202e", "\ufe0f", "\U000e0061"]
)
def test_characters_nobody_sees_are_taken_out_and_noted(hidden: str) -> None:
    assert read(f"v{hidden}ia{hidden}{hidden}gra") == ["viagra"]
    assert hints(f"v{hidden}iagra") == {INVISIBLE}
    assert hints("viagra, über alles") == set()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("pаypаl", "paypal"),  # Cyrillic a
        ("раураӏ", "раураӏ"),  # wholly Cyrillic: a word of another language
        ("Αmazon", "amazon"),  # Greek alpha
        ("miсrоsoft", "microsoft"),
        ("ɡoogle", "google"),  # script g
        ("aррӏe", "appӏe"),
    ],
)
def test_look_alike_letters_inside_a_latin_word_are_folded(text: str, wanted: str) -> None:
    assert read(text) == [wanted]


def test_look_alike_letters_are_noted_where_they_were_folded_only() -> None:
    assert hints("pаypаl") == {LOOK_ALIKE}
    assert hints("привет, как дела") == set()
    assert hints("Grüße aus Zürich") == set()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("привет мир", "привет мир"),
        ("γειά σου", "γειά σου"),
        ("שלום עולם", "שלום עולם"),
        ("مرحبا بالعالم", "مرحبا بالعالم"),
        ("हिन्दी में लिखा", "हिन्दी में लिखा"),
        ("தமிழ் மொழி", "தமிழ் மொழி"),
        ("tiếng Việt", "tiếng việt"),
    ],
)
def test_words_between_blanks_stay_whole_in_any_script(text: str, wanted: str) -> None:
    """Marks included, without which Indic words would fall apart."""
    assert read(text) == [unicodedata.normalize("NFKC", word) for word in wanted.split()]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("花园里", "花园 园里"),
        ("花", "花"),
        ("コーヒー", "コー ーヒ ヒー"),
        ("ｺｰﾋｰ", "コー ーヒ ヒー"),
        ("커피 한 잔", "커피 한 잔"),
        ("กาแฟ", "กา าแ แฟ"),
        ("买iPhone吧", "买 iphone 吧"),
        ("\U00020000\U00020001\U00020002", "\U00020000\U00020001 \U00020001\U00020002"),
    ],
)
def test_scripts_without_blanks_are_cut_into_pairs_of_characters(text: str, wanted: str) -> None:
    assert read(text) == [unicodedata.normalize("NFKC", word) for word in wanted.split()]


@pytest.mark.parametrize("text", ["pаypаl", "花园里", "v\u200biagra", "cafe\u0301", "Straße", "हिन्दी"])
def test_a_word_reads_the_same_among_many_and_alone(text: str) -> None:
    """Text with few such words is read word by word, text with many as a whole."""
    few = read("plain words " * 40 + text + " and more" * 40)
    assert [word for word in few if word not in {"plain", "words", "and", "more"}] == read(text)
    assert set(read(f"{text} " * 40)) == set(read(text))


def test_a_letter_under_any_number_of_marks_costs_no_more_than_its_length() -> None:
    """And keeps as many marks as any script has."""
    marked = read("a" + "\u0301\u0323" * 10_000)[0]
    assert marked == unicodedata.normalize("NFKC", "a" + "\u0301\u0323" * 16)


def test_characters_that_stand_for_whole_sentences_do_not_swell_a_text() -> None:
    assert read("\ufdfa")[0] == "صلى"
    assert len(words(("\ufdfa" * 5000).encode(), set()).decode()) <= 2 * MAX_GROWTH * 5000 + 1000


@given(st.text(max_size=200))
def test_words_hold_nothing_but_words(text: str) -> None:
    out = words(text.encode("utf-8", "replace"), set())
    assert out == out.translate(None, bytes(range(32)) + b"\x7f")
    out.decode()


@given(st.text(max_size=100))
def test_words_read_again_are_the_same_words(text: str) -> None:
    """But for the characters that were paired, which would be paired again."""
    once = read(text)
    spaced = [word for word in once if len(word) > 2 or word.isascii()]
    assert read(" ".join(spaced)) == spaced


@given(st.binary(max_size=100))
def test_bytes_that_are_no_text_part_words(junk: bytes) -> None:
    words(junk, set()).decode()
