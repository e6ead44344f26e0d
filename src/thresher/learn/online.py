"""The default running learner: for each view of a message a logistic regression on features scaled by naive Bayes.

    u_k = log((spam_k + a) / (n_spam + 2a)) - log((ham_k + a) / (n_ham + 2a))     naive Bayes on feature k
    v_k = |u_k| + FLOOR, and NEW for one never seen
    z_g = b_g + sum_{k in g} w_k x_k,    x = v / |v| over the features of view g  (views: learn.views)
    z   = sum_g s_g z_g,    s_g in the proportion of SHARES over the views the message has
    score = t z, log-odds of spam; t is the trust of learn.running, near 1 after few lessons
A lesson with label y takes one AdaGrad step in each view down the gradient of the logistic loss, half of the view's own
score and half of all together:
    e_g = c (1 / (1 + exp(-(OWN z_g + (1 - OWN) z))) - y),    c = 1 / (1 + exp(|z| - DOUBT)) if z contradicts y, else 1
    g_k = e_g x_k,    G_k += g_k^2,    w_k -= RATE g_k / sqrt(G_k)
So naive Bayes, which counts and cannot be argued with, says how much a feature could matter, and logistic regression,
which corrects itself, learns which way and how much it does. Views that learn by themselves stay different, and err on
different mail (evidence/views.md). c is for labels that are wrong: where everything known speaks against a label, words
known from many lessons hardly move, and those that are new to this message learn it all the same (evidence/noise.md).
Sources: AdaGrad, Duchi, Hazan and Singer 2011; log-count ratios as feature values, Wang and Manning 2012; filters fused
by their log-odds, Lynam and Cormack 2006.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.learn import views
from thresher.learn.hashing import Features, Ids
from thresher.learn.running import F64, Counting, Shares, trust

F32 = npt.NDArray[np.float32]

ALPHA: Final = 0.2
FLOOR: Final = 0.2
NEW: Final = 0.8
"""What was never seen is given this much, so that it makes the known weigh less: a message all new is one unknown."""
RATE: Final = 0.9
START: Final = 1e-8
"""First value of each G: small against any gradient, so that a feature's first step has the length RATE."""
BIAS_RATE: Final = 0.02
BIAS_SHARE: Final = 0.01
"""The constants learn slowly: they stand for the class frequencies, which drift and do not jump."""
SHARES: Final = np.array([1.5, 1.0, 1.0])
"""Of content, people and rest in the score."""
OWN: Final = 0.5
DOUBT: Final = 5.0
"""Log-odds from which on a label that contradicts them is doubted: 150 to 1 (evidence/noise.md)."""
FURTHEST: Final = 500.0
"""Keeps exp from overflowing."""


class ScaledLogistic(Counting):
    """Logistic regression on features scaled by naive Bayes, one for each view of a message."""

    name = "scaled-logistic"
    arrays = ("spam", "ham", "weights", "squares", "bias", "bias_squares")
    replaced = ("bias", "bias_squares")
    numbers = ("n_spam", "n_ham", "alpha", "rate")
    settings: Mapping[str, float] = MappingProxyType({"alpha": ALPHA, "rate": RATE})
    alpha: float
    rate: float

    def __init__(self, bits: int, **chosen: float) -> None:
        super().__init__(bits, **chosen)
        self.weights: F32 = np.zeros(1 << bits, np.float32)
        self.squares: F32 = np.full(1 << bits, START, np.float32)
        self.bias = np.zeros(views.COUNT)
        self.bias_squares = np.full(views.COUNT, START)

    def _values(self, slots: Ids) -> F32:
        """Return v, not yet of length one."""
        spam = self.spam.take(slots)
        ham = self.ham.take(slots)
        new = (spam | ham) == 0
        values = spam.astype(np.float32)
        values += np.float32(self.alpha)
        values /= ham.astype(np.float32) + np.float32(self.alpha)
        np.log(values, values)
        values += np.float32(math.log((self.n_ham + 2 * self.alpha) / (self.n_spam + 2 * self.alpha)))
        np.abs(values, values)
        values += np.float32(FLOOR)
        values[new] = NEW
        return values

    def scores(self, features: Features) -> F64:
        """Return the log-odds of spam of each message."""
        values = self._values(features.slots)
        keys = views.view_of(features.slots, self.bits)
        keys += np.repeat(np.arange(len(features)) * views.COUNT, np.diff(features.offsets))
        norms = _lengths(values, keys, len(features))
        own = self.bias + _sums(values * self.weights.take(features.slots), keys, len(features)) / norms
        scores: F64 = trust(self.n_spam, self.n_ham) * (own * _shares(norms)).sum(axis=1)
        return scores

    def shares(self, slots: Ids) -> Shares:
        """Take one message's log-odds apart."""
        values = self._values(slots)
        seen = views.view_of(slots, self.bits)
        norms = _lengths(values, seen, 1)
        parts = (trust(self.n_spam, self.n_ham) * _shares(norms))[0]
        products = (values * self.weights.take(slots)).astype(np.float64)
        return Shares(float((parts * self.bias).sum()), products * (parts / norms[0]).take(seen))

    def learn(self, slots: Ids, *, spam: bool) -> float:
        """Score, step, count; return the log-odds before."""
        self.own()
        values = self._values(slots)
        weights = self.weights.take(slots)
        seen = views.view_of(slots, self.bits)
        norms = _lengths(values, seen, 1)
        parts = _shares(norms)[0]
        own = (self.bias + _sums(values * weights, seen, 1) / norms)[0]
        score = float((own * parts).sum())
        errors = np.array([_error(each, score, spam=spam) for each in own.tolist()])
        errors *= parts > 0
        values *= (errors / norms[0]).astype(np.float32).take(seen)
        squares = self.squares.take(slots)
        squares += values * values
        self.squares[slots] = squares
        values *= np.float32(self.rate)
        values /= np.sqrt(squares, squares)
        weights -= values
        self.weights[slots] = weights
        self.bias_squares = self.bias_squares + BIAS_SHARE * errors * errors
        self.bias = self.bias - BIAS_RATE * errors / np.sqrt(self.bias_squares)
        before = score * trust(self.n_spam, self.n_ham)
        self.count(slots, spam=spam)
        return before

    def forget(self, slots: Ids, *, spam: bool) -> None:
        """Take a message out of the counts. Its steps stay until the weights are learned anew from the journal."""
        self.discount(slots, spam=spam)


def _sums(values: F32, keys: Ids, messages: int) -> F64:
    """Sum values by message and view, in double precision and one after the other: the same bits in any batch."""
    sums: F64 = np.bincount(keys, values, messages * views.COUNT).astype(np.float64, copy=False)
    return sums.reshape(messages, views.COUNT)


def _lengths(values: F32, keys: Ids, messages: int) -> F64:
    """Length of each view's vector; one without features counts as FLOOR, less than any other has."""
    lengths: F64 = np.maximum(np.sqrt(_sums(values * values, keys, messages)), FLOOR / 2)
    return lengths


def _shares(norms: F64) -> F64:
    """Shares of the views in each message's score; those without features have none."""
    shares: F64 = SHARES * (norms > FLOOR / 2)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), SHARES.min())
    return shares


def _error(own: float, score: float, *, spam: bool) -> float:
    """How far a view is off, e_g; less where the label contradicts a score that is sure."""
    believed = OWN * own + (1.0 - OWN) * score
    error = 1.0 / (1.0 + math.exp(-max(min(believed, FURTHEST), -FURTHEST))) - spam
    against = -score if spam else score
    return error / (1.0 + math.exp(min(against - DOUBT, FURTHEST))) if against > 0 else error
