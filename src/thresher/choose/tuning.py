"""Which learner, with which settings, for this mail: candidates, compared on messages they had not learned.

The law of this file: nested cross-validation without fitting anything twice. With the messages in S folds, each
candidate is fitted without each fold, and without each pair of folds. The model without folds i and j judges both: for
the choice made without fold i it is what validates on j, for the choice made without j what validates on i. So a choice
that never saw fold i costs no fits but those of pairs, and is measured on fold i by the model without i. Pure; messages
are hashed once, in the most slots any candidate has: fewer slots are the same hashes cut short.

What is compared is the owner's cost: a ham called spam costs as much as `cost` spams missed. By Bayes' rule a message
is then called spam where its probability exceeds cost / (cost + 1), the probability being the filter's own, calibrated.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple, Self

import numpy as np

from thresher.choose.candidates import Candidate
from thresher.choose.duplicates import Ids
from thresher.choose.metrics import Floats, Labels, one_minus_auc_percent
from thresher.choose.protocols import Examples, Filter, Scored, take
from thresher.choose.splits import SFold
from thresher.learn.hashing import Features
from thresher.learn.running import RunningLearner

LeftOut = tuple[int, ...]
"""The folds that a model has not learned: one, or two."""


class Fold(NamedTuple):
    """What one model said of the messages of the folds it had not learned."""

    rows: Ids
    scored: Scored


class Judged(NamedTuple):
    """Figures on messages that were not learned."""

    cost: float
    """Of a message, in spams missed."""
    standard_error: float
    """Of the cost."""
    ham_lost: int
    spam_missed: int
    one_minus_auc_percent: float


class Tuned(NamedTuple):
    """The comparison and the choice."""

    table: list[Judged]
    """A row per candidate: each message judged by the model without its fold."""
    choice: int
    best: int
    """The least cost; the choice is the simplest within its standard error."""
    outer: Judged
    """What choosing like this is worth: each fold judged by the candidate chosen without it. No choice saw it."""
    chosen_without: list[int]
    """For each fold the candidate chosen without it."""
    outer_costs: Floats
    """For each message what it cost in the outer estimate."""


def fewer_slots(features: Features, drop: int) -> Features:
    """Return the features as a hasher of `drop` bits less gives them, each message's slots in ascending order."""
    if not drop:
        return features
    owner = np.repeat(np.arange(len(features)), np.diff(features.offsets))
    top = int(features.slots.max(initial=0)) + 1
    keys = np.unique(owner * top + (features.slots >> drop))
    return Features(keys % top, np.searchsorted(keys, np.arange(len(features) + 1) * top))


class Comparison:
    """The fits there are to do, and what follows from them; each fit is independent of the others."""

    def __init__(
        self,
        examples: Examples,
        bits: int,
        groups: Ids,
        make: Callable[[Candidate], RunningLearner],
        *,
        folds: int,
    ) -> None:
        self.is_spam: Labels = examples.is_spam
        self._groups = groups
        self.part: Ids = SFold(folds).parts(len(examples), examples.is_spam, groups)
        self.folds = folds
        self._make = make
        self._bits = bits
        self._examples = {0: examples}

    def prepared(self, many: Sequence[Candidate]) -> Self:
        """Cut the hashes short once for all candidates of so many slots."""
        for drop in {self._bits - one.bits for one in many} - self._examples.keys():
            self._examples[drop] = Examples(fewer_slots(self._examples[0].features, drop), self.is_spam)
        return self

    def left_out(self) -> list[LeftOut]:
        """Say what has to be fitted for each candidate."""
        return [*((fold,) for fold in range(self.folds)), *combinations(range(self.folds), 2)]

    def tasks(self, many: Sequence[Candidate]) -> Iterator[tuple[Candidate, LeftOut]]:
        """Yield every fit there is to do."""
        yield from product(many, self.left_out())

    def fit(self, task: tuple[Candidate, LeftOut]) -> Fold:
        """Learn all folds but those left out, as the filter learns, and judge these."""
        candidate, left_out = task
        examples = self._examples[self._bits - candidate.bits]
        unseen = np.isin(self.part, left_out)
        trained = Filter(lambda: self._make(candidate))
        trained.learn_mixed(examples, np.flatnonzero(~unseen))
        rows = np.flatnonzero(unseen)
        return Fold(rows, trained.score(take(examples.features, rows)))

    def choose(self, fits: Sequence[Sequence[Fold]], cost: float) -> Tuned:
        """Choose among candidates, a row of fits each in the order of `left_out`."""
        singles = np.stack([self._all_costs(row[: self.folds], cost) for row in fits])
        chosen_without = [self._chosen_without(fits, fold, cost) for fold in range(self.folds)]
        outer = [fits[candidate][fold] for fold, candidate in enumerate(chosen_without)]
        return Tuned(
            [self._judged(row[: self.folds], cost) for row in fits],
            simplest_within_one_standard_error(singles, self._groups),
            int(singles.mean(axis=1).argmin()),
            self._judged(outer, cost),
            chosen_without,
            self._all_costs(outer, cost),
        )

    def _chosen_without(self, fits: Sequence[Sequence[Fold]], fold: int, cost: float) -> int:
        """Choose as if one fold did not exist: each other fold is judged by the model without both."""
        pairs = list(combinations(range(self.folds), 2))
        rest = self.part != fold
        rows = []
        for row in fits:
            costs = np.zeros(len(self.part))
            for pair, one in zip(pairs, row[self.folds :], strict=True):
                if fold in pair:
                    costs[one.rows] = self._costs(one, cost)
            rows.append(costs[rest])
        return simplest_within_one_standard_error(np.stack(rows), self._groups[rest])

    def _all_costs(self, row: Sequence[Fold], cost: float) -> Floats:
        """What each message costs, in the order of the messages."""
        costs = np.zeros(len(self.part))
        for fold in row:
            costs[fold.rows] = self._costs(fold, cost)
        return costs

    def _costs(self, fold: Fold, cost: float) -> Floats:
        """What each message of a fold costs, in spams missed."""
        spam, called = self.is_spam[fold.rows], called_spam(fold.scored.probability, cost)
        return np.where(spam, ~called, cost * called).astype(np.float64)

    def _judged(self, row: Sequence[Fold], cost: float) -> Judged:
        costs = self._all_costs(row, cost)
        log_odds, probability = np.zeros(len(costs)), np.zeros(len(costs))
        for fold in row:
            log_odds[fold.rows], probability[fold.rows] = fold.scored
        called = called_spam(probability, cost)
        return Judged(
            float(costs.mean()),
            standard_error(costs, self._groups),
            int(np.count_nonzero(called & ~self.is_spam)),
            int(np.count_nonzero(~called & self.is_spam)),
            one_minus_auc_percent(self.is_spam, log_odds),
        )


def called_spam(probability: Floats, cost: float) -> Labels:
    """Whether spam is so probable that missing it would cost more than calling it spam is likely to."""
    return np.asarray(probability * (1 + cost) > cost)


# Hastie, Tibshirani and Friedman 2009, 7.10: the one-standard-error rule
def simplest_within_one_standard_error(costs: Floats, groups: Ids) -> int:
    """The first candidate (row) whose mean cost is at most the least one plus that one's standard error."""
    means = costs.mean(axis=1)
    best = int(means.argmin())
    return int(np.flatnonzero(means <= means[best] + standard_error(costs[best], groups))[0])


# Of a mean over clusters: sum over groups of (sum of the group's deviations)^2, over n^2. Three folds say less of it.
def standard_error(costs: Floats, groups: Ids) -> float:
    """Of the mean cost, near duplicates being one piece of evidence."""
    deviations = np.bincount(groups, costs - costs.mean())
    return float(np.sqrt((deviations**2).sum()) / len(costs))
