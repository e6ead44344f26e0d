"""C2: the posterior of Gaussian discriminant analysis is a logistic function of theta'x, theta in closed form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, softmax

from thresher.learn import GaussianDiscriminant


def clouds(seed: int, n_classes: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.arange(40 * n_classes) % n_classes
    shape = rng.normal(size=(n_features, n_features)) + 2 * np.eye(n_features)
    return rng.normal(size=(n_classes, n_features))[y] * 2 + rng.normal(size=(len(y), n_features)) @ shape, y


@given(seed=st.integers(0, 10**6), n_features=st.integers(1, 8), prior=st.floats(0.01, 0.99))
def test_both_routes_agree_to_ten_digits(seed: int, n_features: int, prior: float) -> None:
    X, y = clouds(seed, 2, n_features)
    fitted = GaussianDiscriminant(class_prior=[1 - prior, prior]).fit(X, y)
    with_constant = np.column_stack([np.ones(len(X)), X])
    logistic = expit(with_constant @ fitted.theta())
    np.testing.assert_allclose(fitted.predict_proba(X)[:, 1], logistic, rtol=0, atol=1e-10)


def test_theta_is_the_closed_form() -> None:
    """It is theta = Sigma^-1 (mu_1 - mu_0); theta_0 = log phi/(1 - phi) - 1/2 (mu_1' Sigma^-1 mu_1 - mu_0' ...)."""
    X, y = clouds(7, 2, 3)
    fitted = GaussianDiscriminant(class_prior=[0.25, 0.75]).fit(X, y)
    mu_0, mu_1 = fitted.means_
    to_0, to_1 = np.linalg.solve(fitted.covariance_, mu_0), np.linalg.solve(fitted.covariance_, mu_1)
    expected = [np.log(3) - 0.5 * (mu_1 @ to_1 - mu_0 @ to_0), *(to_1 - to_0)]
    np.testing.assert_allclose(fitted.theta(), expected, rtol=1e-10, atol=1e-10)


@given(seed=st.integers(0, 10**6), n_classes=st.integers(3, 6))
def test_of_several_classes_it_is_a_softmax(seed: int, n_classes: int) -> None:
    X, y = clouds(seed, n_classes, 4)
    fitted = GaussianDiscriminant().fit(X, y)
    scores = np.column_stack([np.ones(len(X)), X]) @ fitted.theta().T
    np.testing.assert_allclose(fitted.predict_proba(X), softmax(scores, axis=1), rtol=0, atol=1e-10)


def test_the_linear_form_is_theta_with_the_constant_apart() -> None:
    X, y = clouds(1, 2, 3)
    fitted = GaussianDiscriminant().fit(X, y)
    w0, w = fitted.linear_form()
    assert [w0, *w] == pytest.approx(fitted.theta())
    assert np.array_equal(fitted.predict(X), (w0 + X @ w > 0).astype(int))
