"""Generalized linear models: what they take, what they refuse, what they say about data without a finite best."""

import warnings
from collections.abc import Callable
from typing import Any
from unittest import SkipTest

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import optimize
from sklearn.base import BaseEstimator, is_classifier, is_regressor
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from thresher.learn import (
    GeneralizedLinearModel,
    LogisticRegression,
    Ridge,
    SeparableDataWarning,
    SingularDesignWarning,
)

Floats = NDArray[np.float64]
FAMILIES = ["gaussian", "bernoulli", "poisson", "multinomial"]
CLASSES = {"bernoulli": 2, "multinomial": 3}

# What some checks look at does not exist here: data frames, and arrays of other libraries than NumPy.
NOT_OURS = ("pandas is not installed", "SCIPY_ARRAY_API is not set")


@pytest.mark.filterwarnings("ignore::thresher.learn.SeparableDataWarning")  # some checks have classes far apart
@pytest.mark.filterwarnings("ignore::thresher.learn.SingularDesignWarning")  # some have more features than examples
@parametrize_with_checks(  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    [
        LogisticRegression(),
        LogisticRegression(lam=0.01, fit_intercept=False),
        *(GeneralizedLinearModel(family) for family in FAMILIES),
        *(GeneralizedLinearModel(family, lam=1.0) for family in FAMILIES),
    ]
)
def test_every_check_of_scikit_learn_passes(estimator: BaseEstimator, check: Callable[[BaseEstimator], None]) -> None:
    try:
        check(estimator)
    except SkipTest as reason:
        assert str(reason).startswith(NOT_OURS)  # noqa: PT017 -- any other reason to skip is a failure


def examples(family: str, seed: int, rows: int = 60, features: int = 3) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, features))
    if family in CLASSES:
        return X, np.arange(rows, dtype=np.float64) % CLASSES[family]
    eta = X @ rng.normal(size=features) * 0.5
    return X, rng.poisson(np.exp(eta)).astype(np.float64) if family == "poisson" else eta + rng.normal(size=rows)


seeds = st.integers(0, 10**6)
each_family = pytest.mark.parametrize("family", FAMILIES)


@each_family
@given(seed=seeds, order=st.permutations(range(60)))
@settings(max_examples=25)
def test_the_order_of_the_examples_does_not_matter(family: str, seed: int, order: list[int]) -> None:
    X, y = examples(family, seed)
    model = GeneralizedLinearModel(family, lam=0.1)
    assert model.fit(X, y).theta() == pytest.approx(model.fit(X[order], y[order]).theta(), abs=1e-7)


@each_family
@given(seed=seeds, times=st.lists(st.integers(0, 3), min_size=48, max_size=48))
@settings(max_examples=25)
def test_a_weight_is_the_number_of_times_an_example_is_seen(family: str, seed: int, times: list[int]) -> None:
    X, y = examples(family, seed)
    model = GeneralizedLinearModel(family, lam=0.1)
    times = [1] * 12 + times  # some of each class
    rows = np.repeat(np.arange(60), times)
    weighted, repeated = model.fit(X, y, sample_weight=times).theta(), model.fit(X[rows], y[rows]).theta()
    assert weighted == pytest.approx(repeated, abs=1e-6)


@given(seed=seeds, lam=st.floats(0.01, 10))
def test_the_line_is_where_the_arg_max_changes(seed: int, lam: float) -> None:
    X, y = examples("bernoulli", seed)
    learned = LogisticRegression(lam).fit(X, y)
    w0, w = learned.linear_form()
    log_proba = learned.predict_log_proba(X)
    assert w0 + X @ w == pytest.approx(log_proba[:, 1] - log_proba[:, 0], abs=1e-9)
    assert np.array_equal(learned.predict(X), (w0 + X @ w > 0).astype(np.int64))


@each_family
@given(seed=seeds, lam=st.sampled_from([0.0, 0.01, 3.0]), nudge=st.integers(0, 10**6))
@settings(max_examples=25)
def test_no_parameters_nearby_are_better(family: str, seed: int, lam: float, nudge: int) -> None:
    X, y = examples(family, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SeparableDataWarning)
        best = np.atleast_2d(GeneralizedLinearModel(family, lam=lam).fit(X, y).theta())

    def loss(theta: Floats) -> float:
        eta = np.column_stack([np.ones(60), X]) @ theta.T
        if family == "multinomial":
            fit = np.logaddexp.reduce(eta, axis=1) - eta[np.arange(60), y.astype(int)]
        else:
            partition = {"gaussian": eta**2 / 2, "poisson": np.exp(eta), "bernoulli": np.logaddexp(0, eta)}[family]
            fit = (partition - eta * y[:, np.newaxis])[:, 0]
        return float(fit.sum() + lam / 2 * (theta[:, 1:] ** 2).sum())

    assert loss(best) <= loss(best + np.random.default_rng(nudge).normal(size=best.shape) * 1e-3) + 1e-12


SEPARABLE: dict[str, tuple[str, list[list[float]], list[int]]] = {
    "a gap between two classes": ("bernoulli", [[-2], [-1], [1], [2]], [0, 0, 1, 1]),
    "classes that touch in one point": ("bernoulli", [[-2], [-1], [0], [0], [1], [2]], [0, 0, 0, 1, 1, 1]),
    "one example of a kind": ("bernoulli", [[0], [0], [0], [1]], [0, 1, 0, 1]),
    "three corners": ("multinomial", [[0, 0], [0, 0.1], [1, 0], [1, 0.1], [0, 1], [0.1, 1]], [0, 0, 1, 1, 2, 2]),
    "one class apart from two": ("multinomial", [[0], [1], [0], [1], [9], [8]], [0, 0, 1, 1, 2, 2]),
    "no event at all": ("poisson", [[-2], [-1], [1], [2]], [0, 0, 0, 0]),
    "no event on one side": ("poisson", [[0], [0], [1], [1]], [0, 0, 3, 2]),
}


@pytest.mark.parametrize("name", SEPARABLE)
def test_separable_data_neither_diverge_nor_hide_it(name: str) -> None:
    family, X, y = SEPARABLE[name]
    with pytest.warns(SeparableDataWarning, match="the data are separable: the larger the coefficients") as caught:
        learned = GeneralizedLinearModel(family).fit(X, y)
    assert caught[0].filename == __file__
    assert np.abs(learned.theta()).max() < 100
    assert np.isfinite(learned.predict_mean(X)).all()


@pytest.mark.parametrize(
    "name", sorted(set(SEPARABLE) - {"no event at all"})
)  # there the intercept runs away, which is free
def test_a_penalty_gives_separable_data_a_finite_best_in_silence(name: str) -> None:
    family, X, y = SEPARABLE[name]
    assert np.abs(GeneralizedLinearModel(family, lam=1e-3).fit(X, y).theta()).max() < 20


def separable(X: Floats, y: Floats) -> bool:
    """Whether some theta has no example on the wrong side and not all on the line (Konis 2007), by a linear program."""
    signed = np.column_stack([np.ones(len(X)), X]) * (2 * y - 1)[:, np.newaxis]
    found = optimize.linprog(  # type: ignore[attr-defined,no-untyped-call]  # scipy ships no types
        -signed.sum(axis=0), A_ub=-signed, b_ub=np.zeros(len(X)), bounds=(-1, 1)
    )
    return bool(found.fun < -1e-9)


@given(
    X=st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=8, max_size=14, unique=False),
    seed=seeds,
)
def test_the_warning_comes_if_and_only_if_a_linear_program_finds_a_separating_direction(
    X: list[tuple[int, int]], seed: int
) -> None:
    points = np.array(X, dtype=np.float64)
    y = np.random.default_rng(seed).integers(0, 2, len(points)).astype(np.float64)
    y[:2] = [0, 1]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        GeneralizedLinearModel("bernoulli").fit(points, y)
    said = any(issubclass(warning.category, SeparableDataWarning) for warning in caught)
    assert said == separable(points, y)
    assert not any(issubclass(warning.category, ConvergenceWarning) for warning in caught)


@each_family
def test_a_feature_that_is_a_sum_of_others_is_said_and_changes_no_prediction(family: str) -> None:
    X, y = examples(family, 3)
    doubled = np.column_stack([X, X @ [1, 2, -1], np.full(60, 5.0)])
    with pytest.warns(SingularDesignWarning, match="X settles 3 of 5 directions"):
        open_ = GeneralizedLinearModel(family).fit(doubled, y)
    settled = GeneralizedLinearModel(family).fit(X, y)
    assert open_.predict_mean(doubled) == pytest.approx(settled.predict_mean(X), abs=1e-7)


def test_of_all_coefficients_that_fit_equally_well_the_smallest_are_found() -> None:
    X, y = examples("gaussian", 3)
    doubled = np.column_stack([X, X @ [1, 2, -1], 100 * X[:, 0]])
    with pytest.warns(SingularDesignWarning):
        ours = GeneralizedLinearModel("gaussian").fit(doubled, y)
    with pytest.warns(SingularDesignWarning):
        theirs = Ridge(0.0, fit_intercept=True).fit(doubled, y)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-8)


def test_a_constant_feature_gets_no_coefficient_because_the_intercept_says_the_same() -> None:
    X, y = examples("poisson", 3)
    with pytest.warns(SingularDesignWarning):
        learned = GeneralizedLinearModel("poisson").fit(np.column_stack([X, np.full(60, 5.0)]), y)
    assert learned.coef_[3] == pytest.approx(0, abs=1e-12)


def test_a_poisson_start_far_from_the_end_takes_halved_steps_and_arrives() -> None:
    """Without step control the second step goes to e^500."""
    X = np.array([[0.0], [1.0], [2.0], [30.0]])
    y = np.array([1.0, 0.0, 2.0, 10_000.0])
    learned = GeneralizedLinearModel("poisson").fit(X, y)
    w0, w = learned.linear_form()
    mean = np.exp(w0 + X @ w)
    assert [np.sum(y - mean), X[:, 0] @ (y - mean)] == pytest.approx([0, 0], abs=1e-5)


def test_numbers_far_from_zero_lose_no_digits() -> None:
    X, y = examples("bernoulli", 5)
    near, far = LogisticRegression().fit(X, y), LogisticRegression().fit(X + 1.7e9, y)
    assert far.coef_ == pytest.approx(near.coef_, rel=1e-5)
    assert far.predict_proba(X + 1.7e9) == pytest.approx(near.predict_proba(X), abs=1e-5)


def test_too_few_steps_are_said() -> None:
    X, y = examples("bernoulli", 5)
    with pytest.warns(ConvergenceWarning, match="not converged after 1 steps; raise max_iter"):
        LogisticRegression(max_iter=1).fit(X, y)


def test_the_intercept_is_not_penalized() -> None:
    X, y = examples("gaussian", 2)
    heavy = GeneralizedLinearModel("gaussian", lam=1e12).fit(X, y + 7)
    assert heavy.coef_ == pytest.approx(0, abs=1e-9)
    assert heavy.intercept_ == pytest.approx(np.mean(y + 7))


@each_family
def test_without_an_intercept_the_line_goes_through_the_origin(family: str) -> None:
    X, y = examples(family, 2)
    learned = GeneralizedLinearModel(family, fit_intercept=False).fit(X, y)
    assert np.all(np.asarray(learned.intercept_) == 0)
    assert learned.theta().shape[-1] == 4


def test_the_family_says_whether_it_is_a_classifier() -> None:
    for family in FAMILIES:
        assert is_classifier(GeneralizedLinearModel(family)) == (family in CLASSES)
        assert is_regressor(GeneralizedLinearModel(family)) == (family not in CLASSES)
        assert hasattr(GeneralizedLinearModel(family), "predict_proba") == (family in CLASSES)


def test_scores_are_accuracy_of_classes_and_explained_variance_of_numbers() -> None:
    for family in FAMILIES:
        X, y = examples(family, 4)
        assert len(cross_val_score(GeneralizedLinearModel(family, lam=1.0), X, y, cv=3)) == 3
    learned = LogisticRegression().fit(*(both := examples("bernoulli", 4)))
    assert learned.score(*both) == np.mean(learned.predict(both[0]) == both[1])


@each_family
@pytest.mark.parametrize("rate", [0.1, 1.0])
def test_no_stochastic_step_runs_away_whatever_the_scale(family: str, rate: float) -> None:
    X, y = examples(family, 6)
    y = y if family in CLASSES else y * 100
    wild = X * [1e6, 1e-6, 1.0] + [0, 0, 1e4]
    learned = GeneralizedLinearModel(
        family, lam=1e-9, solver="stochastic", max_iter=5, learning_rate=rate, random_state=1
    )
    assert np.isfinite(learned.fit(wild, y).theta()).all()


def test_the_order_of_the_stochastic_solver_is_repeatable() -> None:
    X, y = examples("bernoulli", 6)
    one, same, other = (
        LogisticRegression(solver="stochastic", max_iter=2, random_state=seed).fit(X, y).coef_ for seed in (1, 1, 2)
    )
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


X, Y = np.array([[1.0], [2.0], [3.0], [4.0]]), [0, 1, 0, 1]
REFUSED: list[tuple[dict[str, Any], tuple[Any, ...], str]] = [
    ({"family": "gamma"}, (X, Y), r"family must be one of \['bernoulli', 'gaussian', 'multinomial', 'poisson'\]"),
    ({"solver": "lbfgs"}, (X, Y), r"solver must be one of \['irls', 'stochastic'\], got 'lbfgs'"),
    ({"lam": -1}, (X, Y), "lam must be a number of at least 0, got -1"),
    ({"lam": float("nan")}, (X, Y), "lam must be a number of at least 0"),
    ({"lam": float("inf")}, (X, Y), "lam must be finite"),
    ({"lam": "much"}, (X, Y), "lam must hold numbers, got 'much'"),
    ({"tol": 0}, (X, Y), "tol must be a finite number above 0, got 0"),
    ({"max_iter": 0}, (X, Y), "max_iter must be a whole number of at least 1, got 0"),
    ({"learning_rate": -1, "solver": "stochastic"}, (X, Y), "learning_rate must be a finite number above 0"),
    ({"family": "poisson"}, (X, [1, 2, -3, 0]), "y must be at least 0 for the family 'poisson', which counts; got -3"),
    ({"family": "bernoulli"}, (X, [0, 1, 2, 0]), "Only binary classification is supported .* y has 3 classes"),
    ({"family": "bernoulli"}, (X, [1, 1, 1, 1]), "y must hold at least two classes, got one class only, 1"),
    ({"family": "bernoulli"}, (X, [0.1, 0.2, 0.3, 0.4]), "Unknown label type"),
    ({"family": "multinomial"}, (X, Y, [1, 0, 1, 0]), "y must hold at least two classes with weight"),
    ({}, (X * np.nan, Y), "Input X contains NaN"),
    ({}, (X, [0, 1, np.nan, 1]), "NaN"),
    ({}, (X, Y, [1, 1, 1, -1]), "sample_weight must be finite and at least 0"),
]


@pytest.mark.parametrize(("settings", "arguments", "message"), REFUSED)
def test_bad_input_is_refused_with_the_argument_named(
    settings: dict[str, Any], arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        GeneralizedLinearModel(**settings).fit(*arguments)


@pytest.mark.parametrize("method", ["predict", "predict_mean", "predict_proba", "decision_function", "theta"])
def test_a_model_that_learned_nothing_says_so(method: str) -> None:
    with pytest.raises(NotFittedError):
        getattr(LogisticRegression(), method)(*([] if method == "theta" else [X]))


def test_a_linear_form_of_three_classes_is_refused() -> None:
    with pytest.raises(ValueError, match="two classes, here are 3"):
        LogisticRegression().fit(*examples("multinomial", 1)).linear_form()


ROWS = 1200
"""Of three features: enough that Hessians are summed of some of them, and rounded."""


def many_examples(family: str, seed: int = 8) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    X = rng.normal([0.5, 0, -1], size=(ROWS, 3))
    eta = X @ [0.8, -0.5, 0.3]
    if family == "multinomial":
        return X, np.argmax(np.column_stack([0 * eta, eta, -eta]) + rng.gumbel(size=(ROWS, 3)), axis=1).astype(float)
    drawn = {"gaussian": eta + rng.normal(size=ROWS), "poisson": rng.poisson(np.exp(eta))}
    return X, np.asarray(drawn.get(family, eta + rng.logistic(size=ROWS) > 0), dtype=np.float64)


def gradient_at(model: GeneralizedLinearModel, X: Floats, y: Floats) -> Floats:
    """What is left of it at the coefficients found, in units of its start: at the best there is none."""
    membership = y[:, np.newaxis] == np.arange(CLASSES[model.family]) if model.family in CLASSES else y[:, np.newaxis]
    mean = np.asarray(model.predict_mean(X)).reshape(len(X), -1)
    theta = np.atleast_2d(model.coef_)
    of_classes = (mean - membership).T @ X
    if len(theta) < len(of_classes):
        of_classes = of_classes[1:]
    start = np.abs((membership - membership.mean(axis=0)).T @ X).max()
    return np.asarray(np.abs(of_classes + model.lam * theta) / start)


@each_family
@pytest.mark.parametrize("order", ["as drawn", "by class"])
@pytest.mark.parametrize(("tol", "left"), [(1e-12, 1e-6), (1e-18, 1e-10)])
def test_many_examples_of_which_some_begin_end_at_the_same_best(
    family: str, order: str, tol: float, left: float
) -> None:
    X, y = many_examples(family)
    rows = np.argsort(y, kind="stable") if order == "by class" else np.arange(ROWS)
    learned = GeneralizedLinearModel(family, lam=2.0, tol=tol).fit(X[rows], y[rows])
    assert gradient_at(learned, X, y).max() < left


@pytest.mark.parametrize("scales", [[1e-9, 1, 1e9], [1e-30, 1, 1e30], [1e-120, 1, 1e120]])
def test_of_many_examples_no_scale_is_too_large_or_too_small(scales: list[float]) -> None:
    """Single precision has none of these, and the penalty hardly any share in the large one."""
    X, y = many_examples("bernoulli")
    lam = np.finfo(np.float64).tiny
    plain = GeneralizedLinearModel("bernoulli", lam=lam, tol=1e-20).fit(X, y)
    scaled = GeneralizedLinearModel("bernoulli", lam=lam, tol=1e-20).fit(X * scales, y)
    assert scaled.coef_ * scales == pytest.approx(plain.coef_, rel=1e-6)


def test_of_many_examples_nearly_the_same_features_are_told_apart() -> None:
    """Their difference is in the digits that single precision has not."""
    X, y = many_examples("gaussian")
    X[:, 1] = X[:, 0] + 1e-6 * X[:, 1]
    learned = GeneralizedLinearModel("gaussian", lam=1e-16, tol=1e-20).fit(X, y)
    theirs = Ridge(1e-16, fit_intercept=True).fit(X, y)
    assert learned.predict(X) == pytest.approx(theirs.predict(X), abs=1e-6)


def test_a_sample_that_misleads_costs_steps_and_nothing_else() -> None:
    """Each fourth example has none of the second feature, so the first Hessian knows nothing of it."""
    X, y = many_examples("bernoulli")
    X[::4, 1] = 0
    learned = GeneralizedLinearModel("bernoulli", lam=1e-3, tol=1e-18).fit(X, y)
    assert gradient_at(learned, X, y).max() < 1e-10
