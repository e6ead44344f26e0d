"""An explanation as a table: what is printed adds up to what is printed, however the shares are rounded."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.judge import Evidence, Explanation
from thresher.learn.naming import Described
from thresher.report.explained import DIGITS, printed, round_to_total, shown, tabulate, told
from thresher.values import Judgement, Verdict

UNIT = 10**-DIGITS
shares = st.lists(st.floats(-50, 50), max_size=40)


def explanation(base: float, values: list[float], fields: tuple[str, ...] = ("body", "subject")) -> Explanation:
    """Make one whose features stand in these fields in turn, the strongest first."""
    ordered = sorted(values, key=lambda value: -abs(value))
    evidence = [
        Evidence(Described("word", fields[i % len(fields)], f"word{i}"), value, i, 2 * i)
        for i, value in enumerate(ordered)
    ]
    total = math.fsum([base, *values])
    return Explanation(Judgement(Verdict.UNSURE, 0.5, total), base, evidence)


@given(st.floats(-20, 20), shares, st.integers(0, 45) | st.none())
def test_groups_others_and_base_add_up_to_the_total(base: float, values: list[float], top: int | None) -> None:
    table = tabulate(explanation(base, values), top)
    assert sum(group.units for group in table.groups) + table.others + table.base == table.total
    assert table.total == round(math.fsum([base, *values]) / UNIT)


@given(st.floats(-20, 20), shares, st.integers(0, 45) | st.none())
def test_no_share_is_off_by_more_than_one_in_the_last_place(base: float, values: list[float], top: int | None) -> None:
    table = tabulate(explanation(base, values), top)
    for group in table.groups:
        for line in group.lines:
            assert abs(line.units * UNIT - line.evidence.share) <= UNIT * 1.0001


@given(shares, st.integers(0, 45))
def test_the_strongest_are_shown_and_the_others_counted(values: list[float], top: int) -> None:
    table = tabulate(explanation(0.0, values), top)
    lines = [line for group in table.groups for line in group.lines]
    assert len(lines) == min(top, len(values))
    assert table.others_count == len(values) - len(lines)
    weakest = min((abs(line.evidence.share) for line in lines), default=math.inf)
    assert sum(abs(value) > weakest for value in values) <= len(lines)


def test_groups_with_most_to_say_come_first() -> None:
    table = tabulate(explanation(0.0, [1.0, 5.0, -3.0, 0.5], ("a", "b")), None)
    assert [group.field for group in table.groups] == ["a", "b"]
    assert [line.evidence.share for line in table.groups[0].lines] == [5.0, 1.0]


@given(st.lists(st.floats(-1000, 1000), min_size=1, max_size=30))
def test_rounding_keeps_the_total(values: list[float]) -> None:
    total = round(math.fsum(values) / UNIT)
    assert sum(round_to_total(values, total)) == total


@pytest.mark.parametrize(("units", "text"), [(0, "+0.0000"), (12345, "+1.2345"), (-7, "-0.0007")])
def test_a_share_is_printed_with_its_sign(units: int, text: str) -> None:
    assert printed(units) == text


@pytest.mark.parametrize(
    ("feature", "text"),
    [
        (Described("word", "body", "meeting"), "meeting"),
        (Described("field", "reply-to", "reply-to"), "(there is such a field)"),
        (Described("order", "from", "from, then to"), "(from, then to)"),
        (Described("pair", "body", "red tin"), "“red tin”"),
        (Described("pair", "body", "red"), "begins with “red”"),
        (Described("shape", "body", "$00"), "$00 (by its shape)"),
        (Described("plain", "body", "viagra"), "viagra (digits read as letters)"),
        (Described("joined", "body", "free"), "free (spaced out)"),
        (Described("word", "body", "a" * 25), "a" * 25 + " (by its length)"),
        (Described("pair", "body", "red " + "a" * 25), "“red " + "a" * 25 + "” (by its length)"),
    ],
)
def test_a_feature_is_told_as_a_person_reads_it(feature: Described, text: str) -> None:
    assert told(feature) == text


@given(st.text())
def test_nothing_that_is_shown_steers_a_terminal(text: str) -> None:
    assert all(character.isprintable() for character in shown(text))
    assert len(shown(text)) == len(text)
