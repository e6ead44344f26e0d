"""Who learns what when, and what is scored: the protocols a filter is measured by.

The law of this file: a message is scored by a filter that has not learned it, and a probability is calibrated on scores
that came before. Pure; learners are made by whoever measures, so that any candidate can be measured.
"""

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.choose.calibration import Calibration
from thresher.learn.hashing import Features, Ids
from thresher.learn.running import RunningLearner, one
from thresher.learn.schedule import interleaved

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]
Make = Callable[[], RunningLearner]


class Examples(NamedTuple):
    """Messages in the order in which they came, and what they are."""

    features: Features
    is_spam: Labels

    def __len__(self) -> int:
        return len(self.is_spam)


class Scored(NamedTuple):
    """What was said of one message, or of several."""

    log_odds: Floats
    probability: Floats


class Filter:
    """A learner and the calibration of its scores, as the filter runs them."""

    def __init__(self, make: Make) -> None:
        self.learner = make()
        self.calibration = Calibration()

    def score(self, features: Features) -> Scored:
        """Judge messages."""
        scores = self.learner.scores(features)
        return Scored(scores, self.calibration.probabilities(scores))

    def learn(self, slots: Ids, *, spam: bool) -> Scored:
        """Learn a message; return what was said of it before."""
        before = np.array([self.learner.learn(slots, spam=spam)])
        probability = self.calibration.probabilities(before)
        self.calibration.add(float(before[0]), spam=spam)
        return Scored(before, probability)

    def learn_mixed(self, examples: Examples, rows: Ids) -> None:
        """Learn these messages in the order in which they are best learned."""
        for row in rows[interleaved(examples.is_spam[rows])].tolist():
            spam = bool(examples.is_spam[row])
            self.calibration.add(self.learner.learn(examples.features.of(row), spam=spam), spam=spam)


class Prequential:
    """Messages come one by one; each is scored, and learned when its label comes.

    Parameters
    ----------
    make : the learner to be measured.
    delay : how many more messages are scored before the label of one comes (Cormack's delayed feedback).
    feedback : the share of messages whose label ever comes (partial feedback), drawn at random.
    random_state : what that draw follows from.

    """

    def __init__(self, make: Make, *, delay: int = 0, feedback: float = 1.0, random_state: int = 0) -> None:
        if delay < 0:
            raise ValueError(f"delay must be at least 0, got {delay}")
        if not 0 <= feedback <= 1:
            raise ValueError(f"feedback must lie between 0 and 1, got {feedback}")
        self.filter = Filter(make)
        self._delay = delay
        self._feedback = feedback
        self._random = np.random.default_rng(random_state)
        self._waiting: deque[tuple[Ids, bool] | None] = deque()

    def meet(self, slots: Ids, *, spam: bool) -> Scored:
        """Score the next message, and learn the one whose label has come."""
        if not self._delay and self._feedback == 1:
            return self.filter.learn(slots, spam=spam)
        scored = self.filter.score(one(slots))
        told = self._feedback == 1 or self._random.random() < self._feedback
        self._waiting.append((slots, spam) if told else None)
        if len(self._waiting) > self._delay and (lesson := self._waiting.popleft()):
            self.filter.learn(lesson[0], spam=lesson[1])
        return scored


def train_and_test(make: Make, training: Examples, test: Features) -> Scored:
    """Learn all training messages, then score all test messages."""
    trained = Filter(make)
    trained.learn_mixed(training, np.arange(len(training)))
    return trained.score(test)


def folds(examples: Examples, n_splits: int, groups: Ids, random_state: int = 0) -> Iterator[tuple[Ids, Ids]]:
    """Yield training and validation messages of S-fold cross-validation; near duplicates stay together."""
    from thresher.choose.splits import SFold  # scikit-learn, which no other protocol needs

    return SFold(n_splits, random_state=random_state).split(examples.is_spam, examples.is_spam, groups)


def validate(make: Make, examples: Examples, pair: tuple[Ids, Ids]) -> Scored:
    """Learn the training messages of one fold and score its validation messages."""
    training, validation = pair
    trained = Filter(make)
    trained.learn_mixed(examples, training)
    return trained.score(take(examples.features, validation))


def take(features: Features, rows: Ids) -> Features:
    """Return the features of some messages, in this order."""
    lengths = np.diff(features.offsets)[rows]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)
    return Features(features.slots[np.repeat(features.offsets[rows], lengths) + within], offsets)
