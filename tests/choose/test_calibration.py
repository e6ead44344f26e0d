"""Probabilities mean what they say, on scores that came before the lesson; the state is a fold, bit for bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.isotonic import IsotonicRegression

from thresher.choose import calibration as module
from thresher.choose.calibration import (
    DECIDED,
    FIRST,
    FITS,
    KEPT,
    PRIOR_WEIGHT,
    Calibration,
    apply,
    expected_calibration_error,
    fit_beta,
    fit_isotonic,
    fit_temperature,
    log_sigmoid,
    sigmoid,
)

Drawn = tuple[np.ndarray, np.ndarray]


def drawn(n: int, temperature: float, seed: int = 1, shift: float = 0.0) -> Drawn:
    """Log-odds that are `temperature` times too far from 0, and labels."""
    random = np.random.default_rng(seed)
    true = random.normal(0, 3, n)
    return (true - shift) * temperature, random.random(n) < sigmoid(true)


def seen(scores: np.ndarray, is_spam: np.ndarray, calibration: Calibration | None = None) -> Calibration:
    calibration = calibration or Calibration()
    for score, spam in zip(scores.tolist(), is_spam.tolist(), strict=True):
        calibration.add(score, spam=spam)
    return calibration


def bits_of(calibration: Calibration) -> object:
    numbers, arrays = calibration.state()
    return numbers, {name: (array.dtype.str, array.tobytes()) for name, array in arrays.items()}


@pytest.mark.parametrize("temperature", [0.3, 1.0, 8.0])
def test_after_some_lessons_the_probabilities_mean_what_they_say(temperature: float) -> None:
    calibration = seen(*drawn(4000, temperature))
    scores, is_spam = drawn(20000, temperature, seed=2)
    assert expected_calibration_error(is_spam, calibration.probabilities(scores)) < 0.03


def test_scores_that_are_log_odds_already_are_left_alone_while_little_is_known() -> None:
    calibration = seen(*drawn(module.FIRST - 1, 1.0))
    assert calibration.kind == "identity"
    assert calibration.probabilities(np.array([0.0, 2.0])).tolist() == sigmoid([0.0, 2.0]).tolist()


def test_overconfident_scores_are_tempered() -> None:
    calibration = seen(*drawn(1000, 20.0))
    assert calibration.kind != "identity"
    assert calibration.probabilities(np.array([20.0]))[0] == pytest.approx(sigmoid(1.0), abs=0.1)


def test_what_no_formula_describes_is_described_by_isotonic_regression() -> None:
    """A step: 5 % spam below 1, 95 % above."""
    random = np.random.default_rng(3)
    scores = random.uniform(-5, 5, 6000)
    calibration = seen(scores, random.random(6000) < np.where(scores > 1, 0.95, 0.05))
    assert calibration.kind == "isotonic"
    assert calibration.probabilities(np.array([-4.0, 0.5, 1.5, 4.0])) == pytest.approx(
        [0.05, 0.05, 0.95, 0.95], abs=0.03
    )


@pytest.mark.parametrize("kind", ["temperature", "beta"])
def test_a_fit_is_the_least_penalized_loss_there_is(kind: str) -> None:
    scores, is_spam = drawn(300, 3.0, shift=1.0)
    start = {"temperature": np.array([1.0]), "beta": np.array([1.0, 1.0, 0.0])}[kind]

    def loss(theta: np.ndarray) -> float:
        p = np.clip(apply(kind, theta, scores), 1e-300, 1 - 1e-16)
        return float(-np.log(np.where(is_spam, p, 1 - p)).sum() + PRIOR_WEIGHT / 2 * ((theta - start) ** 2).sum())

    found = FITS[kind](scores, is_spam)
    assert (
        loss(found) <= minimize(loss, start, method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-10}).fun + 1e-6
    )


def test_beta_never_turns_the_order_round() -> None:
    scores, is_spam = drawn(400, 1.0)
    for labels in (~is_spam, is_spam & (scores < 0), is_spam | (scores < -2)):
        a, b, _ = fit_beta(scores, labels)
        assert a >= 0
        assert b >= 0


@given(st.lists(st.tuples(st.sampled_from([-3.0, -1.0, 0.0, 0.5, 2.0, 7.0]), st.booleans()), min_size=1, max_size=60))
def test_isotonic_regression_is_scikit_learns_at_the_pools(pairs: list[tuple[float, bool]]) -> None:
    scores, is_spam = np.array([one for one, _ in pairs]), np.array([spam for _, spam in pairs])
    at, share = fit_isotonic(scores, is_spam)
    edge = 1 / (len(pairs) + 2)
    theirs = IsotonicRegression(y_min=edge, y_max=1 - edge).fit(scores, is_spam)
    levels = np.unique(theirs.predict(scores).round(12))
    assert np.all(np.diff(at) > 0)
    assert np.unique(share.round(12)) == pytest.approx(levels)


def test_a_temperature_never_turns_the_order_round() -> None:
    """Also where the few scores seen say that higher ones are ham."""
    calibration = seen(np.array([0.0] * 40 + [21.0] * 20), np.array([False] * 30 + [True] * 10 + [False] * 20))
    low, high = calibration.probabilities(np.array([0.0, 1.0])).tolist()
    assert low <= high


@given(
    st.lists(st.tuples(st.floats(-900, 900), st.booleans()), max_size=150), st.lists(st.floats(-1e4, 1e4), min_size=2)
)
def test_a_higher_score_never_means_a_lower_probability(pairs: list[tuple[float, bool]], asked: list[float]) -> None:
    calibration = seen(np.array([one for one, _ in pairs]), np.array([spam for _, spam in pairs], np.bool_))
    p = calibration.probabilities(np.sort(asked))
    assert np.all(np.diff(p) >= -1e-15)
    assert np.all((p >= 0) & (p <= 1))


@given(st.integers(0, 200), st.integers(0, 200))
def test_a_calibration_taken_up_again_goes_on_bit_for_bit(first: int, more: int) -> None:
    scores, is_spam = drawn(first + more, 4.0)
    half = seen(scores[:first], is_spam[:first])
    again = Calibration.restored(*half.state())
    assert bits_of(again) == bits_of(half)
    assert bits_of(seen(scores[first:], is_spam[first:], again)) == bits_of(seen(scores, is_spam))


def test_memory_is_bounded_and_the_newest_scores_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 100)
    scores, is_spam = drawn(1000, 1.0)
    calibration = seen(scores, is_spam)
    held, spam = calibration.held_out()
    assert len(calibration.state()[1]["scores"]) <= 200
    assert held.tolist() == scores[-100:].tolist()
    assert spam.tolist() == is_spam[-100:].tolist()
    for at in (150, 199, 200, 201, 555):
        again = Calibration.restored(*seen(scores[:at], is_spam[:at]).state())
        assert bits_of(seen(scores[at:], is_spam[at:], again)) == bits_of(calibration)


def test_the_oldest_quarter_is_left_out() -> None:
    scores, is_spam = drawn(80, 1.0)
    assert seen(scores, is_spam).held_out()[0].tolist() == scores[20:].tolist()
    assert KEPT > 80


def test_one_class_alone_is_no_reason_to_fit() -> None:
    scores, _ = drawn(200, 1.0)
    assert seen(scores, np.zeros(200, np.bool_)).kind == "identity"


def test_with_nothing_seen_the_parameters_are_the_identitys() -> None:
    nothing = np.zeros(0), np.zeros(0, np.bool_)
    assert fit_temperature(*nothing).tolist() == [1.0]
    assert fit_beta(*nothing).tolist() == [1.0, 1.0, 0.0]


def test_the_logistic_function_neither_overflows_nor_loses_small_values() -> None:
    assert sigmoid([-1000.0, 0.0, 1000.0]).tolist() == [0.0, 0.5, 1.0]
    assert log_sigmoid(np.array([-1000.0, 40.0])) == pytest.approx([-1000.0, -np.exp(-40.0)])


def test_the_expected_calibration_error_is_the_mean_gap_between_said_and_seen() -> None:
    """Two bins: 0.1 was said twice and never came; 0.9 was said twice and came once."""
    assert expected_calibration_error([0, 0, 1, 0], [0.1, 0.1, 0.9, 0.9], bins=2) == pytest.approx((0.1 + 0.4) / 2)


def test_from_the_first_fit_until_losses_say_something_the_temperature_is_used() -> None:
    """Scores ten times too sure: the identity before anything was fitted, then at once what tempers them."""
    random = np.random.default_rng(6)
    calibration, kinds = Calibration(), []
    for _ in range(DECIDED):
        kinds.append(calibration.kind)
        z = random.normal()
        calibration.add(10 * z, spam=bool(random.random() < sigmoid(z)))
    assert kinds[:FIRST] == ["identity"] * FIRST
    assert set(kinds[FIRST:]) == {"temperature"}
    assert calibration.probabilities(np.array([10.0]))[0] < 0.9
