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
from typing import Final, NamedTuple

import numpy as np

from thresher.learn import step_arrays, step_kernel, views
from thresher.learn.hashing import Features, Ids
from thresher.learn.running import F64, Counting, Shares, one, trust
from thresher.learn.step_arrays import COUNTED, F32, HAM, SPAM, SQUARE, U32, WEIGHT

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
SHARES: Final = (1.5, 1.0, 1.0)
"""Of content, people and rest in the score."""
LEAST_SHARE: Final = 0.001
"""Below any of these: a message without features divides by no zero."""
OWN: Final = 0.5
DOUBT: Final = 5.0
"""Log-odds from which on a label that contradicts them is doubted: 150 to 1 (evidence/noise.md)."""
FURTHEST: Final = 500.0
"""Keeps exp from overflowing."""
COMPILED: Final = not str(step_kernel.__file__).endswith(".py")
"""Whether there is a compiled kernel; without one, arrays are faster than Python (evidence/kernel.md)."""


class Looked(NamedTuple):
    """What a look at messages found."""

    values: F64
    """v of each feature, not yet of length one."""
    lengths: F64
    """Of each message's views."""
    own: F64
    """z_g of each message's views."""
    parts: F64
    """s_g of each message's views."""


class ScaledLogistic(Counting):
    """Logistic regression on features scaled by naive Bayes, one for each view of a message."""

    name = "scaled-logistic"
    arrays = ("table", "bias", "bias_squares")
    replaced = ("bias", "bias_squares")
    numbers = ("n_spam", "n_ham", "alpha", "rate")
    settings: Mapping[str, float] = MappingProxyType({"alpha": ALPHA, "rate": RATE})
    alpha: float
    rate: float

    def begin(self) -> None:
        """Make a row of four numbers for each slot: two counts, a weight and its G, side by side for one wait."""
        self.table: U32 = np.zeros((1 << self.bits, 4), np.uint32)
        self.bias = np.zeros(views.COUNT)
        self.bias_squares = np.full(views.COUNT, START)
        self.bind()
        self._floats[:, SQUARE] = START

    def bind(self) -> None:
        """Name the table's columns."""
        self._floats: F32 = self.table.view(np.float32)
        self.spam, self.ham = self.table[:, SPAM], self.table[:, HAM]
        self._logs: F64 = np.log(np.arange(COUNTED) + self.alpha)

    def _look(self, features: Features) -> Looked:
        """Look at each feature of some messages."""
        values, sums = self._sums(features)
        squares, products = sums.reshape(len(features), views.COUNT, 2).transpose(2, 0, 1)
        # A view without features has no length, and no part in the score; any feature weighs more than FLOOR / 2.
        lengths = np.maximum(np.sqrt(squares), FLOOR / 2)
        parts = np.array(SHARES) * (lengths > FLOOR / 2)
        parts /= np.maximum(parts.sum(axis=1, keepdims=True), LEAST_SHARE)
        return Looked(values, lengths, self.bias + products / lengths, parts)

    def _sums(self, features: Features) -> tuple[F64, F64]:
        """Return v of each feature, and of each message and view the sum of v^2 and that of v w."""
        prior = math.log((self.n_ham + 2 * self.alpha) / (self.n_spam + 2 * self.alpha))
        values = np.empty(len(features.slots))
        sums = np.zeros(2 * views.COUNT * len(features))
        look = step_kernel.look if COMPILED else step_arrays.look
        slots, constants = np.ascontiguousarray(features.slots, np.intp), np.array((prior, FLOOR, NEW))
        look(self.table, self._floats, self._logs, slots, features.offsets, self.bits, constants, values, sums)
        return values, sums

    def scores(self, features: Features) -> F64:
        """Return the log-odds of spam of each message."""
        looked = self._look(features)
        scores: F64 = trust(self.n_spam, self.n_ham) * (looked.own * looked.parts).sum(axis=1)
        return scores

    def shares(self, slots: Ids) -> Shares:
        """Take one message's log-odds apart."""
        looked = self._look(one(slots))
        parts = trust(self.n_spam, self.n_ham) * looked.parts[0]
        products = looked.values * self.weights_of(slots)
        return Shares(
            float((parts * self.bias).sum()),
            products * (parts / looked.lengths[0]).take(views.view_of(slots, self.bits)),
        )

    def weights_of(self, slots: Ids) -> F64:
        """Return the weights of some slots."""
        weights: F64 = self._floats[slots, WEIGHT].astype(np.float64)
        return weights

    def learn(self, slots: Ids, *, spam: bool) -> float:
        """Score, step, count; return the log-odds before."""
        self.own()
        slots = np.ascontiguousarray(slots, np.intp)
        values, sums = self._sums(one(slots))
        # The few numbers of three views are quicker as Python's own; _look has the same formulas for many messages.
        squares, products = sums[0::2].tolist(), sums[1::2].tolist()
        lengths = [max(math.sqrt(square), FLOOR / 2) for square in squares]
        parts = [share if length > FLOOR / 2 else 0.0 for share, length in zip(SHARES, lengths, strict=True)]
        total = max(parts[0] + parts[1] + parts[2], LEAST_SHARE)
        biases = self.bias.tolist()
        own = [bias + product / length for bias, product, length in zip(biases, products, lengths, strict=True)]
        each = [z * (part / total) for z, part in zip(own, parts, strict=True)]
        score: float = each[0] + each[1] + each[2]
        errors = [_error(z, score, spam=spam) if part else 0.0 for z, part in zip(own, parts, strict=True)]
        scales = np.array([error / length for error, length in zip(errors, lengths, strict=True)])
        self._step(slots, scales, values, SPAM if spam else HAM)
        grown = [
            square + BIAS_SHARE * error * error
            for square, error in zip(self.bias_squares.tolist(), errors, strict=True)
        ]
        self.bias_squares = np.array(grown)
        self.bias = np.array(
            [
                bias - BIAS_RATE * error / math.sqrt(square)
                for bias, error, square in zip(biases, errors, grown, strict=True)
            ]
        )
        before = score * trust(self.n_spam, self.n_ham)
        self.n_spam += spam
        self.n_ham += not spam
        return before

    def _step(self, slots: Ids, scales: F64, values: F64, column: int) -> None:
        """Step down the gradients and count; scales are each view's error over its length."""
        way = step_kernel if COMPILED else step_arrays
        roots = np.empty(len(slots))
        way.gradients(self._floats, slots, self.bits, scales, values, roots)
        np.sqrt(roots, roots)
        way.step(self.table, self._floats, slots, self.rate, column, values, roots)

    def forget(self, slots: Ids, *, spam: bool) -> None:
        """Take a message out of the counts. Its steps stay until the weights are learned anew from the journal."""
        self.discount(slots, spam=spam)


def _error(own: float, score: float, *, spam: bool) -> float:
    """How far a view is off, e_g; less where the label contradicts a score that is sure."""
    believed = OWN * own + (1.0 - OWN) * score
    error = 1.0 / (1.0 + math.exp(-max(min(believed, FURTHEST), -FURTHEST))) - spam
    against = -score if spam else score
    return error / (1.0 + math.exp(min(against - DOUBT, FURTHEST))) if against > 0 else error
