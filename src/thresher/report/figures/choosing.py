"""Choosing by examples that were not learned (rows E2 and E3)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.choose import SFold, sine, validation_curve
from thresher.choose.curves import ValidationCurve
from thresher.report.figures.polynomials import polynomial
from thresher.report.figures.style import LINES, curve, name, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SEED: Final = 3
POINTS: Final = 30
FOLDS: Final = 5
SHOWN: Final = 25
LAMBDAS: Final = tuple(float(lam) for lam in np.logspace(1, -10, 23))
DEGREES: Final = tuple(range(10))
TICKS: Final = (0.05, 0.1, 0.2, 0.5)


def five_folds() -> "Figure":
    """Each example validates once and is learned from four times."""
    part = SFold(FOLDS, random_state=SEED).parts(SHOWN)
    figure, (ax,) = panels(size=(6.4, 2.4))
    # Drawn in the order of their parts, so that each part is one block as in a book; its members were drawn at random.
    order = np.argsort(part, kind="stable")
    for fold in range(FOLDS):
        validates = part[order] == fold
        for held, hatch, color in ((False, "", "0.85"), (True, "////", LINES[1].color)):
            places = np.flatnonzero(validates == held)
            ax.bar(
                places,
                0.8,
                bottom=fold + 0.6,
                width=0.92,
                color="white" if held else color,
                edgecolor=color,
                hatch=hatch,
                label=("validation" if held else "training") if not fold else None,
            )
    ax.set_yticks(range(1, FOLDS + 1))
    ax.set_xticks(np.arange(SHOWN), [str(i) for i in order], fontsize=8)
    ax.grid(visible=False)
    ax.invert_yaxis()
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    name(ax, "example", "fold")
    return figure


def validation_against_lambda() -> "Figure":
    """The training loss would always choose no penalty at all; the validation loss does not."""
    figure, (ax,) = panels(size=(5.2, 3.4))
    found = _validated("ridge__lam", LAMBDAS)
    _losses(ax, found)
    ax.set_xscale("log")
    ax.invert_xaxis()
    name(
        ax,
        "λ (less regularization to the right)",
        "squared loss",
        f"chosen: λ = {found.chosen:.1g}",
        legend="upper center",
    )
    return figure


def validation_against_degree() -> "Figure":
    """Without a penalty, the degree is what is to be chosen."""
    figure, (ax,) = panels(size=(5.2, 3.4))
    found = _validated("polynomialbasis__degree", DEGREES)
    _losses(ax, found)
    ax.set_xticks(DEGREES)
    name(ax, "degree M", "squared loss", f"chosen: M = {found.chosen}", legend="upper center")
    return figure


def _validated(setting: str, values: Sequence[float]) -> ValidationCurve:
    rng = np.random.default_rng(SEED)
    X = sine().draw_x(POINTS, rng)
    start = polynomial(9, 0.0)
    return validation_curve(start, setting, values, X, sine().draw_y(X, rng), folds=FOLDS, random_state=SEED)


def _losses(ax: "Axes", found: ValidationCurve) -> None:
    curve(ax, found.values, found.train.mean(axis=1), 0, "training", markers=True)
    validation = found.validation.mean(axis=1)
    curve(ax, found.values, validation, 1, "validation, 5 folds", markers=True)
    ax.plot(
        found.values[found.choice], validation[found.choice], "o", markersize=13, fillstyle="none", color=LINES[1].color
    )
    ax.set_yscale("log")
    ax.set_yticks(TICKS, [f"{tick:g}" for tick in TICKS])
    ax.minorticks_off()
