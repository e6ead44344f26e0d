"""Linear regression by small steps against the error, the least-mean-squares rule, over features of one's choice.

The law of this file: a step is a formula, and the estimator only repeats it. What a call changes is worked out in full
before any of it is stored.

N examples, p features phi(x) of each. 001 is a document of the lecture notes; equation numbers are its own.
"""

from collections.abc import Callable, Iterable
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from thresher.learn._validation import check_count, check_not_negative, check_positive
from thresher.learn.event_models import Floats

FeatureMap = Callable[[Floats], Floats]


# 001 (5.3): theta := theta + alpha sum_i (y_i - theta . phi(x_i)) phi(x_i)
def batch_step(theta: Floats, features: Floats, y: Floats, rate: float) -> Floats:
    """One step against the error of all examples."""
    return np.asarray(theta + rate * (y - features @ theta) @ features)


# 001 (5.4): theta := theta + alpha (y_i - theta . phi(x_i)) phi(x_i)
def stochastic_steps(theta: Floats, features: Floats, y: Floats, rate: float, order: Iterable[int]) -> Floats:
    """One step against the error of each example in turn."""
    for i in order:
        theta = theta + rate * (y[i] - features[i] @ theta) * features[i]
    return theta


# theta - theta* is multiplied by I - alpha F'F in each batch step, F holding the features of all examples, and by
# I - alpha phi phi' in each stochastic one: no direction grows if alpha times the largest eigenvalue is below 2.
def largest_rate(features: Floats, update: str) -> float:
    """The rate above which steps overshoot by more than they correct; infinite if all features are zero."""
    largest = np.linalg.norm(features, 2) ** 2 if update == "batch" else (features**2).sum(axis=1).max()
    return float(2 / largest) if largest else np.inf


class LeastMeanSquares(RegressorMixin, BaseEstimator):
    """A linear function of features phi(x), learned by the least-mean-squares rule.

    Parameters
    ----------
    update : 'batch' (each step sees all examples) or 'stochastic' (each step sees one, all of them in random order).
    rate : alpha, the length of a step; None takes half of the largest that cannot diverge.
    steps : batch steps, or passes over the examples.
    decay : the rate of a stochastic pass is rate / (1 + decay * number of passes before). 0 keeps it as it is, and then
        the weights end up near the least-squares ones but go on moving, unless these fit every example exactly.
    feature_map : phi, from an array of examples to one of their features, a row each; None takes the examples as they
        are. There is no intercept: a feature that is always 1 is one, as PolynomialBasis makes it.
    random_state : of the order of the examples.

    Fitted: coef_ (theta), n_iter_ (steps or passes taken), n_features_in_.

    """

    coef_: Floats
    n_iter_: int
    _random: np.random.RandomState

    def __init__(
        self,
        *,
        update: Literal["batch", "stochastic"] = "batch",
        rate: float | None = None,
        steps: int = 1000,
        decay: float = 0.1,
        feature_map: FeatureMap | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.update = update
        self.rate = rate
        self.steps = steps
        self.decay = decay
        self.feature_map = feature_map
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Take `steps` steps from weights of zero."""
        return self._learn(X, y, check_count(self.steps, "steps", 1), reset=True)

    def partial_fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Take one more step, or pass, over these examples, which need not be those before."""
        return self._learn(X, y, 1, reset=not hasattr(self, "coef_"))

    def predict(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        checked = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(self._features(checked) @ self.coef_)

    def _learn(self, X: ArrayLike, y: ArrayLike, steps: int, *, reset: bool) -> Self:
        if self.update not in {"batch", "stochastic"}:
            raise ValueError(f"update must be 'batch' or 'stochastic', got {self.update!r}")
        rate = None if self.rate is None else check_positive(self.rate, "rate")
        decay = check_not_negative(self.decay, "decay")
        checked, targets = validate_data(self, X, y, dtype=np.float64, y_numeric=True, reset=reset)
        features = self._features(checked)
        if rate is None:
            largest = largest_rate(features, self.update)
            rate = largest / 2 if largest < np.inf else 1.0
        if reset:
            start, done, random = np.zeros(features.shape[1]), 0, check_random_state(self.random_state)
        else:
            start, done, random = self.coef_, self.n_iter_, self._random
        theta = start
        with np.errstate(over="ignore", invalid="ignore"):  # said below, in words
            for step in range(done, done + steps):
                if self.update == "batch":
                    theta = batch_step(theta, features, targets, rate)
                else:
                    order = random.permutation(len(targets))
                    theta = stochastic_steps(theta, features, targets, rate / (1 + decay * step), order)
        self._check_progress(features, targets, start, theta, rate)
        self.coef_, self.n_iter_, self._random = theta, done + steps, random
        return self

    def _features(self, X: Floats) -> Floats:
        if self.feature_map is None:
            return X
        features = np.asarray(self.feature_map(X), dtype=np.float64)
        if features.ndim != 2 or len(features) != len(X):  # noqa: PLR2004 -- a matrix
            raise ValueError(f"feature_map must give one row for each of {len(X)} examples, got shape {features.shape}")
        if not np.isfinite(features).all():
            raise ValueError("feature_map must give finite numbers, got NaN or infinity")
        return features

    def _check_progress(self, features: Floats, y: Floats, start: Floats, theta: Floats, rate: float) -> None:
        """A ValueError if the steps led away: the error has grown and the rate is above the largest that cannot."""
        with np.errstate(over="ignore", invalid="ignore"):
            errors = [((y - features @ weights) ** 2).sum() for weights in (start, theta)]
        if errors[1] <= errors[0]:
            return
        limit = largest_rate(features, self.update)
        if rate > limit or not np.isfinite(theta).all():
            raise ValueError(f"rate={rate:g} makes the error grow with every step: use less than {limit:g}, or None")
