"""How good scores are: pure functions of labels (True is spam) and log-odds or probabilities.

The law of this file: NumPy alone, no scikit-learn, because `evaluate` must start fast; ties are
settled by a rule that is written down, never by the order of the input; a figure that is not defined (a rate of spam
without any spam) is NaN.
A message is called spam if its score is above the threshold. At the threshold it is ham, so that a message about which
nothing is known is not lost.
"""

import math
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]

HAM_LOST = 0.001
"""One ham in a thousand: the loss people are said to bear. The rate at which filters are compared here."""

Z_95 = 1.959963984540054
"""Standard errors that a normal variable keeps within in 19 of 20 cases."""

# What a forecast of exactly 0 or 1 that fails is charged as: the spacing of floats at 1, 36 nats. scikit-learn's choice
# too. Without it one saturated mistake makes the mean infinite, and log-loss ranks nothing any more.
SURE = float(np.finfo(np.float64).eps)

# 0.29 * 100 must be 29, although in binary it is a little less.
SHARE_ROUNDING = 1e-9


class Errors(NamedTuple):
    """What a threshold gets wrong."""

    n_ham: int
    n_spam: int
    false_positives: int
    """Ham called spam."""
    false_negatives: int
    """Spam called ham."""

    @property
    def errors(self) -> int:
        return self.false_positives + self.false_negatives

    @property
    def error_rate(self) -> float:
        return _share(self.errors, self.n_ham + self.n_spam)

    @property
    def ham_lost(self) -> float:
        """Share of the ham that is called spam."""
        return _share(self.false_positives, self.n_ham)

    @property
    def spam_missed(self) -> float:
        """Share of the spam that is called ham."""
        return _share(self.false_negatives, self.n_spam)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Every figure of one evaluation. Rates are shares of 1; what ends in `_percent` is of 100. NaN where undefined."""

    n: int
    n_ham: int
    n_spam: int
    errors: int
    false_positives: int
    """Ham called spam."""
    false_negatives: int
    """Spam called ham."""
    error_rate: float
    ham_lost: float
    """Share of the ham that is called spam."""
    spam_missed: float
    """Share of the spam that is called ham."""
    roc_auc: float
    one_minus_auc_percent: float
    lam_percent: float
    spam_missed_at_ham_lost: float
    """Share of the spam missed where one ham in a thousand may be lost."""
    brier: float
    log_loss: float


def evaluate_scores(labels: ArrayLike, log_odds: ArrayLike, probability: ArrayLike, threshold: float = 0.5) -> Report:
    """All figures: orders are taken from the log-odds, which do not saturate, errors from the probability."""
    errors = errors_at(labels, probability, threshold)
    return Report(
        n=errors.n_ham + errors.n_spam,
        n_ham=errors.n_ham,
        n_spam=errors.n_spam,
        errors=errors.errors,
        false_positives=errors.false_positives,
        false_negatives=errors.false_negatives,
        error_rate=errors.error_rate,
        ham_lost=errors.ham_lost,
        spam_missed=errors.spam_missed,
        roc_auc=roc_auc(labels, log_odds),
        one_minus_auc_percent=one_minus_auc_percent(labels, log_odds),
        lam_percent=lam_percent(errors),
        spam_missed_at_ham_lost=spam_missed_at_ham_lost(labels, log_odds),
        brier=brier(labels, probability),
        log_loss=log_loss(labels, probability),
    )


def roc_auc(labels: ArrayLike, scores: ArrayLike) -> float:
    """Probability that a random spam scores above a random ham, a tie counting half."""
    inversions, pairs = _half_inversions(*checked_scores(labels, scores, "scores"))
    return _share(2 * pairs - inversions, 2 * pairs)


def one_minus_auc_percent(labels: ArrayLike, scores: ArrayLike) -> float:
    """The area above the ROC curve in percent, without the digits that 1 - AUC would lose. TREC's 1-ROCA%."""
    inversions, pairs = _half_inversions(*checked_scores(labels, scores, "scores"))
    return _share(100 * inversions, 2 * pairs)


def errors_at(labels: ArrayLike, scores: ArrayLike, threshold: float) -> Errors:
    """What calling spam whatever scores above the threshold gets wrong."""
    spam, values = checked_scores(labels, scores, "scores")
    called_spam = values > threshold
    n_spam = int(np.count_nonzero(spam))
    return Errors(
        n_ham=len(spam) - n_spam,
        n_spam=n_spam,
        false_positives=int(np.count_nonzero(called_spam & ~spam)),
        false_negatives=int(np.count_nonzero(spam & ~called_spam)),
    )


# TREC 2005 Spam Track: lam = logit^-1 ((logit hm + logit sm) / 2), hm and sm the shares of ham and spam misclassified
def lam_percent(errors: Errors) -> float:
    """Logistic average misclassification, in percent.

    A rate of 0 has no finite logit: as it stands, TREC's formula gives 0 as soon as one of the rates is 0, however bad
    the other. Here no error in a class counts as half a message, as TREC's own evaluation has it for the points of its
    curves, and every message wrong as all but half a one. In between the figure is TREC's.
    """
    if not (errors.n_ham and errors.n_spam):
        return math.nan
    logits = [
        math.log(wrong / (n - wrong))
        for wrong, n in (
            (min(max(errors.false_positives, 0.5), errors.n_ham - 0.5), errors.n_ham),
            (min(max(errors.false_negatives, 0.5), errors.n_spam - 0.5), errors.n_spam),
        )
    ]
    return 100.0 / (1.0 + math.exp(-sum(logits) / 2))


def ham_lost_threshold(labels: ArrayLike, scores: ArrayLike, share: float = HAM_LOST) -> float:
    """The lowest threshold that at most floor(share * n_ham) ham score above.

    That is the score of the highest ham that must be kept; those that tie with it are kept too, so fewer may be lost
    than allowed. If all ham may be lost, it is -inf.
    """
    spam, values = checked_scores(labels, scores, "scores")
    if not 0 <= share <= 1:
        raise ValueError(f"share must be between 0 and 1, got {share}")
    ham = np.sort(values[~spam])
    allowed = math.floor(share * len(ham) + SHARE_ROUNDING)
    return -math.inf if allowed >= len(ham) else float(ham[len(ham) - 1 - allowed])


def spam_missed_at_ham_lost(labels: ArrayLike, scores: ArrayLike, share: float = HAM_LOST) -> float:
    """Share of the spam that does not score above `ham_lost_threshold`."""
    errors = errors_at(labels, scores, ham_lost_threshold(labels, scores, share))
    return errors.spam_missed if errors.n_ham else math.nan


def brier(labels: ArrayLike, probability: ArrayLike) -> float:
    """Mean squared difference between the probability of spam and what it was, 1 or 0."""
    spam, p = checked_probability(labels, probability)
    return float(np.mean((p - spam) ** 2))


def log_loss(labels: ArrayLike, probability: ArrayLike) -> float:
    """Mean of -log of the probability given to what it was, in nats; probabilities are kept off 0 and 1 by `SURE`."""
    spam, p = checked_probability(labels, probability)
    return float(-np.mean(np.log(np.clip(np.where(spam, p, 1.0 - p), SURE, 1.0 - SURE))))


class Rate(msgspec.Struct, frozen=True):
    """A share that was counted, and where the true one lies with 95 % confidence. NaN, 0, 1 where nothing was."""

    share: float
    low: float
    high: float


# Wilson 1927: the p for which the count lies z standard errors off, (c + h) / (1 + z^2 / n); recommended for small
# counts by Brown, Cai and DasGupta 2001
def rate(k: int, n: int) -> Rate:
    """The share k of n with its 95 % interval."""
    if not 0 <= k <= n:
        raise ValueError(f"k of n: 0 <= k <= n must hold, not k {k}, n {n}")
    if not n:
        return Rate(math.nan, 0.0, 1.0)
    share, spread = k / n, Z_95 * Z_95 / n
    centre, half = share + spread / 2, Z_95 * math.sqrt(share * (1 - share) / n + spread / (4 * n))
    # Rounding must not leave a trace of doubt where there is none.
    low = 0.0 if k == 0 else (centre - half) / (1 + spread)
    high = 1.0 if k == n else (centre + half) / (1 + spread)
    return Rate(share, low, high)


def _half_inversions(spam: Labels, scores: Floats) -> tuple[int, int]:
    """Twice the pairs of ham and spam in the wrong order, a tie being half of one; and the pairs. Whole numbers."""
    ham, spam_scores = np.sort(scores[~spam]), scores[spam]
    below = np.searchsorted(ham, spam_scores, side="left")
    not_above = np.searchsorted(ham, spam_scores, side="right")
    pairs = len(ham) * len(spam_scores)
    return 2 * pairs - int(below.sum() + not_above.sum()), pairs


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def checked_scores(labels: ArrayLike, scores: ArrayLike, name: str) -> tuple[Labels, Floats]:
    """Both as arrays; a ValueError that names what is wrong with them."""
    spam, values = np.asarray(labels), np.asarray(scores, dtype=np.float64)
    if spam.dtype != np.bool_:
        if not np.isin(spam, (0, 1)).all():
            raise ValueError("labels must be True for spam and False for ham")
        spam = spam.astype(np.bool_)
    if spam.ndim != 1 or spam.shape != values.shape:
        raise ValueError(f"labels and {name} must be two lists of one length, got shapes {spam.shape}, {values.shape}")
    if not len(spam):
        raise ValueError(f"labels and {name} must not be empty")
    if np.isnan(values).any():
        raise ValueError(f"{name} must not hold NaN")
    return spam, values


def checked_probability(labels: ArrayLike, probability: ArrayLike) -> tuple[Labels, Floats]:
    """As checked_scores, for scores that are probabilities."""
    spam, p = checked_scores(labels, probability, "probability")
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("probability must be between 0 and 1")
    return spam, p
