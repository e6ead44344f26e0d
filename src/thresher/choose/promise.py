"""What can be promised about the ham that will be called spam, from the scores of ham that was held out.

The law of this file: nothing is assumed of the scores but that ham to come is like the ham held out (exchangeable with
it). Called spam is what scores above the threshold, a tie with it is not.

Neyman-Pearson umbrella (Tong, Feng and Li 2018): with the ham scores in order, the k-th smallest is a threshold that
more than a share alpha of ham exceeds with probability P(Bin(n, 1 - alpha) >= k). The smallest k for which that is at
most delta misses the least spam of all thresholds that keep the promise.
"""

import math
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

DRIFT_LEVEL: Final = 0.01
"""A warning that is false once in a hundred times; one in twenty would soon be read by nobody."""


class Promise(msgspec.Struct, frozen=True, kw_only=True):
    """At most `rate` of ham scores above `above`, with probability `confidence`."""

    asked: float
    """The rate that was asked for; smaller than `rate` where there was too little ham to promise it."""
    rate: float
    confidence: float
    n_ham: int
    """Held-out ham that it rests on."""
    above: float
    """The threshold, in log-odds."""

    @property
    def kept_short(self) -> bool:
        """Whether less is promised than was asked."""
        return self.rate > self.asked


def promise(ham_scores: npt.ArrayLike, asked: float, confidence: float) -> Promise:
    """Find the threshold; with too few scores the highest of them, and the smallest rate that it can promise."""
    _check(asked, confidence)
    scores = np.asarray(ham_scores, np.float64)
    n, delta = len(scores), 1.0 - confidence
    lost = ham_above(n, asked, delta)
    if asked == 1:
        above, rate = -math.inf, 1.0
    elif n == 0:
        above, rate = math.inf, 1.0
    else:
        kept = n - 1 - max(lost, 0)
        above, rate = float(np.partition(scores, kept)[kept]), asked if lost >= 0 else smallest_rate(n, delta)
    return Promise(asked=asked, rate=rate, confidence=confidence, n_ham=n, above=above)


def ham_above(n: int, alpha: float, delta: float) -> int:
    """Most held-out ham, of n, that may lie above the threshold: the largest j with P(Bin(n, alpha) <= j) <= delta.

    -1 if not even j = 0 will do.
    """
    if alpha in {0, 1}:
        return n - 1 if alpha else -1
    log_term, total, j = n * math.log1p(-alpha), 0.0, -1
    while j < n - 1:
        total += math.exp(log_term)
        if total > delta:
            break
        j += 1
        log_term += math.log((n - j) / (j + 1)) + math.log(alpha) - math.log1p(-alpha)
    return j


def ham_needed(alpha: float, delta: float) -> int:
    """Held-out ham from which a rate can be promised: the smallest n with (1 - alpha)^n <= delta. 299 for 1 %."""
    return math.ceil(math.log(delta) / math.log1p(-alpha))


def smallest_rate(n: int, delta: float) -> float:
    """The smallest rate that n held-out ham can promise: (1 - alpha)^n = delta."""
    return -math.expm1(math.log(delta) / n)


# P(j of m new scores above the k-th smallest of n) = C(j + n - k, j) C(m - j + k - 1, m - j) / C(m + n, m)
def drift(ham_scores: npt.ArrayLike, newest: int, asked: float, confidence: float) -> float:
    """How probable it is, without drift, that so many of the newest held-out ham lie above the threshold of the older.

    The scores are in the order of the lessons. Exact whatever their distribution: without drift the new fall between
    the old at random. 1 where there is nothing to compare.
    """
    _check(asked, confidence)
    scores = np.asarray(ham_scores, np.float64)
    n, m = len(scores) - newest, newest
    if n <= 0 or m <= 0 or asked == 1:
        return 1.0
    old = promise(scores[:n], asked, confidence)
    above = int(np.count_nonzero(scores[n:] > old.above))
    k = n - max(ham_above(n, asked, 1.0 - confidence), 0)
    return min(1.0, math.fsum(math.exp(_log_exceeding(j, m, n, k)) for j in range(above, m + 1)))


def _log_exceeding(j: int, m: int, n: int, k: int) -> float:
    return _log_choose(j + n - k, j) + _log_choose(m - j + k - 1, m - j) - _log_choose(m + n, m)


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _check(asked: float, confidence: float) -> None:
    if not 0 <= asked <= 1:
        raise ValueError(f"the share of ham that may be called spam must lie between 0 and 1, not {asked}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
