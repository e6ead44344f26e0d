"""D4: kernel LMS is least mean squares over features that are never made."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import r2_score

from thresher.learn import KernelLMS, LeastMeanSquares, MonomialKernel, PolynomialBasis
from thresher.learn.kernel_machine import kernel_step
from thresher.learn.least_mean_squares import batch_step

Floats = NDArray[np.float64]


def cubic(X: Floats) -> Floats:
    """Document 001 (5.5): all products of up to three attributes, with repetitions."""
    return PolynomialBasis(3, repeated=True).fit_transform(X)


@given(seed=st.integers(0, 10_000), d=st.integers(1, 5), rate=st.floats(1e-5, 1e-3))
def test_step_by_step_it_has_the_weights_of_the_explicit_cubic_map(seed: int, d: int, rate: float) -> None:
    """At every step theta = sum_i beta_i phi(x_i), (5.6), and predictions at new points are the same, (5.12)."""
    rng = np.random.default_rng(seed)
    X, y, new = rng.uniform(-1, 1, (12, d)), rng.normal(size=12), rng.uniform(-1, 1, (4, d))
    features, K = cubic(X), MonomialKernel(3)(X, X)
    theta, beta = np.zeros(features.shape[1]), np.zeros(12)
    for _ in range(20):
        theta, beta = batch_step(theta, features, y, rate), kernel_step(beta, K, y, rate)
        assert theta == pytest.approx(features.T @ beta, rel=1e-9, abs=1e-12)
        assert cubic(new) @ theta == pytest.approx(MonomialKernel(3)(new, X) @ beta, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("steps", [1, 2, 10, 100])
def test_the_estimators_predict_the_same_after_any_number_of_steps(steps: int) -> None:
    rng = np.random.default_rng(8)
    X, new = rng.uniform(-1, 1, (30, 4)), rng.uniform(-1, 1, (10, 4))
    y = X[:, 0] * X[:, 1] - X[:, 2] ** 3
    explicit = LeastMeanSquares(feature_map=cubic, rate=0.002, steps=steps).fit(X, y)
    kernel = KernelLMS(MonomialKernel(3), rate=0.002, steps=steps).fit(X, y)
    assert len(explicit.coef_) == 1 + 4 + 16 + 64
    assert len(kernel.dual_coef_) == 30
    assert kernel.predict(new) == pytest.approx(explicit.predict(new), rel=1e-9)


def test_a_thousand_attributes_need_no_feature_although_there_are_a_billion() -> None:
    """And the answer is right: after T steps the training error is (I - alpha K)^T y."""
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(200, 1000)), rng.normal(size=200)
    with pytest.raises(ValueError, match="1,001,001,001 columns"):
        cubic(X)
    model = KernelLMS(MonomialKernel(3), rate=5e-10, steps=50).fit(X, y)
    values, vectors = np.linalg.eigh(MonomialKernel(3)(X, X))
    error = vectors @ ((1 - 5e-10 * values) ** 50 * (vectors.T @ y))
    assert y - model.predict(X) == pytest.approx(error, rel=1e-6, abs=1e-9)
    assert np.linalg.norm(error) < 1e-3 * np.linalg.norm(y)


def test_it_learns_a_product_that_no_linear_function_shows() -> None:
    rng = np.random.default_rng(10)
    X, new = rng.uniform(-1, 1, (200, 3)), rng.uniform(-1, 1, (100, 3))
    linear = LeastMeanSquares().fit(X, X[:, 0] * X[:, 1] * X[:, 2])
    model = KernelLMS(steps=20_000).fit(X, X[:, 0] * X[:, 1] * X[:, 2])
    assert r2_score(new.prod(axis=1), linear.predict(new)) < 0.1
    assert r2_score(new.prod(axis=1), model.predict(new)) > 0.99
