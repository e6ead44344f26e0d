"""D3: ridge regression in closed form and as the most probable weights, and its two limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from thresher.learn import PolynomialBasis, Ridge, SingularDesignWarning
from thresher.learn.least_squares import map_weights

Floats = NDArray[np.float64]

numbers = st.floats(-10, 10).map(lambda number: round(number, 3))
designs = arrays(np.float64, (8, 3), elements=numbers)
targets = arrays(np.float64, 8, elements=numbers)
deviations = st.floats(0.1, 10)


def log_posterior(w: Floats, X: Floats, y: Floats, sigma0: float, sigma: float) -> float:
    """Document 004: log p(D|w) p(w) up to a constant."""
    return float(-((X @ w - y) ** 2).sum() / (2 * sigma0**2) - (w**2).sum() / (2 * sigma**2))


@given(X=designs, y=targets, lam=st.floats(1e-3, 1e3))
def test_the_weights_are_those_of_the_closed_form(X: Floats, y: Floats, lam: float) -> None:
    closed = np.linalg.solve(X.T @ X + lam * np.eye(3), X.T @ y)
    assert Ridge(lam).fit(X, y).coef_ == pytest.approx(closed, rel=1e-6, abs=1e-6)


@given(X=designs, y=targets, sigma0=deviations, sigma=deviations)
def test_the_most_probable_weights_are_those_of_ridge_with_lambda_sigma0_squared_over_sigma_squared(
    X: Floats, y: Floats, sigma0: float, sigma: float
) -> None:
    ridge = Ridge.from_prior(sigma0=sigma0, sigma=sigma).fit(X, y)
    assert ridge.lam == pytest.approx(sigma0**2 / sigma**2)
    assert ridge.coef_ == pytest.approx(map_weights(X, y, sigma0, sigma), rel=1e-6, abs=1e-6)


@given(X=designs, y=targets, sigma0=deviations, sigma=deviations, step=arrays(np.float64, 3, elements=numbers))
def test_no_other_weights_are_more_probable(X: Floats, y: Floats, sigma0: float, sigma: float, step: Floats) -> None:
    best = Ridge.from_prior(sigma0=sigma0, sigma=sigma).fit(X, y).coef_
    most = log_posterior(best, X, y, sigma0, sigma)
    assert most >= log_posterior(best + step, X, y, sigma0, sigma) - 1e-9 * (1 + abs(most))


RNG = np.random.default_rng(4)
X = RNG.normal(size=(30, 4))
Y = X @ [3.0, -2.0, 0.5, 1.0] + RNG.normal(size=30)


def test_when_lambda_grows_the_weights_go_to_zero_and_at_infinity_they_are() -> None:
    lengths = [float(np.linalg.norm(Ridge(lam).fit(X, Y).coef_)) for lam in (0, 0.01, 1, 20, 1e3, 1e6)]
    assert lengths == sorted(lengths, reverse=True)
    assert np.linalg.norm(Ridge(1e12).fit(X, Y).coef_) < 1e-9
    assert Ridge(np.inf).fit(X, Y).coef_.tolist() == [0, 0, 0, 0]


def test_when_lambda_goes_to_zero_the_weights_go_to_least_squares() -> None:
    least_squares = np.linalg.lstsq(X, Y, rcond=None)[0]
    distances = [abs(Ridge(lam).fit(X, Y).coef_ - least_squares).max() for lam in (1, 1e-2, 1e-4, 1e-6)]
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < 1e-6
    assert Ridge(0).fit(X, Y).coef_ == pytest.approx(least_squares, rel=1e-12)


def test_the_third_feature_of_three_that_repeat_one_another_gets_its_share_and_the_user_is_told() -> None:
    """The example of document 004 draws w0 + 2 w2 and w1: its third column is twice the first."""
    repeating = np.column_stack([X[:, 0], X[:, 1], 2 * X[:, 0]])
    with pytest.warns(SingularDesignWarning, match="X settles 2 of 3 directions") as caught:
        fitted = Ridge(0).fit(repeating, Y)
    reason = caught[0].message
    assert isinstance(reason, SingularDesignWarning)
    assert (reason.rank, reason.n_features) == (2, 3)
    assert fitted.coef_[2] == pytest.approx(2 * fitted.coef_[0]), "the smallest weights share by the columns' size"
    both = np.array([fitted.coef_[0] + 2 * fitted.coef_[2], fitted.coef_[1]])
    assert both == pytest.approx(np.linalg.lstsq(X[:, :2], Y, rcond=None)[0])


@pytest.mark.parametrize("lam", [0.01, 0.1, 1.0, 20.0])
def test_with_lambda_above_zero_a_singular_design_has_one_answer_and_no_warning(lam: float) -> None:
    repeating = np.column_stack([X[:, 0], X[:, 1], 2 * X[:, 0]])
    closed = np.linalg.solve(repeating.T @ repeating + lam * np.eye(3), repeating.T @ Y)
    assert Ridge(lam).fit(repeating, Y).coef_ == pytest.approx(closed)


@pytest.mark.parametrize("lam", [1e-300, 1e-40])
def test_a_lambda_below_the_rounding_of_the_data_neither_explodes_nor_hides(lam: float) -> None:
    repeating = np.column_stack([X, X @ [1.0, -1.0, 2.0, 0.1]])
    with pytest.warns(SingularDesignWarning):
        fitted = Ridge(lam).fit(repeating, Y)
    assert abs(fitted.coef_).max() < 10
    assert fitted.predict(repeating) == pytest.approx(Ridge(0).fit(X, Y).predict(X))


def test_regularized_weights_of_high_powers_are_small() -> None:
    """The sine example again: with M = 9 the largest weight of least squares is a million."""
    points = np.arange(10)[:, np.newaxis] / 9
    basis = PolynomialBasis(9).fit_transform(points)
    wave = np.sin(2 * np.pi * points[:, 0]) + 0.3 * np.random.default_rng(0).normal(size=10)
    assert abs(Ridge(0).fit(basis, wave).coef_).max() > 1e4
    assert abs(Ridge(1e-3).fit(basis, wave).coef_).max() < 20
