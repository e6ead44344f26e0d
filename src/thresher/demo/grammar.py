"""Sentences from templates: rules in, text out; the only chance is in the dice handed in.

A template is text with holes:
`{rule}` another rule or a known word, `{^rule}` the same with a capital, `{2..9}` a number, `[a|b|]` one of several,
perhaps nothing, and noise: `{#6}` six digits, `{*6}` six letters or digits (`{+6}` capitals), `{x6}` six hexadecimal
digits (`{X6}` capitals), `{%6}` six characters of base64.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Protocol

from thresher.demo.dice import Dice

Known = Mapping[str, str]
"""Words fixed for one message, which go before rules: the recipient's name, the shop."""


class _Piece(Protocol):
    """A hole of a template, which knows how to fill itself."""

    def write(self, out: list[str], dice: Dice, known: Known, rules: "Rules") -> None:
        """Append what fills the hole."""


Template = tuple[str | _Piece, ...]
Rules = dict[str, tuple[Template, ...]]

_MARK = re.compile(r"\{([^{}]*)\}|([\[\]|])")
_RANGE = re.compile(r"(\d+)\.\.(\d+)")
_NOISE = re.compile(r"([#*+xX%])(\d+)")


FEW = 5
"""Templates of a rule that a campaign uses."""


class GrammarError(ValueError):
    """A template that cannot be read, or a hole that nothing fills."""


class _Hole:
    __slots__ = ("capital", "name")

    def __init__(self, name: str) -> None:
        self.capital = name.startswith("^")
        self.name = name.removeprefix("^")

    def write(self, out: list[str], dice: Dice, known: Known, rules: Rules) -> None:
        start = len(out)
        word = known.get(self.name)
        if word is not None:
            out.append(word)
        else:
            _write(dice.pick(rules[self.name]), out, dice, known, rules)
        if self.capital and len(out) > start:
            first = out[start]
            out[start] = first[:1].upper() + first[1:]


class _Choice:
    __slots__ = ("options",)

    def __init__(self, options: tuple[Template, ...]) -> None:
        self.options = options

    def write(self, out: list[str], dice: Dice, known: Known, rules: Rules) -> None:
        _write(dice.pick(self.options), out, dice, known, rules)


class _Number:
    __slots__ = ("high", "low")

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high

    def write(self, out: list[str], dice: Dice, known: Known, rules: Rules) -> None:  # noqa: ARG002  all holes are filled alike
        out.append(str(dice.between(self.low, self.high)))


class _Noise:
    __slots__ = ("count", "kind")

    def __init__(self, kind: str, count: int) -> None:
        self.kind = kind
        self.count = count

    def write(self, out: list[str], dice: Dice, known: Known, rules: Rules) -> None:  # noqa: ARG002  all holes are filled alike
        match self.kind:
            case "#":
                out.append(dice.digits(self.count))
            case "*":
                out.append(dice.token(self.count))
            case "+":
                out.append(dice.token(self.count).upper())
            case "x":
                out.append(dice.hexadecimal(self.count))
            case "X":
                out.append(dice.hexadecimal(self.count).upper())
            case _:
                out.append(dice.base64(self.count))


def _write(template: Template, out: list[str], dice: Dice, known: Known, rules: Rules) -> None:
    for piece in template:
        if isinstance(piece, str):
            out.append(piece)
        else:
            piece.write(out, dice, known, rules)


def _hole(inner: str) -> _Piece:
    span = _RANGE.fullmatch(inner)
    if span:
        return _Number(int(span[1]), int(span[2]))
    noise = _NOISE.fullmatch(inner)
    if noise:
        return _Noise(noise[1], int(noise[2]))
    return _Hole(inner)


def parse(text: str) -> Template:
    """Return the template that the text describes."""
    # Each level holds the options of one [..|..]; the outermost level has one option, the template itself.
    levels: list[list[list[str | _Piece]]] = [[[]]]
    at = 0
    for mark in _MARK.finditer(text):
        if mark.start() > at:
            levels[-1][-1].append(text[at : mark.start()])
        at = mark.end()
        if mark[1] is not None:
            levels[-1][-1].append(_hole(mark[1]))
        elif mark[2] == "[":
            levels.append([[]])
        elif len(levels) == 1:
            message = f"{mark[2]!r} outside brackets in template {text!r}"
            raise GrammarError(message)
        elif mark[2] == "|":
            levels[-1].append([])
        else:
            choice = _Choice(tuple(tuple(option) for option in levels.pop()))
            levels[-1][-1].append(choice)
    if len(levels) > 1:
        message = f"open bracket in template {text!r}"
        raise GrammarError(message)
    levels[-1][-1].append(text[at:])
    return tuple(piece for piece in levels[0][0] if piece != "")


def holes(template: Template) -> Iterable[str]:
    """Return the names a template asks for."""
    for piece in template:
        if isinstance(piece, _Hole):
            yield piece.name
        elif isinstance(piece, _Choice):
            for option in piece.options:
                yield from holes(option)


def fill(template: Template, dice: Dice, known: Known) -> str:
    """Return the text of a template that asks for known words only."""
    out: list[str] = []
    _write(template, out, dice, known, {})
    return "".join(out)


class Grammar:
    """The rules of one language."""

    __slots__ = ("rules",)

    def __init__(self, *tables: Mapping[str, Iterable[str]]) -> None:
        self.rules: Rules = {
            name: tuple(parse(text) for text in texts) for table in tables for name, texts in table.items()
        }

    def say(self, rule: str, dice: Dice, known: Known, turn: int = -1) -> str:
        """Return one text of the rule; a turn always means the same template."""
        templates = self.rules[rule]
        return self._fill(dice.pick(templates) if turn < 0 else templates[turn % len(templates)], dice, known)

    def several(self, rule: str, count: int, dice: Dice, known: Known, turn: int = -1) -> list[str]:
        """Return up to count texts, no template twice, in random order; a turn means a few templates only."""
        templates = self.rules[rule]
        if turn >= 0:
            start = turn % len(templates)
            templates = (templates + templates)[start : start + min(FEW, len(templates))]
        return [self._fill(template, dice, known) for template in dice.some(templates, count)]

    def _fill(self, template: Template, dice: Dice, known: Known) -> str:
        out: list[str] = []
        _write(template, out, dice, known, self.rules)
        # An alternative that says nothing leaves the spaces of both its sides.
        return "".join(out).replace("  ", " ").strip()
