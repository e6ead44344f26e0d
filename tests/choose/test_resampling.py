"""Intervals and comparisons: the figures are those of metrics.py, the bootstrap is scipy's, and it covers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from thresher.choose import Run, bootstrap, compare, intervals
from thresher.choose.calibration import expected_calibration_error
from thresher.choose.metrics import evaluate_scores
from thresher.choose.resampling import BLOCK, Figure, figures, mean_of

Floats = NDArray[np.float64]


def scored(seed: int, n: int = 400, apart: float = 2.0) -> tuple[NDArray[np.bool_], Run]:
    rng = np.random.default_rng(seed)
    spam = rng.random(n) < 0.4
    log_odds = rng.normal(size=n) + apart * (spam - 0.5)
    return spam, Run(log_odds, 1 / (1 + np.exp(-apart * log_odds)))


messages = st.lists(st.tuples(st.booleans(), st.integers(-4, 4), st.integers(0, 3)), min_size=2, max_size=30).filter(
    lambda rows: any(weight for _, _, weight in rows)
)


@given(messages)
def test_a_figure_of_weights_is_that_of_so_many_copies(rows: list[tuple[bool, int, int]]) -> None:
    """Ties, classes that are missing and undefined rates included."""
    spam = np.array([label for label, _, _ in rows])
    log_odds = np.array([score for _, score, _ in rows], dtype=np.float64)
    weights = np.array([weight for _, _, weight in rows])
    run = Run(log_odds, 1 / (1 + np.exp(-log_odds)))
    copies = np.repeat(np.arange(len(rows)), weights)
    probability = np.asarray(run.probability)[copies]
    report = evaluate_scores(spam[copies], log_odds[copies], probability)
    calibration = {"expected_calibration_error": expected_calibration_error(spam[copies], probability)}
    for name, figure in figures(spam, run).items():
        found = figure(np.stack([weights, np.ones(len(rows))]).astype(np.float64))[0]
        assert found == pytest.approx(calibration.get(name) or getattr(report, name, 0.0), abs=1e-12, nan_ok=True), name


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_the_interval_of_a_mean_is_that_of_scipy(method: str) -> None:
    """Skewed values, so that BCa differs from the percentiles; both draw for themselves, hence the tolerance."""
    values = np.random.default_rng(1).exponential(size=120)
    ours = bootstrap({"mean": mean_of(values)}, 120, resamples=20_000, method=method)["mean"]
    theirs = stats.bootstrap(  # type: ignore[attr-defined]  # scipy ships no types
        (values,),
        np.mean,
        n_resamples=20_000,
        method="BCa" if method == "bca" else method,
        rng=np.random.default_rng(2),
    ).confidence_interval
    assert ours.value == pytest.approx(values.mean())
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.008)


def test_a_skewed_figure_moves_bca_off_the_percentiles() -> None:
    values = np.random.default_rng(1).exponential(size=60)
    percentile, bca = (bootstrap({"m": mean_of(values)}, 60, method=method)["m"] for method in ("percentile", "bca"))
    assert bca.low > percentile.low
    assert bca.high > percentile.high


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_of_two_hundred_intervals_nine_in_ten_hold_the_truth(method: str) -> None:
    """The truth is the figure over 100,000 messages; 95 % is the promise, 90 % what 200 tries can show."""
    truth = {"one_minus_auc_percent": 0.0, "error_rate": 0.0}
    spam, run = scored(0, 100_000)
    truth = {name: float(figures(spam, run)[name](np.ones((1, 100_000)))[0]) for name in truth}
    held = dict.fromkeys(truth, 0)
    for seed in range(1, 201):
        found = intervals(*scored(seed, 200), resamples=300, method=method)
        for name, true in truth.items():
            held[name] += found[name].low <= true <= found[name].high
    assert min(held.values()) >= 180
    assert max(held.values()) < 200


def test_copies_that_are_one_group_are_one_piece_of_evidence() -> None:
    spam, run = scored(3, 100)
    once = intervals(spam, run, method="percentile")
    copies = Run(np.repeat(run.log_odds, 10), np.repeat(run.probability, 10))
    tenfold = intervals(np.repeat(spam, 10), copies, method="percentile", groups=np.repeat(np.arange(100), 10))
    ungrouped = intervals(np.repeat(spam, 10), copies, method="percentile")
    for name in ("error_rate", "brier", "one_minus_auc_percent"):
        assert tenfold[name] == pytest.approx(once[name])
        assert ungrouped[name].high - ungrouped[name].low < 0.5 * (once[name].high - once[name].low)


def test_a_run_does_not_differ_from_itself() -> None:
    spam, run = scored(4)
    for comparison in compare(spam, run, run).values():
        assert list(comparison.difference) == [0, 0, 0]
        assert comparison.p_value == 1


def test_a_better_run_is_told_from_a_worse_one_and_by_how_much() -> None:
    spam, run = scored(5, 1000)
    noise = np.random.default_rng(0).normal(size=1000)
    worse = Run(np.asarray(run.log_odds) + noise, run.probability)
    found = compare(spam, run, worse)["one_minus_auc_percent"]
    assert found.theirs - found.ours == pytest.approx(found.difference.value)
    assert 0 < found.difference.low < found.difference.value < found.difference.high
    assert found.p_value <= 0.002
    alone = intervals(spam, worse)["one_minus_auc_percent"]
    assert found.difference.high - found.difference.low < alone.high - alone.low  # paired, so surer


def test_two_runs_that_differ_by_chance_are_not_told_apart() -> None:
    """Five in a hundred are, by the meaning of 95 %."""
    told = 0
    for seed in range(60):
        spam, run = scored(seed, 150)
        rng = np.random.default_rng(seed)
        one, other = (Run(np.asarray(run.log_odds) + rng.normal(size=150), run.probability) for _ in range(2))
        told += compare(spam, one, other, resamples=300)["one_minus_auc_percent"].p_value < 0.05
    assert told <= 9


def test_the_draws_follow_from_the_seed_and_not_from_the_size_of_a_block() -> None:
    values = np.random.default_rng(0).normal(size=BLOCK // 3)
    seen = []

    def noted(weights: Floats) -> Floats:
        seen.append(len(weights))
        return mean_of(values)(weights)

    one, same = (bootstrap({"m": noted}, len(values), resamples=7, method="percentile") for _ in range(2))
    assert one == same
    assert max(seen) < 7
    other = bootstrap({"m": noted}, len(values), resamples=7, method="percentile", random_state=1)
    assert other["m"].low != one["m"].low


def test_a_figure_without_its_class_is_nan_and_the_others_are_not() -> None:
    found = intervals(np.zeros(20, dtype=bool), Run(np.arange(20.0), np.linspace(0, 1, 20)))
    assert math.isnan(found["spam_missed"].value)
    assert math.isnan(found["one_minus_auc_percent"].low)
    assert found["error_rate"].low < found["error_rate"].value < found["error_rate"].high


def test_resamples_that_miss_a_class_are_left_out() -> None:
    labels = np.arange(12) == 0
    found = intervals(labels, Run(np.arange(12.0), np.linspace(0, 1, 12)))["spam_missed"]
    assert found == (1, 1, 1)


def always(weights: Floats) -> Floats:
    return np.ones(len(weights))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"method": "exact"}, "method must be one of bca, percentile, wide, got 'exact'"),
        ({"confidence": 95}, "confidence must be between 0 and 1"),
        ({"resamples": 0}, "resamples must be at least 1"),
        ({"groups": [1, 2]}, r"groups must have one label per item \(5\)"),
    ],
)
def test_what_cannot_be_is_refused_by_name(arguments: dict[str, int], said: str) -> None:
    of: dict[str, Figure] = {"one": always}
    with pytest.raises(ValueError, match=said):
        bootstrap(of, 5, **arguments)  # type: ignore[arg-type]  # wrong on purpose


def test_one_message_has_no_bootstrap() -> None:
    with pytest.raises(ValueError, match="at least two items"):
        bootstrap({"one": always}, 1)


def test_scores_are_checked_as_metrics_checks_them() -> None:
    with pytest.raises(ValueError, match="probability must be between 0 and 1"):
        intervals([True, False], Run([1, 2], [0.5, 1.5]))
    with pytest.raises(ValueError, match="log_odds must not hold NaN"):
        intervals([True, False], Run([1, math.nan], [0.5, 0.5]))


def test_the_interval_of_the_calibration_error_holds_it_and_errs_to_the_wide_side() -> None:
    """Where probabilities mean what they say the error is chance alone; where they do not, it is clearly above 0."""
    random = np.random.default_rng(4)
    probability = random.random(400)
    log_odds = np.log(probability)
    good, bad = (
        intervals(random.random(400) < share, Run(log_odds, probability))["expected_calibration_error"]
        for share in (probability, probability / 3)
    )
    assert good.low < 0.04 < good.value < good.high
    assert 0.2 < bad.low < bad.value < bad.high < 0.45
