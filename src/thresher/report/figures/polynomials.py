"""Polynomials fitted by least squares: too few powers, enough, and too many (document 004; rows D2 and E1)."""

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from thresher.choose import sine
from thresher.learn import PolynomialBasis, Ridge
from thresher.report.figures.style import LINES, curve, line_points, name, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

SEED: Final = 6
HOUSE_SEED: Final = 10
# The ten points of document 004.
SINE_X: Final = np.arange(10)[:, np.newaxis] / 9
SINE_T: Final = np.array(
    [0.349486, 0.830839, 1.007332, 0.971507, 0.133066, 0.166823, -0.848307, -0.445686, -0.563567, 0.261502]
)
HOUSES: Final = 40
LARGEST: Final = 3.6
"""Living area of the largest house sold, in thousands of square feet."""
DREAM: Final = 4.6
"""Of the house one might ask the price of."""
STRAIGHT, CURVED = 1, 4


def polynomial(degree: int, lam: float = 0.0) -> Pipeline:
    """A polynomial of this degree, by ridge regression."""
    return Pipeline([("polynomialbasis", PolynomialBasis(degree)), ("ridge", Ridge(lam))])


def sine_fits() -> "Figure":
    """A constant and a line miss the shape, a cubic finds it; nine powers pass through all points and swing between."""
    figure, axes = panels(2, rows=2, size=(3.8, 2.7), sharex=True, sharey=True)
    for number, (ax, degree) in enumerate(zip(axes, (0, 1, 3, 9), strict=True)):
        fitted = polynomial(degree).fit(SINE_X, SINE_T)
        points_and_fit(ax, SINE_X, SINE_T, fitted, f"M = {degree}")
        name(ax, "x" if number > 1 else "", "t" if number % 2 == 0 else "")
    axes[0].legend(loc="lower left", fontsize=8)
    return figure


def more_examples() -> "Figure":
    """The same nine powers cannot swing between a hundred points."""
    figure, axes = panels(2, size=(3.8, 2.9), sharey=True)
    for ax, n in zip(axes, (15, 100), strict=True):
        rng = np.random.default_rng(SEED)
        X = line_points(0, 1, n)
        y = sine().draw_y(X, rng)
        points_and_fit(ax, X, y, polynomial(9).fit(X, y), f"M = 9, {n} points")
        name(ax, "x", "t")
    axes[0].legend(loc="lower left", fontsize=8)
    return figure


def points_and_fit(ax: "Axes", X: Floats, y: Floats, fitted: Pipeline, title: str) -> None:
    """Draw what was learned from, what was learned, and what there was to learn."""
    x = line_points(0, 1)
    curve(ax, x[:, 0], np.sin(2 * np.pi * x[:, 0]), 2, "sin 2πx")
    curve(ax, x[:, 0], fitted.predict(x), 1, "fit")
    ax.plot(X[:, 0], y, "o", color=LINES[0].color, fillstyle="none", label="points")
    ax.set(title=title, ylim=(-1.6, 1.6))


def houses() -> tuple[Floats, Floats]:
    """Made-up sales: living area in 1,000 square feet, and price in 1,000 dollars, which levels off."""
    rng = np.random.default_rng(HOUSE_SEED)
    area = np.sort(rng.uniform(0.6, LARGEST, HOUSES))[:, np.newaxis]
    return area, 600 * (1 - np.exp(-area[:, 0] / 1.6)) + 45 * rng.normal(size=HOUSES)


def housing() -> "Figure":
    """Where there were sales the curve fits better than the line; beyond, it prices a large house below nothing."""
    area, price = houses()
    figure, (ax,) = panels(size=(5.4, 3.6))
    x = line_points(0.5, DREAM)
    ax.plot(area[:, 0], price, "o", color=LINES[0].color, fillstyle="none", label="houses sold")
    for number, degree in ((2, STRAIGHT), (1, CURVED)):
        curve(ax, x[:, 0], polynomial(degree).fit(area, price).predict(x), number, f"polynomial of degree {degree}")
    ax.axhline(0, color="0.4", linewidth=0.8)
    ax.axvspan(LARGEST, DREAM, color="0.95")
    ax.text(LARGEST + 0.04, 840, "no house this\nlarge was sold", fontsize=8, va="top")
    ax.set_ylim(-500, 900)
    name(ax, "living area, 1,000 square feet", "price, 1,000 dollars", legend="lower left")
    return figure
