"""The figures: labelled, readable without colour, the ones in the documents, and showing what they are said to show."""

from io import BytesIO
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.lines import Line2D

from thresher.report.figures import FIGURES, FORMATS, draw, save
from thresher.report.figures.polynomials import CURVED, DREAM, LARGEST, houses, polynomial

COMMITTED = Path(__file__).resolve().parents[2] / "docs" / "figures"
CLOSE = 4.0
"""Of 255, root mean square: what another processor's last digits may change, and no other curve."""


def grey(line: Line2D) -> float:
    """How light a line is, as the eye weighs its colours (ITU-R BT.709)."""
    return float(np.dot(to_rgb(line.get_color()), (0.2126, 0.7152, 0.0722)))


def unlike(one: Line2D, other: Line2D) -> bool:
    dashes = one.get_linestyle() != other.get_linestyle() or one.get_marker() != other.get_marker()
    return dashes or abs(grey(one) - grey(other)) > 0.25


def labelled(ax: Axes) -> bool:
    """Whether each axis has a label, or shares it with one that has."""
    x = [each.get_xlabel() for each in ax.get_shared_x_axes().get_siblings(ax)]
    y = [each.get_ylabel() for each in ax.get_shared_y_axes().get_siblings(ax)]
    return any(x) and any(y) and bool(getattr(ax, "get_zlabel", lambda: "none")())


def pixels(figure: Figure) -> np.ndarray:
    image = BytesIO()
    save(figure, image)
    image.seek(0)
    return 255 * imread(image)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_labels_needs_no_colour_and_is_the_one_in_the_documents(name: str) -> None:
    figure = draw(name)
    assert figure.axes
    for ax in figure.axes:
        assert labelled(ax)
        lines = [line for line in ax.get_lines() if not str(line.get_label()).startswith("_")]
        assert all(unlike(one, other) for i, one in enumerate(lines) for other in lines[:i])
    drawn, committed = pixels(figure), 255 * imread(COMMITTED / f"{name}.png")
    assert drawn.shape == committed.shape, "run `make figures`"
    assert np.sqrt(((drawn - committed) ** 2).mean()) < CLOSE, "run `make figures`"


def test_the_documents_have_no_other_figures() -> None:
    assert {path.stem for path in COMMITTED.iterdir()} == set(FIGURES)
    assert all(path.stat().st_size < 150_000 for path in COMMITTED.iterdir())


@pytest.mark.parametrize("kind", FORMATS)
def test_drawn_twice_a_file_is_the_same_byte_for_byte(kind: str) -> None:
    files = []
    for _ in range(2):
        image = BytesIO()
        save(draw("five_folds"), image, kind)
        files.append(image.getvalue())
    assert files[0] == files[1]


def test_drawing_leaves_the_settings_of_matplotlib_as_they_were() -> None:
    before = dict(mpl.rcParams)
    draw("quadratic_loss")
    assert dict(mpl.rcParams) == before


def test_the_housing_polynomial_fits_better_than_a_line_and_ends_below_zero() -> None:
    area, price = houses()
    curve, line = (polynomial(degree).fit(area, price) for degree in (CURVED, 1))
    errors = [((fitted.predict(area) - price) ** 2).mean() for fitted in (curve, line)]
    assert errors[0] < errors[1]
    assert curve.predict(np.array([[LARGEST]])) > 0
    assert curve.predict(np.array([[DREAM]])) < 0 < line.predict(np.array([[DREAM]]))


def values(name: str, label: str) -> np.ndarray:
    """The heights of the curve with this label in a figure's first panel."""
    (line,) = [line for line in draw(name).axes[0].get_lines() if line.get_label() == label]
    return np.asarray(line.get_ydata(), np.float64)


@pytest.mark.parametrize(
    ("name", "low", "high"), [("validation_against_lambda", 5, 12), ("validation_against_degree", 3, 4)]
)
def test_training_loss_only_falls_and_validation_loss_is_least_in_between(name: str, low: int, high: int) -> None:
    assert (np.diff(values(name, "training")) < 1e-9).all()
    assert low <= values(name, "validation, 5 folds").argmin() <= high


def test_on_gaussian_data_discriminant_analysis_lies_below_and_on_poisson_data_above() -> None:
    names = ("Gaussian discriminant analysis", "logistic regression")
    generative, discriminative = (values("gaussian_data", name)[1:5] for name in names)
    assert (generative < discriminative).all()
    generative, discriminative = (values("poisson_data", name)[4:] for name in names)
    assert (generative > discriminative).all()
