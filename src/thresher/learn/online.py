"""The default running learner: logistic regression on features scaled by naive Bayes, one AdaGrad step a lesson.

    u_k = log((spam_k + a) / (n_spam + 2a)) - log((ham_k + a) / (n_ham + 2a))     naive Bayes on feature k
    v_k = |u_k| + FLOOR,    x = v / |v|
    z   = t (w_0 + sum_k w_k x_k)                                                 the score, log-odds of spam
A lesson with label y steps down the gradient of the logistic loss, g_k = (p - y) x_k with p = 1 / (1 + exp(-z / t)):
    G_k += g_k^2,    w_k -= RATE g_k / sqrt(G_k)
So naive Bayes, which counts and cannot be argued with, says how much a feature could matter, and logistic regression,
which corrects itself, learns which way and how much it does. t is the trust of learn.running, near 1 after few lessons.
Compared with others in evidence/learners.md. Sources: AdaGrad, Duchi, Hazan and Singer 2011; log-count ratios as
feature values, Wang and Manning 2012.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.learn.hashing import Features, Ids
from thresher.learn.running import F64, Counting, Shares, one, segment_sums, trust

F32 = npt.NDArray[np.float32]

ALPHA: Final = 0.2
FLOOR: Final = 0.2
RATE: Final = 0.7
START: Final = 1e-8
"""First value of each G: small against any gradient, so that a feature's first step has the length RATE."""
BIAS_RATE: Final = 0.05
BIAS_SHARE: Final = 0.01
"""The constant learns slowly: it stands for the class frequencies, which drift and do not jump."""


class ScaledLogistic(Counting):
    """Logistic regression on features scaled by naive Bayes."""

    name = "scaled-logistic"
    arrays = ("spam", "ham", "weights", "squares")
    numbers = ("n_spam", "n_ham", "alpha", "rate", "bias", "bias_square")
    settings: Mapping[str, float] = MappingProxyType({"alpha": ALPHA, "rate": RATE})
    alpha: float
    rate: float

    def __init__(self, bits: int, **chosen: float) -> None:
        super().__init__(bits, **chosen)
        self.weights: F32 = np.zeros(1 << bits, np.float32)
        self.squares: F32 = np.full(1 << bits, START, np.float32)
        self.bias = 0.0
        self.bias_square = START

    def _values(self, slots: Ids) -> F32:
        """Return v, not yet of length one."""
        spam = self.spam.take(slots).astype(np.float32)
        spam += np.float32(self.alpha)
        ham = self.ham.take(slots).astype(np.float32)
        ham += np.float32(self.alpha)
        spam /= ham
        np.log(spam, spam)
        spam += np.float32(math.log((self.n_ham + 2 * self.alpha) / (self.n_spam + 2 * self.alpha)))
        np.abs(spam, spam)
        spam += np.float32(FLOOR)
        return spam

    def scores(self, features: Features) -> F64:
        """Return the log-odds of spam of each message."""
        values = self._values(features.slots)
        norms = np.sqrt(segment_sums(values * values, features))
        sums = segment_sums(values * self.weights.take(features.slots), features)
        return trust(self.n_spam, self.n_ham) * (self.bias + sums / np.maximum(norms, FLOOR))

    def shares(self, slots: Ids) -> Shares:
        """Take one message's log-odds apart."""
        values = self._values(slots)
        norm = math.sqrt(segment_sums(values * values, one(slots))[0]) or 1.0
        believed = trust(self.n_spam, self.n_ham)
        return Shares(believed * self.bias, (values * self.weights.take(slots)).astype(np.float64) * (believed / norm))

    def learn(self, slots: Ids, *, spam: bool) -> float:
        """Score, step, count; return the log-odds before."""
        self.own()
        message = one(slots)
        values = self._values(slots)
        norm = max(math.sqrt(segment_sums(values * values, message)[0]), FLOOR)
        weights = self.weights.take(slots)
        score = self.bias + float(segment_sums(values * weights, message)[0]) / norm
        gradient = 1.0 / (1.0 + math.exp(-max(min(score, 500.0), -500.0))) - spam
        before = score * trust(self.n_spam, self.n_ham)
        values *= np.float32(gradient / norm)
        squares = self.squares.take(slots)
        squares += values * values
        self.squares[slots] = squares
        values *= np.float32(self.rate)
        values /= np.sqrt(squares, squares)
        weights -= values
        self.weights[slots] = weights
        self.bias_square += BIAS_SHARE * gradient * gradient
        self.bias -= BIAS_RATE * gradient / math.sqrt(self.bias_square)
        self.count(slots, spam=spam)
        return before

    def forget(self, slots: Ids, *, spam: bool) -> None:
        """Take a message out of the counts. Its steps stay until the weights are learned anew from the journal."""
        self.discount(slots, spam=spam)
