"""Weights kept small: ridge regression, and kernel least mean squares stopped early (rows D3 to D5)."""

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from thresher.learn import GaussianKernel, KernelLMS, Ridge
from thresher.report.figures.polynomials import SINE_T, SINE_X, points_and_fit, polynomial
from thresher.report.figures.style import LINES, curve, line_points, name, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

SEED: Final = 8
PENALTIES: Final = ((0.0, "0"), (1e-4, "0.0001"), (1.0, "1"))


def redundant() -> tuple[Floats, Floats]:
    """Columns 1, x and 2: the last says what the first says, so only w0 + 2 w2 and w1 can be told."""
    rng = np.random.default_rng(SEED)
    x = rng.uniform(0, 2, 12)
    return np.column_stack([np.ones(12), x, np.full(12, 2.0)]), 1.0 + 2.0 * x + 0.4 * rng.normal(size=12)


def ridge_weights() -> "Figure":
    """Small lambda gives nearly least squares, large lambda shrinks; only what the data can tell is drawn."""
    X, y = redundant()
    lams = np.logspace(-2, np.log10(20), 60)
    weights = np.array([Ridge(lam).fit(X, y).coef_ for lam in lams])
    least = np.linalg.lstsq(X, y)[0]
    figure, (ax,) = panels(size=(5.2, 3.4))
    for number, (values, limit, label) in enumerate(
        (
            (weights[:, 0] + 2 * weights[:, 2], least[0] + 2 * least[2], "w₀ + 2 w₂"),
            (weights[:, 1], least[1], "w₁"),
        )
    ):
        curve(ax, lams, values, number, label)
        ax.axhline(limit, color=LINES[3].color, linestyle=":", label="least squares" if number else None)
    ax.set_xscale("log")
    ax.set_xticks([0.01, 0.1, 1, 10, 20], ["0.01", "0.1", "1", "10", "20"])
    ax.set_ylim(bottom=0)
    name(ax, "λ", "weight", legend="lower left")
    return figure


def regularized_fits() -> "Figure":
    """Nine powers under three penalties: too little, about right, too much."""
    figure, axes = panels(3, size=(3.1, 2.8), sharey=True)
    for ax, (lam, written) in zip(axes, PENALTIES, strict=True):
        points_and_fit(ax, SINE_X, SINE_T, polynomial(9, lam).fit(SINE_X, SINE_T), f"M = 9, λ = {written}")
        name(ax, "x", "t")
    axes[0].legend(loc="lower left", fontsize=8)
    return figure


def kernel_lms_fits() -> "Figure":
    """Features nobody made, learned in steps: the more steps, the closer the curve follows the points."""
    x = line_points(0, 1)
    figure, (ax,) = panels(size=(5.2, 3.4))
    for number, steps in enumerate((1, 20, 30_000)):
        model = KernelLMS(GaussianKernel(0.15), steps=steps).fit(SINE_X, SINE_T)
        curve(ax, x[:, 0], model.predict(x), 2 - number, f"after {steps:,}")
    ax.plot(SINE_X[:, 0], SINE_T, "o", color=LINES[0].color, fillstyle="none", label="points")
    name(ax, "x", "t", "steps of kernel least mean squares", legend="upper right")
    return figure
