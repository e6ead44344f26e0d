"""What every running learner is: counts in fixed memory, a score before each lesson, and one linear form.

The law of this file: a learner is a fold. Its state follows from its settings and the lessons in their order, bit for
bit, so the journal can always rebuild it. Sums therefore go through NumPy's own loops and never through BLAS, whose
rounding depends on where an array lies in memory.
"""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol, Self

import numpy as np
import numpy.typing as npt

from thresher.learn.hashing import Features, Ids

F64 = npt.NDArray[np.float64]
Arrays = dict[str, npt.NDArray[np.generic]]
Numbers = dict[str, float]


class Shares(NamedTuple):
    """A score taken apart: base + shares.sum() is the score."""

    base: float
    shares: F64
    """One for each slot, in the slots' order."""


class RunningLearner(Protocol):
    """A linear form over hashed features that lessons change one by one."""

    name: str
    bits: int
    n_spam: int
    n_ham: int
    spam: npt.NDArray[np.uint32]
    """Lessons of spam that held each slot."""
    ham: npt.NDArray[np.uint32]

    settings: Mapping[str, float]

    def __init__(self, bits: int, **chosen: float) -> None:
        """Start with nothing learned."""

    def scores(self, features: Features) -> F64:
        """Return the log-odds of spam of each message."""

    def shares(self, slots: Ids) -> Shares:
        """Take one message's log-odds apart."""

    def learn(self, slots: Ids, *, spam: bool) -> float:
        """Learn one message and return its log-odds before."""

    def forget(self, slots: Ids, *, spam: bool) -> None:
        """Take a message out of the counts."""

    def as_it_is(self, slots: Ids) -> Callable[[], None]:
        """Return what puts the learner back into this state, as long as only messages of these slots are learned."""

    def state(self) -> tuple[Numbers, Arrays]:
        """Return everything that lessons have changed."""

    @classmethod
    def restored(cls, bits: int, numbers: Numbers, arrays: Arrays) -> Self:
        """Return the learner of this state; arrays are copied on the first lesson, not before."""


TRUST_LESSONS: Final = 1.0


def trust(n_spam: int, n_ham: int) -> float:
    """How far a score can be believed: m / (m + 1), m the lessons of the rarer class.

    With one class taught nothing tells a new message from it: the log-odds are 0, the verdict unsure.
    """
    rarer = min(n_spam, n_ham)
    return rarer / (rarer + TRUST_LESSONS)


class Counting:
    """The counts that all running learners share, and their way in and out of a snapshot."""

    arrays: tuple[str, ...] = ("spam", "ham")
    numbers: tuple[str, ...] = ("n_spam", "n_ham")
    replaced: tuple[str, ...] = ()
    """Those of the arrays that have no entry for each slot; a lesson puts new ones in their place."""
    settings: Mapping[str, float] = MappingProxyType({})
    """What can be chosen of a learner beside its size, with what is chosen if nobody does. All are numbers, too."""

    def __init__(self, bits: int, **chosen: float) -> None:
        if unknown := sorted(set(chosen) - set(self.settings)):
            raise ValueError(f"{unknown[0]} is no setting; there are {', '.join(self.settings)}")
        self.bits = bits
        for name, default in self.settings.items():
            value = float(chosen.get(name, default))
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name} must be finite and above 0, not {value}")
            setattr(self, name, value)
        self.n_spam = 0
        self.n_ham = 0
        self.begin()

    def begin(self) -> None:
        """Make the arrays."""
        self.spam = np.zeros(1 << self.bits, np.uint32)
        self.ham = np.zeros(1 << self.bits, np.uint32)

    def bind(self) -> None:
        """Give names to parts of the arrays, where they have some."""

    def count(self, slots: Ids, *, spam: bool) -> None:
        """Add a lesson to the counts."""
        self.own()
        if spam:
            self.spam[slots] += np.uint32(1)
            self.n_spam += 1
        else:
            self.ham[slots] += np.uint32(1)
            self.n_ham += 1

    def discount(self, slots: Ids, *, spam: bool) -> None:
        """Take a lesson out of the counts; more than was counted is refused and changes nothing."""
        self.own()
        counts, total = (self.spam, self.n_spam) if spam else (self.ham, self.n_ham)
        if total < 1 or (len(slots) and counts[slots].min() < 1):
            msg = "a lesson would be forgotten that was never learned"
            raise ValueError(msg)
        counts[slots] -= np.uint32(1)
        if spam:
            self.n_spam -= 1
        else:
            self.n_ham -= 1

    def as_it_is(self, slots: Ids) -> Callable[[], None]:
        """Return what puts the learner back into this state, as long as only messages of these slots are learned."""
        values = {name: getattr(self, name) for name in (*self.numbers, *self.replaced)}
        entries = {name: getattr(self, name).take(slots, axis=0) for name in self.arrays if name not in self.replaced}

        def put_back() -> None:
            self.own()
            for name, value in values.items():
                setattr(self, name, value)
            for name, before in entries.items():
                getattr(self, name)[slots] = before

        return put_back

    def own(self) -> None:
        """Make the arrays writable: those a learner was restored from belong to another until the first lesson."""
        if not self.spam.flags.writeable:
            for name in self.arrays:
                setattr(self, name, np.array(getattr(self, name)))
            self.bind()

    def state(self) -> tuple[Numbers, Arrays]:
        """Return everything that lessons have changed."""
        return {name: getattr(self, name) for name in self.numbers}, {name: getattr(self, name) for name in self.arrays}

    @classmethod
    def restored(cls, bits: int, numbers: Numbers, arrays: Arrays) -> Self:
        """Return the learner of this state."""
        learner = cls.__new__(cls)
        learner.bits = bits
        for name in cls.numbers:
            setattr(learner, name, numbers[name])
        for name in cls.arrays:
            view = arrays[name].view()
            view.flags.writeable = False
            setattr(learner, name, view)
        learner.bind()
        return learner


def segment_sums(values: npt.NDArray[np.floating], features: Features) -> F64:
    """Sum the values of each message; an empty message sums to 0.

    In double precision: the shares of a score, added up by anyone, then give the score to the last digit shown.
    """
    sums = np.zeros(len(features), np.float64)
    starts = features.offsets[:-1]
    filled = np.flatnonzero(features.offsets[1:] > starts)
    if len(filled):
        sums[filled] = np.add.reduceat(values.astype(np.float64, copy=False), starts.take(filled))
    return sums


def one(slots: Ids) -> Features:
    """A batch of one message."""
    return Features(slots, np.array([0, len(slots)], np.intp))
