"""An explanation as a table whose figures, as printed, add up to the score as printed. Pure.

Each share is rounded up or down to DIGITS places so that the sum comes out (the method of largest remainders), so none
is off by more than one in the last place.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from thresher.judge import Evidence, Explanation
from thresher.learn.hashing import MAX_WORD
from thresher.learn.naming import Described

DIGITS: Final = 4
"""Places of a share: one lesson moves a score by more than that, and four digits are still read at a glance."""
TOP: Final = 30
"""Features shown unless asked for more: what fits on a screen and carries most of the score."""
_SCALE: Final = 10**DIGITS
_AS_READ: Final = {
    "shape": " (by its shape)",
    "plain": " (digits read as letters)",
    "joined": " (spaced out)",
}


class Line(NamedTuple):
    """One feature and its share."""

    evidence: Evidence
    units: int
    """The share as printed, in units of the last place."""


class Group(NamedTuple):
    """The features shown that stand in one field."""

    field: str
    lines: list[Line]

    @property
    def units(self) -> int:
        """Their sum."""
        return sum(line.units for line in self.lines)


class Table(NamedTuple):
    """Groups + others + base = total, in units of the last place."""

    groups: list[Group]
    others: int
    others_count: int
    base: int
    total: int


def printed(units: int) -> str:
    """Return a share as it is printed."""
    return f"{units / _SCALE:+.{DIGITS}f}"


def tabulate(explanation: Explanation, top: int | None) -> Table:
    """Group the features with the greatest shares by field; without `top`, all features."""
    shown = explanation.evidence[:top]
    rest = explanation.evidence[len(shown) :]
    others = math.fsum(each.share for each in rest)
    total = round(explanation.judgement.log_odds * _SCALE)
    base, *units = round_to_total(
        [explanation.base, *([others] if rest else []), *(each.share for each in shown)], total
    )
    others_units = units.pop(0) if rest else 0
    groups: dict[str, Group] = {}
    for evidence, unit in zip(shown, units, strict=True):
        field = evidence.feature.field
        groups.setdefault(field, Group(field, [])).lines.append(Line(evidence, unit))
    ordered = sorted(groups.values(), key=lambda group: -sum(abs(line.units) for line in group.lines))
    return Table(ordered, others_units, len(rest), base, total)


def round_to_total(values: Sequence[float], total: int) -> list[int]:
    """Return each value in units of the last place, rounded down or up so that together they make the total."""
    floors = [math.floor(value * _SCALE) for value in values]
    order = sorted(range(len(values)), key=lambda i: floors[i] - values[i] * _SCALE)
    for i in order[: total - sum(floors)]:
        floors[i] += 1
    return floors


def told(feature: Described) -> str:
    """Return a feature as a person reads it, beneath its field."""
    match feature.kind:
        case "field":
            text = "(there is such a field)"
        case "order":
            text = f"({feature.text})"
        case "pair" if " " in feature.text:
            text = f"“{feature.text}”"
        case "pair":
            text = f"begins with “{feature.text}”"
        case kind:
            text = feature.text + _AS_READ.get(kind, "")
    return f"{text} (by its length)" if _is_long(feature) else text


def _is_long(feature: Described) -> bool:
    """Whether one of its words is known by its length alone: then the counts are those of all such words."""
    return feature.kind in {"word", "pair"} and any(len(word.encode()) > MAX_WORD for word in feature.text.split(" "))


def shown(text: str) -> str:
    """Return text from a message without what steers a terminal or turns the direction of writing."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
