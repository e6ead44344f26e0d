"""D1: least mean squares with a feature map; batch and stochastic updates reach the normal equations' answer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from thresher.learn import LeastMeanSquares, PolynomialBasis

Floats = NDArray[np.float64]


def cubic(X: Floats) -> Floats:
    """Document 001 (5.1)."""
    return PolynomialBasis(3).fit_transform(X)


def houses(seed: int, examples: int = 60, noise: float = 0.3) -> tuple[Floats, Floats]:
    """Prices that are a cubic function of the living area, which is measured from its mean."""
    rng = np.random.default_rng(seed)
    area = rng.uniform(-1.5, 1.5, (examples, 1))
    return area, cubic(area) @ [2.0, 1.0, -1.5, 0.5] + noise * rng.normal(size=examples)


def normal_equations(X: Floats, y: Floats) -> Floats:
    features = cubic(X)
    return np.asarray(np.linalg.solve(features.T @ features, features.T @ y))


@pytest.mark.parametrize("update", ["batch", "stochastic"])
def test_the_update_is_that_of_the_notes(update: str) -> None:
    """Two examples and one step by hand, phi(x) = (1, x, x^2, x^3) and theta = 0."""
    X, y = np.array([[1.0], [2.0]]), np.array([3.0, 5.0])
    model = LeastMeanSquares(update=update, rate=0.01, steps=1, feature_map=cubic, random_state=0).fit(X, y)  # type: ignore[arg-type]
    if update == "batch":  # 0.01 (3 (1, 1, 1, 1) + 5 (1, 2, 4, 8))
        assert model.coef_ == pytest.approx([0.08, 0.13, 0.23, 0.43])
        return
    one_first = np.full(4, 0.03)
    one_first += 0.01 * (5 - 0.03 * 15) * np.array([1, 2, 4, 8])
    two_first = 0.05 * np.array([1.0, 2, 4, 8])
    two_first += 0.01 * (3 - 0.05 * 15)
    assert any(model.coef_ == pytest.approx(by_hand) for by_hand in (one_first, two_first))


@given(seed=st.integers(0, 10_000))
def test_batch_steps_reach_the_answer_of_the_normal_equations(seed: int) -> None:
    X, y = houses(seed)
    model = LeastMeanSquares(feature_map=cubic, steps=5000).fit(X, y)
    assert model.coef_ == pytest.approx(normal_equations(X, y), abs=1e-6)


def test_stochastic_steps_come_closer_to_the_answer_of_the_normal_equations_the_more_there_are() -> None:
    X, y = houses(1)
    answer = normal_equations(X, y)
    distances = [
        np.linalg.norm(
            LeastMeanSquares(update="stochastic", steps=steps, feature_map=cubic, random_state=3).fit(X, y).coef_
            - answer
        )
        for steps in (5, 50, 500)
    ]
    assert distances[0] > 3 * distances[1] > 9 * distances[2]
    assert distances[2] < 0.01


def test_without_noise_stochastic_steps_of_constant_length_reach_it_too() -> None:
    X, y = houses(2, noise=0)
    model = LeastMeanSquares(update="stochastic", decay=0, feature_map=cubic, random_state=3).fit(X, y)
    assert model.coef_ == pytest.approx([2, 1, -1.5, 0.5], abs=1e-6)


def test_each_batch_step_lowers_the_error() -> None:
    X, y = houses(3)
    model = LeastMeanSquares(feature_map=cubic)
    errors = [((y - model.partial_fit(X, y).predict(X)) ** 2).sum() for _ in range(30)]
    assert errors == sorted(errors, reverse=True)
