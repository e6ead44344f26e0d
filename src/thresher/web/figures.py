"""Figures as SVG: shapes only, coloured by the style sheet, with a title and a description for who cannot see them.

Words and numbers stand beside a figure in HTML, so that they stay legible at any width.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

HEIGHT: Final = 100
KINDS: Final = ("ham", "unsure", "spam")
_GAP: Final = 0.18
"""Of a bar's place."""
_FIGURE: Final = Markup(
    '<svg class="bars" viewBox="0 0 {width} {height}" preserveAspectRatio="none" role="img" aria-label="{label}">'
    "<title>{label}</title>{shapes}</svg>"
)
_RECTANGLE: Final = Markup('<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>')
_SHARE: Final = Markup(
    '<svg class="share" viewBox="-50 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">'
    '<rect class="middle" x="-.25" y="0" width=".5" height="10"/>'
    '<rect class="{kind}" x="{x:g}" y="1.5" width="{width:g}" height="7"/></svg>'
)


class Day(NamedTuple):
    """What was judged in a day."""

    label: str
    ham: int
    unsure: int
    spam: int
    first: float
    """When the day began."""

    @property
    def total(self) -> int:
        """All of it."""
        return self.ham + self.unsure + self.spam


def bars(days: Sequence[Day], label: str) -> Markup:
    """Draw stacked bars, a bar a day."""
    most = max((day.total for day in days), default=0) or 1
    shapes = []
    for place, day in enumerate(days):
        below = 0.0
        for kind, count in zip(KINDS, (day.ham, day.unsure, day.spam), strict=True):
            height = HEIGHT * count / most
            below += height
            if count:
                shapes.append(
                    _RECTANGLE.format(kind=kind, x=place + _GAP / 2, y=HEIGHT - below, width=1 - _GAP, height=height)
                )
    return _FIGURE.format(width=len(days), height=HEIGHT, label=label, shapes=Markup("").join(shapes))


def share_bar(units: int, longest: int) -> Markup:
    """Draw one share as a bar from the middle, towards spam on the right, towards ham on the left."""
    width = 50 * abs(units) / (longest or 1)
    return _SHARE.format(kind="spam" if units > 0 else "ham", x=0 if units > 0 else -width, width=width)
