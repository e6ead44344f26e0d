"""How figures look: few colours, and none that a grey print could not tell apart.

The law of this file: lines differ in their dashes as well as in how dark they are; settings are changed for the time of
one drawing only, and figures are made without pyplot, which would keep them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thresher.choose.curves import Band

RC: Final[dict[str, Any]] = {
    "figure.dpi": 100,
    "savefig.dpi": 100,
    "figure.constrained_layout.use": True,
    "font.family": ["DejaVu Sans"],  # it comes with matplotlib, so that every machine has it
    "font.size": 9.5,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "0.9",
    "legend.edgecolor": "none",
    "legend.framealpha": 0.9,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "svg.hashsalt": "thresher",  # names within the file would else be drawn at random
}
PANEL: Final = (4.0, 3.2)
"""Inches."""
BACK: Final = "0.75"
"""What stands behind: single fits, points that are not the subject."""


Place = Literal[
    "upper left", "upper center", "upper right", "center right", "lower left", "lower center", "lower right"
]


class Line(NamedTuple):
    """How one of several curves is drawn."""

    color: str
    linestyle: str
    marker: str


# From dark to light; their dashes differ too.
LINES: Final = (
    Line("#000000", "-", "o"),
    Line("#b5360c", "--", "s"),
    Line("#2f7fc1", "-.", "^"),
    Line("#9a9a9a", ":", "D"),
)


@contextmanager
def styled() -> Iterator[None]:
    """Give matplotlib these settings for the time of a drawing."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        settings: Any = mpl.rcParams  # typed by the names of its hundreds of settings, which a dict of ours is not
        settings.update(RC)
        yield


def panels(
    columns: int = 1,
    *,
    rows: int = 1,
    size: tuple[float, float] = PANEL,
    **options: Any,  # noqa: ANN401 -- of matplotlib's Figure.subplots
) -> tuple["Figure", list[Any]]:
    """Make a figure of so many panels, in reading order."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(columns * size[0], rows * size[1]))
    axes = figure.subplots(rows, columns, squeeze=False, **options)
    return figure, list(axes.ravel())


def curve(ax: "Axes", x: ArrayLike, y: ArrayLike, number: int, label: str = "", *, markers: bool = False) -> None:
    """Draw the curve of this number."""
    line = LINES[number]
    ax.plot(x, y, color=line.color, linestyle=line.linestyle, marker=line.marker if markers else "", label=label)


def band(ax: "Axes", x: Sequence[Any], around: "Band", number: int, label: str) -> None:
    """Draw a curve with an interval at each point."""
    line = LINES[number]
    ax.fill_between(x, around.low, around.high, color=line.color, alpha=0.15, linewidth=0)
    curve(ax, x, around.mean, number, label, markers=True)


def name(ax: "Axes", x: str, y: str, title: str = "", *, legend: "Place | None" = None) -> None:
    """Label both axes; a legend goes where it is told to."""
    ax.set(xlabel=x, ylabel=y)
    if title:
        ax.set_title(title)
    if legend:
        ax.legend(loc=legend)


def line_points(low: float, high: float, count: int = 400) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Inputs along an axis, a row each."""
    return np.linspace(low, high, count)[:, np.newaxis]
