"""C3: normal densities and contours of many shapes, and two clouds with the line p = 1/2, drawn by one command."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import multivariate_normal

from tests.cli.running import done
from thresher.learn import GaussianDiscriminant
from thresher.report.figures import FIGURES, draw
from thresher.report.figures.classes import clouds
from thresher.report.figures.gaussians import CORRELATIONS, ELLIPSES, MEANS, SCALES, Case, density

DRAWN = [name for name, drawing in FIGURES.items() if "C3" in drawing.rows]
COVARIANCES = [
    ((1.0, 0.0), (0.0, 1.0)),
    ((0.6, 0.0), (0.0, 0.6)),
    ((2.0, 0.0), (0.0, 2.0)),
    ((1.0, 0.5), (0.5, 1.0)),
    ((1.0, 0.8), (0.8, 1.0)),
    ((1.0, -0.5), (-0.5, 1.0)),
    ((1.0, -0.8), (-0.8, 1.0)),
    ((3.0, 0.8), (0.8, 1.0)),
]
POINTS: NDArray[np.float64] = np.random.default_rng(0).normal(size=(20, 2))


def test_one_command_draws_them(tmp_path: Path) -> None:
    done("figures", tmp_path, *(part for name in DRAWN for part in ("--only", name)))
    assert sorted(path.stem for path in tmp_path.iterdir()) == sorted(DRAWN)
    assert len(DRAWN) == 6
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in tmp_path.iterdir())


def test_every_listed_covariance_and_mean_is_among_them() -> None:
    about_zero = [*SCALES, *CORRELATIONS, *ELLIPSES]
    assert {case.covariance for case in about_zero} == set(COVARIANCES)
    assert {case.mean for case in about_zero} == {(0.0, 0.0)}
    assert [case.mean for case in MEANS] == [(1, 0), (-0.5, 0), (-1, -1.5)]
    assert {case.covariance for case in MEANS} == {COVARIANCES[0]}


@pytest.mark.parametrize("case", [*SCALES, *CORRELATIONS, *ELLIPSES, *MEANS])
def test_what_is_drawn_is_the_normal_density(case: Case) -> None:
    assert density(POINTS, case) == pytest.approx(multivariate_normal(case.mean, case.covariance).pdf(POINTS))


@pytest.mark.parametrize("name", ["gaussian_contours_by_correlation", "gaussian_contours_of_ellipses"])
def test_along_a_contour_the_density_is_the_same(name: str) -> None:
    figure = draw(name)
    cases = CORRELATIONS if name.endswith("correlation") else ELLIPSES
    for ax, case in zip(figure.axes, cases, strict=True):
        (contours,) = ax.collections
        drawn = 0
        for level, path in zip(contours.levels, contours.get_paths(), strict=True):  # type: ignore[attr-defined]
            vertices = np.asarray(path.vertices, np.float64)
            if len(vertices):
                assert density(vertices, case) == pytest.approx(level, abs=1e-3)
                drawn += 1
        assert drawn >= 3


def test_the_line_between_the_clouds_is_where_both_classes_are_equally_probable() -> None:
    (ax,) = draw("discriminant_line").axes
    (line,) = [line for line in ax.get_lines() if line.get_label() == "p = 1/2"]
    on_it = np.column_stack(line.get_data())
    assert GaussianDiscriminant().fit(*clouds()).predict_proba(on_it) == pytest.approx(np.full((2, 2), 0.5))


def test_the_two_clouds_have_contours_of_one_shape() -> None:
    (ax,) = draw("discriminant_line").axes
    first, second = ([np.asarray(path.vertices) for path in drawn.get_paths()] for drawn in ax.collections)
    sizes = [[np.ptp(path, axis=0) for path in paths if len(path)] for paths in (first, second)]
    assert len(sizes[0]) >= 4
    for one, other in zip(*sizes, strict=True):
        assert one == pytest.approx(other, rel=0.03)
