"""Categorical naive Bayes and its bins: what they take, what they refuse, and what is true of any data."""

import warnings
from collections.abc import Callable
from copy import deepcopy
from typing import Any
from unittest import SkipTest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from thresher.learn import CategoricalNaiveBayes, Discretizer, ImpossibleMessageWarning

ESTIMATORS = [
    CategoricalNaiveBayes(),
    CategoricalNaiveBayes(alpha=0.3, class_prior="uniform"),
    CategoricalNaiveBayes(alpha=1, drop_unseen=True),
    Discretizer(),
    Discretizer(n_bins=2),
]

# What some checks look at does not exist here: data frames, and arrays of other libraries than NumPy.
NOT_OURS = ("pandas is not installed", "SCIPY_ARRAY_API is not set")


@parametrize_with_checks(ESTIMATORS)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
def test_every_check_of_scikit_learn_passes(estimator: BaseEstimator, check: Callable[[BaseEstimator], None]) -> None:
    try:
        check(estimator)
    except SkipTest as reason:
        assert str(reason).startswith(NOT_OURS)  # noqa: PT017 -- any other reason to skip is a failure


X = np.array([[1, 5, 0], [2, 5, 0], [2, 7, 1], [1, 7, 1]])
Y = ["spam", "spam", "ham", "ham"]
STATE = ["class_count_", "feature_count_", "class_log_prior_", "feature_log_prob_", "kept_"]

examples = arrays(np.int64, (9, 3), elements=st.integers(-1, 3))
labels = st.lists(st.sampled_from(["ham", "spam", "unsure"]), min_size=9, max_size=9)
weights = st.lists(st.integers(1, 2**20), min_size=9, max_size=9)
models = st.builds(
    CategoricalNaiveBayes,
    alpha=st.sampled_from([0.0, 0.3, 1.0, [0.5, 0.0, 2.0]]),
    drop_unseen=st.booleans(),
    values=st.sampled_from(["learned", [[-1, 0, 1, 2, 3]] * 3]),
)
CLASSES = ["ham", "spam", "unsure"]


def bits(model: CategoricalNaiveBayes) -> list[bytes]:
    return [getattr(model, name).tobytes() for name in STATE] + [values.tobytes() for values in model.values_]


@given(model=models, X=examples, y=labels, weight=weights, kept=st.integers(1, 8))
def test_forgetting_leaves_the_bits_of_never_having_seen(
    model: CategoricalNaiveBayes, X: NDArray[np.int64], y: list[str], weight: list[int], kept: int
) -> None:
    """Also of the values that only the forgotten examples had."""
    seen, never = model, deepcopy(model)
    seen.partial_fit(X, y, classes=CLASSES, sample_weight=weight).forget(
        X[kept:], y[kept:], sample_weight=weight[kept:]
    )
    assert bits(seen) == bits(never.partial_fit(X[:kept], y[:kept], CLASSES, sample_weight=weight[:kept]))


@given(model=models, X=examples, y=labels, order=st.permutations(range(9)), cut=st.integers(1, 8))
def test_order_and_pieces_leave_no_trace(
    model: CategoricalNaiveBayes, X: NDArray[np.int64], y: list[str], order: list[int], cut: int
) -> None:
    whole, pieces = model, deepcopy(model)
    whole.partial_fit(X, y, classes=CLASSES)
    for rows in (order[:cut], order[cut:]):
        pieces.partial_fit(X[rows], [y[i] for i in rows], classes=CLASSES)
    assert bits(whole) == bits(pieces)


@given(model=models, X=examples, y=labels, times=st.lists(st.integers(0, 3), min_size=9, max_size=9).filter(any))
def test_a_weight_is_the_number_of_times_an_example_is_seen(
    model: CategoricalNaiveBayes, X: NDArray[np.int64], y: list[str], times: list[int]
) -> None:
    weighted, repeated = model, deepcopy(model)
    rows = np.repeat(np.arange(9), times)
    weighted.partial_fit(X, y, classes=CLASSES, sample_weight=times)
    assert bits(weighted) == bits(repeated.partial_fit(X[rows], [y[i] for i in rows], classes=CLASSES))


@given(X=examples, new=examples, alpha=st.floats(0.01, 10))
def test_the_linear_form_over_the_values_is_the_log_odds_and_its_sign_the_arg_max(
    X: NDArray[np.int64], new: NDArray[np.int64], alpha: float
) -> None:
    learned = CategoricalNaiveBayes(alpha=alpha).fit(X, np.arange(9) % 2)
    w0, w = learned.linear_form()
    score = w0 + learned.one_hot(new) @ w
    log_proba = learned.predict_log_proba(new)
    assert score == pytest.approx(log_proba[:, 1] - log_proba[:, 0], abs=1e-9)
    clear = np.abs(score) > 1e-9  # a tie has no sign
    assert np.array_equal(learned.predict(new)[clear], (score > 0)[clear])


@given(model=models, X=examples, new=examples, y=labels)
def test_nothing_is_ever_nan(
    model: CategoricalNaiveBayes, X: NDArray[np.int64], new: NDArray[np.int64], y: list[str]
) -> None:
    """Neither at alpha = 0, nor with values never seen, nor with a class that has no example."""
    model.partial_fit(X, y, classes=CLASSES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImpossibleMessageWarning)
        assert model.predict_proba(new).sum(axis=1) == pytest.approx(1)


def test_a_value_never_seen_changes_no_verdict() -> None:
    learned = CategoricalNaiveBayes().fit(X, Y)
    assert learned.predict_proba([[99, 7, 99]]) == pytest.approx(
        CategoricalNaiveBayes().fit(X[:, [1]], Y).predict_proba([[7]])
    )


def test_at_alpha_0_a_value_no_class_has_shown_gives_the_prior_and_says_so() -> None:
    learned = CategoricalNaiveBayes(alpha=0, values=[[1, 2, 3], [5, 7], [0, 1]]).fit(X, Y)
    with pytest.warns(ImpossibleMessageWarning):
        assert learned.predict_proba([[3, 5, 0]]).tolist() == [[0.5, 0.5]]


def test_drop_unseen_keeps_the_features_whose_values_every_class_has_shown() -> None:
    dropped = CategoricalNaiveBayes(alpha=0, drop_unseen=True).fit(X, Y)
    assert dropped.kept_.tolist() == [True, False, False]
    assert dropped.predict_proba([[1, 5, 0]]) == pytest.approx(
        CategoricalNaiveBayes(alpha=0).fit(X[:, [0]], Y).predict_proba([[1]])
    )


def test_forgetting_everything_leaves_no_value_and_no_opinion() -> None:
    emptied = CategoricalNaiveBayes().fit(X, Y).forget(X, Y)
    assert [len(values) for values in emptied.values_] == [0, 0, 0]
    assert emptied.predict_proba(X[:1]).tolist() == [[0.5, 0.5]]


REFUSED: list[tuple[dict[str, Any], Any, str]] = [
    ({}, X * np.nan, "Input X contains NaN"),
    ({"alpha": -1}, X, "alpha must be finite and at least 0"),
    ({"alpha": [1, 2]}, X, r"alpha must be a number or have one per feature \(3\)"),
    ({"values": "guess"}, X, "values must be 'learned' or one row of numbers per feature, got 'guess'"),
    ({"values": [[1, 2]]}, X, r"values must have one row per feature \(3\), got 1"),
    ({"values": [[1, 2], [7, 5], [0, 1]]}, X, r"values\[1\] must be finite and increase"),
    ({"values": [[1, 2], [5], [0, 1]]}, X, r"X holds 7 in feature 1, which is none of its values \[5.0\]"),
    ({"values": [[1, 2], 5, [0, 1]]}, X, r"values\[1\] must be a row of numbers"),
]


@pytest.mark.parametrize(("settings", "X", "message"), REFUSED)
def test_bad_input_is_refused_with_the_argument_named(settings: dict[str, Any], X: NDArray[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CategoricalNaiveBayes(**settings).fit(X, Y)


def test_a_value_that_is_not_among_those_given_is_refused_in_predict_too() -> None:
    learned = CategoricalNaiveBayes(values=[[1, 2], [5, 7], [0, 1]]).fit(X, Y)
    with pytest.raises(ValueError, match="X holds 9 in feature 0"):
        learned.predict([[9, 5, 0]])


@pytest.mark.parametrize("refused", [[[9, 9, 9], [9, 9, 9]], [[1, 5, 0], [1, 5, 0]]])
def test_examples_that_were_never_learned_cannot_be_forgotten_and_nothing_changes(refused: list[list[int]]) -> None:
    learned = CategoricalNaiveBayes().fit(X, Y)
    before = bits(learned)
    with pytest.raises(ValueError, match="X, y cannot be forgotten"):
        learned.forget(refused, ["spam", "spam"])
    assert bits(learned) == before


NUMBERS = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]])


def test_quantiles_share_the_examples_out_evenly() -> None:
    binned = Discretizer(n_bins=4).fit(NUMBERS).transform(NUMBERS)
    assert np.bincount(binned.ravel())[1:].sum() == 8
    assert np.bincount(binned.ravel())[1:].max() <= 3


@given(
    X=arrays(np.float64, (12, 2), elements=st.sampled_from([-1e9, 0.0, 0.1, 2.0, 3.0, 1e9])),
    n_bins=st.integers(2, 8),
)
def test_no_bin_of_quantiles_is_empty_however_often_a_number_repeats(X: NDArray[np.float64], n_bins: int) -> None:
    cut = Discretizer(n_bins=n_bins).fit(X)
    for column, values in zip(cut.transform(X).T, cut.values_, strict=True):
        assert np.array_equal(np.unique(column), values)
        assert len(values) <= n_bins


def test_bins_feed_naive_bayes_in_a_pipeline() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.normal(y[:, np.newaxis] * 2.0, 1.0, (200, 3))
    assert make_pipeline(Discretizer(), CategoricalNaiveBayes()).fit(X[:100], y[:100]).score(X[100:], y[100:]) > 0.9


REFUSED_EDGES: list[tuple[dict[str, Any], str]] = [
    ({"edges": "even"}, "edges must be 'quantiles' or one row of numbers per feature, got 'even'"),
    ({"edges": [[2, 1]]}, r"edges\[0\] must be finite and increase, got \[2.0, 1.0\]"),
    ({"edges": [[1, np.nan]]}, r"edges\[0\] must be finite and increase"),
    ({"edges": [[1], [2]]}, r"edges must have one row per feature \(1\), got 2"),
    ({"n_bins": 1}, "n_bins must be a whole number of at least 2, got 1"),
    ({"n_bins": 2.5}, "n_bins must be a whole number of at least 2, got 2.5"),
]


@pytest.mark.parametrize(("settings", "message"), REFUSED_EDGES)
def test_bad_edges_are_refused_with_the_argument_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Discretizer(**settings).fit(NUMBERS)
