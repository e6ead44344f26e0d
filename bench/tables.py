"""Figures, the bars they are held to, and tables of both. Pure.

The law of this file: a bar names its figure and knows nothing of how it was measured, so that a new bar is one line of
data; a figure that was not measured, or is not a number, meets no bar.
"""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Literal, NamedTuple


class Bar(NamedTuple):
    """What a figure must be."""

    figure: str
    sense: Literal["at least", "at most"]
    limit: float

    def met(self, value: float | None) -> bool:
        """Tell whether this value is good enough."""
        if value is None:
            return False
        return value >= self.limit if self.sense == "at least" else value <= self.limit

    def __str__(self) -> str:
        return f"{self.sense} {self.limit:,g}"


class Spread(NamedTuple):
    """What several rounds say of one figure."""

    median: float
    least: float
    most: float


def spread(values: Sequence[float]) -> Spread:
    """Summarize rounds."""
    return Spread(median(values), min(values), max(values))


def ratios(theirs: Sequence[float], ours: Sequence[float]) -> Spread:
    """How many times as long theirs took, round by round: the two of one round met the machine in the same mood."""
    return spread([their / our for their, our in zip(theirs, ours, strict=True)])


def missed(bars: Sequence[Bar], figures: Mapping[str, float]) -> list[Bar]:
    """Return the bars that are not met."""
    return [bar for bar in bars if not bar.met(figures.get(bar.figure))]


def bar_cells(bar: Bar | None, value: float | None) -> tuple[str, str]:
    """Return the columns "bar" and "met" of a table."""
    return (str(bar), "yes" if bar.met(value) else "NO") if bar else ("", "")


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table in Markdown that can be read as it is; all columns but the first to the right."""
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        right = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
        return "| " + " | ".join([cells[0].ljust(widths[0]), *right]) + " |"

    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return [line(header), line(rule), *map(line, rows)]
