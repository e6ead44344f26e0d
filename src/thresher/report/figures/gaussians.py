"""What a normal density of two features looks like: surfaces and contours (document 002, 4.1.1; row C3)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.learn._factor import factor, whiten
from thresher.learn.discriminant import log_density
from thresher.report.figures.style import panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

EDGE: Final = 3.0
HIGHEST: Final = 0.28
"""Of all surfaces: the density with covariance 0.6 I reaches 1 / (2 pi 0.6) = 0.265."""
LEVELS: Final = np.linspace(0.015, 0.255, 9)
COLOURS: Final = "viridis"  # its lightness only ever grows, so a grey print keeps the order


class Case(NamedTuple):
    """A normal distribution, and how it is called."""

    mean: tuple[float, float]
    covariance: tuple[tuple[float, float], tuple[float, float]]
    title: str


def _case(xx: float, xy: float, yy: float, mean: tuple[float, float] = (0.0, 0.0), title: str = "") -> Case:
    return Case(mean, ((xx, xy), (xy, yy)), title or f"covariance [[{xx:g}, {xy:g}], [{xy:g}, {yy:g}]]")


SCALES: Final = [
    _case(1, 0, 1, title="covariance I"),
    _case(0.6, 0, 0.6, title="covariance 0.6 I"),
    _case(2, 0, 2, title="covariance 2 I"),
]
CORRELATIONS: Final = [_case(1, 0, 1), _case(1, 0.5, 1), _case(1, 0.8, 1)]
ELLIPSES: Final = [_case(1, -0.5, 1), _case(1, -0.8, 1), _case(3, 0.8, 1)]
MEANS: Final = [
    _case(1, 0, 1, mean, f"mean ({mean[0]:g}, {mean[1]:g})") for mean in ((1.0, 0.0), (-0.5, 0.0), (-1.0, -1.5))
]


# 002 (4.1.1), by the formula that GaussianDiscriminant itself uses
def density(points: Floats, case: Case) -> Floats:
    """Normal density of each row."""
    parts = factor(np.array(case.covariance))
    white, centre = whiten(parts, points), whiten(parts, np.array([case.mean]))
    return np.asarray(np.exp(log_density(white, centre, parts))[:, 0])


def gaussian_surfaces_by_scale() -> "Figure":
    """A larger covariance spreads the same volume wider and lower."""
    return _surfaces(SCALES)


def gaussian_surfaces_by_correlation() -> "Figure":
    """The more two features hang together, the narrower the ridge over the diagonal."""
    return _surfaces(CORRELATIONS)


def gaussian_contours_by_correlation() -> "Figure":
    """The same three from above."""
    return _contours(CORRELATIONS)


def gaussian_contours_of_ellipses() -> "Figure":
    """Negative correlation leans the other way; unequal variances stretch."""
    return _contours(ELLIPSES)


def gaussian_surfaces_by_mean() -> "Figure":
    """The mean moves the hill and changes nothing else."""
    return _surfaces(MEANS)


def grid(low: float, high: float, count: int) -> tuple[Floats, Floats, Floats]:
    """Two coordinate matrices, and all their points in rows."""
    first, second = np.meshgrid(np.linspace(low, high, count), np.linspace(low, high, count))
    return first, second, np.column_stack([first.ravel(), second.ravel()])


def _surfaces(cases: Sequence[Case]) -> "Figure":
    figure, axes = panels(len(cases), size=(3.4, 3.2), subplot_kw={"projection": "3d"})
    first, second, points = grid(-EDGE, EDGE, 49)
    for ax, case in zip(axes, cases, strict=True):
        height = density(points, case).reshape(first.shape)
        ax.plot_surface(
            first,
            second,
            height,
            cmap=COLOURS,
            vmin=0,
            vmax=HIGHEST,
            rstride=1,
            cstride=1,
            linewidth=0.1,
            edgecolor="0.3",
        )
        ax.set(xlabel="$x_1$", ylabel="$x_2$", zlabel="density", title=case.title, zlim=(0, HIGHEST))
        ax.set_xticks([-2, 0, 2])
        ax.set_yticks([-2, 0, 2])
        ax.set_zticks([0, 0.1, 0.2])
        ax.set_box_aspect((1, 1, 0.75), zoom=0.84)
    return figure


def _contours(cases: Sequence[Case]) -> "Figure":
    figure, axes = panels(len(cases), size=(3.2, 3.2))
    first, second, points = grid(-EDGE, EDGE, 201)
    for ax, case in zip(axes, cases, strict=True):
        drawn: Any = ax.contour(
            first, second, density(points, case).reshape(first.shape), levels=LEVELS, colors="black", linewidths=0.9
        )
        ax.clabel(drawn, levels=LEVELS[1::3], fmt="%.3f", fontsize=7)
        ax.set(xlabel="$x_1$", ylabel="$x_2$", title=case.title, aspect="equal")
    return figure
