"""Every picture of the documents: one function each, drawn from what thresher.learn and thresher.choose compute.

The law of this package: a drawing function takes nothing and returns one figure, its seeds fixed, so that the same
versions of the libraries give the same file, byte for byte. Nothing is drawn that was not computed by the code that is
shown. Matplotlib is imported when the first figure is drawn, and its settings outside are left as they were.
"""

from collections.abc import Callable
from importlib import import_module
from typing import IO, TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Draw = Callable[[], "Figure"]

FORMATS: Final[dict[str, dict[str, str | None]]] = {
    "png": {"Software": None},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None, "Producer": None},
}
"""What matplotlib would say in each of when and by what it was written, and shall not."""


class Drawing(NamedTuple):
    """A figure that can be drawn."""

    module: str
    """Where its function is, which has its name."""
    rows: tuple[str, ...]
    """The rows of the requirements that it belongs to, as in docs/coverage.md."""
    shows: str


FIGURES: Final[dict[str, Drawing]] = {
    "smoothing_vanishes": Drawing("counts", ("B6", "B7"), "a smoothed estimate and its prior as observations grow"),
    "gaussian_surfaces_by_scale": Drawing("gaussians", ("C3",), "densities with covariance I, 0.6 I and 2 I"),
    "gaussian_surfaces_by_correlation": Drawing("gaussians", ("C3",), "densities with correlation 0, 0.5 and 0.8"),
    "gaussian_contours_by_correlation": Drawing("gaussians", ("C3",), "their contours"),
    "gaussian_contours_of_ellipses": Drawing("gaussians", ("C3",), "contours of three more covariances"),
    "gaussian_surfaces_by_mean": Drawing("gaussians", ("C3",), "densities about three means"),
    "discriminant_line": Drawing("classes", ("C1", "C3"), "two fitted clouds and the line where p = 1/2"),
    "logistic_posterior": Drawing("classes", ("C2",), "two normal densities and the logistic curve between them"),
    "gaussian_data": Drawing(
        "classes", ("C4", "C5"), "discriminant analysis against logistic regression, Gaussian data"
    ),
    "poisson_data": Drawing("classes", ("C4", "C5"), "discriminant analysis against logistic regression, Poisson data"),
    "sine_fits": Drawing("polynomials", ("D2",), "polynomials of degree 0, 1, 3 and 9 through ten points"),
    "more_examples": Drawing("polynomials", ("D2", "E1"), "degree 9 on 15 and on 100 points"),
    "housing": Drawing("polynomials", ("D2", "E1"), "a polynomial that sells a large house for less than nothing"),
    "ridge_weights": Drawing("ridge", ("D3",), "ridge weights against lambda from 0.01 to 20"),
    "regularized_fits": Drawing("ridge", ("D3",), "degree 9 under three penalties"),
    "kernel_lms_fits": Drawing("ridge", ("D4", "D5"), "kernel least mean squares on the sine, after ever more steps"),
    "error_against_degree": Drawing("complexity", ("E1",), "training and test error against the degree M"),
    "error_against_lambda": Drawing("complexity", ("E1",), "training and test error against lambda"),
    "mail_against_alpha": Drawing("mail", ("E1", "B6"), "errors of naive Bayes on mail against alpha"),
    "mail_against_vocabulary": Drawing(
        "mail", ("E1", "A2"), "loss of naive Bayes on mail against the vocabulary's size"
    ),
    "mail_against_messages": Drawing("mail", ("E1", "E5"), "errors of naive Bayes against the messages learned"),
    "five_folds": Drawing("choosing", ("E2", "E3"), "which part of the examples validates in each of five folds"),
    "validation_against_lambda": Drawing("choosing", ("E3",), "cross-validated loss against lambda"),
    "validation_against_degree": Drawing("choosing", ("E3",), "cross-validated loss against the degree M"),
    "quadratic_loss": Drawing("tradeoff", ("E4", "E5"), "the squared loss of a prediction"),
    "bias_and_variance": Drawing("tradeoff", ("E4",), "too stiff, about right, too lively: fits to ten data sets"),
    "easy_and_difficult": Drawing("tradeoff", ("E4",), "noise: how widely y spreads at a given x"),
    "fits_over_data_sets": Drawing("tradeoff", ("E4",), "lines fitted to many data sets, and their average"),
    "bias_variance_noise": Drawing("tradeoff", ("E4",), "the terms of the risk against lambda, exact and drawn"),
    "brier_terms": Drawing("mail", ("E4",), "the terms of the Brier score on mail against alpha"),
    "empirical_risk": Drawing("complexity", ("E5",), "empirical risk approaching risk"),
}


def draw(name: str) -> "Figure":
    """Draw one figure."""
    from thresher.report.figures.style import styled

    function: Draw = getattr(import_module(f"{__name__}.{FIGURES[name].module}"), name)
    with styled():
        return function()


def save(figure: "Figure", to: "IO[bytes]", kind: str = "png") -> None:
    """Write a figure as one of FORMATS; nothing of when or by which version it was drawn is in it."""
    from thresher.report.figures.style import styled

    with styled():
        figure.savefig(to, format=kind, metadata=FORMATS[kind])
