"""Curves against a setting and against the number of examples: scikit-learn's values, whole groups, honest bands."""

from typing import Any, Self

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.model_selection import validation_curve as their_validation_curve
from sklearn.pipeline import make_pipeline

from thresher.choose import SFold, learning_curve, validation_curve
from thresher.choose.curves import mean_band, spread
from thresher.learn import BernoulliNaiveBayes, PolynomialBasis, Ridge

Floats = NDArray[np.float64]


def sine(n: int = 60) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(0)
    X = rng.random((n, 1))
    return X, np.sin(2 * np.pi * X[:, 0]) + 0.3 * rng.normal(size=n)


def test_the_validation_curve_is_scikit_learns() -> None:
    X, y = sine()
    model = make_pipeline(PolynomialBasis(3), Ridge())
    lams = [10.0, 0.1, 0.001]
    ours = validation_curve(model, "ridge__lam", lams, X, y, folds=4)
    train, validation = their_validation_curve(
        model, X, y, param_name="ridge__lam", param_range=lams, cv=SFold(4), scoring="neg_mean_squared_error"
    )
    assert ours.train == pytest.approx(-train, abs=1e-12)
    assert ours.validation == pytest.approx(-validation, abs=1e-12)
    assert ours.chosen == lams[int((-validation).mean(axis=1).argmin())]


def test_leave_one_out_makes_a_curve_of_one_column_per_example() -> None:
    X, y = sine(20)
    curve = validation_curve(Ridge(), "lam", [1.0, 0.1], X, y, folds="leave-one-out")
    assert curve.validation.shape == (2, 20)
    assert np.isnan(curve.train).all()


def test_the_estimator_given_is_left_as_it_is() -> None:
    X, y = sine()
    model = Ridge(5.0)
    validation_curve(model, "lam", [1.0, 0.1], X, y)
    learning_curve(model, X, y, [5], repeats=2)
    assert model.lam == 5.0
    assert not hasattr(model, "coef_")


class Strangers(Ridge):
    """Its only feature is the group; it refuses to be asked about a group it has learned, but for its own examples."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: ANN401 -- scikit-learn's
        self.seen_ = X[:, 0]
        return super().fit(X, y, sample_weight)

    def predict(self, X: Any) -> Floats:  # noqa: ANN401 -- scikit-learn's
        assert np.array_equal(X[:, 0], self.seen_) or not set(X[:, 0].tolist()) & set(self.seen_.tolist())
        return super().predict(X)


def test_what_is_held_out_shares_no_group_with_what_is_learned() -> None:
    groups = np.arange(60) // 4
    curve = learning_curve(
        Strangers(), groups[:, np.newaxis], np.linspace(0, 1, 60), [5, 40], repeats=10, groups=groups
    )
    assert curve.train.shape == curve.test.shape == (2, 10)


def test_any_beginning_has_the_classes_in_their_shares() -> None:
    rng = np.random.default_rng(0)
    y = rng.permutation(np.repeat([0, 1], [160, 40]))
    seen = []

    class Shares(BernoulliNaiveBayes):
        def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:  # noqa: ANN401 -- scikit-learn's
            seen.append((len(y), int(np.sum(y))))
            return super().fit(X, y, sample_weight)

    learning_curve(Shares(), rng.integers(0, 2, (200, 3)), y, [10, 25, 100], repeats=5)
    assert all(abs(spam - size / 5) <= 1 for size, spam in seen)


def test_the_draws_follow_from_the_seed_and_repeats_differ() -> None:
    X, y = sine()
    one, same, other = (learning_curve(Ridge(), X, y, [10], repeats=3, random_state=seed) for seed in (0, 0, 1))
    assert np.array_equal(one.test, same.test)
    assert not np.array_equal(one.test, other.test)
    assert len(set(one.test[0].tolist())) == 3


def test_bands_hold_what_they_say() -> None:
    """Of 1,000 means of 40 draws each, 95 in a hundred intervals hold the truth; of the draws themselves 90 do."""
    runs = np.random.default_rng(0).normal(3, 2, (1000, 40))
    band = mean_band(runs)
    assert 0.92 < np.mean((band.low <= 3) & (band.high >= 3)) < 0.97
    wide = spread(runs, 0.9)
    inside = (runs >= wide.low[:, np.newaxis]) & (runs <= wide.high[:, np.newaxis])
    assert inside.mean() == pytest.approx(0.9, abs=0.02)
    assert np.array_equal(wide.mean, band.mean)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"sizes": [100]}, "sizes must lie between 1 and 42, what test=0.3 leaves"),
        ({"sizes": [0]}, "sizes must lie between 1 and 42"),
        ({"test": 1.0}, "test must be a share"),
        ({"repeats": 0}, "repeats must be at least 1"),
    ],
)
def test_a_learning_curve_that_cannot_be_is_refused(arguments: dict[str, Any], said: str) -> None:
    X, y = sine()
    with pytest.raises(ValueError, match=said):
        learning_curve(Ridge(), X, y, **({"sizes": [10]} | arguments))


def test_a_setting_the_estimator_has_not_is_refused_with_those_it_has() -> None:
    X, y = sine()
    with pytest.raises(ValueError, match="setting must be one of fit_intercept, lam, got 'alpha'"):
        validation_curve(Ridge(), "alpha", [1], X, y)
    with pytest.raises(ValueError, match="runs must have at least two columns"):
        mean_band(np.ones((3, 1)))
    with pytest.raises(ValueError, match="confidence must be between 0 and 1"):
        spread(np.ones((3, 2)), 95)
