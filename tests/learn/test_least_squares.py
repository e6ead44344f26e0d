"""Ridge and the polynomial basis: oracles, invariances, and what they refuse."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.preprocessing import PolynomialFeatures
from statsmodels.regression.linear_model import OLS

from thresher.learn import PolynomialBasis, Ridge
from thresher.learn.least_squares import decompose, leverage

Floats = NDArray[np.float64]

RNG = np.random.default_rng(12)
X = RNG.normal(size=(40, 5)) + 1
Y = X @ RNG.normal(size=5) + RNG.normal(size=40)
WEIGHT = RNG.integers(0, 4, 40).astype(float)


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("weight", [None, WEIGHT])
@pytest.mark.parametrize("lam", [0.0, 1e-3, 1.0, 50.0])
def test_ridge_equals_that_of_scikit_learn(
    lam: float,
    weight: Floats | None,
    fit_intercept: bool,  # noqa: FBT001 -- pytest passes it by name
) -> None:
    targets = np.column_stack([Y, -2 * Y + X[:, 0]])
    our = Ridge(lam, fit_intercept=fit_intercept).fit(X, targets, weight)
    their = TheirRidge(lam, fit_intercept=fit_intercept, solver="svd").fit(X, targets, weight)
    np.testing.assert_allclose(our.coef_, their.coef_, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(our.intercept_, their.intercept_, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(our.predict(X), their.predict(X), rtol=1e-10)


def test_without_regularization_it_is_the_least_squares_of_statsmodels() -> None:
    np.testing.assert_allclose(Ridge(0).fit(X, Y).coef_, OLS(Y, X).fit().params, rtol=1e-10)


def test_more_features_than_examples_are_fitted_with_regularization() -> None:
    wide = RNG.normal(size=(5, 40))
    np.testing.assert_allclose(
        Ridge(0.5).fit(wide, Y[:5]).coef_, TheirRidge(0.5, fit_intercept=False).fit(wide, Y[:5]).coef_, rtol=1e-9
    )


@given(order=st.permutations(range(40)))
def test_the_order_of_the_examples_does_not_matter(order: list[int]) -> None:
    assert Ridge(0.3).fit(X[order], Y[order]).coef_ == pytest.approx(Ridge(0.3).fit(X, Y).coef_, rel=1e-10)


@given(times=arrays(np.int64, 40, elements=st.integers(0, 3)).filter(np.any))
def test_a_weight_of_three_is_an_example_seen_three_times(times: NDArray[np.int64]) -> None:
    weighted = Ridge(0.3, fit_intercept=True).fit(X, Y, times)
    repeated = Ridge(0.3, fit_intercept=True).fit(np.repeat(X, times, axis=0), np.repeat(Y, times))
    assert weighted.coef_ == pytest.approx(repeated.coef_, rel=1e-8, abs=1e-8)
    assert weighted.intercept_ == pytest.approx(repeated.intercept_, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("lam", [0.0, 0.3, 7.0])
def test_the_leverage_is_what_a_prediction_changes_by_when_its_target_does(lam: float) -> None:
    fitted, moved = Ridge(lam).fit(X, Y), Y.copy()
    moved[7] += 1
    change = Ridge(lam).fit(X, moved).predict(X)[7] - fitted.predict(X)[7]
    assert leverage(decompose(X), lam)[7] == pytest.approx(change)


@pytest.mark.parametrize("n_features", [1, 2, 3])
@pytest.mark.parametrize("degree", [0, 1, 2, 4])
def test_the_basis_has_the_columns_and_the_names_of_scikit_learns(degree: int, n_features: int) -> None:
    ours, theirs = PolynomialBasis(degree), PolynomialFeatures(degree)
    np.testing.assert_allclose(ours.fit_transform(X[:, :n_features]), theirs.fit_transform(X[:, :n_features]))
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()


def test_repeated_products_have_a_column_and_a_name_each() -> None:
    basis = PolynomialBasis(3, repeated=True).fit([[2.0, 3.0]])
    assert basis.n_output_features_ == 1 + 2 + 4 + 8
    names = basis.get_feature_names_out(["a", "b"]).tolist()
    assert names[:8] == ["1", "a", "b", "a^2", "a b", "b a", "b^2", "a^3"]
    assert len(set(names)) == 15
    assert basis.transform([[2.0, 3.0]])[0, :8].tolist() == [1, 2, 3, 4, 6, 6, 9, 8]


REFUSED: list[tuple[Any, tuple[Any, ...], str]] = [
    (Ridge(-1), (X, Y), "lam must be a number of at least 0, got -1"),
    (Ridge(float("nan")), (X, Y), "lam must be a number of at least 0, got nan"),
    (Ridge([1, 2]), (X, Y), r"lam must be a number of at least 0, got \[1, 2\]"),  # type: ignore[arg-type]
    (Ridge("much"), (X, Y), "lam must hold numbers, got 'much'"),  # type: ignore[arg-type]
    (Ridge(), (X * np.nan, Y), "Input X contains NaN"),
    (Ridge(), (X, np.append(Y[1:], np.inf)), "Input y contains infinity"),
    (Ridge(), (X, Y[:3]), "inconsistent numbers of samples"),
    (Ridge(), (X, Y, -WEIGHT), "sample_weight must be finite and at least 0"),
    (PolynomialBasis(-1), (X,), "degree must be a whole number of at least 0, got -1"),
    (PolynomialBasis(1.5), (X,), "degree must be a whole number of at least 0, got 1.5"),  # type: ignore[arg-type]
    (PolynomialBasis(True), (X,), "degree must be a whole number"),  # noqa: FBT003
    (PolynomialBasis(3, repeated=True), (np.ones((1, 1000)),), "would make 1,001,001,001 columns.*KernelLMS"),
    (PolynomialBasis(40), (X,), "degree=40 on 5 features would make 1,221,759 columns"),
]


@pytest.mark.parametrize(("estimator", "data", "message"), REFUSED)
def test_bad_input_is_refused_by_name(estimator: Ridge | PolynomialBasis, data: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        estimator.fit(*data)


@pytest.mark.parametrize(("sigma0", "sigma", "name"), [(0, 1, "sigma0"), (1, 0, "sigma"), (-1, 1, "sigma0")])
def test_a_deviation_that_is_not_above_zero_is_refused_by_name(sigma0: float, sigma: float, name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be a finite number above 0"):
        Ridge.from_prior(sigma0=sigma0, sigma=sigma)
