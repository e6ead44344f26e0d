"""What judging takes, as one value: a learner, what its scores mean, a policy and the promise that this can keep.

Its law: it reads memory only, so that a message can be judged whatever became of the disk. Judging does not change it;
lessons do, as they change the learner, and whoever teaches makes a new one.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from thresher.choose.calibration import Calibration
from thresher.choose.promise import promise
from thresher.decide import Policy, decide
from thresher.learn.hashing import Features, Hasher
from thresher.learn.naming import Described, described
from thresher.learn.running import RunningLearner
from thresher.values import Judgement


class Evidence(NamedTuple):
    """One feature's part in a score."""

    feature: Described
    share: float
    spam: int
    """Lessons of spam that had it."""
    ham: int


class Explanation(NamedTuple):
    """A judgement taken apart: base + the shares of the evidence is its log-odds."""

    judgement: Judgement
    base: float
    evidence: list[Evidence]


class Judge:
    """Judges messages that are hashed already."""

    def __init__(self, learner: RunningLearner, calibration: Calibration, policy: Policy) -> None:
        self.learner = learner
        self.calibration = calibration
        self.policy = policy
        self.rests_on = calibration.count
        """Scores that the promise rests on."""
        scores, is_spam = calibration.held_out()
        self.promise = promise(scores[~is_spam], policy.promise, policy.confidence)
        """How much ham is called spam at most, and the score that this asks for."""

    @cached_property
    def line(self) -> float:
        """The log-odds from which a message is spam; infinite if nothing can be sure enough."""
        return max(self.promise.above, self.calibration.score_of(self.policy.spam_from))

    def probability(self, log_odds: float) -> float:
        """Say what a score means: of messages that score so, this share is spam."""
        return float(self.calibration.probabilities(np.array([log_odds]))[0])

    def judge(self, features: Features) -> list[Judgement]:
        """Judge messages."""
        scores = self.learner.scores(features)
        probabilities = self.calibration.probabilities(scores)
        return [
            decide(score, p, self.policy, self.promise.above)
            for score, p in zip(scores.tolist(), probabilities.tolist(), strict=True)
        ]

    def explain(self, stream: bytes, hasher: Hasher, most: int | None = None) -> Explanation:
        """Judge a message and say what each of its features, or only the `most` telling ones, had to do with it."""
        features = hasher.features([stream])
        base, shares = self.learner.shares(features.slots)
        order = np.argsort(-np.abs(shares), kind="stable")[:most]
        slots = features.slots[order]
        names = described(stream, hasher.bits, slots)
        evidence = [
            Evidence(names[slot], share, int(self.learner.spam[slot]), int(self.learner.ham[slot]))
            for slot, share in zip(slots.tolist(), shares[order].tolist(), strict=True)
        ]
        return Explanation(self.judge(features)[0], base, evidence)
