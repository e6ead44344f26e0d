"""Kernels: inner products of feature vectors that are never made, and the check that such vectors exist.

The law of this file: a kernel is a frozen value that is called with two collections of examples and returns the matrix
of K(x, z), a row for each x. That is also what scikit-learn's SVC(kernel=...) takes.

001 is a document of the lecture notes; equation numbers are its own.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cholesky
from scipy.spatial.distance import cdist
from sklearn.utils import check_array

from thresher.learn._validation import check_count, check_not_negative, check_positive
from thresher.learn.event_models import Floats
from thresher.learn.spectrum import Strings, check_strings, shared_counts


# 001 (5.9): K(x, z) = 1 + s + s^2 + s^3 with s = x . z, to any power
@dataclass(frozen=True)
class MonomialKernel:
    """Features: all products of up to `degree` features, one for each order of the factors."""

    degree: int = 3

    def __post_init__(self) -> None:
        check_count(self.degree, "degree", 1)

    def __call__(self, X: ArrayLike, Z: ArrayLike) -> Floats:
        s = _inner_products(X, Z)
        total = s + 1.0
        for _ in range(self.degree - 1):  # Horner: ((s + 1) s + 1) s + 1
            total *= s
            total += 1.0
        return total


# 001 (5.4): K(x, z) = (x . z + c)^k; k = 2 and c = 0 is its first example
@dataclass(frozen=True)
class PolynomialKernel:
    """Features: all products of `degree` features, and with c > 0 of fewer, the fewer the less they weigh."""

    degree: int = 2
    c: float = 0.0

    def __post_init__(self) -> None:
        check_count(self.degree, "degree", 1)
        if check_not_negative(self.c, "c") == np.inf:
            raise ValueError(f"c must be finite, got {self.c!r}")

    def __call__(self, X: ArrayLike, Z: ArrayLike) -> Floats:
        s = _inner_products(X, Z)
        s += self.c
        return np.asarray(s**self.degree)


# 001 (5.4): K(x, z) = exp(-|x - z|^2 / (2 sigma^2))
@dataclass(frozen=True)
class GaussianKernel:
    """Similarity that falls off with the distance; its features are infinitely many."""

    sigma: float = 1.0

    def __post_init__(self) -> None:
        check_positive(self.sigma, "sigma")

    def __call__(self, X: ArrayLike, Z: ArrayLike) -> Floats:
        first, second = _matrices(X, Z)
        # From differences, not from inner products as scikit-learn has it: those are faster, but points close together
        # and far from zero lose the digits of their distance, and the matrix is no longer positive semi-definite.
        return np.asarray(np.exp(cdist(first, second, "sqeuclidean") / (-2.0 * self.sigma**2)))


# 001 (5.4): K(x, z) = phi(x) . phi(z), phi counting how often each string of length k occurs
@dataclass(frozen=True)
class SpectrumKernel:
    """Features: the number of times each string of k characters (or bytes) occurs in a string (or in bytes)."""

    k: int = 4

    def __post_init__(self) -> None:
        check_count(self.k, "k", 1)

    def __call__(self, X: Strings, Z: Strings) -> Floats:
        check_strings(X, "X", self.k)
        check_strings(Z, "Z", self.k)
        return shared_counts(X, Z, self.k)


class MercerError(ValueError):
    """What was given as a kernel matrix is none: no features exist whose inner products these are."""


# 001, Mercer: K is a kernel if and only if every matrix K(x_i, x_j) is symmetric and positive semi-definite
def check_mercer(kernel_matrix: ArrayLike, name: str = "kernel_matrix") -> None:
    """Return if the matrix is square, finite, symmetric and positive semi-definite; else a MercerError says why not.

    Differences and negative eigenvalues are forgiven up to what rounding makes of them; `name` is what errors call it.
    """
    K = np.asarray(kernel_matrix, dtype=np.float64)
    if K.ndim != 2 or K.shape[0] != K.shape[1] or not len(K):  # noqa: PLR2004 -- a matrix
        raise MercerError(f"{name} must be square, with a row and a column for each example, got shape {K.shape}")
    if not np.isfinite(K).all():
        i, j = np.argwhere(~np.isfinite(K))[0]
        raise MercerError(f"{name} must be finite, but [{i}, {j}] is {K[i, j]}")
    rounding = len(K) * np.finfo(np.float64).eps * np.abs(K).sum(axis=1).max()  # a bound of the largest eigenvalue
    if not np.array_equal(K, K.T):
        _check_differences(K, rounding, name)
    if not _is_positive_definite(K, rounding):
        _check_eigenvalues(K, rounding, name)


def _check_differences(K: Floats, rounding: float, name: str) -> None:
    difference = np.abs(K - K.T)
    if difference.max() > rounding:
        i, j = np.unravel_index(difference.argmax(), K.shape)
        raise MercerError(f"{name} must be symmetric, but [{i}, {j}] is {K[i, j]:g} and [{j}, {i}] is {K[j, i]:g}")


def _is_positive_definite(K: Floats, rounding: float) -> bool:
    """Whether Cholesky's decomposition of K + rounding I exists; in a tenth of the time that the eigenvalues take."""
    shifted = K.T.copy(order="F")
    np.fill_diagonal(shifted, shifted.diagonal() + rounding)
    try:
        cholesky(shifted, lower=True, overwrite_a=True, check_finite=False)
    except np.linalg.LinAlgError:
        return False
    return True


def _check_eigenvalues(K: Floats, rounding: float, name: str) -> None:
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    if values[0] < -rounding:
        raise MercerError(
            f"{name} must be positive semi-definite, but its smallest eigenvalue is {values[0]:g}: z'Kz < 0 for a z "
            f"that weighs example {np.abs(vectors[:, 0]).argmax()} most"
        )


def _inner_products(X: ArrayLike, Z: ArrayLike) -> Floats:
    first, second = _matrices(X, Z)
    return np.asarray(first @ second.T)


def _matrices(X: ArrayLike, Z: ArrayLike) -> tuple[Floats, Floats]:
    """Both as checked matrices with as many columns; the same object if they are one, which NumPy multiplies faster."""
    first = check_array(X, dtype=np.float64, input_name="X")
    second = first if Z is X else check_array(Z, dtype=np.float64, input_name="Z")
    if first.shape[1] != second.shape[1]:
        raise ValueError(f"X has {first.shape[1]} features and Z {second.shape[1]}: they must have the same")
    return first, second
