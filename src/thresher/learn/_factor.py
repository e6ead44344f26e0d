"""A covariance, or any matrix X'X, taken apart into factors with which systems can be solved, singular or not.

The law of this file: nothing is inverted; what a matrix leaves open is left at zero, and the rank says so.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cholesky, eigh, get_lapack_funcs, solve_triangular

from thresher.learn.event_models import Floats

# A matrix whose reciprocal condition is smaller is called singular: of the 16 digits of its solutions 4 are right at
# best. The sums it is made of are more exact than that.
SINGULAR = 1e-12


class Factor(NamedTuple):
    """Sigma = S R S, S the standard deviations; R = L L' (Cholesky), or E diag(r) E' less the zeros of singular R."""

    deviation: Floats
    """(d,); 1 for a feature that never varies."""
    root: Floats
    """(d, d): L; or (d, rank): E diag(1 / sqrt(r))."""
    rank: int
    log_determinant: float
    """Of Sigma, or of what is left of it."""


def factor(covariance: Floats) -> Factor:
    """Take a covariance apart so that systems with it can be solved, whether or not it is singular.

    Features are first brought to the same deviation, so that being measured in grams or in tons makes nothing singular.
    """
    deviation = np.sqrt(np.diag(covariance))
    deviation = np.where(deviation > 0, deviation, 1.0)
    correlation = covariance / np.outer(deviation, deviation)
    log_scale = 2.0 * float(np.log(deviation).sum())
    try:
        lower = cholesky(correlation, lower=True)
    except LinAlgError:
        lower = None
    if lower is not None and reciprocal_condition(lower, correlation) > SINGULAR:
        return Factor(deviation, lower, len(lower), log_scale + 2.0 * float(np.log(np.diag(lower)).sum()))
    variances, directions = eigh(correlation)
    left = variances > SINGULAR * max(variances[-1], 1.0)
    root = directions[:, left] / np.sqrt(variances[left])
    return Factor(deviation, root, int(left.sum()), log_scale + float(np.log(variances[left]).sum()))


def reciprocal_condition(lower: Floats, matrix: Floats) -> float:
    """Estimate 1 / (|A| |A^-1|) of a matrix whose Cholesky factor is known."""
    (pocon,) = get_lapack_funcs(("pocon",), (matrix,))
    rcond, _ = pocon(lower, np.abs(matrix).sum(axis=0).max(), uplo="L")
    return float(rcond)


def whiten(of: Factor, vectors: Floats) -> Floats:
    """W v for each row v, W' W being the inverse of Sigma or its pseudo-inverse: the cloud becomes round, (N, rank)."""
    scaled = vectors / of.deviation
    if of.rank < len(of.deviation):
        return np.asarray(scaled @ of.root)
    return np.asarray(solve_triangular(of.root, scaled.T, lower=True).T)


def unwhiten(of: Factor, white: Floats) -> Floats:
    """W' u for each row u."""
    if of.rank < len(of.deviation):
        return np.asarray(white @ of.root.T / of.deviation)
    return np.asarray(solve_triangular(of.root, white.T, lower=True, trans="T").T / of.deviation)
