"""Naive Bayes: what it takes, what it refuses, and that a refusal changes nothing."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import sparse
from sklearn.exceptions import NotFittedError

from thresher.learn import BernoulliNaiveBayes, ImpossibleMessageWarning, MultinomialNaiveBayes
from thresher.learn.event_models import CountError, remaining

Model = BernoulliNaiveBayes | MultinomialNaiveBayes
MODELS = [BernoulliNaiveBayes, MultinomialNaiveBayes]

X = np.array([[3, 0, 1], [2, 1, 0], [0, 2, 2], [0, 3, 0]])
Y = ["spam", "spam", "ham", "ham"]
each_model = pytest.mark.parametrize("model", MODELS)


def state(model: Model) -> dict[str, Any]:
    """All that a model knows, arrays as bytes."""
    return {name: value.tobytes() if isinstance(value, np.ndarray) else value for name, value in vars(model).items()}


@each_model
def test_fit_is_partial_fit_from_nothing(model: type[Model]) -> None:
    again = model().fit(X[::-1] * 7, Y).fit(X, Y)
    fresh = model().partial_fit(X, Y, classes=["ham", "spam"])
    assert state(again).keys() == state(fresh).keys()
    assert again.feature_log_prob_.tobytes() == fresh.feature_log_prob_.tobytes()


@each_model
@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csr_array, sparse.csc_matrix, sparse.coo_array, list])
def test_dense_and_sparse_input_of_any_kind_give_the_same_model(model: type[Model], kind: Callable[..., Any]) -> None:
    dense, other = model().fit(X, Y), model().fit(kind(X), Y)
    assert np.array_equal(dense.feature_count_, other.feature_count_)
    assert np.array_equal(dense.predict_joint_log_proba(X), other.predict_joint_log_proba(kind(X)))


@each_model
@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int16, np.float32, np.float64])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_any_type_of_number_is_counted_the_same(
    model: type[Model], dtype: type[np.generic], kind: Callable[..., Any]
) -> None:
    presence = X > 0
    assert np.array_equal(
        model().fit(kind(presence.astype(dtype)), Y).feature_count_, model().fit(presence * 1.0, Y).feature_count_
    )


def test_a_word_stored_in_two_pieces_is_present_once() -> None:
    pieces = sparse.csr_matrix(([1.0, 2.0, 1.0], [0, 0, 1], [0, 2, 3]), shape=(2, 2))
    assert not pieces.has_canonical_format
    assert BernoulliNaiveBayes().fit(pieces, [0, 1]).feature_count_.tolist() == [[1, 0], [0, 1]]
    assert pieces.nnz == 3, "the caller's matrix was changed"


def test_a_word_is_present_above_the_threshold() -> None:
    counts = BernoulliNaiveBayes(binarize=1.5).fit(X, Y).feature_count_
    assert counts.tolist() == [[0, 2, 1], [2, 0, 0]]


@each_model
def test_three_classes_are_told_apart(model: type[Model]) -> None:
    learned = model().fit(np.eye(3) * 9, ["a", "b", "c"])
    assert learned.predict(np.eye(3)[[2, 0, 1]]).tolist() == ["c", "a", "b"]


@each_model
@pytest.mark.parametrize("n_classes", [2, 3, 4, 7])
def test_a_sparse_matrix_is_scored_as_a_dense_one_for_any_number_of_classes(model: type[Model], n_classes: int) -> None:
    counts = np.random.default_rng(0).integers(0, 4, (21, 6))
    learned = model().fit(counts, np.arange(21) % n_classes)
    assert learned.predict_joint_log_proba(sparse.csr_matrix(counts)) == pytest.approx(
        learned.predict_joint_log_proba(counts)
    )


@each_model
def test_a_weight_of_three_is_a_message_seen_three_times(model: type[Model]) -> None:
    weighted = model().fit(X, Y, sample_weight=[3, 1, 2, 1])
    repeated = model().fit(X[[0, 0, 0, 1, 2, 2, 3]], ["spam"] * 4 + ["ham"] * 3)
    assert weighted.feature_log_prob_.tobytes() == repeated.feature_log_prob_.tobytes()
    assert weighted.class_log_prior_.tobytes() == repeated.class_log_prior_.tobytes()


@each_model
@given(
    X=arrays(np.int64, (6, 4), elements=st.integers(0, 9)),
    times=st.lists(st.integers(1, 5), min_size=6, max_size=6),
    alpha=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_a_weight_is_the_number_of_times_a_message_is_seen(
    model: type[Model], X: NDArray[np.int64], times: list[int], alpha: float
) -> None:
    rows = np.repeat(np.arange(6), times)
    labels = np.array(["spam", "ham"] * 3)
    weighted = model(alpha=alpha).fit(X, labels, sample_weight=times)
    repeated = model(alpha=alpha).fit(X[rows], labels[rows])
    assert weighted.feature_count_.tobytes() == repeated.feature_count_.tobytes()
    assert weighted.feature_log_prob_.tobytes() == repeated.feature_log_prob_.tobytes()


def test_the_decision_is_the_log_odds_infinite_where_only_one_class_can_be() -> None:
    words = [[1, 0], [1, 1], [0, 1], [0, 1]]
    smooth = BernoulliNaiveBayes().fit(words, [1, 1, 0, 0])
    log_proba = smooth.predict_log_proba(words)
    assert smooth.decision_function(words) == pytest.approx(log_proba[:, 1] - log_proba[:, 0])
    certain = BernoulliNaiveBayes(alpha=0).fit(words, [1, 1, 0, 0])
    assert certain.decision_function([[1, 1], [0, 1]]).tolist() == [np.inf, -np.inf]
    with pytest.warns(ImpossibleMessageWarning) as caught:
        assert certain.decision_function([[0, 0]]).tolist() == [0.0]
    assert caught[0].filename == __file__


def test_the_decision_between_three_classes_is_the_joint_of_each() -> None:
    learned = BernoulliNaiveBayes().fit(np.eye(3), ["a", "b", "c"])
    assert np.array_equal(learned.decision_function(np.eye(3)), learned.predict_joint_log_proba(np.eye(3)))


@each_model
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_fractional_weights_are_forgotten_to_nothing(model: type[Model], alpha: float) -> None:
    """Rounding must not leave a trace that alpha = 0 would take for evidence."""
    assert 0.1 + 0.2 + 0.3 - 0.1 - 0.2 - 0.3 > 0
    learned = model(alpha=alpha).partial_fit([[1, 0]], [0], classes=[0, 1], sample_weight=[0.7])
    for weight in (0.1, 0.2, 0.3):
        learned.partial_fit([[0, 1]], [0], sample_weight=[weight])
    for weight in (0.1, 0.2, 0.3):
        learned.forget([[0, 1]], [0], sample_weight=[weight])
    assert learned.feature_count_[0, 1] == 0
    assert learned.feature_count_[0, 0] == pytest.approx(0.7)


def test_what_is_left_of_whole_numbers_is_exact_up_to_the_last_one() -> None:
    assert remaining(np.array([2.0**53, 5.0]), np.array([2.0**53 - 1, 5.0])).tolist() == [1, 0]


def test_what_falls_short_by_rounding_is_zero_and_what_falls_short_by_more_is_refused() -> None:
    assert remaining(np.array([1.0]), np.array([1.0 + 1e-12])).tolist() == [0]
    with pytest.raises(CountError):
        remaining(np.array([1.0]), np.array([1.0 + 1e-6]))


def test_weights_that_do_not_add_up_exactly_do_not_make_an_absence_negative() -> None:
    """A word in every message: the sum of its weights and that of the class may differ in the last bit."""
    weights = np.random.default_rng(1).random(20_000)
    learned = BernoulliNaiveBayes(alpha=0).fit(np.ones((20_000, 40)), np.arange(20_000) % 2, sample_weight=weights)
    assert learned.predict_joint_log_proba(1 - np.eye(40)).tolist() == [[-np.inf, -np.inf]] * 40


@each_model
def test_a_model_survives_pickling(model: type[Model]) -> None:
    learned = model().fit(X, Y)
    assert np.array_equal(pickle.loads(pickle.dumps(learned)).predict_proba(X), learned.predict_proba(X))  # noqa: S301


REFUSED: list[tuple[dict[str, Any], tuple[Any, ...], str]] = [
    ({"alpha": -1}, (X, Y), "alpha must be finite and at least 0"),
    ({"alpha": float("nan")}, (X, Y), "alpha must be finite"),
    ({"alpha": [1, 2]}, (X, Y), r"alpha must be a number or have one per feature \(3\)"),
    ({"alpha": [1, 2, -3]}, (X, Y), "alpha must be finite and at least 0"),
    ({"alpha": "much"}, (X, Y), "alpha must hold numbers, got 'much'"),
    ({"class_prior": "fair"}, (X, Y), "class_prior must be 'learned', 'uniform' or"),
    ({"class_prior": [1.0]}, (X, Y), r"class_prior must have one probability per class \(2\)"),
    ({"class_prior": [0.5, 0.6]}, (X, Y), "class_prior must hold probabilities that sum to 1"),
    ({"class_prior": [1.5, -0.5]}, (X, Y), "class_prior must hold probabilities"),
    ({}, (X * np.nan, Y), "Input X contains NaN"),
    ({}, (X, ["spam"] * 4), "y must hold at least two classes, got one class only, 'spam'"),
    ({}, (X, Y[:3]), "inconsistent numbers of samples"),
    ({}, (X, [0.1, 0.2, 0.3, 0.4]), "Unknown label type"),
    ({}, (X, Y, [1, 1, 1]), "sample_weight.shape"),
    ({}, (X, Y, [1, 1, 1, -1]), "sample_weight must be finite and at least 0"),
    ({}, (X, Y, [1, 1, 1, np.inf]), "sample_weight must be finite"),
    ({}, (X, Y, [0, 0, 0, 0]), "sample_weight must not be zero everywhere"),
]


@each_model
@pytest.mark.parametrize(("settings", "arguments", "message"), REFUSED)
def test_bad_input_is_refused_with_the_argument_named(
    model: type[Model], settings: dict[str, Any], arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        model(**settings).fit(*arguments)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_the_multinomial_model_refuses_negative_counts_in_fit_and_in_predict(kind: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="Negative values in data X"):
        MultinomialNaiveBayes().fit(kind(-X), Y)
    with pytest.raises(ValueError, match="Negative values in data X"):
        MultinomialNaiveBayes().fit(X, Y).predict(kind(-X))


def test_counts_too_large_to_be_exact_are_refused() -> None:
    with pytest.raises(ValueError, match=r"X brings a count to 1e\+16"):
        MultinomialNaiveBayes().fit([[1e16], [1.0]], [0, 1])


def test_a_negative_threshold_is_refused_for_a_sparse_matrix_whose_zeros_are_not_stored() -> None:
    with pytest.raises(ValueError, match="binarize must be at least 0"):
        BernoulliNaiveBayes(binarize=-1).fit(sparse.csr_matrix(X), Y)


@each_model
@pytest.mark.parametrize("method", ["predict", "predict_proba", "predict_joint_log_proba", "forget", "linear_form"])
def test_a_model_that_learned_nothing_says_so(model: type[Model], method: str) -> None:
    arguments = {"forget": (X, Y), "linear_form": ()}.get(method, (X,))
    with pytest.raises(NotFittedError):
        getattr(model(), method)(*arguments)


def test_the_first_partial_fit_must_name_the_classes_and_later_ones_cannot_change_them() -> None:
    model = MultinomialNaiveBayes()
    with pytest.raises(ValueError, match="classes must be given"):
        model.partial_fit(X, Y)
    with pytest.raises(ValueError, match="classes must hold at least two classes"):
        model.partial_fit(X[:2], Y[:2], classes=["spam"])
    model.partial_fit(X[:2], Y[:2], classes=["spam", "ham"])
    with pytest.raises(ValueError, match="not those of the first call"):
        model.partial_fit(X, Y, classes=["eggs", "ham"])


REFUSED_LESSONS: list[tuple[str, tuple[Any, ...], str]] = [
    ("forget", ([[4, 0, 1]], ["spam"], [2]), "X, y cannot be forgotten: they hold more than was learned"),
    ("forget", ([[0, 0, 1]], ["spam"], [4]), "X, y cannot be forgotten: they hold more than was learned"),
    ("forget", ([[1, 0, 1]], ["eggs"]), r"y holds labels that are not among the classes: \['eggs'\]"),
    ("forget", ([[1, 0]], ["spam"]), "2 features"),
    ("forget", ([[1, 0, np.nan]], ["spam"]), "NaN"),
    ("forget", ([[1, 0, 1]], ["spam"], [-1]), "sample_weight must be finite and at least 0"),
    ("partial_fit", ([[1, 0, 1]], ["eggs"]), r"y holds labels that are not among the classes: \['eggs'\]"),
    ("partial_fit", ([[1, 0, 1]], ["spam"], ["ham", "spam"], [-1]), "sample_weight must be finite"),
    ("partial_fit", ([[1, 0]], ["spam"]), "2 features"),
]


@each_model
@pytest.mark.parametrize(("method", "arguments", "message"), REFUSED_LESSONS)
def test_a_refused_lesson_leaves_the_model_untouched(
    model: type[Model], method: str, arguments: tuple[Any, ...], message: str
) -> None:
    learned = model().fit(X, Y)
    before = state(deepcopy(learned))
    with pytest.raises(ValueError, match=message):
        getattr(learned, method)(*arguments)
    assert state(learned).keys() == before.keys()
    assert [name for name in before if name.endswith("_") and state(learned)[name] != before[name]] == []


def test_a_message_without_a_word_that_all_had_cannot_be_forgotten() -> None:
    """Counts of presence alone would not notice: taking it away leaves more messages with the word than messages."""
    learned = BernoulliNaiveBayes().fit([[1], [1], [0]], ["spam", "spam", "ham"])
    with pytest.raises(ValueError, match="cannot be forgotten"):
        learned.forget([[0]], ["spam"])
    assert learned.class_count_.tolist() == [1, 2]


@each_model
def test_a_linear_form_with_infinite_weights_is_refused(model: type[Model]) -> None:
    """Ham never shows the first word and spam never the second; the third tells nothing for certain."""
    with pytest.raises(ValueError, match="2 words have a probability of zero"):
        model(alpha=0).fit([[1, 0, 1], [1, 0, 0], [0, 2, 1], [0, 1, 0]], [1, 1, 0, 0]).linear_form()


@each_model
def test_a_linear_form_of_a_class_without_messages_is_refused(model: type[Model]) -> None:
    with pytest.raises(ValueError, match="a class has a prior of zero"):
        model().partial_fit(X[:2], Y[:2], classes=["ham", "spam"]).linear_form()


@each_model
def test_a_linear_form_of_three_classes_is_refused(model: type[Model]) -> None:
    with pytest.raises(ValueError, match="two classes, here are 3"):
        model().fit(np.eye(3), [0, 1, 2]).linear_form()


def run(code: str) -> str:
    """Print what a fresh interpreter prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("module", ["thresher.learn", "thresher.learn.event_models", "thresher.choose.metrics"])
def test_importing_this_does_not_import_scikit_learn_or_scipy(module: str) -> None:
    assert run(f"import sys, {module}; print({{'sklearn', 'scipy'}} & set(sys.modules))") == "set()"


def test_every_name_the_package_offers_can_be_imported_from_it() -> None:
    assert run("from thresher.learn import *; print(BernoulliNaiveBayes.__name__)") == "BernoulliNaiveBayes"


@pytest.mark.parametrize("package", ["thresher.learn", "thresher.choose"])
def test_what_a_package_offers_is_listed_before_any_of_it_is_imported(package: str) -> None:
    """So that an editor or a shell can complete it."""
    assert run(f"import {package} as p; print(sorted(dir(p)) == sorted(p.__all__), len(p.__all__) > 20)") == "True True"


def test_a_name_the_package_does_not_offer_is_an_attribute_error() -> None:
    assert run("import thresher.learn; print(hasattr(thresher.learn, 'PerfectClassifier'))") == "False"


def test_many_messages_in_one_class_do_not_change_the_type_of_what_is_returned() -> None:
    probabilities: NDArray[np.float64] = MultinomialNaiveBayes().fit(X.astype(np.float32), Y).predict_proba(X)
    assert probabilities.dtype == np.float64
