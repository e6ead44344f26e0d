"""Which learner pays: every candidate on the same features and streams, and the chosen one with its constants changed.

    OMP_NUM_THREADS=1 taskset -c 1 python -m bench.learners --corpus DIR [--orders 5]

Prints the tables of evidence/learners.md. Takes about half an hour.
"""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from bench.prequential import (
    STREAMS,
    TORTURE_TAIL,
    Corpora,
    Floats,
    Learner,
    Make,
    Run,
    arguments,
    print_header,
    print_intervals,
    print_row,
    read_corpora,
    run,
)
from bench.valued import Valued
from thresher.choose.metrics import errors_at
from thresher.learn import online
from thresher.learn.counted import Bernoulli, Multinomial
from thresher.learn.hashing import DEFAULT_BITS, Hasher, Ids
from thresher.learn.online import ScaledLogistic
from thresher.learn.running import one

RATES = (0.5, 0.7, 0.9, 1.2)
ALPHAS = (0.1, 0.2, 0.5)
FLOORS = (0.05, 0.2, 0.5, 1.0)
SMALL = 0.001
"""Added to a 1-AUC % before its logarithm. Ratios are compared, as the corpora differ a hundredfold; but one pair in
the wrong order on the easiest corpus must not outweigh the others."""


class Unscaled(Valued):
    """Online logistic regression with AdaGrad steps on presence, the vector normalized."""

    def values(self, slots: Ids) -> Floats:
        """Return ones."""
        return np.ones(len(slots))


class Fused(ScaledLogistic):
    """The chosen score plus a multiple of naive Bayes' log-odds; the regression learns what these leave over."""

    share = 0.1

    def learn(self, slots: Ids, *, spam: bool) -> float:
        """Learn with naive Bayes' part added to the constant for the time being."""
        a = online.ALPHA
        u = np.log((self.spam[slots] + a) / (self.ham[slots] + a)) + math.log(
            (self.n_ham + 2 * a) / (self.n_spam + 2 * a)
        )
        part = self.share * float(u.sum()) / math.sqrt(max(len(slots), 1))
        self.bias = self.bias + part
        before = super().learn(slots, spam=spam)
        self.bias = self.bias - part
        return before


class Repeated(ScaledLogistic):
    """Further steps on a lesson that stays hard: until the error is below `enough`, at most `most` steps."""

    enough = 0.2
    most = 3

    def learn(self, slots: Ids, *, spam: bool) -> float:
        """Learn, and step again while the lesson is hard; it counts once."""
        before = super().learn(slots, spam=spam)
        for _ in range(self.most - 1):
            if abs(1.0 / (1.0 + math.exp(-float(self.scores(one(slots))[0]))) - spam) < self.enough:
                break
            super().learn(slots, spam=spam)
            self.discount(slots, spam=spam)
        return before


# AROW: Crammer, Kulesza and Dredze, Adaptive Regularization of Weight Vectors, 2009; with the variances' diagonal
class Arow(Valued):
    """Adaptive regularization of weights: a variance a feature instead of a sum of gradients; one view."""

    r = 0.1
    scaled = True

    def __init__(self, bits: int) -> None:
        super().__init__(bits)
        self.weights = np.zeros(1 << bits)
        self.variances = np.ones(1 << bits)
        self.w0 = 0.0

    def learn(self, slots: Ids, *, spam: bool) -> float:
        """Step to a margin of 1, as far as the variances allow."""
        values = self.values(slots) if self.scaled else np.ones(len(slots))
        values /= math.sqrt(float((values * values).sum())) or 1.0
        score = self.w0 + float((values * self.weights[slots]).sum())
        side = 1.0 if spam else -1.0
        if side * score < 1.0:
            spread = self.variances[slots] * values
            beta = 1.0 / (float((spread * values).sum()) + self.r)
            step = (1.0 - side * score) * beta * side
            self.weights[slots] += step * spread
            self.variances[slots] -= beta * spread * spread
            self.w0 += 0.01 * step
        self.count(slots, spam=spam)
        return score


class Candidate(NamedTuple):
    """A learner, with constants of its module changed while it runs."""

    name: str
    kind: Callable[..., Learner]
    chosen: Mapping[str, float] = {}
    """Its settings."""
    changed: Mapping[str, float] = {}
    """Constants of the chosen learner."""


def set_to(kind: type[Fused | Repeated | Arow], **settings: float) -> Callable[..., Learner]:
    """Return a kind of learner with other settings."""
    return type(kind.__name__, (kind,), settings)


CANDIDATES = (
    *(
        Candidate(f"{kind.__name__}, alpha {alpha:g}", kind, {"alpha": alpha})
        for kind in (Multinomial, Bernoulli)
        for alpha in (1.0, 0.3, 0.1, 0.03, 0.01)
    ),
    *(Candidate(f"logistic, unscaled, rate {rate:g}", Unscaled, {"rate": rate}) for rate in (*RATES, 2.0)),
    *(Candidate(f"AROW unscaled, r {r:g}", set_to(Arow, r=r, scaled=False)) for r in (0.1, 1.0)),
    *(Candidate(f"AROW scaled, r {r:g}", set_to(Arow, r=r)) for r in (0.01, 0.1, 1.0)),
    *(Candidate(f"fused, {share:g} of naive Bayes", set_to(Fused, share=share)) for share in (0.03, 0.1, 0.3, 1.0)),
    Candidate("up to 3 steps while wrong by 0.5", set_to(Repeated, enough=0.5, most=3)),
    Candidate("up to 3 steps while wrong by 0.2", set_to(Repeated, enough=0.2, most=3)),
    Candidate("up to 10 steps while wrong by 0.2", set_to(Repeated, enough=0.2, most=10)),
)
CONSTANTS = (
    *(Candidate(f"rate {rate:g}", ScaledLogistic, {"rate": rate}) for rate in RATES if rate != online.RATE),
    *(Candidate(f"alpha {alpha:g}", ScaledLogistic, {"alpha": alpha}) for alpha in ALPHAS if alpha != online.ALPHA),
    *(
        Candidate(f"floor {floor:g}", ScaledLogistic, changed={"FLOOR": floor})
        for floor in FLOORS
        if floor != online.FLOOR
    ),
)


def measure(candidate: Candidate, examples: Sequence[Ids], corpora: Corpora, *, torture: bool = True) -> Run:
    """Run one candidate over every stream."""
    make: Make = partial(candidate.kind, DEFAULT_BITS, **candidate.chosen)
    with ExitStack() as stack:
        for name, value in candidate.changed.items():
            stack.enter_context(patch.object(online, name, value))
        return run(make, examples, corpora, torture=torture)


def print_table(
    title: str, candidates: Sequence[Candidate], chosen: Run, examples: Sequence[Ids], corpora: Corpora
) -> None:
    """Print each candidate's figures, and how far it is from the chosen one."""
    print()
    print_header(title)
    print_row("chosen", chosen)
    found = {}
    for candidate in candidates:
        found[candidate.name] = measure(candidate, examples, corpora)
        print_row(candidate.name, found[candidate.name])
    print_intervals(corpora, chosen, found)


def print_epochs(examples: Sequence[Ids], corpora: Corpora) -> None:
    """Print the torture streams' errors after one and more passes over all but their last messages."""
    print("\n| passes over the lessons | torture |\n|---|---|")
    for passes in (1, 2, 3, 6):
        errors = 0
        for order in corpora.orders["torture"]:
            lessons = [(examples[m], spam) for m, spam in zip(order.messages, order.spam.tolist(), strict=True)]
            learner = ScaledLogistic(DEFAULT_BITS)
            for turn, (slots, spam) in itertools.product(range(passes), lessons[:-TORTURE_TAIL]):
                learner.learn(slots, spam=spam)
                if turn:
                    learner.discount(slots, spam=spam)
            tail = np.array([learner.learn(slots, spam=spam) for slots, spam in lessons[-TORTURE_TAIL:]])
            errors += errors_at(order.spam[-TORTURE_TAIL:], tail, 0.0).errors
        print(f"| {passes} | {errors} |", flush=True)


def print_left_out(examples: Sequence[Ids], corpora: Corpora) -> None:
    """Choose the three constants without a corpus, from all their combinations, and see what that one says."""
    grid = {}
    for rate, alpha, floor in itertools.product(RATES, ALPHAS, FLOORS):
        candidate = Candidate("", ScaledLogistic, {"rate": rate, "alpha": alpha}, {"FLOOR": floor})
        found = measure(candidate, examples, corpora, torture=False).figures
        grid[rate, alpha, floor] = {name: found[name].one_minus_auc for name in STREAMS}
    chosen = grid[online.RATE, online.ALPHA, online.FLOOR]
    print(
        "\n| left out | best without it: rate, alpha, floor | its 1-AUC % there | chosen | best and worst of the grid |"
    )
    print("|---|---|---|---|---|")
    for left_out in STREAMS:
        rest = [name for name in STREAMS if name != left_out]
        best = min(grid, key=lambda point: sum(math.log(grid[point][name] + SMALL) for name in rest))
        here = [point[left_out] for point in grid.values()]
        print(
            f"| {left_out} | {', '.join(map(str, best))} | {grid[best][left_out]:.4f} | {chosen[left_out]:.4f} "
            f"| {min(here):.4f} to {max(here):.4f} |"
        )


def main() -> None:
    """Print the tables."""
    args = arguments(__doc__)
    corpora = read_corpora(args.corpus, args.orders)
    features = Hasher().features(corpora.texts)
    examples = [features.of(message) for message in range(len(features))]
    chosen = measure(Candidate("chosen", ScaledLogistic), examples, corpora)
    print_table("learner", CANDIDATES, chosen, examples, corpora)
    print_epochs(examples, corpora)
    print_table("constants", CONSTANTS, chosen, examples, corpora)
    print_left_out(examples, corpora)


if __name__ == "__main__":
    main()
