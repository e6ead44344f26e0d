"""E3: S-fold and leave-one-out; the best on validation wins and is measured once, on what never saw the choice."""

from typing import Any, Self

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.pipeline import make_pipeline

from thresher.choose import (
    cross_validate,
    leave_one_out,
    nested_cross_validate,
    select,
    train_validation_test,
    validation_curve,
)
from thresher.choose.losses import losses_of
from thresher.learn import MultinomialNaiveBayes, PolynomialBasis, Ridge

Floats = NDArray[np.float64]
LAMBDAS = [10.0**power for power in range(2, -13, -1)]


def sine(n: int, seed: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    X = rng.random((n, 1))
    return X, np.sin(2 * np.pi * X[:, 0]) + 0.3 * rng.normal(size=n)


def ridge(lam: float) -> object:
    return make_pipeline(PolynomialBasis(9), Ridge(lam))


def test_each_part_in_turn_validates_what_the_others_taught() -> None:
    X, y = sine(50, 0)
    run = cross_validate(ridge(1e-3), X, y, folds=5)
    assert np.bincount(run.fold).tolist() == [10] * 5
    assert run.example.tolist() == list(range(50))


def test_leave_one_out_is_as_many_folds_as_examples_without_as_many_fits() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.poisson(1, (40, 8)), np.arange(40) % 2
    closed = leave_one_out(MultinomialNaiveBayes(), X, y, loss="brier")
    folds = cross_validate(MultinomialNaiveBayes(), X, y, folds=40, loss="brier")
    assert closed.losses == pytest.approx(folds.losses, abs=1e-12)
    design = PolynomialBasis(5).fit_transform(sine(40, 1)[0])
    closed, folds = (cross_validate(Ridge(0.1), design, sine(40, 1)[1], folds=how) for how in ("leave-one-out", 40))
    assert closed.losses == pytest.approx(folds.losses, abs=1e-9)


def test_training_loss_would_always_choose_no_regularization_and_validation_loss_does_not() -> None:
    X, y = sine(25, 2)
    curve = validation_curve(make_pipeline(PolynomialBasis(9), Ridge()), "ridge__lam", LAMBDAS, X, y)
    assert curve.train.mean(axis=1).argmin() == len(LAMBDAS) - 1
    assert 0 < curve.choice < len(LAMBDAS) - 1


def test_the_winner_on_the_validation_set_is_measured_once_on_the_test_set() -> None:
    X, y = sine(90, 3)
    split = train_validation_test(X)
    found = select([ridge(lam) for lam in LAMBDAS], X, y, folds=split)
    known = np.concatenate([split.train, split.validation])
    winner = ridge(LAMBDAS[found.choice]).fit(X[known], y[known])  # type: ignore[attr-defined]  # scikit-learn's
    # The noise has a variance of 0.09, and a good choice adds little to it.
    assert 0.05 < losses_of(winner, X[split.test], y[split.test]).mean() < 0.2


class OneFeature(Ridge):
    """Least squares on one of the features."""

    def __init__(self, feature: int = 0) -> None:
        super().__init__(0.0, fit_intercept=True)
        self.feature = feature

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: ANN401 -- scikit-learn's
        return super().fit(X[:, [self.feature]], y, sample_weight)

    def predict(self, X: Any) -> Floats:  # noqa: ANN401 -- scikit-learn's
        return super().predict(X[:, [self.feature]])


def test_the_reported_figure_never_saw_the_choice() -> None:
    """Nothing here predicts y better than its mean does.

    The best of twenty features seems to, but not in the outer folds.
    """
    rng = np.random.default_rng(0)
    own, outer, without = [], [], []
    for _ in range(8):
        X, y = rng.normal(size=(30, 20)), rng.normal(size=30)
        nested = nested_cross_validate([OneFeature(j) for j in range(20)], X, y, outer=3, inner=3)
        own.append(nested.selection.means.min())
        outer.append(nested.outer.mean)
        without.append(y.var(ddof=1))
    assert np.mean(own) < 0.93 * np.mean(without)
    assert np.mean(outer) > np.mean(without)
