"""Gaussian discriminant analysis: each class a normal cloud, all of one shape.

The law of this file: learning adds up weights, means and the scatter about the means, and everything else is a formula
of these; the covariance is factored, never inverted. There is no `forget`: counts of words are whole numbers and come
back to the last bit, these sums are rounded and would keep the rounding of what was taken out.
"""

import warnings
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from thresher.learn._factor import Factor, factor, unwhiten, whiten
from thresher.learn._validation import (
    check_classes,
    check_classes_of_call,
    check_known,
    check_log_prior,
    check_sample_weight,
    check_two_classes_weigh,
)
from thresher.learn.event_models import Floats, decision, log_posterior, prior_where_impossible


class SingularCovarianceWarning(UserWarning):
    """Within the classes, some combination of features never varies, so the clouds are flat and have no density.

    `rank` of the `n_features` directions are left, and the classes are told apart in these alone.
    """

    def __init__(self, rank: int, n_features: int) -> None:
        super().__init__(
            f"the covariance is singular: only {rank} of {n_features} directions vary within the classes, and only "
            "these are used; more examples or fewer features make it regular"
        )
        self.rank = rank
        self.n_features = n_features


class Moments(NamedTuple):
    """Sufficient statistics of C clouds that share a covariance."""

    weight: Floats
    """(C,): examples per class."""
    mean: Floats
    """(C, d); zero for a class without examples."""
    scatter: Floats
    """(d, d): sum over all examples of (x - mu_y)(x - mu_y)'."""


# 002 (4.1.2), C1: mu_c = mean of the x with y = c, Sigma = 1/n sum_i (x_i - mu_y_i)(x_i - mu_y_i)'
def moments(X: Floats, y: NDArray[np.intp], n_classes: int, weights: Floats) -> Moments:
    """Weights, means and scatter of these examples; y is each one's place among the classes."""
    membership = np.zeros((n_classes, len(X)))
    membership[y, np.arange(len(X))] = weights
    weight = membership.sum(axis=1)
    divisor = np.where(weight > 0, weight, 1.0)[:, np.newaxis]
    mean = membership @ X / divisor
    # Once more about the first means: what they lack by rounding, which numbers like years make worth a second look.
    mean += membership @ (X - mean[y]) / divisor
    off = (X - mean[y]) * np.sqrt(weights)[:, np.newaxis]
    return Moments(weight, mean, off.T @ off)


def merged(a: Moments, b: Moments) -> Moments:
    """The moments of both samples together (Chan, Golub, LeVeque 1983); no large squares are subtracted."""
    weight = a.weight + b.weight
    divisor = np.where(weight > 0, weight, 1.0)
    apart = b.mean - a.mean
    mean = a.mean + apart * (b.weight / divisor)[:, np.newaxis]
    between = apart * np.sqrt(a.weight * b.weight / divisor)[:, np.newaxis]
    return Moments(weight, mean, a.scatter + b.scatter + between.T @ between)


# 002 (4.1.1): log p(x; mu, Sigma) = -1/2 (d log 2 pi + log |Sigma| + (x - mu)' Sigma^-1 (x - mu))
def log_density(white: Floats, white_mean: Floats, of: Factor) -> Floats:
    """Log-density of each whitened example under each whitened mean, (N, C)."""
    distance = np.stack([((white - mean) ** 2).sum(axis=1) for mean in white_mean], axis=1)
    return np.asarray(-0.5 * (of.rank * np.log(2.0 * np.pi) + of.log_determinant + distance))


class GaussianDiscriminant(ClassifierMixin, BaseEstimator):
    """Normal distributions with a mean for each class and one covariance for all: linear discriminant analysis.

    Parameters
    ----------
    class_prior : 'learned' from the examples, 'uniform', or one probability per class in sorted order of the classes.

    Fitted: classes_, class_count_ (examples), means_ (per class), covariance_ (by maximum likelihood: divided by N, not
    by N - C), class_log_prior_, coef_ and intercept_ (log-odds of the second class, or one row per class if there are
    more), n_features_in_. A singular covariance raises a SingularCovarianceWarning.

    """

    def __init__(self, *, class_prior: str | ArrayLike = "learned") -> None:
        self.class_prior = class_prior

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn these examples and nothing else: partial_fit from nothing."""
        return self._learn(X, y, None, sample_weight, reset=True)

    def partial_fit(
        self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn these examples too. The first call must name all `classes` there will ever be."""
        known = getattr(self, "classes_", None)
        check_classes_of_call(classes, known)
        return self._learn(X, y, classes, sample_weight, reset=known is None)

    def predict_joint_log_proba(self, X: ArrayLike) -> Floats:
        """Joint log-density log p(x, c) for each example and class; -inf for a class of which no example was seen.

        If the covariance is singular, it is the density in the directions that vary.
        """
        check_is_fitted(self, "means_")
        checked = validate_data(self, X, dtype=np.float64, reset=False)
        white = whiten(self._factor, checked - self._centre)
        return log_density(white, self._white_mean, self._factor) + self._log_prior_of_seen

    def predict_log_proba(self, X: ArrayLike) -> Floats:
        return log_posterior(self.predict_joint_log_proba(X), self.class_log_prior_)[0]

    def predict_proba(self, X: ArrayLike) -> Floats:
        return np.asarray(np.exp(self.predict_log_proba(X)))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        best = self._possible(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def decision_function(self, X: ArrayLike) -> Floats:
        """Log-odds of classes_[1] for two classes, else the joint log-density of each class."""
        return decision(self._possible(X))

    def _possible(self, X: ArrayLike) -> Floats:
        """Joint log-densities; the prior in their place where only classes without an example have one."""
        return prior_where_impossible(self.predict_joint_log_proba(X), self.class_log_prior_)[0]

    # 002 (4.1.3), C2: p(y = 1|x) = 1 / (1 + exp(-theta' x)) with x_0 = 1
    def theta(self) -> Floats:
        """Parameters of the logistic form, constant first, (d + 1,); for more classes of the softmax, (C, d + 1)."""
        check_is_fitted(self, "means_")
        theta = np.column_stack([self.intercept_, self.coef_])
        return theta[0] if len(self.classes_) == 2 else theta  # noqa: PLR2004

    def linear_form(self) -> tuple[float, Floats]:
        """(w0, w): w0 + x . w is the log-odds of classes_[1] against classes_[0]."""
        theta = self.theta()
        if theta.ndim > 1:
            raise ValueError(f"a linear form separates two classes, here are {len(theta)}")
        if not np.isfinite(theta[0]):
            raise ValueError("a class has no example or a prior of zero, so the log-odds are infinite")
        return float(theta[0]), theta[1:]

    def _learn(
        self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None, sample_weight: ArrayLike | None, *, reset: bool
    ) -> Self:
        checked, labels = validate_data(self, X, y, dtype=np.float64, reset=reset)
        check_classification_targets(labels)
        if not reset:
            known = self.classes_
        else:
            known = check_classes(labels, "y") if classes is None else check_classes(classes, "classes")
        weights = check_sample_weight(sample_weight, len(checked))
        learned = moments(checked, check_known(labels, known), len(known), weights)
        if classes is None and reset:
            check_two_classes_weigh(learned.weight)
        self._store(known, learned if reset else merged(self._moments, learned))
        return self

    def _store(self, classes: NDArray[Any], learned: Moments) -> None:
        """Work out all that follows from the moments, then store it."""
        covariance = learned.scatter / learned.weight.sum()
        if not np.isfinite(covariance).all():
            raise ValueError("X holds numbers so large that their squares overflow; scale them down")
        class_log_prior = check_log_prior(self.class_prior, learned.weight)
        factored = factor(covariance)
        if factored.rank < len(covariance):
            warnings.warn(SingularCovarianceWarning(factored.rank, len(covariance)), stacklevel=4)
        centre = learned.weight @ learned.mean / learned.weight.sum()
        self._moments, self._factor, self._centre = learned, factored, centre
        self._white_mean = whiten(factored, learned.mean - centre)
        self._log_prior_of_seen = np.where(learned.weight > 0, class_log_prior, -np.inf)
        self.classes_ = classes
        self.class_count_ = learned.weight
        self.means_ = learned.mean
        self.covariance_ = covariance
        self.class_log_prior_ = class_log_prior
        self._store_theta()

    # C2: theta_c = Sigma^-1 mu_c and theta_c0 = log pi_c - 1/2 mu_c' Sigma^-1 mu_c; for two classes the difference
    def _store_theta(self) -> None:
        coef = unwhiten(self._factor, self._white_mean)
        intercept = self._log_prior_of_seen - 0.5 * (self._white_mean**2).sum(axis=1) - coef @ self._centre
        if len(self.classes_) == 2:  # noqa: PLR2004 -- one sigmoid instead of a softmax of two
            coef, intercept = coef[1:] - coef[:1], intercept[1:] - intercept[:1]
        self.coef_ = coef
        self.intercept_ = intercept
