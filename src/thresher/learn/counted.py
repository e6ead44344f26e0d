"""Naive Bayes as running learners: both event models as linear forms over hashed features, exact and order-free.

The vocabulary is the slots seen in training (A2 of the requirements): an unseen one changes no verdict. theta and pi
are those of learn.event_models, two classes, with the same pseudo-count for all words; here only the ratios are needed.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.learn.hashing import Features, Ids
from thresher.learn.running import F64, Counting, Shares, one, segment_sums

ALPHA: Final = 0.03
"""Pseudo-count; of 1, 0.3, 0.1, 0.03, 0.01 the best for both event models over four corpora (evidence/learners.md)."""


class _CountedBayes(Counting, ABC):
    """What the event models share: w_0 + the sum over the known slots of w_k."""

    arrays: tuple[str, ...] = ("spam", "ham")
    numbers: tuple[str, ...] = ("n_spam", "n_ham", "alpha", "vocabulary")
    settings: Mapping[str, float] = MappingProxyType({"alpha": ALPHA})
    alpha: float

    def __init__(self, bits: int, **chosen: float) -> None:
        super().__init__(bits, **chosen)
        self.vocabulary = 0
        """Slots seen in some lesson that still counts."""

    @abstractmethod
    def _constant(self) -> float:
        """w_0."""

    @abstractmethod
    def _weights(self, slots: Ids) -> F64:
        """w_k of each slot; 0 for one never seen."""

    def scores(self, features: Features) -> F64:
        """Return the log-odds of spam of each message."""
        return self._constant() + segment_sums(self._weights(features.slots), features)

    def shares(self, slots: Ids) -> Shares:
        """Take one message's log-odds apart."""
        return Shares(self._constant(), self._weights(slots))

    def learn(self, slots: Ids, *, spam: bool) -> float:
        """Score, then count; return the log-odds before."""
        before = float(self.scores(one(slots))[0])
        self.vocabulary += len(slots) - int(np.count_nonzero(self._seen(slots)))
        self.count(slots, spam=spam)
        return before

    def forget(self, slots: Ids, *, spam: bool) -> None:
        """Take a message out of the counts."""
        self.discount(slots, spam=spam)
        self.vocabulary -= len(slots) - int(np.count_nonzero(self._seen(slots)))

    def _seen(self, slots: Ids) -> npt.NDArray[np.bool_]:
        return (self.spam.take(slots) + self.ham.take(slots)) > 0

    def _log_prior_ratio(self) -> float:
        """Return log pi_spam - log pi_ham; with one class taught only, nobody knows how often the other comes."""
        if not (self.n_spam and self.n_ham):
            return 0.0
        return math.log(self.n_spam / self.n_ham)

    def _smoothed(self, counts: npt.NDArray[np.uint32], slots: Ids) -> F64:
        return counts.take(slots).astype(np.float64) + self.alpha


class Multinomial(_CountedBayes):
    """Multinomial event model on presence: each of a message's distinct features is drawn once.

    Presence beats frequency for mail, as Metsis, Androutsopoulos and Paliouras found in 2006.
    """

    name = "multinomial"
    numbers = ("n_spam", "n_ham", "alpha", "vocabulary", "spam_words", "ham_words")

    def __init__(self, bits: int, **chosen: float) -> None:
        super().__init__(bits, **chosen)
        self.spam_words = 0
        self.ham_words = 0

    def count(self, slots: Ids, *, spam: bool) -> None:
        """Add a lesson to the counts."""
        super().count(slots, spam=spam)
        self.spam_words += len(slots) * spam
        self.ham_words += len(slots) * (not spam)

    def discount(self, slots: Ids, *, spam: bool) -> None:
        """Take a lesson out of the counts."""
        super().discount(slots, spam=spam)
        self.spam_words -= len(slots) * spam
        self.ham_words -= len(slots) * (not spam)

    def _constant(self) -> float:
        return self._log_prior_ratio()

    def _weights(self, slots: Ids) -> F64:
        """Return log theta_1k - log theta_2k, theta_ck = (n_ck + a) / (N_c + V a)."""
        smoothing = self.alpha * max(self.vocabulary, 1)
        shift = math.log((self.ham_words + smoothing) / (self.spam_words + smoothing))
        weights = np.log(self._smoothed(self.spam, slots) / self._smoothed(self.ham, slots)) + shift
        return weights * self._seen(slots)


class Bernoulli(_CountedBayes):
    """Bernoulli event model: every known feature, present or absent, is evidence.

    The absent ones are summed without touching them: only how many slots have each count matters, and that histogram
    moves by a few entries a lesson.
    """

    name = "bernoulli"
    arrays = ("spam", "ham", "spam_histogram", "ham_histogram")
    replaced = ("spam_histogram", "ham_histogram")

    def __init__(self, bits: int, **chosen: float) -> None:
        super().__init__(bits, **chosen)
        self.spam_histogram = np.zeros(0, np.int64)
        """Entry j: known slots that j lessons of spam held."""
        self.ham_histogram = np.zeros(0, np.int64)

    def count(self, slots: Ids, *, spam: bool) -> None:
        """Add a lesson to the counts."""
        self._move(slots, -1)
        super().count(slots, spam=spam)
        self._move(slots, 1)

    def discount(self, slots: Ids, *, spam: bool) -> None:
        """Take a lesson out of the counts."""
        self.own()
        self._move(slots, -1)
        try:
            super().discount(slots, spam=spam)
        finally:
            self._move(slots, 1)

    def _move(self, slots: Ids, step: int) -> None:
        """Take the known ones of these slots out of the histograms, or put them in."""
        known = slots[self._seen(slots)]
        self.spam_histogram = _shifted(self.spam_histogram, self.spam.take(known), step)
        self.ham_histogram = _shifted(self.ham_histogram, self.ham.take(known), step)

    def _constant(self) -> float:
        lacking_in_spam = _absent(self.spam_histogram, self.n_spam, self.alpha)
        return self._log_prior_ratio() + lacking_in_spam - _absent(self.ham_histogram, self.n_ham, self.alpha)

    def _weights(self, slots: Ids) -> F64:
        """Return logit phi_k|spam - logit phi_k|ham, phi_k|c = (n_ck + a) / (N_c + 2a)."""
        spam = self._smoothed(self.spam, slots) / (self.n_spam - self.spam.take(slots).astype(np.int64) + self.alpha)
        ham = self._smoothed(self.ham, slots) / (self.n_ham - self.ham.take(slots).astype(np.int64) + self.alpha)
        return np.log(spam / ham) * self._seen(slots)


def _shifted(histogram: npt.NDArray[np.int64], counts: npt.NDArray[np.uint32], step: int) -> npt.NDArray[np.int64]:
    change = np.bincount(counts, minlength=len(histogram)).astype(np.int64) * step
    change[: len(histogram)] += histogram
    # No zeros at the end: equal counts give equal bits, however they came about.
    return change if len(change) and change[-1] else np.trim_zeros(change, "b")


def _absent(histogram: npt.NDArray[np.int64], lessons: int, alpha: float) -> float:
    """Sum over the known slots of log(1 - phi_k|c)."""
    counts = np.flatnonzero(histogram)
    if not len(counts):
        return 0.0
    logs = np.log((lessons - counts + alpha) / (lessons + 2 * alpha))
    return float((histogram.take(counts) * logs).sum())
