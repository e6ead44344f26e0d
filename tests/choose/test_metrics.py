"""Measures of how good scores are: scikit-learn's answers, rules for ties and zeros, and what is refused."""

import json
import math
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn import metrics as sk

from thresher.choose.metrics import (
    Errors,
    brier,
    errors_at,
    evaluate_scores,
    ham_lost_threshold,
    lam_percent,
    log_loss,
    one_minus_auc_percent,
    rate,
    roc_auc,
    spam_missed_at_ham_lost,
)

Floats = NDArray[np.float64]
Scored = tuple[NDArray[np.bool_], Floats]


@st.composite
def scored(draw: st.DrawFn, scores: st.SearchStrategy[float]) -> Scored:
    """Labels and scores of up to forty messages, with a ham and a spam among them."""
    rows = draw(st.lists(st.tuples(st.booleans(), scores), min_size=0, max_size=38))
    rows += [(False, draw(scores)), (True, draw(scores))]
    rows = draw(st.permutations(rows))
    return np.array([label for label, _ in rows]), np.array([score for _, score in rows])


tied = scored(st.integers(-3, 3).map(float))
spread = scored(st.floats(-1e6, 1e6))
forecasts = scored(st.floats(0, 1))


@given(tied)
def test_the_area_under_the_roc_curve_is_that_of_scikit_learn_ties_included(data: Scored) -> None:
    labels, scores = data
    assert roc_auc(labels, scores) == pytest.approx(sk.roc_auc_score(labels, scores), abs=1e-12)


@given(tied)
def test_the_area_is_the_share_of_pairs_in_order_counted_one_by_one(data: Scored) -> None:
    labels, scores = data
    halves = [np.sign(s - h) + 1 for s in scores[labels] for h in scores[~labels]]
    assert roc_auc(labels, scores) == int(sum(halves)) / (2 * len(halves))


@given(spread, st.randoms(use_true_random=False))
def test_the_area_does_not_depend_on_the_order_of_the_messages(data: Scored, random: Any) -> None:  # noqa: ANN401
    labels, scores = data
    order = list(range(len(labels)))
    random.shuffle(order)
    assert roc_auc(labels[order], scores[order]) == roc_auc(labels, scores)


@given(tied)
def test_the_area_above_the_curve_is_the_rest_in_percent(data: Scored) -> None:
    assert one_minus_auc_percent(*data) == pytest.approx(100 * (1 - roc_auc(*data)), abs=1e-12)


def test_one_pair_out_of_order_in_a_million_shows_in_every_digit() -> None:
    labels = np.repeat([False, True], 1000)
    scores = np.arange(2000.0)
    scores[[999, 1000]] = scores[[1000, 999]]
    assert one_minus_auc_percent(labels, scores) == 1e-4


def test_scores_may_be_infinite() -> None:
    assert roc_auc([False, False, True, True], [-math.inf, 0, 0, math.inf]) == 0.875


@given(forecasts, st.floats(0, 1))
def test_errors_are_those_of_the_confusion_matrix(data: Scored, threshold: float) -> None:
    labels, scores = data
    (true_ham, false_spam), (false_ham, true_spam) = sk.confusion_matrix(labels, scores > threshold).tolist()
    errors = errors_at(labels, scores, threshold)
    assert tuple(errors) == (true_ham + false_spam, false_ham + true_spam, false_spam, false_ham)
    assert errors.error_rate == pytest.approx(sk.zero_one_loss(labels, scores > threshold))
    assert errors.ham_lost == false_spam / (true_ham + false_spam)
    assert errors.spam_missed == false_ham / (false_ham + true_spam)


def test_a_message_at_the_threshold_is_ham() -> None:
    assert errors_at([False, True], [0.5, 0.5], 0.5) == Errors(1, 1, false_positives=0, false_negatives=1)


def test_lam_of_one_percent_and_four_percent_lies_between_them_on_the_logistic_scale() -> None:
    """Odds of 1/99 and 4/96: the geometric mean is sqrt(1/99 * 4/96)."""
    odds = math.sqrt(1 / 99 * 4 / 96)
    lam = lam_percent(Errors(n_ham=1000, n_spam=100, false_positives=10, false_negatives=4))
    assert lam == pytest.approx(100 * odds / (1 + odds))


def test_lam_of_two_equal_rates_is_that_rate() -> None:
    assert lam_percent(Errors(n_ham=200, n_spam=50, false_positives=20, false_negatives=5)) == pytest.approx(10)


def test_in_lam_no_error_counts_as_half_a_message() -> None:
    none = Errors(n_ham=1000, n_spam=100, false_positives=0, false_negatives=4)
    odds = math.sqrt(0.5 / 999.5 * 4 / 96)
    assert lam_percent(none) == pytest.approx(100 * odds / (1 + odds))


def test_in_lam_calling_everything_ham_is_no_perfect_filter() -> None:
    assert lam_percent(Errors(n_ham=100, n_spam=100, false_positives=0, false_negatives=100)) == pytest.approx(50)


@given(n=st.tuples(st.integers(1, 100), st.integers(1, 100)), wrong=st.tuples(st.integers(0, 100), st.integers(0, 100)))
def test_lam_is_symmetric_and_between_its_two_rates(n: tuple[int, int], wrong: tuple[int, int]) -> None:
    wrong = min(wrong[0], n[0]), min(wrong[1], n[1])
    lam = lam_percent(Errors(*n, *wrong))
    assert lam == pytest.approx(lam_percent(Errors(*n[::-1], *wrong[::-1])))
    rates = [100 * min(max(w, 0.5), m - 0.5) / m for w, m in zip(wrong, n, strict=True)]
    assert min(rates) - 1e-9 <= lam <= max(rates) + 1e-9


def test_with_one_ham_in_a_thousand_to_lose_the_second_highest_of_a_thousand_sets_the_threshold() -> None:
    labels = np.arange(1003) >= 1000
    scores = np.concatenate([np.arange(1000.0), [997.5, 998.0, 998.5]])
    assert ham_lost_threshold(labels, scores) == 998
    assert spam_missed_at_ham_lost(labels, scores) == pytest.approx(2 / 3)


def test_with_fewer_than_a_thousand_ham_none_may_be_lost() -> None:
    labels = np.arange(1001) >= 999
    scores = np.concatenate([np.arange(999.0), [997.5, 998.5]])
    assert ham_lost_threshold(labels, scores) == 998
    assert spam_missed_at_ham_lost(labels, scores) == 0.5


def test_ham_that_tie_are_kept_together() -> None:
    """One of four may be lost, but the two highest have the same score."""
    labels, scores = [False] * 4 + [True] * 2, [1, 2, 3, 3, 3, 4]
    assert ham_lost_threshold(labels, scores, share=0.25) == 3
    assert spam_missed_at_ham_lost(labels, scores, share=0.25) == 0.5


@pytest.mark.parametrize("percent", range(101))
def test_a_whole_number_of_ham_is_not_lost_to_binary_fractions(percent: int) -> None:
    """0.29 of 100 is 28.999999999999996 in binary."""
    labels, scores = np.zeros(100, dtype=np.bool_), np.arange(100, dtype=np.float64)
    assert errors_at(labels, scores, ham_lost_threshold(labels, scores, percent / 100)).false_positives == percent


@given(tied, st.floats(0, 1))
def test_the_threshold_loses_no_more_ham_than_allowed_and_any_lower_one_would(data: Scored, share: float) -> None:
    labels, scores = data
    threshold = ham_lost_threshold(labels, scores, share)
    allowed = math.floor(share * np.count_nonzero(~labels) + 1e-9)
    assert errors_at(labels, scores, threshold).false_positives <= allowed
    lower = np.nextafter(threshold, -math.inf)
    assert threshold == -math.inf or errors_at(labels, scores, float(lower)).false_positives > allowed


@given(forecasts)
def test_the_brier_score_is_that_of_scikit_learn(data: Scored) -> None:
    labels, probability = data
    assert brier(labels, probability) == pytest.approx(sk.brier_score_loss(labels, probability))


@given(forecasts)
def test_the_log_loss_is_that_of_scikit_learn_certain_forecasts_included(data: Scored) -> None:
    labels, probability = data
    both = np.column_stack([1 - probability, probability])
    assert log_loss(labels, probability) == pytest.approx(sk.log_loss(labels, both), abs=1e-12)


def test_a_certain_forecast_that_fails_costs_36_nats() -> None:
    assert log_loss([True, False], [0.0, 0.0]) == pytest.approx(36.04 / 2, abs=0.01)


def test_the_report_holds_every_figure() -> None:
    labels = np.array([False] * 5 + [True] * 5)
    log_odds = np.array([-9, -5, -4, -1, 2.0, -2, 1, 3, 60, 70])
    probability = 1 / (1 + np.exp(-log_odds))
    report = evaluate_scores(labels, log_odds, probability)
    assert (report.n, report.n_ham, report.n_spam) == (10, 5, 5)
    assert (report.errors, report.false_positives, report.false_negatives) == (2, 1, 1)
    assert (report.error_rate, report.ham_lost, report.spam_missed) == (0.2, 0.2, 0.2)
    assert report.roc_auc == pytest.approx(22 / 25)
    assert report.one_minus_auc_percent == pytest.approx(12)
    assert report.lam_percent == pytest.approx(20)
    assert report.spam_missed_at_ham_lost == pytest.approx(2 / 5)
    assert report.brier == brier(labels, probability)
    assert report.log_loss == log_loss(labels, probability)


def test_order_is_taken_from_the_log_odds_where_probabilities_have_saturated() -> None:
    report = evaluate_scores([False, True], [60.0, 70.0], [1.0, 1.0])
    assert report.roc_auc == 1


def test_a_report_does_not_change_and_can_be_written_as_json() -> None:
    report = evaluate_scores([False, True], [-1.0, 1.0], [0.3, 0.7])
    with pytest.raises(AttributeError):
        report.n = 3  # type: ignore[misc]
    assert json.loads(msgspec.json.encode(report))["errors"] == 0


@pytest.mark.parametrize("label", [False, True])
def test_what_needs_both_classes_is_nan_without_the_other(label: bool) -> None:  # noqa: FBT001 -- pytest passes it
    report = evaluate_scores([label, label], [-1.0, 1.0], [0.3, 0.7])
    undefined = {name for name, value in msgspec.structs.asdict(report).items() if math.isnan(value)}
    assert undefined == {
        "roc_auc",
        "one_minus_auc_percent",
        "lam_percent",
        "spam_missed_at_ham_lost",
        "ham_lost" if label else "spam_missed",
    }


@pytest.mark.parametrize(
    ("labels", "scores", "message"),
    [
        ([], [], "must not be empty"),
        ([True, False], [1.0], "of one length"),
        ([[True, False]], [[1.0, 2.0]], "two lists"),
        ([True, False], [1.0, math.nan], "scores must not hold NaN"),
        ([2, 0], [1.0, 2.0], "labels must be True for spam"),
        (["spam", "ham"], [1.0, 2.0], "labels must be True for spam"),
    ],
)
def test_bad_input_is_refused_with_the_argument_named(labels: Any, scores: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match=message):
        roc_auc(labels, scores)


@pytest.mark.parametrize("measure", [brier, log_loss])
@pytest.mark.parametrize("probability", [-0.1, 1.1])
def test_a_probability_outside_of_0_and_1_is_refused(measure: Any, probability: float) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match="probability must be between 0 and 1"):
        measure([True], [probability])


def test_a_share_outside_of_0_and_1_is_refused() -> None:
    with pytest.raises(ValueError, match="share must be between 0 and 1"):
        ham_lost_threshold([True, False], [1.0, 2.0], share=5)


@pytest.mark.parametrize(("k", "n"), [(0, 10), (1, 10), (5, 10), (10, 10), (3, 1000), (0, 1), (1, 1)])
def test_the_interval_of_a_rate_is_wilsons(k: int, n: int) -> None:
    """Its ends are the rates from which the share lies 1.96 standard errors off; 0 and 1 are their own ends."""
    found = rate(k, n)
    assert found.share == k / n
    assert found.low <= found.share <= found.high
    for end in {found.low, found.high} - {0.0, 1.0}:
        assert abs(end - k / n) == pytest.approx(1.959964 * math.sqrt(end * (1 - end) / n), rel=1e-6)
    assert (found.low == 0, found.high == 1) == (k == 0, k == n)


def test_a_rate_of_nothing_could_be_any() -> None:
    found = rate(0, 0)
    assert math.isnan(found.share)
    assert (found.low, found.high) == (0, 1)


def test_a_rate_of_more_than_there_is_is_refused() -> None:
    with pytest.raises(ValueError, match="k of n"):
        rate(3, 2)
