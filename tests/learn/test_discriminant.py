"""Gaussian discriminant analysis: what it takes, what it refuses, and what is true of any data."""

from collections.abc import Callable
from typing import Any
from unittest import SkipTest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from thresher.learn import GaussianDiscriminant, SingularCovarianceWarning

Floats = NDArray[np.float64]

# What some checks look at does not exist here: data frames, and arrays of other libraries than NumPy.
NOT_OURS = ("pandas is not installed", "SCIPY_ARRAY_API is not set")


@pytest.mark.filterwarnings(
    "ignore::thresher.learn.SingularCovarianceWarning"
)  # some checks have more features than rows
@parametrize_with_checks(  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    [GaussianDiscriminant(), GaussianDiscriminant(class_prior="uniform")]
)
def test_every_check_of_scikit_learn_passes(estimator: BaseEstimator, check: Callable[[BaseEstimator], None]) -> None:
    try:
        check(estimator)
    except SkipTest as reason:
        assert str(reason).startswith(NOT_OURS)  # noqa: PT017 -- any other reason to skip is a failure


def clouds(seed: int, n_classes: int = 3, n_features: int = 4, rows: int = 60) -> tuple[Floats, NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % n_classes
    return rng.normal(size=(n_classes, n_features))[y] + rng.normal(size=(rows, n_features)), y


def assert_same(a: GaussianDiscriminant, b: GaussianDiscriminant) -> None:
    for name in ("class_count_", "means_", "covariance_", "class_log_prior_", "coef_", "intercept_"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-9, atol=1e-9, err_msg=name)


seeds = st.integers(0, 10**6)


@given(seed=seeds, order=st.permutations(range(60)))
def test_the_order_of_the_examples_does_not_matter(seed: int, order: list[int]) -> None:
    X, y = clouds(seed)
    assert_same(GaussianDiscriminant().fit(X, y), GaussianDiscriminant().fit(X[order], y[order]))


@given(seed=seeds, times=st.lists(st.integers(1, 4), min_size=60, max_size=60))
def test_a_weight_is_the_number_of_times_an_example_is_seen(seed: int, times: list[int]) -> None:
    X, y = clouds(seed)
    rows = np.repeat(np.arange(60), times)
    assert_same(GaussianDiscriminant().fit(X, y, sample_weight=times), GaussianDiscriminant().fit(X[rows], y[rows]))


@pytest.mark.filterwarnings("ignore::thresher.learn.SingularCovarianceWarning")  # the first piece may be small
@given(seed=seeds, cuts=st.lists(st.integers(1, 59), min_size=1, max_size=4, unique=True).map(sorted))
def test_learning_in_pieces_is_learning_at_once(seed: int, cuts: list[int]) -> None:
    """Also where the pieces lie far apart, and one has no example of some class."""
    X, y = clouds(seed)
    X += np.arange(60)[:, np.newaxis]
    order = np.argsort(y, kind="stable")
    pieces = GaussianDiscriminant()
    for rows in np.split(order, cuts):
        pieces.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
    assert_same(pieces, GaussianDiscriminant().fit(X, y))


@given(seed=seeds)
def test_the_line_is_where_the_arg_max_changes(seed: int) -> None:
    X, y = clouds(seed, n_classes=2)
    learned = GaussianDiscriminant().fit(X, y)
    w0, w = learned.linear_form()
    log_proba = learned.predict_log_proba(X)
    assert w0 + X @ w == pytest.approx(log_proba[:, 1] - log_proba[:, 0], abs=1e-9)
    assert learned.decision_function(X) == pytest.approx(w0 + X @ w, abs=1e-9)
    assert np.array_equal(learned.predict(X), (w0 + X @ w > 0).astype(np.int64))


@given(seed=seeds, scale=st.floats(1e-6, 1e6), shift=st.floats(-1e4, 1e4))
def test_the_unit_and_the_zero_of_a_feature_do_not_matter(seed: int, scale: float, shift: float) -> None:
    X, y = clouds(seed)
    other = X * [1, scale, 1, 1] + [0, 0, shift, 0]
    posterior = GaussianDiscriminant().fit(X, y).predict_proba(X)
    assert GaussianDiscriminant().fit(other, y).predict_proba(other) == pytest.approx(posterior, abs=1e-6)


def test_numbers_far_from_zero_lose_no_digits() -> None:
    """Seconds since 1970, say: squares of the raw numbers would leave nothing of a spread of one."""
    X, y = clouds(3)
    near, far = GaussianDiscriminant().fit(X, y), GaussianDiscriminant().fit(X + 1.7e9, y)
    assert far.covariance_ == pytest.approx(near.covariance_, rel=1e-5)
    assert far.predict_proba(X + 1.7e9) == pytest.approx(near.predict_proba(X), abs=1e-5)


def test_a_feature_that_is_a_sum_of_others_makes_the_covariance_singular_and_changes_no_posterior() -> None:
    X, y = clouds(5)
    with pytest.warns(SingularCovarianceWarning, match="only 4 of 5 directions vary within the classes") as caught:
        flat = GaussianDiscriminant().fit(np.column_stack([X, X @ [1, 2, -1, 0.5]]), y)
    warning = caught[0].message
    assert isinstance(warning, SingularCovarianceWarning)
    assert (warning.rank, warning.n_features) == (4, 5)
    assert caught[0].filename == __file__
    posterior = flat.predict_proba(np.column_stack([X, X @ [1, 2, -1, 0.5]]))
    assert posterior == pytest.approx(GaussianDiscriminant().fit(X, y).predict_proba(X), abs=1e-8)


def test_a_constant_feature_is_said_and_ignored() -> None:
    X, y = clouds(6)
    with pytest.warns(SingularCovarianceWarning, match="only 4 of 5"):
        flat = GaussianDiscriminant().fit(np.column_stack([X, np.full(60, 7.0)]), y)
    assert flat.coef_[:, 4].tolist() == [0, 0, 0]
    assert flat.coef_[:, :4] == pytest.approx(GaussianDiscriminant().fit(X, y).coef_)


def test_more_features_than_examples_give_the_smallest_answer_as_scikit_learns_lsqr() -> None:
    """With features of equal spread the pseudo-inverse is the same; theirs does not say that it was needed."""
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(12, 30)), np.arange(12) % 2
    X = (X - X.mean(axis=0)) * 1.0
    for c in (0, 1):
        X[y == c] -= X[y == c].mean(axis=0)
    X = X / X.std(axis=0) + np.outer(y, rng.normal(size=30))
    with pytest.warns(SingularCovarianceWarning, match="only 10 of 30"):
        ours = GaussianDiscriminant().fit(X, y)
    assert ours.coef_ == pytest.approx(LinearDiscriminantAnalysis(solver="lsqr").fit(X, y).coef_, rel=1e-6)


def test_one_example_of_each_class_leaves_the_prior() -> None:
    with pytest.warns(SingularCovarianceWarning, match="only 0 of 2"):
        learned = GaussianDiscriminant(class_prior=[0.3, 0.7]).fit([[0, 0], [5, 5]], [0, 1])
    assert learned.predict_proba([[0, 0]]) == pytest.approx(np.array([[0.3, 0.7]]))


def test_a_class_without_examples_is_never_predicted_and_nothing_is_nan() -> None:
    X, y = clouds(2, n_classes=2)
    learned = GaussianDiscriminant(class_prior="uniform").partial_fit(X, y, classes=[0, 1, 2])
    assert learned.predict_proba(X)[:, 2].tolist() == [0] * 60
    assert np.isneginf(learned.predict_joint_log_proba(X)[:, 2]).all()


X, Y = [[1.0, 2.0], [2.0, 1.0], [4.0, 5.0], [5.0, 3.0]], [0, 0, 1, 1]

REFUSED: list[tuple[dict[str, Any], tuple[Any, ...], str]] = [
    ({"class_prior": "fair"}, (X, Y), "class_prior must be 'learned', 'uniform' or"),
    ({"class_prior": [0.5, 0.6]}, (X, Y), "class_prior must hold probabilities that sum to 1"),
    ({}, ([[np.nan, 1.0]] * 4, Y), "Input X contains NaN"),
    ({}, ([[1e200, 1.0], [-1e200, 2.0]] * 2, Y), "X holds numbers so large that their squares overflow"),
    ({}, (X, [1, 1, 1, 1]), "y must hold at least two classes, got one class only, 1"),
    ({}, (X, [0.1, 0.2, 0.3, 0.4]), "Unknown label type"),
    ({}, (X, Y, [1, 1, 0, 0]), "y must hold at least two classes with weight"),
    ({}, (X, Y, [1, 1, 1, -1]), "sample_weight must be finite and at least 0"),
]


@pytest.mark.parametrize(("settings", "arguments", "message"), REFUSED)
@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
def test_bad_input_is_refused_with_the_argument_named(
    settings: dict[str, Any], arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        GaussianDiscriminant(**settings).fit(*arguments)


def test_a_refused_lesson_leaves_the_model_untouched() -> None:
    learned, fresh = GaussianDiscriminant().fit(X, Y), GaussianDiscriminant().fit(X, Y)
    for arguments in (([[1.0, 2.0]], [7]), ([[1.0, 2.0]], [1], [0, 7]), ([[1.0]], [1]), ([[1.0, np.inf]], [1])):
        with pytest.raises(ValueError, match=r"classes|features|infinity"):
            learned.partial_fit(*arguments)
    assert_same(learned, fresh)


def test_a_linear_form_of_three_classes_or_of_an_unknown_one_is_refused() -> None:
    data, y = clouds(0)
    with pytest.raises(ValueError, match="two classes, here are 3"):
        GaussianDiscriminant().fit(data, y).linear_form()
    with pytest.raises(ValueError, match="no example or a prior of zero"):
        GaussianDiscriminant().partial_fit(data[y == 0], y[y == 0], classes=[0, 1]).linear_form()


@pytest.mark.parametrize("method", ["predict", "predict_proba", "predict_joint_log_proba", "theta", "linear_form"])
def test_a_model_that_learned_nothing_says_so(method: str) -> None:
    with pytest.raises(NotFittedError):
        getattr(GaussianDiscriminant(), method)(*([] if method in {"theta", "linear_form"} else [X]))
