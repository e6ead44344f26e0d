"""Templates are read as their notation says, and what a language says is complete."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.demo.dice import Dice
from thresher.demo.grammar import FEW, Grammar, GrammarError, Known, fill, holes, parse
from thresher.demo.languages import CODES, language

# What a scene tells its texts beside the rules of the language.
KNOWN = frozenset(
    ["to", "me", "sender", "company", "owner", "address", "address2", "link", "host", "carrier", "quoted"]
)
EVERYWHERE = [
    "hi",
    "bye",
    "dear",
    "regards",
    "wrote",
    "click",
    "unsubscribe",
    "offer",
    "reply",
    "family",
    "family_subject",
    "work",
    "work_subject",
    "stranger",
    "stranger_subject",
    "news",
    "news_subject",
]


def said(text: str, seed: int = 1, known: Known | None = None) -> str:
    return fill(parse(text), Dice(seed), known or {})


def test_text_without_holes_is_said_as_it_stands() -> None:
    assert said("Dear all, 100 % true.") == "Dear all, 100 % true."


def test_a_known_word_fills_its_hole() -> None:
    assert said("Dear {to},", known={"to": "Ana"}) == "Dear Ana,"


def test_a_hat_makes_the_first_letter_a_capital() -> None:
    assert said("{^thing}!", known={"thing": "éclair"}) == "Éclair!"


def test_a_known_word_goes_before_a_rule() -> None:
    grammar = Grammar({"text": ("{name}",), "name": ("rule",)})
    assert grammar.say("text", Dice(1), {"name": "known"}) == "known"


@given(st.integers(0, 10_000))
def test_a_range_gives_both_its_ends_and_nothing_beyond(seed: int) -> None:
    assert 3 <= int(said("{3..5}", seed)) <= 5


def test_a_range_gives_each_of_its_numbers() -> None:
    assert {said("{3..5}", seed) for seed in range(60)} == {"3", "4", "5"}


@pytest.mark.parametrize(
    ("hole", "form"),
    [
        ("{#6}", r"[0-9]{6}"),
        ("{*6}", r"[a-z0-9]{6}"),
        ("{+6}", r"[A-Z0-9]{6}"),
        ("{x6}", r"[0-9a-f]{6}"),
        ("{X6}", r"[0-9A-F]{6}"),
        ("{%6}", r"[A-Za-z0-9+/]{6}"),
    ],
)
def test_noise_has_the_letters_and_the_length_asked_for(hole: str, form: str) -> None:
    assert all(re.fullmatch(form, said(hole, seed)) for seed in range(50))


def test_every_alternative_is_said_and_an_empty_one_says_nothing() -> None:
    assert {said("a[b|c{1..1}|]d", seed) for seed in range(60)} == {"abd", "ac1d", "ad"}


def test_alternatives_stand_within_alternatives() -> None:
    assert {said("[a|[b|c]d]", seed) for seed in range(60)} == {"a", "bd", "cd"}


@pytest.mark.parametrize("text", ["a[b|c", "a]b", "a|b", "[a|b]]"])
def test_brackets_that_do_not_match_are_refused(text: str) -> None:
    with pytest.raises(GrammarError):
        parse(text)


def test_several_texts_come_of_different_templates() -> None:
    grammar = Grammar({"text": tuple("abcdefgh")})
    assert sorted(grammar.several("text", 8, Dice(1), {})) == list("abcdefgh")


def test_several_gives_what_there_is_if_more_is_asked_for() -> None:
    assert sorted(Grammar({"text": ("a", "b")}).several("text", 5, Dice(1), {})) == ["a", "b"]


def test_a_turn_always_means_the_same_few_templates() -> None:
    grammar = Grammar({"text": tuple("abcdefgh")})
    drawn = {text for seed in range(60) for text in grammar.several("text", 3, Dice(seed), {}, turn=6)}
    assert drawn == set("ghabc")
    assert len(drawn) == FEW


def test_an_alternative_that_says_nothing_leaves_no_double_space() -> None:
    assert Grammar({"text": ("save [|] now [|]",)}).say("text", Dice(1), {}) == "save now"


@pytest.mark.parametrize("code", CODES)
def test_every_hole_of_every_language_can_be_filled(code: str) -> None:
    rules = language(code).grammar.rules
    asked = {name for templates in rules.values() for template in templates for name in holes(template)}
    assert asked - KNOWN - rules.keys() == set()


@pytest.mark.parametrize("code", CODES)
def test_every_language_says_what_every_kind_of_mail_needs(code: str) -> None:
    rules = language(code).grammar.rules
    assert [rule for rule in EVERYWHERE if not rules.get(rule)] == []


@pytest.mark.parametrize("code", CODES)
def test_whatever_a_language_talks_about_has_a_subject_line_for_it(code: str) -> None:
    rules = language(code).grammar.rules
    topics = {name.removesuffix("_subject") for name in rules if name.endswith("_subject")}
    # List talk is shared by subjects of its own; the others are named alike.
    assert {topic for topic in topics if topic not in rules} <= {"list"}
    assert len(topics) >= 7


@pytest.mark.parametrize("code", CODES)
def test_each_charset_of_a_language_can_say_most_of_what_is_said_in_it(code: str) -> None:
    spoken = language(code)
    dice, known = Dice(1), dict.fromkeys(KNOWN, "x")
    texts = [spoken.grammar.say(rule, dice, known) for rule in spoken.grammar.rules for _ in range(5)]
    for charset in set(spoken.charsets):
        held = sum(text.encode(charset, "replace").decode(charset) == text for text in texts)
        assert held >= 0.8 * len(texts), charset


def test_there_are_thousands_of_templates_in_a_dozen_languages() -> None:
    total = sum(len(templates) for code in CODES for templates in language(code).grammar.rules.values())
    assert len(CODES) >= 12
    assert total >= 3_000
