"""Least mean squares in a kernel's feature space, which may have more dimensions than could ever be stored.

The law of this file: the weights of the features are a sum of the training examples' features, theta = sum_i beta_i
phi(x_i); beta is all that is kept, and features meet only in the kernel.

001 is a document of the lecture notes; equation numbers are its own.
"""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data

from thresher.learn._validation import check_count, check_positive
from thresher.learn.event_models import Floats
from thresher.learn.kernels import MonomialKernel, check_mercer
from thresher.learn.spectrum import Strings, is_strings

Kernel = Callable[[Any, Any], Floats]


# 001 (5.11): beta := beta + alpha (y - K beta)
def kernel_step(beta: Floats, kernel_matrix: Floats, y: Floats, rate: float) -> Floats:
    """The batch step of least mean squares, in the examples' shares of the weights."""
    return np.asarray(beta + rate * (y - kernel_matrix @ beta))


class KernelLMS(RegressorMixin, BaseEstimator):
    """A linear function of a kernel's features, learned by the least-mean-squares rule without making them.

    Parameters
    ----------
    kernel : a function of two collections of examples that returns the matrix of K(x, z), such as those of
        thresher.learn.kernels; None is MonomialKernel(3). A kernel of strings takes sequences of str or of bytes.
    rate : alpha, the length of a step; None takes one that cannot diverge: 1 / the largest sum of |K| in a row.
    steps : how many batch steps to take.

    Fitted: dual_coef_ (beta), X_fit_ (the training examples), n_iter_, n_features_in_ (not for strings).

    """

    def __init__(self, kernel: Kernel | None = None, *, rate: float | None = None, steps: int = 1000) -> None:
        self.kernel = kernel
        self.rate = rate
        self.steps = steps

    def fit(self, X: ArrayLike | Strings, y: ArrayLike) -> Self:
        """Take `steps` steps from weights of zero; a MercerError if the kernel is none on these examples."""
        steps = check_count(self.steps, "steps", 1)
        rate = None if self.rate is None else check_positive(self.rate, "rate")
        examples, targets = self._examples_and_targets(X, y)
        K = self._kernel_matrix(examples, examples)
        check_mercer(K, "the kernel matrix of X")
        if rate is None:
            largest = np.abs(K).sum(axis=1).max()  # at least the largest eigenvalue
            rate = 1.0 / largest if largest else 1.0
        beta = np.zeros(len(K))
        with np.errstate(over="ignore", invalid="ignore"):  # said below, in words
            for _ in range(steps):
                beta = kernel_step(beta, K, targets, rate)
        _check_progress(K, targets, beta, rate)
        self.X_fit_, self.dual_coef_, self.n_iter_ = examples, beta, steps
        return self

    def predict(self, X: ArrayLike | Strings) -> Floats:
        """Sum over the training examples of beta_i K(x_i, x): 001 (5.12)."""
        check_is_fitted(self, "dual_coef_")
        examples: Any = X if is_strings(X) else validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(self._kernel_matrix(examples, self.X_fit_) @ self.dual_coef_)

    def _examples_and_targets(self, X: Any, y: ArrayLike) -> tuple[Any, Floats]:  # noqa: ANN401 -- matrix or strings
        if not is_strings(X):
            examples, targets = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
            return examples, targets
        check_consistent_length(X, y)
        targets = column_or_1d(y, dtype=np.float64, input_name="y")
        if not np.isfinite(targets).all():
            raise ValueError("Input y contains NaN or infinity")
        return X, targets

    def _kernel_matrix(self, X: Any, Z: Any) -> Floats:  # noqa: ANN401 -- matrix or strings
        kernel: Any = MonomialKernel(3) if self.kernel is None else self.kernel
        if not callable(kernel):
            raise TypeError(f"kernel must be a function of two collections of examples, got {kernel!r}")
        K = np.asarray(kernel(X, Z), dtype=np.float64)
        if K.shape != (len(X), len(Z)):
            raise ValueError(f"kernel must return a matrix of shape {(len(X), len(Z))} here, it returned {K.shape}")
        return K


def _check_progress(K: Floats, y: Floats, beta: Floats, rate: float) -> None:
    """A ValueError if the steps led away, which they do if rate times the largest eigenvalue of K is above 2."""
    with np.errstate(over="ignore", invalid="ignore"):
        grown = not ((y - K @ beta) ** 2).sum() <= (y**2).sum()
    if grown and rate > (limit := 2.0 / np.linalg.eigvalsh(K)[-1]):
        raise ValueError(f"rate={rate:g} makes the error grow with every step: use less than {limit:g}, or None")
