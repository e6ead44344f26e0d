"""The event models of naive Bayes as formulas on counts: arrays in, arrays out, NumPy alone.

The law of this file: counts are the whole state and every probability is a function of them; all arithmetic is in
logarithms; a probability of zero is -inf and nothing is ever NaN.

C classes, V words. `class_counts` are the messages per class, shape (C,); `counts` are how often each class showed each
word, shape (C, V). B4 and its like are rows of the requirements, 003 and 004 documents of the lecture notes.
"""

from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Alpha = float | Floats
"""Pseudo-count: one for all words, or one per word."""

# Counts are float64 although they are numbers of things. Sums of whole numbers are exact, in any order, up to here, so
# taking away what was added restores every bit (B10), and weights like 0.5 need no second road. int64 would reach 2^63,
# which no mailbox does, at the price of a conversion before every logarithm.
MAX_COUNT = 2.0**53

# Fractional weights do round. What is left after taking away is called zero below this share of what was there; summing
# a million fractions errs by 1e-10 of the sum at worst. Whole numbers differ by 1 or not at all and are never touched.
ROUNDING = 2.0**-30

# Up to this many classes a sparse matrix is multiplied class by class: for two classes that takes 0.69 of the time of
# scipy's kernel for several columns, for three 0.91, for four 1.09; evidence/naive-bayes-speed.md.
FEW_CLASSES = 3


class CountError(ValueError):
    """More would be taken away than was counted."""


class Events(Protocol):
    """What was seen, a row per message: a NumPy array or a matrix of scipy.sparse."""

    @property
    def T(self) -> Self: ...  # noqa: N802 -- NumPy's name for the transpose

    def __matmul__(self, other: Floats, /) -> Floats: ...


class Likelihood(NamedTuple):
    """log p(x|y) as a linear function of what was seen, the zero probabilities kept apart.

    They are apart because 0 * -inf is NaN: a word that is absent must not meet the -inf of its presence. Row c of
    `forbidden` is +1 for a word that class c never shows, -1 for one it always shows; `required` counts the latter.
    """

    base: Floats
    """(C,): log-likelihood of the empty message."""
    weights: Floats
    """(C, V): what one occurrence of a word adds; finite."""
    forbidden: Floats | None
    """(C, V), or None if no probability is zero."""
    required: Floats
    """(C,)"""


# 004, F3: log pi_c = log(N_c / N)
def log_class_prior(class_counts: Floats) -> Floats:
    """Log of the classes' share of the messages; with no message at all, each class has the same."""
    total = class_counts.sum()
    if total == 0:
        return np.full(len(class_counts), -np.log(len(class_counts)))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(class_counts) - np.log(total))


# 003 (2.1) and 004, B6, B7: log theta = log (n + alpha) / (N + K alpha)
def log_smoothed(counts: Floats, totals: Floats, alpha: Alpha, pseudo_total: float | Floats) -> Floats:
    """Log of the smoothed share of `counts` in `totals`; `pseudo_total` is K alpha, K the number of possible outcomes.

    This is the mode of the posterior under a Dirichlet prior with parameters alpha + 1. A zero over zero is zero.
    """
    denominator = totals + pseudo_total
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(counts + alpha) - np.log(np.where(denominator > 0, denominator, 1.0)))


# 004, B2, B6: theta_ck = (n_ck + alpha) / (sum_k n_ck + V alpha)
def multinomial_log_theta(counts: Floats, alpha: Alpha) -> Floats:
    """Log-probability of each word as the next word of a message, (C, V). The outcomes are the V words."""
    pseudo_total = float(np.sum(alpha)) if np.ndim(alpha) else float(alpha) * counts.shape[1]
    return log_smoothed(counts, counts.sum(axis=1, keepdims=True), alpha, pseudo_total)


# 003 (2 and 2.1), B1, B6: phi_j|c = (n_cj + alpha) / (N_c + 2 alpha)
def bernoulli_log_phi(counts: Floats, class_counts: Floats, alpha: Alpha) -> tuple[Floats, Floats]:
    """Log-probability that a message has the word, and that it has not, each (C, V). The outcomes are these k = 2.

    `counts` are numbers of messages. The second comes from its own count, not as 1 - phi, which would lose digits.
    """
    totals = class_counts[:, np.newaxis]
    pseudo_total = 2.0 * np.asarray(alpha)
    absent = remaining(totals, counts)
    return log_smoothed(counts, totals, alpha, pseudo_total), log_smoothed(absent, totals, alpha, pseudo_total)


# 003 (2 and 2.1), B3: theta_jv|c = (n_cjv + alpha_j) / (N_c + k_j alpha_j)
def categorical_log_theta(counts: Floats, class_counts: Floats, alpha: Alpha, n_values: Floats) -> Floats:
    """Log-probability of each value of each feature, a column per value, (C, sum of all k_j).

    `alpha` is a number or has one per column; `n_values` has, for each column, the number k_j of its feature's values.
    """
    return log_smoothed(counts, class_counts[:, np.newaxis], alpha, alpha * n_values)


# 004, B5: solution 1 keeps the words with n_ck > 0 for all c
def seen_in_every_class(counts: Floats) -> Mask:
    """Which words no class has a zero count of, (V,)."""
    return np.asarray((counts > 0).all(axis=0))


def remaining(counts: Floats, part: Floats) -> Floats:
    """`counts` without `part`, exact for whole numbers (B10); more than there was is a CountError."""
    left = np.asarray(counts - part)
    if left.size and left.min() < 1.0:
        left[np.abs(left) < np.minimum(ROUNDING * counts, 1.0)] = 0.0
        if left.min() < 0:
            raise CountError("more would be taken away than was counted")
    return left


# 004, B2, multinomial: log p(x|c) = sum_k x_k log theta_ck
# 003, B1, Bernoulli:   log p(x|c) = sum_j log(1 - phi_j|c) + sum_j x_j (log phi_j|c - log(1 - phi_j|c))
def likelihood(log_present: Floats, log_absent: Floats | None = None) -> Likelihood:
    """Linear form of log p(x|c): absent words, where they count, are folded into the base."""
    never = np.isneginf(log_present)
    always = np.isneginf(log_absent) if log_absent is not None else np.zeros(0, dtype=np.bool_)
    zeros = bool(never.any() or always.any())
    if log_absent is None:
        weights = np.where(never, 0.0, log_present) if zeros else log_present
        base = np.zeros(len(log_present))
        return Likelihood(base, weights, never.astype(np.float64) if zeros else None, base)
    if not zeros:
        return Likelihood(log_absent.sum(axis=1), log_present - log_absent, None, np.zeros(len(log_present)))
    certain = never | always
    weights = np.where(certain, 0.0, log_present) - np.where(certain, 0.0, log_absent)
    base = np.where(certain, 0.0, log_absent).sum(axis=1)
    # A class without a single message never shows a word and never lacks one: both at once, and one -inf is enough.
    must = always & ~never
    return Likelihood(base, weights, never.astype(np.float64) - must, must.sum(axis=1, dtype=np.float64))


# 004, B4, B8: log p(x, c) = log pi_c + log p(x|c)
def log_joint(events: Events, log_prior: Floats, given: Likelihood) -> Floats:
    """Joint log-probability of each message and each class, (N, C); -inf where the class cannot have sent it (B4)."""
    joint = _sums(events, given.weights) + (log_prior + given.base)
    if given.forbidden is not None:
        joint[_sums(events, given.forbidden) + given.required > 0] = -np.inf
    return joint


# 003 (2) and 004, B1, B4, B8: log p(c|x) = log p(x, c) - log sum_b p(x, b)
def log_posterior(joint: Floats, log_prior: Floats) -> tuple[Floats, Mask]:
    """Log of Bayes' rule, (N, C), and which messages no class could have sent: those get the prior (B4)."""
    joint, impossible = prior_where_impossible(joint, log_prior)
    joint = joint - joint.max(axis=1, keepdims=True)  # so that the exponentials neither overflow nor all vanish
    return joint - np.log(np.exp(joint).sum(axis=1, keepdims=True)), impossible


def prior_where_impossible(joint: Floats, log_prior: Floats) -> tuple[Floats, Mask]:
    """The joint log-probabilities with the prior in the rows where every class has -inf, and which rows those are."""
    impossible: Mask = np.asarray(np.isneginf(joint).all(axis=1))
    return np.where(impossible[:, np.newaxis], log_prior, joint), impossible


# 004 (summary), B9: the label is the sign of log p(x, 1) - log p(x, 0)
def decision(joint: Floats) -> Floats:
    """Log-odds of the second of two classes, (N,), infinite where only one is possible; of more, the joint, (N, C)."""
    return np.asarray(joint[:, 1] - joint[:, 0]) if joint.shape[1] == 2 else joint  # noqa: PLR2004 -- odds of two


# 004 (summary), B9: w_0 = log pi_1 - log pi_0, w_k = log theta_1k - log theta_0k
def linear_form(log_prior: Floats, given: Likelihood) -> tuple[float, Floats]:
    """Log-odds of the second class against the first as w0 + x . w; ValueError where they are not all finite."""
    if len(log_prior) != 2:  # noqa: PLR2004 -- a line has two sides
        raise ValueError(f"a linear form separates two classes, here are {len(log_prior)}")
    if given.forbidden is not None:
        zeros = int(np.count_nonzero(given.forbidden.any(axis=0)))
        raise ValueError(f"{zeros} words have a probability of zero, so no finite weight: use alpha > 0")
    if not np.isfinite(log_prior).all():
        raise ValueError("a class has a prior of zero, so the log-odds are infinite: learn both or give class_prior")
    intercepts = log_prior + given.base
    return float(intercepts[1] - intercepts[0]), np.asarray(given.weights[1] - given.weights[0])


def _sums(events: Events, weights: Floats) -> Floats:
    """Weighted sums of each message's events for each class, (N, C)."""
    if isinstance(events, np.ndarray) or len(weights) > FEW_CLASSES:
        return events @ weights.T
    return np.stack([events @ row for row in weights], axis=1)
