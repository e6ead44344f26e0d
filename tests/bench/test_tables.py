"""Bars, ratios and tables of the benchmarks."""

import math

import pytest

from bench.tables import Bar, Spread, bar_cells, missed, ratios, spread, table


def test_a_bar_is_met_at_its_limit_and_on_its_good_side_only() -> None:
    low, high = Bar("speed", "at least", 2.0), Bar("error", "at most", 2.0)
    assert [low.met(value) for value in (1.9, 2.0, 2.1)] == [False, True, True]
    assert [high.met(value) for value in (1.9, 2.0, 2.1)] == [True, True, False]


@pytest.mark.parametrize("sense", ["at least", "at most"])
def test_what_was_not_measured_or_is_no_number_meets_no_bar(sense: str) -> None:
    bar = Bar("figure", "at least" if sense == "at least" else "at most", 0.0)
    assert not bar.met(None)
    assert not bar.met(math.nan)


def test_missed_names_the_bars_below_and_those_without_a_figure() -> None:
    met, below, absent = Bar("a", "at most", 1), Bar("b", "at most", 1), Bar("c", "at most", 1)
    assert missed([met, below, absent], {"a": 1.0, "b": 1.1}) == [below, absent]


def test_ratios_are_taken_within_rounds() -> None:
    """A round in which everything took ten times as long changes nothing."""
    assert ratios([2.0, 20.0, 3.0], [1.0, 10.0, 1.0]) == Spread(median=2.0, least=2.0, most=3.0)


def test_ratios_need_as_many_rounds_of_one_as_of_the_other() -> None:
    with pytest.raises(ValueError, match="shorter"):
        ratios([1.0, 2.0], [1.0])


def test_a_spread_has_the_middle_and_the_ends() -> None:
    assert spread([5.0, 1.0, 2.0]) == Spread(2.0, 1.0, 5.0)


def test_a_bar_is_shown_with_whether_it_is_met() -> None:
    bar = Bar("speed", "at least", 2000)
    assert bar_cells(bar, 1999.0) == ("at least 2,000", "NO")
    assert bar_cells(bar, 2000.0) == ("at least 2,000", "yes")
    assert bar_cells(None, 1.0) == ("", "")


def test_a_table_is_markdown_with_aligned_columns() -> None:
    assert table(("name", "value"), [("a", "1"), ("longer", "10.5")]) == [
        "| name   | value |",
        "| ------ | ----: |",
        "| a      |     1 |",
        "| longer |  10.5 |",
    ]
