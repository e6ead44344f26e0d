"""E5: empirical risk approaches risk as N grows; learning curves with intervals."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from thresher.choose import sine
from thresher.choose.curves import mean_band
from thresher.choose.experiments import empirical_risk_of_one, error_against_size
from thresher.learn import PolynomialBasis, Ridge

CUBIC = make_pipeline(PolynomialBasis(3), Ridge(0.0))
NOISE = 0.09


def test_the_empirical_risk_of_a_fixed_predictor_approaches_its_risk_as_one_over_the_root_of_n() -> None:
    population, rng = sine(), np.random.default_rng(0)
    X = population.draw_x(20, rng)
    fixed = make_pipeline(PolynomialBasis(3), Ridge(0.0)).fit(X, population.draw_y(X, rng))
    found = empirical_risk_of_one(fixed, population, [10, 160, 2560], runs=60)
    band = mean_band(found.empirical, confidence=0.999)
    assert ((band.low < found.risk) & (found.risk < band.high)).all()  # unbiased at any N
    away = np.sqrt(((found.empirical - found.risk) ** 2).mean(axis=1))
    assert away[:-1] / away[1:] == pytest.approx([4, 4], rel=0.35)  # sixteen times the examples


def test_of_what_was_learned_the_training_error_rises_and_the_test_error_falls_to_the_same_risk() -> None:
    found = error_against_size(CUBIC, sine(), [8, 20, 100, 1000], runs=40)
    train, test = mean_band(found.train), mean_band(found.test)
    assert (np.diff(train.mean) > 0).all()
    assert (np.diff(test.mean) < 0).all()
    gap = np.median(found.test - found.train, axis=1)  # eight points now and then leave a cubic far off
    assert gap[0] > 0.05
    assert abs(gap[-1]) < 0.01
    assert train.mean[-1] == pytest.approx(NOISE, rel=0.1)  # and a cubic's own bias


def test_the_intervals_of_a_learning_curve_shrink_as_n_grows() -> None:
    found = error_against_size(CUBIC, sine(), [10, 100, 1000], runs=40)
    width = np.subtract(*mean_band(found.train)[:0:-1])
    assert (np.diff(width) < 0).all()
