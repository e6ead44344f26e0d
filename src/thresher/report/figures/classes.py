"""Generative and discriminative classifiers: clouds, their line, and who needs how many examples (C1 to C5)."""

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from thresher.choose.curves import mean_band
from thresher.choose.generative import GAUSSIAN, POISSON, TwoClasses, generative_or_discriminative
from thresher.learn import GaussianDiscriminant
from thresher.report.figures.gaussians import Case, density
from thresher.report.figures.style import LINES, band, curve, line_points, name, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

SEED: Final = 5
CLOUD: Final = 60
MEANS: Final = np.array([[0.5, -1.5], [3.2, -4.0]])
COVARIANCE: Final = np.array([[1.0, 0.35], [0.35, 0.7]])
FEW: Final = (16, 20, 30, 50, 80, 150, 300, 800)


def clouds() -> tuple[Floats, NDArray[np.intp]]:
    """Two normal clouds of one shape, as many examples of each class."""
    rng = np.random.default_rng(SEED)
    y = np.arange(2 * CLOUD, dtype=np.intp) % 2
    return MEANS[y] + rng.multivariate_normal([0, 0], COVARIANCE, 2 * CLOUD, method="cholesky"), y


def discriminant_line() -> "Figure":
    """Both clouds get contours of the same shape; where they are equally probable is a straight line."""
    X, y = clouds()
    model = GaussianDiscriminant().fit(X, y)
    figure, (ax,) = panels(size=(5.2, 4.4))
    low, high = X.min(axis=0) - 0.7, X.max(axis=0) + 0.7
    first, second = np.meshgrid(np.linspace(low[0], high[0], 200), np.linspace(low[1], high[1], 200))
    points = np.column_stack([first.ravel(), second.ravel()])
    rows = model.covariance_.tolist()
    for c, (label, line) in enumerate(zip(("class 0", "class 1"), (LINES[2], LINES[0]), strict=True)):
        mine = X[y == c]
        ax.plot(*mine.T, linestyle="", marker="ox"[c], color=line.color, label=label, fillstyle="none")
        case = Case((model.means_[c, 0], model.means_[c, 1]), ((rows[0][0], rows[0][1]), (rows[1][0], rows[1][1])), "")
        height = density(points, case).reshape(first.shape)
        ax.contour(first, second, height, levels=5, colors=line.color, linewidths=0.8, linestyles="-:"[c])
    w0, w = model.linear_form()
    across = np.array([low[0], high[0]])
    ax.plot(across, -(w0 + w[0] * across) / w[1], color=LINES[1].color, linestyle="--", label="p = 1/2")
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    name(ax, "$x_1$", "$x_2$", legend="lower right")
    return figure


def logistic_posterior() -> "Figure":
    """Two normal densities of one width, and the posterior that Bayes' rule makes of them."""
    rng = np.random.default_rng(SEED)
    y = np.arange(400) % 2
    X = rng.normal(np.where(y, 1.0, -1.0))[:, np.newaxis]
    model = GaussianDiscriminant().fit(X, y)
    x = line_points(-4.5, 4.5)
    joint = np.exp(model.predict_joint_log_proba(x))
    w0, w = model.linear_form()
    figure, (ax,) = panels(size=(5.2, 3.4))
    for c in (0, 1):
        curve(ax, x[:, 0], joint[:, c], 2 - c, f"density and prior of class {c}")
    curve(ax, x[:, 0], 1 / (1 + np.exp(-(w0 + x @ w))), 0, f"posterior: 1 / (1 + exp(-({w0:.2f} + {w[0]:.2f} x)))")
    ax.set_ylim(0, 1.3)
    name(ax, "x", "density, probability", legend="upper left")
    return figure


def gaussian_data() -> "Figure":
    """What discriminant analysis assumes is true here, and saves it examples."""
    return _learning_curves(GAUSSIAN, "Gaussian data: the assumption holds")


def poisson_data() -> "Figure":
    """What discriminant analysis assumes is false here, and no number of examples mends it."""
    return _learning_curves(POISSON, "Poisson data: the assumption is wrong")


def _learning_curves(population: TwoClasses, title: str) -> "Figure":
    found = generative_or_discriminative(population, sizes=FEW, repeats=30, n_test=5_000, random_state=SEED)
    figure, (ax,) = panels(size=(5.2, 3.6))
    band(ax, FEW, mean_band(100 * found.discriminant), 0, "Gaussian discriminant analysis")
    band(ax, FEW, mean_band(100 * found.logistic), 1, "logistic regression")
    ax.axhline(100 * found.best, color=LINES[3].color, linestyle=":", label="who knows the distribution")
    ax.set_xscale("log")
    ax.set_xticks(FEW, [str(n) for n in FEW])
    ax.minorticks_off()
    name(ax, "examples learned", "test error, %", title, legend="upper right")
    return figure
