"""Scores -> probabilities that mean what they say: of the messages given p = 0.9, nine in ten are spam.

The law of this file: a map is fitted to scores that were taken before the message was learned, and chosen by what it
said of scores that it was not fitted to. Calibration is a fold, as the learners are: its state follows from the scores
and labels in their order, bit for bit, so sums go through NumPy's own loops. NumPy alone: `check` loads it.

    identity      p = s(z),  s(z) = 1 / (1 + exp(-z))
    temperature   p = s(a z),  a >= 0                                      Guo, Pleiss, Sun and Weinberger 2017
    beta          p = s(a log s(z) - b log s(-z) + c),  a, b >= 0          Kull, Silva Filho and Flach 2017
    isotonic      p monotone in z, else free: means of pooled neighbours   Zadrozny and Elkan 2002
"""

from collections.abc import Callable, Mapping
from typing import Final, Self

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]

FIRST: Final = 32
"""Scores before the first fit; fewer say nothing that the prior does not."""
DECIDED: Final = 100
"""Scores from which on losses choose the map: those of fewer chose by luck (evidence/calibration.md)."""
GROWTH: Final = 1.25
"""Fitted anew whenever there are a quarter more scores: 24 times in 6,000 lessons."""
LEFT_OUT: Final = 0.25
"""The oldest share of the scores is not used: they are those of a filter that knew much less (evidence/promise.md)."""
KEPT: Final = 1 << 16
"""Scores kept: memory stays fixed, and more say no more."""
PRIOR_WEIGHT: Final = 10.0
"""The identity is believed as if this much had been seen for it: few scores move a parameter little."""
NEWTON_STEPS: Final = 50
NEWTON_DONE: Final = 1e-9
FURTHEST: Final = 1e6
"""No score that a person will see lies further from 0."""
CALIBRATION_BINS: Final = 15
"""Of the expected calibration error: Guo and others' number, which its published figures rest on."""
KINDS: Final = ("identity", "temperature", "beta", "isotonic")
"""From the simplest on: of two that say as much the simpler is used."""


def sigmoid(z: npt.ArrayLike) -> Floats:
    """s(z) = 1 / (1 + exp(-z)), without overflow."""
    values = np.asarray(z, np.float64)
    small = np.exp(-np.abs(values))
    return np.where(values >= 0, 1.0, small) / (1.0 + small)


def log_sigmoid(z: Floats) -> Floats:
    """Log s(z), without underflow."""
    result: Floats = np.minimum(z, 0.0) - np.log1p(np.exp(-np.abs(z)))
    return result


def fit_temperature(scores: Floats, is_spam: Labels) -> Floats:
    """Return a >= 0; 1 before anything is seen."""
    # Below 0 it would turn the order round; the loss is convex in a, so the best that does not has it at 0.
    return np.maximum(_logistic([scores], is_spam, np.array([1.0])), 0.0)


def fit_beta(scores: Floats, is_spam: Labels) -> Floats:
    """Return a, b, c; 1, 1, 0 before anything is seen, which is the identity."""
    columns = {0: log_sigmoid(scores), 1: -log_sigmoid(-scores), 2: np.ones(len(scores))}
    start = np.array([1.0, 1.0, 0.0])
    while True:
        fitted = np.zeros(3)
        fitted[list(columns)] = _logistic(list(columns.values()), is_spam, start[list(columns)])
        worst = int(np.argmin(fitted[:2]))
        if fitted[worst] >= 0:
            return fitted
        # Negative, a or b would turn the order round; the best that does not has it at 0.
        del columns[worst]


def fit_isotonic(scores: Floats, is_spam: Labels) -> Floats:
    """Return the knots: mean scores of the pools in the first row, their shares of spam in the second.

    Shares keep off 0 and 1 by what one message more could have changed.
    """
    distinct, at, counts = np.unique(scores, return_inverse=True, return_counts=True)
    spams = np.bincount(at, is_spam)
    pools: list[tuple[float, float, float]] = []
    for pool in zip(counts.tolist(), (distinct * counts).tolist(), spams.tolist(), strict=True):
        joined = pool
        # Pool adjacent violators: one that has no larger share of spam than the one before it is joined to that.
        while pools and pools[-1][2] * joined[0] >= joined[2] * pools[-1][0]:
            n, total, count = pools.pop()
            joined = (joined[0] + n, joined[1] + total, joined[2] + count)
        pools.append(joined)
    n, total, count = np.array(pools).T
    edge = 1.0 / (len(scores) + 2.0)
    return np.array([total / n, np.clip(count / n, edge, 1.0 - edge)])


def apply(kind: str, fitted: Floats, scores: Floats) -> Floats:
    """Map scores to probabilities."""
    if kind == "temperature":
        return sigmoid(fitted[0] * scores)
    if kind == "beta":
        a, b, c = fitted.tolist()
        return sigmoid(a * log_sigmoid(scores) - b * log_sigmoid(-scores) + c)
    if kind == "isotonic":
        return np.asarray(np.interp(scores, fitted[0], fitted[1]), np.float64)
    return sigmoid(scores)


FITS: Final = {"temperature": fit_temperature, "beta": fit_beta, "isotonic": fit_isotonic}


class Calibration:
    """The scores that lessons had before they were learned, and the map to probabilities that follows from them."""

    def __init__(self) -> None:
        self._scores = np.zeros(0)
        self._spam = np.zeros(0, np.bool_)
        self._filled = 0
        self.count = 0
        """Scores seen."""
        self._fitted_at = 0
        """Scores seen at the last fit."""
        self._fitted: dict[str, Floats] = {}
        self._losses = dict.fromkeys(KINDS, 0.0)

    @property
    def kind(self) -> str:
        """The map in use: the one with the least loss on scores that it had not been fitted to.

        From the first fit on until there are losses of so many scores that they say something, it is the temperature.
        """
        if self._fitted and self.count < DECIDED:
            return "temperature"
        return min(KINDS, key=self._losses.__getitem__)

    def add(self, score: float, *, spam: bool) -> None:
        """See one score more."""
        if self._filled == 2 * KEPT:
            self._scores, self._spam, self._filled = self._scores[KEPT:], self._spam[KEPT:], KEPT
        if self._filled == len(self._scores):
            room = max(self._filled, FIRST)
            self._scores = np.append(self._scores, np.zeros(room))
            self._spam = np.append(self._spam, np.zeros(room, np.bool_))
        self._scores[self._filled] = score
        self._spam[self._filled] = spam
        self._filled += 1
        self.count += 1
        if self.count >= max(FIRST, self._fitted_at * GROWTH):
            self._fit()

    def _fit(self) -> None:
        """Charge each map with what it said since the last fit, and fit it anew."""
        if self._fitted:
            new = slice(max(self._filled - (self.count - self._fitted_at), 0), self._filled)
            for kind in KINDS:
                # Shrunk by the growth of what is judged: every fit since counts the same, and mistakes are outgrown.
                loss = _log_loss(self._map(kind, self._scores[new]), self._spam[new])
                self._losses[kind] = self._losses[kind] / GROWTH + loss
        scores, spam = self.held_out()
        if spam.any() and not spam.all():
            self._fitted = {kind: fit(scores, spam) for kind, fit in FITS.items()}
        self._fitted_at = self.count

    def _map(self, kind: str, scores: Floats) -> Floats:
        return apply(kind, self._fitted.get(kind, np.zeros(0)), scores)

    def held_out(self) -> tuple[Floats, Labels]:
        """Return the scores that count, and whether they were spam's, in the order of the lessons."""
        first = self._filled - min(self.count - int(self.count * LEFT_OUT), self._filled, KEPT)
        return self._scores[first : self._filled], self._spam[first : self._filled]

    def probabilities(self, scores: Floats) -> Floats:
        """Map scores to probabilities of spam."""
        return self._map(self.kind, scores)

    def score_of(self, probability: float) -> float:
        """Return the lowest score that means at least this probability; infinite if none does."""
        low, high = -FURTHEST, FURTHEST
        reached = self.probabilities(np.array([low, high])) >= probability
        if reached[0] or not reached[1]:
            return -np.inf if reached[0] else np.inf
        while (middle := (low + high) / 2) not in {low, high}:
            low, high = (low, middle) if self.probabilities(np.array([middle]))[0] >= probability else (middle, high)
        return high

    def as_it_is(self) -> Callable[[], None]:
        """Return what puts this state back."""
        # Arrays are written to beyond what is filled only, and replaced otherwise.
        before = {**vars(self), "_losses": dict(self._losses)}
        return lambda: vars(self).update(before)

    def state(self) -> tuple[dict[str, float], dict[str, Floats | Labels]]:
        """Return everything that scores have changed."""
        numbers = {"count": self.count, "fitted_at": self._fitted_at, **self._losses}
        arrays: dict[str, Floats | Labels] = {
            "scores": self._scores[: self._filled],
            "spam": self._spam[: self._filled],
            **self._fitted,
        }
        return numbers, arrays

    @classmethod
    def restored(cls, numbers: Mapping[str, float], arrays: Mapping[str, npt.NDArray[np.generic]]) -> Self:
        """Return the calibration of this state."""
        calibration = cls()
        # Views of a mapped file, which are never written to: there is no room in them, so the next score makes a copy.
        calibration._scores = arrays["scores"].astype(np.float64, copy=False)
        calibration._spam = arrays["spam"].astype(np.bool_, copy=False)
        calibration._filled = len(calibration._scores)
        calibration.count, calibration._fitted_at = int(numbers["count"]), int(numbers["fitted_at"])
        calibration._losses = {kind: numbers[kind] for kind in KINDS}
        calibration._fitted = {kind: arrays[kind].astype(np.float64, copy=False) for kind in FITS if kind in arrays}
        return calibration


def calibration_bins(p: Floats, bins: int = CALIBRATION_BINS) -> npt.NDArray[np.intp]:
    """For each probability its bin, of equally wide ones."""
    return np.minimum((p * bins).astype(np.intp), bins - 1)


def expected_calibration_error(
    is_spam: npt.ArrayLike, probability: npt.ArrayLike, bins: int = CALIBRATION_BINS
) -> float:
    """Mean difference between what was said and what was, over bins of equal width, weighted by their messages."""
    spam, p = np.asarray(is_spam, np.float64), np.asarray(probability, np.float64)
    at = calibration_bins(p, bins)
    said, was = np.bincount(at, p, bins), np.bincount(at, spam, bins)
    return float(np.abs(said - was).sum() / len(p))


def _log_loss(p: Floats, spam: Labels) -> float:
    right = np.clip(np.where(spam, p, 1.0 - p), np.finfo(np.float64).eps, None)
    return float(-np.log(right).sum())


def _logistic(columns: list[Floats], is_spam: Labels, start: Floats) -> Floats:
    """Newton's method for logistic regression of a few columns, with a Gaussian prior around `start`."""
    theta = start.copy()
    loss = _penalized(columns, is_spam, theta, start)
    for _ in range(NEWTON_STEPS):
        p = sigmoid(_linear(columns, theta))
        slope = np.array([(column * (p - is_spam)).sum() for column in columns]) + PRIOR_WEIGHT * (theta - start)
        weight = p * (1.0 - p)
        bend = np.array([[(one * other * weight).sum() for one in columns] for other in columns])
        step = np.linalg.solve(bend + PRIOR_WEIGHT * np.eye(len(columns)), slope)
        while (trial := _penalized(columns, is_spam, theta - step, start)) > loss and np.abs(step).max() > NEWTON_DONE:
            step = step / 2
        if np.abs(step).max() <= NEWTON_DONE:
            break
        theta, loss = theta - step, trial
    return theta


def _linear(columns: list[Floats], theta: Floats) -> Floats:
    total = np.zeros(len(columns[0]))
    for column, value in zip(columns, theta.tolist(), strict=True):
        total += column * value
    return total


def _penalized(columns: list[Floats], is_spam: Labels, theta: Floats, start: Floats) -> float:
    z = _linear(columns, theta)
    moved = theta - start
    return float(-log_sigmoid(np.where(is_spam, z, -z)).sum() + PRIOR_WEIGHT / 2 * (moved * moved).sum())
