"""Linear regression by least squares in closed form, plain and regularized: formulas, and Ridge around them.

The law of this file: no matrix is inverted and X'X is never formed. Its condition number is the square of that of X;
on the ten points of the sine example with M = 9 the normal equations err by 1e-3 of the weights, the decomposition of X
by 1e-10 (tests/notes/test_d2_polynomial_basis.py).

N examples in the rows of X, d features in its columns. 001 and 004 are documents of the lecture notes.
"""

import warnings
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from thresher.learn._validation import check_not_negative, check_positive, check_sample_weight
from thresher.learn.event_models import Floats


class SingularDesignWarning(UserWarning):
    """Many weights fit the training data equally well, and the smallest of them were taken.

    `rank` is the number of directions of the weights that the data settle, `n_features` how many there are.
    """

    def __init__(self, rank: int, n_features: int) -> None:
        super().__init__(
            f"X settles {rank} of {n_features} directions of the weights; of all weights that fit equally well the "
            "smallest are taken. lam > 0, fewer features or more examples make them unique"
        )
        self.rank = rank
        self.n_features = n_features


class Design(NamedTuple):
    """X = U S V', its singular value decomposition, without the directions in which X is zero to within rounding."""

    u: Floats
    """(N, rank)"""
    s: Floats
    """(rank,)"""
    vt: Floats
    """(rank, d)"""
    rounding: float
    """What a singular value of zero may come out as."""


def decompose(X: Floats) -> Design:
    """The decomposition from which weights and leverages follow for every lambda at once."""
    u, s, vt = np.linalg.svd(X, full_matrices=False)
    rounding = float(max(X.shape) * np.finfo(np.float64).eps * s.max(initial=0.0))
    kept = s > rounding
    return Design(u[:, kept], s[kept], vt[kept], rounding)


# 004: w = (X'X + lambda I)^-1 X'y, which with X = U S V' is V (S / (S^2 + lambda)) U'y
def ridge_weights(design: Design, y: Floats, lam: float) -> Floats:
    """Weights of ridge regression, (d,) or (d, targets); lambda = 0 gives the smallest of the least-squares ones."""
    shrunk = design.s / (design.s**2 + lam)
    return np.asarray(design.vt.T @ (shrunk * (design.u.T @ y).T).T)


# 004: the predictions on the training examples are H y with H = X (X'X + lambda I)^-1 X' = U (S^2 / (S^2 + lambda)) U'
def leverage(design: Design, lam: float) -> Floats:
    """How much each example pulls its own prediction, the diagonal of H, (N,)."""
    return np.asarray(design.u**2 @ (design.s**2 / (design.s**2 + lam)))


def is_singular(design: Design, lam: float) -> bool:
    """Whether X'X + lambda I has no inverse, or one made of rounding errors."""
    return len(design.s) < design.vt.shape[1] and lam <= design.rounding**2


# 004: the prior N(0, sigma^2) of the weights against noise N(0, sigma0^2) of the targets
def map_lambda(sigma0: float, sigma: float) -> float:
    """The regularization that says the same as the prior: lambda = sigma0^2 / sigma^2."""
    return (check_positive(sigma0, "sigma0") / check_positive(sigma, "sigma")) ** 2


# 004: w = argmax log p(D|w) + log p(w). Both are Gaussian, so is their product, and its mode solves
# (X'X / sigma0^2 + I / sigma^2) w = X'y / sigma0^2
def map_weights(X: Floats, y: Floats, sigma0: float, sigma: float) -> Floats:
    """The most probable weights given the data, from the precision of the posterior.

    Kept beside `ridge_weights` because it is the other derivation of the same number. It forms X'X, so prefer Ridge.
    """
    sigma0, sigma = check_positive(sigma0, "sigma0"), check_positive(sigma, "sigma")
    precision = X.T @ X / sigma0**2 + np.eye(X.shape[1]) / sigma**2
    return np.asarray(cho_solve(cho_factor(precision), X.T @ y / sigma0**2))


class Ridge(RegressorMixin, BaseEstimator):
    """Least squares with lambda times the squared length of the weights added.

    Parameters
    ----------
    lam : lambda >= 0. 0 is plain least squares, infinity makes all weights zero.
    fit_intercept : add a constant that is not regularized. Off, as in document 004, where the constant is a feature
        like any other (the column of ones that PolynomialBasis makes) and shrinks with the rest.

    Fitted: coef_ ((d,), or (targets, d) if y is a matrix), intercept_, rank_ (directions of the weights that X
    settles), n_features_in_.

    """

    def __init__(self, lam: float = 1.0, *, fit_intercept: bool = False) -> None:
        self.lam = lam
        self.fit_intercept = fit_intercept

    @classmethod
    def from_prior(cls, *, sigma0: float, sigma: float, fit_intercept: bool = False) -> Self:
        """The most probable weights under noise of deviation sigma0 and a prior of deviation sigma on each weight."""
        return cls(map_lambda(sigma0, sigma), fit_intercept=fit_intercept)

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Solve for the weights; a SingularDesignWarning if the data and lambda leave some of them open."""
        lam = check_not_negative(self.lam, "lam")
        checked, targets = validate_data(self, X, y, dtype=np.float64, y_numeric=True, multi_output=True)
        weight = check_sample_weight(sample_weight, len(checked))
        x_mean, y_mean = np.zeros(checked.shape[1]), np.zeros(targets.shape[1:])
        if self.fit_intercept:
            x_mean, y_mean = np.average(checked, 0, weight), np.average(targets, 0, weight)
        root = np.sqrt(weight)
        design = decompose((checked - x_mean) * root[:, np.newaxis])
        if is_singular(design, lam):
            warnings.warn(SingularDesignWarning(len(design.s), checked.shape[1]), stacklevel=2)
        self.coef_ = ridge_weights(design, ((targets - y_mean).T * root).T, lam).T
        self.intercept_ = y_mean - self.coef_ @ x_mean
        self.rank_ = len(design.s)
        return self

    def predict(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        checked = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(checked @ self.coef_.T + self.intercept_)

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()  # type: ignore[no-untyped-call]  # scikit-learn ships no types
        tags.target_tags.multi_output = True
        return tags
