"""D2: the polynomial basis, and the sine example's table of weights."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from thresher.learn import PolynomialBasis, Ridge

Floats = NDArray[np.float64]

X = np.arange(10)[:, np.newaxis] / 9
T = [".349486", ".830839", "1.007332", ".971507", ".133066", ".166823", "-.848307", "-.445686", "-.563567", ".261502"]

PRINTED: dict[int, list[float]] = {
    0: [0.19],
    1: [0.82, -1.27],
    3: [0.31, 7.99, -25.43, 17.37],
    9: [0.35, 232.37, -5321.83, 48568.31, -231639.30, 640042.26, -1061800.52, 1042400.18, -557682.99, 125201.43],
}


def weights(degree: int, targets: Floats) -> Floats:
    return Ridge(0).fit(PolynomialBasis(degree).fit_transform(X), targets).coef_


def exact_interpolation(targets: list[Fraction]) -> list[Fraction]:
    """The polynomial through all ten points in fractions, by Gauss-Jordan elimination: no rounding at all."""
    rows = [[Fraction(n, 9) ** m for m in range(10)] + [t] for n, t in enumerate(targets)]
    for i in range(10):
        pivot = next(row for row in range(i, 10) if rows[row][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in set(range(10)) - {i}:
            rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i], strict=True)]
    return [row[-1] for row in rows]


def test_the_basis_of_one_feature_is_its_powers() -> None:
    assert PolynomialBasis(4).fit_transform([[2.0], [-3.0]]).tolist() == [[1, 2, 4, 8, 16], [1, -3, 9, -27, 81]]


@pytest.mark.parametrize("degree", [0, 1, 3])
def test_the_weights_for_few_powers_are_the_printed_ones(degree: int) -> None:
    assert weights(degree, np.array(T, dtype=float)).round(2).tolist() == PRINTED[degree]


def test_the_weights_for_nine_powers_are_the_printed_ones_to_seven_digits() -> None:
    """More the six printed digits of the targets do not carry: exact arithmetic differs from the table in the same."""
    fitted = weights(9, np.array(T, dtype=float))
    exact = np.array([float(weight) for weight in exact_interpolation([Fraction(t) for t in T])])
    assert fitted == pytest.approx(exact, abs=1e-3), "what is lost here, the data lost"
    assert fitted == pytest.approx(PRINTED[9], rel=2e-7, abs=0.005)
    assert abs(exact - PRINTED[9]).max() == pytest.approx(0.12, abs=0.005)


def test_the_weights_for_nine_powers_are_the_printed_ones_to_every_digit_from_targets_of_three_digits_more() -> None:
    """The table came from targets before they were rounded; these round to the printed ones and give all of it.

    Found by linear programming: of the targets whose weights lie within .004 of the table, the nearest to T.
    """
    finer = np.array([0.349485881, 0.830839119, 1.007331881, 0.971507119, 0.133066015])
    finer = np.append(finer, [0.166822881, -0.848306881, -0.445686119, -0.563566881, 0.261501881])
    assert finer.round(6).tolist() == [float(t) for t in T]
    assert weights(9, finer).round(2).tolist() == PRINTED[9]


def test_nine_powers_pass_through_every_point_and_three_do_not() -> None:
    targets = np.array(T, dtype=float)
    for degree, largest in ((9, 1e-9), (3, 0.4)):
        basis = PolynomialBasis(degree).fit_transform(X)
        errors = abs(basis @ weights(degree, targets) - targets)
        assert errors.max() < largest
        assert (errors.max() < 1e-6) == (degree == 9)


def test_the_normal_equations_would_lose_digits_that_the_data_have() -> None:
    """Why Ridge decomposes X: X'X squares the condition number of 15 million."""
    basis, targets = PolynomialBasis(9).fit_transform(X), np.array(T, dtype=float)
    exact = np.array([float(weight) for weight in exact_interpolation([Fraction(t) for t in T])])
    normal = np.linalg.solve(basis.T @ basis, basis.T @ targets)
    assert abs(normal / exact - 1).max() > 1e-5
    assert abs(weights(9, targets) / exact - 1).max() < 1e-8
