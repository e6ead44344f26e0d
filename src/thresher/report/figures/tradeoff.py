"""Why a model errs: bias, variance and noise (row E4)."""

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from thresher.choose import NoisyFunction, bias_variance, ridge_bias_variance, sine
from thresher.choose.decomposition import predictions_over_data_sets
from thresher.choose.populations import uniform
from thresher.learn import PolynomialBasis
from thresher.report.figures.polynomials import polynomial
from thresher.report.figures.style import BACK, LINES, curve, line_points, name, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

SEED: Final = 4
SHOWN: Final = 20
MANY: Final = 200
"""Data sets whose fits are averaged."""
SMALL, LARGE = 0.8, 4.0
SLICES: Final = (1.5, 3.0)
"""Living areas whose prices are drawn."""
SIGMA: Final = 45.0
LAMS: Final = np.logspace(-9, 3, 49)
DRAWN: Final = np.logspace(-8, 2, 6)
TERMS: Final = (("risk", "risk"), ("variance", "variance"), ("bias_squared", "bias²"), ("noise", "noise"))


def price(area: Floats) -> Floats:
    """E[y | x] of made-up houses: it rises and levels off, so no line is right."""
    return np.asarray(600 * (1 - np.exp(-area[:, 0] / 1.6)))


HOUSES: Final = NoisyFunction(price, SIGMA, uniform(SMALL, LARGE))


def quadratic_loss() -> "Figure":
    """Twice as far off costs four times as much."""
    h = np.linspace(-3, 3, 200)
    figure, (ax,) = panels(size=(4.2, 3.0))
    for number, y in enumerate((0.0, 1.0)):
        curve(ax, h, (h - y) ** 2, number, f"y = {y:g}")
    name(ax, "prediction h(x)", "loss (h(x) - y)²", legend="upper center")
    return figure


def bias_and_variance() -> "Figure":
    """A line misses the shape whatever the data; nine powers follow the data wherever they go."""
    figure, axes = panels(3, size=(3.1, 2.9), sharey=True)
    x = line_points(0, 1)
    for ax, (degree, title) in zip(
        axes, ((1, "M = 1: high bias"), (3, "M = 3: just right"), (9, "M = 9: high variance")), strict=True
    ):
        rng = np.random.default_rng(SEED)
        fits = predictions_over_data_sets(polynomial(degree), sine(), 15, x, 10, rng, design=line_points(0, 1, 15))
        ax.plot(x[:, 0], fits.T, color="0.6", linewidth=0.8)
        curve(ax, x[:, 0], np.sin(2 * np.pi * x[:, 0]), 0, "E[y | x]")
        ax.set_ylim(-2, 2)
        name(ax, "x", "y", title)
    axes[0].legend(loc="lower left", fontsize=8)
    return figure


def easy_and_difficult() -> "Figure":
    """Noise is a matter of the data: no model narrows the spread of y at a given x."""
    figure, axes = panels(2, size=(3.8, 3.0), sharey=True)
    x = line_points(SMALL, LARGE)
    for ax, (sigma, title) in zip(axes, ((120.0, "somewhat difficult"), (30.0, "somewhat easy")), strict=True):
        houses = HOUSES._replace(sigma=sigma)
        rng = np.random.default_rng(SEED)
        X = houses.draw_x(150, rng)
        ax.plot(X[:, 0], houses.draw_y(X, rng), ".", color=BACK)
        curve(ax, x[:, 0], houses.mean(x), 0, "E[y | x]")
        for at in SLICES:
            centre = float(houses.mean(np.array([[at]]))[0])
            y = np.linspace(centre - 3.2 * sigma, centre + 3.2 * sigma, 120)
            density = np.exp(-0.5 * ((y - centre) / sigma) ** 2)
            ax.plot(
                at + 0.5 * density,
                y,
                color=LINES[1].color,
                linewidth=1.2,
                label="p(y | x)" if at == SLICES[0] else None,
            )
            ax.plot([at, at], [y[0], y[-1]], color=LINES[1].color, linewidth=0.6)
        name(ax, "living area, 1,000 square feet", "price, 1,000 dollars", title)
    axes[1].legend(loc="lower right")
    return figure


def fits_over_data_sets() -> "Figure":
    """Lines spread about their average, which is not E[y | x]; cubics reach it, and spread more."""
    figure, axes = panels(2, size=(4.0, 3.4), sharey=True)
    x = line_points(SMALL, LARGE, 100)
    for ax, degree in zip(axes, (1, 3), strict=True):
        rng = np.random.default_rng(SEED)
        X = HOUSES.draw_x(400, rng)
        ax.plot(X[:, 0], HOUSES.draw_y(X, rng), ".", color="0.6", markersize=2)
        fits = predictions_over_data_sets(polynomial(degree), HOUSES, 15, x, MANY, rng)
        ax.plot(x[:, 0], fits[:SHOWN].T, color=BACK, linewidth=0.8)
        ax.plot([], [], color=BACK, linewidth=0.8, label=f"fits to {SHOWN} data sets of 15")
        curve(ax, x[:, 0], fits.mean(axis=0), 1, f"average of {MANY} fits")
        curve(ax, x[:, 0], HOUSES.mean(x), 0, "E[y | x]")
        ax.set_ylim(100, 750)
        title = "lines" if degree == 1 else "cubics"
        name(ax, "living area, 1,000 square feet", "price, 1,000 dollars", title, legend="upper left")
    return figure


def bias_variance_noise() -> "Figure":
    """A penalty takes variance away and adds bias: between them the risk is least."""
    x, at = line_points(0, 1, 15), line_points(0, 1, 100)
    basis, truth = PolynomialBasis(9).fit(x), sine()
    exact = ridge_bias_variance(
        basis.transform(x), truth.mean(x), truth.sigma, LAMS, points=basis.transform(at), points_mean=truth.mean(at)
    )
    drawn = [
        bias_variance(polynomial(9, lam), truth, 15, design=x, points=at, data_sets=100, batches=10, random_state=SEED)
        for lam in DRAWN
    ]
    figure, (ax,) = panels(size=(5.6, 4.0))
    for number, (term, label) in enumerate(TERMS):
        curve(ax, LAMS, getattr(exact, term), number, label)
        found = [getattr(one, term) for one in drawn]
        ax.errorbar(
            DRAWN,
            [one.value for one in found],
            yerr=[2 * one.standard_error for one in found],
            color=LINES[number].color,
            marker=LINES[number].marker,
            linestyle="",
            fillstyle="none",
            capsize=2,
        )
    ax.errorbar(
        [],
        [],
        yerr=[],
        color="0.3",
        marker="o",
        linestyle="",
        fillstyle="none",
        capsize=2,
        label="100 data sets, ± 2 s.e.",
    )
    ax.set_xscale("log")
    ax.set_xlim(1e-9, 100)
    ax.set_ylim(-0.01, 0.4)
    name(ax, "λ", "squared error", "lines: exact; marks: drawn", legend="upper left")
    return figure
