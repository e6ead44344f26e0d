"""A promise on lost ham is kept as often as it says, whatever the scores; drift breaks it, and is told."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import bdtrc, betaln, comb

from thresher.choose.metrics import Floats
from thresher.choose.promise import drift, ham_above, ham_needed, promise, smallest_rate

REPETITIONS = 1000
CONFIDENCE = 0.95


def lost(above: float, shift: float = 0.0) -> float:
    """Share of all ham above a threshold, the true one: scores are normal, and what holds for them holds for any."""
    return 0.5 * math.erfc((above - shift) / math.sqrt(2))


@pytest.mark.parametrize(
    ("alpha", "n"), [(0.01, 299), (0.01, 700), (0.05, 59), (0.05, 400), (0.001, 2995), (0.001, 6000)]
)
def test_the_promise_is_kept_in_at_least_nineteen_of_twenty_repetitions(alpha: float, n: int) -> None:
    random = np.random.default_rng(n)
    kept = 0
    for _ in range(REPETITIONS):
        scores = random.normal(size=n)
        made = promise(scores, alpha, CONFIDENCE)
        assert made.rate == alpha
        kept += lost(made.above) <= alpha
    # Kept with probability 0.95 or a little more, as whole messages allow; three standard errors of the count.
    least = 0.95 * REPETITIONS - 3 * math.sqrt(REPETITIONS * 0.95 * 0.05)
    assert kept >= least


SHAPES: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "normal": lambda random, n: random.normal(size=n),
    "heavy tails": lambda random, n: random.standard_cauchy(n),
    "two kinds of ham": lambda random, n: random.normal(size=n) + 12.0 * (random.random(n) < 0.02),
    "few distinct scores": lambda random, n: np.round(random.normal(size=n), 1),
}
"""Distributions of ham scores."""


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("alpha", "n"), [(0.05, 80), (0.01, 400), (0.001, 4000)])
def test_at_least_950_of_1000_promises_are_kept_whatever_the_scores(alpha: float, n: int, shape: str) -> None:
    """Held to a hundred thousand new ham each. These n leave it more than 95 % sure, so that chance does not decide."""
    random = np.random.default_rng([n, len(shape)])
    new = np.sort(SHAPES[shape](random, 100_000))
    made = [promise(SHAPES[shape](random, n), alpha, CONFIDENCE) for _ in range(REPETITIONS)]
    assert all(not one.kept_short for one in made)
    above = 1 - np.searchsorted(new, [one.above for one in made], side="right") / len(new)
    assert np.count_nonzero(above <= alpha) >= 0.95 * REPETITIONS


@pytest.mark.parametrize("n", [5, 40, 298])
def test_with_too_little_ham_the_rate_that_is_promised_instead_is_kept_too(n: int) -> None:
    random = np.random.default_rng(n)
    made = [promise(random.normal(size=n), 0.01, CONFIDENCE) for _ in range(REPETITIONS)]
    assert all(one.kept_short and one.rate == pytest.approx(1 - 0.05 ** (1 / n)) for one in made)
    kept = sum(lost(one.above) <= one.rate for one in made)
    assert kept >= 0.95 * REPETITIONS - 3 * math.sqrt(REPETITIONS * 0.95 * 0.05)


def test_drift_breaks_the_promise_and_is_noticed() -> None:
    """Ham that scores two higher than the held-out ham did: the promise is broken nearly always, and drift says so."""
    random = np.random.default_rng(8)
    broken = noticed = false_alarms = 0
    for _ in range(REPETITIONS):
        scores, later = random.normal(size=600), random.normal(size=200)
        broken += lost(promise(scores, 0.01, CONFIDENCE).above, shift=2.0) > 0.01
        noticed += drift(np.append(scores, later + 2.0), 200, 0.01, CONFIDENCE) < 0.01
        false_alarms += drift(np.append(scores, later), 200, 0.01, CONFIDENCE) < 0.01
    assert broken > 0.9 * REPETITIONS
    assert noticed > 0.8 * REPETITIONS
    assert false_alarms <= 0.01 * REPETITIONS + 3 * math.sqrt(REPETITIONS * 0.01 * 0.99)


@pytest.mark.parametrize(("alpha", "needed"), [(0.01, 299), (0.001, 2995)])
def test_how_much_ham_a_promise_takes(alpha: float, needed: int) -> None:
    assert ham_needed(alpha, 0.05) == needed
    assert ham_above(needed, alpha, 0.05) == 0
    assert ham_above(needed - 1, alpha, 0.05) == -1


@given(st.integers(1, 3000), st.floats(0.0005, 0.5), st.floats(0.001, 0.5))
def test_the_rank_is_that_of_the_binomial_distribution(n: int, alpha: float, delta: float) -> None:
    """The umbrella's own words: the smallest k with P(Bin(n, 1 - alpha) >= k) <= delta."""
    ranks = np.arange(1, n + 1)
    tail = bdtrc(ranks - 1, n, 1 - alpha)
    # A tail within rounding of delta may go either way.
    if np.abs(tail / delta - 1).min() < 1e-9:
        return
    good = ranks[tail <= delta]
    assert ham_above(n, alpha, delta) == (n - good[0] if len(good) else -1)


def test_the_threshold_is_a_held_out_score_and_a_tie_with_it_is_not_called_spam() -> None:
    scores = np.array([0.0, 5.0, 1.0, 5.0])
    made = promise(scores, 0.001, CONFIDENCE)
    assert made.above == 5.0
    assert not (scores > made.above).any()


def test_without_ham_nothing_can_be_promised_and_nothing_is_called_spam() -> None:
    made = promise([], 0.001, CONFIDENCE)
    assert (made.rate, made.above, made.n_ham) == (1.0, math.inf, 0)


def test_a_rate_of_one_promises_nothing_and_asks_for_no_score() -> None:
    made = promise([1.0, 2.0], 1.0, CONFIDENCE)
    assert (made.rate, made.above, made.kept_short) == (1.0, -math.inf, False)


@given(st.integers(1, 60), st.integers(1, 60), st.floats(0.01, 0.4))
def test_the_chance_of_drift_is_that_of_ranks(n: int, m: int, asked: float) -> None:
    """Exceedances of an order statistic follow the beta-binomial distribution."""
    scores = np.random.default_rng(n * 61 + m).normal(size=n + m)
    above = int((scores[n:] > promise(scores[:n], asked, CONFIDENCE).above).sum())
    ahead = max(ham_above(n, asked, 1 - CONFIDENCE), 0)
    a, b, j = ahead + 1, n - ahead, np.arange(above, m + 1)
    chances = comb(m, j) * np.exp(betaln(j + a, m - j + b) - betaln(a, b))
    assert drift(scores, m, asked, CONFIDENCE) == pytest.approx(chances.sum())


@pytest.mark.parametrize("newest", [0, 3])
def test_where_there_is_nothing_to_compare_no_drift_is_told(newest: int) -> None:
    assert drift([1.0, 2.0, 3.0], newest, 0.01, CONFIDENCE) == 1.0


def test_the_smallest_rate_is_that_of_a_sample_without_a_loss() -> None:
    assert (1 - smallest_rate(100, 0.05)) ** 100 == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("asked", "confidence", "said"), [(-0.1, 0.9, "share"), (1.5, 0.9, "share"), (0.1, 1.0, "confidence")]
)
def test_a_promise_that_cannot_be_is_refused(asked: float, confidence: float, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        promise([1.0], asked, confidence)
