"""E4: variance + bias^2 + noise is the risk, exactly for ridge, else within standard errors; the bias has two parts."""

import numpy as np
import pytest
from sklearn.pipeline import Pipeline

from thresher.choose import (
    BiasVariance,
    NoisyFunction,
    bias_variance,
    bootstrap_bias_variance,
    near_duplicates,
    ridge_bias_variance,
    sine,
)
from thresher.choose.populations import standard_normal
from thresher.demo import messages
from thresher.learn import BernoulliNaiveBayes, PolynomialBasis, Ridge
from thresher.learn.hashing import Hasher
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize
from thresher.values import Label

CHANCE = 4.0
"""Standard errors: chance exceeds them once in 16,000 times."""


def ridge(lam: float, degree: int = 9) -> Pipeline:
    return Pipeline([("basis", PolynomialBasis(degree)), ("ridge", Ridge(lam))])


def agrees(found: BiasVariance) -> bool:
    return abs(found.gap.value) < CHANCE * found.gap.standard_error


@pytest.mark.parametrize("lam", [1e-6, 1e-3, 1.0])
def test_over_drawn_data_sets_the_three_terms_sum_to_the_measured_risk(lam: float) -> None:
    found = bias_variance(ridge(lam), sine(), 20, best=ridge(0), data_sets=200)
    assert agrees(found)
    assert found.noise.value == pytest.approx(0.09)


def test_for_ridge_on_a_linear_model_the_exact_terms_are_what_draws_come_to() -> None:
    population = NoisyFunction(lambda X: np.asarray(X @ [1.0, -2.0, 0.5]), 1.0, standard_normal(3))
    rng = np.random.default_rng(0)
    design, points = population.draw_x(15, rng), population.draw_x(200, rng)
    for lam in (0.0, 2.0, 20.0):
        exact = ridge_bias_variance(
            design, population.mean(design), 1.0, [lam], points=points, points_mean=population.mean(points)
        )
        drawn = bias_variance(Ridge(lam), population, 15, design=design, points=points, data_sets=300, best=Ridge(0))
        for name in ("variance", "bias_squared", "noise", "risk", "estimation_bias"):
            term = getattr(drawn, name)
            assert abs(term.value - getattr(exact, name)[0]) <= CHANCE * term.standard_error + 1e-12, (lam, name)
        assert exact.model_bias[0] == pytest.approx(0, abs=1e-12)  # the truth is linear


def test_the_bias_is_the_models_own_and_that_of_its_estimation() -> None:
    """A cubic cannot be the sine: its model bias stays. Without a penalty, on its own inputs, it has no other."""
    x = np.linspace(0, 1, 30)[:, np.newaxis]
    design = PolynomialBasis(3).fit_transform(x)
    exact = ridge_bias_variance(design, sine().mean(x), 0.3, [0, 1e-4, 1e-2, 1, 100])
    assert exact.model_bias + exact.estimation_bias == pytest.approx(exact.bias_squared)
    assert exact.estimation_bias[0] == pytest.approx(0, abs=1e-12)
    assert (np.diff(exact.estimation_bias) > 0).all()
    assert (exact.model_bias == exact.model_bias[0]).all()
    assert exact.model_bias[0] > 0.001


def test_drawn_data_sets_part_the_bias_in_the_same_way() -> None:
    found = bias_variance(ridge(1e-2, 3), sine(), 20, best=ridge(0, 3), data_sets=400)
    assert found.model_bias is not None
    assert found.estimation_bias is not None
    parts = found.model_bias.value + found.estimation_bias.value
    errors = found.bias_squared.standard_error + found.estimation_bias.standard_error
    assert abs(parts - found.bias_squared.value) < CHANCE * errors


def test_a_penalty_trades_variance_for_bias_and_somewhere_between_the_risk_is_least() -> None:
    x = np.linspace(0, 1, 10)[:, np.newaxis]
    at = np.linspace(0, 1, 200)[:, np.newaxis]
    basis = PolynomialBasis(9).fit(x)
    lams = np.logspace(-12, 3, 40)
    exact = ridge_bias_variance(
        basis.transform(x), sine().mean(x), 0.3, lams, points=basis.transform(at), points_mean=sine().mean(at)
    )
    assert (np.diff(exact.variance) < 0).all()
    assert exact.bias_squared[-1] > exact.bias_squared[0]
    assert 0 < exact.risk.argmin() < len(lams) - 1
    assert (exact.noise == 0.09).all()  # whatever the model


def test_on_mail_the_terms_of_the_brier_score_sum_to_it_and_near_duplicates_are_one_piece_of_evidence() -> None:
    """Naive Bayes on made-up mail, which one data set must do for."""
    made = list(messages(400, seed=11))
    features = Hasher(10).features([tokenize(parse(message.raw)) for message in made])
    X = np.zeros((400, 1 << 10))
    X[np.repeat(np.arange(400), np.diff(features.offsets)), features.slots] = 1
    y = [message.label is Label.SPAM for message in made]
    found = bootstrap_bias_variance(
        BernoulliNaiveBayes(), X, y, resamples=30, groups=near_duplicates(features, 0.6).groups
    )
    assert agrees(found)
    assert 0.005 < found.risk.value < 0.2
    assert found.variance.value > 0
    assert found.total == pytest.approx(found.risk.value, abs=CHANCE * found.gap.standard_error)
