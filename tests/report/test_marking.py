"""Words marked with what they carried: the text stays itself, and no share is spread wider than it is."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.judge import Evidence
from thresher.learn.hashing import Hasher
from thresher.learn.naming import Described, described
from thresher.mail.words import words
from thresher.report.marking import Marker, Piece

BITS = 16
texts = st.text(max_size=60) | st.lists(
    st.sampled_from(
        ["meeting", "v1agra", "f", "r", "e", "$19", "don't", "Straße", "会議", "ลดราคา", "a" * 30, "\n", ", "]
    ),
    max_size=12,
).map(" ".join)


def evidence(text: str, field: str = "body") -> list[Evidence]:
    """Give each feature of a text the share 1."""
    stream = field.encode() + b"\t" + words(text.encode("utf-8", "replace"), set()) + b"\n"
    slots = Hasher(BITS).features([stream]).slots
    return [Evidence(named, 1.0, 1, 0) for named in described(stream, BITS, slots).values()]


def shares(pieces: list[Piece]) -> dict[str, float]:
    """Read the shares of the pieces that have one; of a text in which each word stands once."""
    return {piece.text: piece.share for piece in pieces if piece.reasons}


@given(texts)
def test_the_pieces_put_together_are_the_text(text: str) -> None:
    pieces = Marker(evidence(text)).mark("body", text)
    assert "".join(piece.text for piece in pieces) == text


@given(texts, texts)
def test_the_shares_of_another_text_mark_nothing_they_are_not_made_of(text: str, other: str) -> None:
    pieces = Marker(evidence(other, "subject")).mark("body", text)
    assert all(not piece.reasons for piece in pieces)


def test_a_word_carries_its_own_share_and_half_of_each_of_its_pairs() -> None:
    pieces = Marker(evidence("red tin box")).mark("body", "Red tin: box!")
    # Of the first word's pair with the field's name the other half is the name's.
    assert shares(pieces) == {"Red": 2.0, "tin": 2.0, "box": 1.5}


def test_each_reason_says_which_feature_it_is() -> None:
    (red, *_) = Marker(evidence("red tin")).mark("body", "red tin")
    assert {(reason.text, reason.share) for reason in red.reasons} == {("red", 1.0), ("red", 0.5), ("red tin", 0.5)}


def test_a_disguised_word_carries_what_was_learned_of_the_plain_one() -> None:
    plain = [Evidence(Described("plain", "body", "viagra"), 3.0, 1, 0)]
    assert shares(Marker(plain).mark("body", "buy v1agra now")) == {"v1agra": 3.0}


def test_spaced_letters_share_what_the_joined_word_carries() -> None:
    joined = [Evidence(Described("joined", "body", "free"), 4.0, 1, 0)]
    pieces = Marker(joined).mark("body", "get f r e e now")
    assert [piece.share for piece in pieces if piece.reasons] == [1.0] * 4


def test_characters_of_a_script_without_blanks_share_their_pairs() -> None:
    pair = [Evidence(Described("word", "body", "会議"), 2.0, 1, 0)]
    pieces = Marker(pair).mark("body", "会議")
    assert [(piece.text, piece.share) for piece in pieces] == [("会", 1.0), ("議", 1.0)]


def test_a_long_word_is_marked_by_what_its_length_carries() -> None:
    long = [Evidence(Described("word", "body", "q" * 30), 2.0, 1, 0)]
    assert shares(Marker(long).mark("body", "see " + "z" * 28)) == {"z" * 28: 2.0}


def test_a_word_that_stands_there_twice_is_marked_twice() -> None:
    pieces = Marker([Evidence(Described("word", "body", "red"), 2.0, 1, 0)]).mark("body", "red and red")
    assert [piece.text for piece in pieces if piece.share == 2.0] == ["red", "red"]


@pytest.mark.parametrize("told", ["address:ada@work.example", "domain:work.example"])
def test_what_an_address_carried_is_shared_among_its_pieces(told: str) -> None:
    marker = Marker([Evidence(Described("word", "from", told), 6.0, 1, 0)])
    pieces = marker.mark_names("from", marker.mark("from", "Ada <ada@work.example>"))
    assert "".join(piece.text for piece in pieces) == "Ada <ada@work.example>"
    assert math.isclose(sum(piece.share for piece in pieces), 6.0)
    assert not pieces[0].reasons
