"""Error on what was learned and on what was not (rows E1 and E5)."""

from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.choose import experiments, sine
from thresher.choose.curves import mean_band, spread
from thresher.choose.experiments import Against
from thresher.report.figures.polynomials import polynomial
from thresher.report.figures.style import LINES, band, name, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RUNS: Final = 40
SIZES: Final = (10, 20, 40, 80, 160, 320, 640, 1280)
LAMBDAS: Final = tuple(float(lam) for lam in np.logspace(1, -12, 14))


def error_against_degree() -> "Figure":
    """Training error keeps falling; test error turns where the curve begins to follow the noise."""
    figure, (ax,) = panels(size=(5.2, 3.6))
    _both_errors(ax, experiments.error_against_degree(runs=RUNS))
    name(ax, "degree M", "squared error", "sine, 10 points, least squares", legend="upper left")
    return figure


def error_against_lambda() -> "Figure":
    """The same turn, with all nine powers and ever less of a penalty."""
    figure, (ax,) = panels(size=(5.2, 3.6))
    _both_errors(ax, experiments.error_against_lambda(LAMBDAS, runs=RUNS))
    ax.set_xscale("log")
    ax.invert_xaxis()
    name(ax, "λ (less regularization to the right)", "squared error", "sine, 10 points, M = 9", legend="lower left")
    return figure


def empirical_risk() -> "Figure":
    """Of one predictor it is right on average at any N; of a learned one it is too low until N is large."""
    figure, (fixed, learned) = panels(2, size=(4.0, 3.4), sharey=True)
    rng = np.random.default_rng(0)
    X = sine().draw_x(20, rng)
    one = polynomial(3).fit(X, sine().draw_y(X, rng))
    found = experiments.empirical_risk_of_one(one, sine(), SIZES, runs=RUNS)
    band(fixed, SIZES, spread(found.empirical, 0.95), 0, "empirical risk, 95 % of runs")
    fixed.axhline(found.risk, color=LINES[1].color, linestyle="--", label="risk")
    sizes = SIZES[1:]  # through ten points a cubic now and then runs far off between them, and no mean survives that
    both = experiments.error_against_size(polynomial(3), sine(), sizes, runs=RUNS)
    band(learned, sizes, mean_band(both.train), 0, "on what was learned")
    band(learned, sizes, mean_band(both.test), 1, "on fresh examples")
    for ax, x, title in (
        (fixed, "examples measured on", "a predictor fixed beforehand"),
        (learned, "examples learned", "a cubic learned from them"),
    ):
        ax.set_xscale("log")
        ax.set_ylim(0, 0.25)
        name(ax, x, "squared error", title, legend="upper right")
    return figure


def _both_errors(ax: "Axes", found: Against) -> None:
    """Draw medians, half of the runs within the band: a mean would show the worst interpolation alone."""
    # 1e-12 stands for the zero of an interpolation, which a logarithm has no place for.
    for number, (runs, label) in enumerate(((found.train, "training"), (found.test, "test"))):
        low, middle, high = np.quantile(np.maximum(runs, 1e-12), [0.25, 0.5, 0.75], axis=1)
        line = LINES[number]
        ax.fill_between(found.values, low, high, color=line.color, alpha=0.15, linewidth=0)
        ax.plot(found.values, middle, color=line.color, linestyle=line.linestyle, marker=line.marker, label=label)
    ax.set_yscale("log")
    ax.set_ylim(1e-3, 1e2)
