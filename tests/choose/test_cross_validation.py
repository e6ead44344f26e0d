"""Cross-validation is scikit-learn's to the last digit and judges nothing a model has seen, outer loops included."""

from typing import Any, Self

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline

from thresher.choose import SFold, cross_validate, nested_cross_validate, select, train_validation_test
from thresher.choose.cross_validation import simplest_within_one_standard_error
from thresher.choose.losses import LOSSES
from thresher.learn import MultinomialNaiveBayes, Ridge

Data = tuple[NDArray[Any], NDArray[Any]]


def words(seed: int = 0, n: int = 120) -> Data:
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.4, "spam", "ham")
    X = rng.poisson(np.where((y == "spam")[:, np.newaxis], [2, 1, 1, 0.5], [1, 1, 1.5, 1]))
    return X, y


def numbers(seed: int = 0, n: int = 80) -> Data:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, X @ [1, -2, 0.5] + rng.normal(size=n)


@pytest.mark.parametrize("splitter", [SFold(5), StratifiedKFold(4), KFold(3)])
@pytest.mark.parametrize(("loss", "scoring"), [("zero_one", "accuracy"), ("log", "neg_log_loss")])
def test_a_classifiers_fold_means_are_scikit_learns(splitter: Any, loss: str, scoring: str) -> None:  # noqa: ANN401
    X, y = words()
    ours = cross_validate(MultinomialNaiveBayes(), X, y, folds=splitter, loss=loss).fold_means
    theirs = cross_val_score(MultinomialNaiveBayes(), X, y, cv=splitter, scoring=scoring)
    assert ours == pytest.approx(1 - theirs if scoring == "accuracy" else -theirs, abs=1e-12)


def test_a_regressors_fold_means_are_scikit_learns() -> None:
    X, y = numbers()
    ours = cross_validate(Ridge(0.1), X, y, folds=5)
    theirs = cross_val_score(Ridge(0.1), X, y, cv=SFold(5), scoring="neg_mean_squared_error")
    assert ours.fold_means == pytest.approx(-theirs, abs=1e-12)
    assert ours.mean == pytest.approx(-theirs.mean())  # 80 examples in 5 folds of 16
    assert ours.standard_error == pytest.approx(theirs.std(ddof=1) / np.sqrt(5))


def test_half_the_squared_distance_is_the_brier_score_of_either_class() -> None:
    X, y = words()
    fitted = MultinomialNaiveBayes().fit(X, y)
    by_hand = (fitted.predict_proba(X)[:, 1] - (y == "spam")) ** 2
    assert LOSSES["brier"].of(y, fitted.predict_proba(X), fitted.classes_) == pytest.approx(by_hand)


def test_a_class_that_no_fold_learned_costs_all_it_can() -> None:
    classes = np.array(["a", "b"])
    probability = np.array([[0.5, 0.5], [1.0, 0.0]])
    assert LOSSES["brier"].of(np.array(["c", "c"]), probability, classes).tolist() == [0.75, 1.0]
    assert LOSSES["log"].of(np.array(["c"]), probability[:1], classes)[0] == pytest.approx(36.04, abs=0.01)


def test_losses_stand_in_the_order_of_the_examples_whatever_the_folds() -> None:
    X, y = numbers()
    run = cross_validate(Ridge(0.1), X, y, folds=4)
    assert run.example.tolist() == list(range(80))
    for i in (0, 17, 79):
        others = run.fold != run.fold[i]
        predicted = Ridge(0.1).fit(X[others], y[others]).predict(X[[i]])[0]
        assert run.losses[i] == pytest.approx((predicted - y[i]) ** 2)


def test_a_function_of_truth_and_prediction_is_a_loss() -> None:
    X, y = numbers()
    absolute = cross_validate(Ridge(0.1), X, y, loss=lambda truth, predicted: np.abs(truth - predicted))
    theirs = cross_val_score(Ridge(0.1), X, y, cv=SFold(5), scoring="neg_mean_absolute_error")
    assert absolute.fold_means == pytest.approx(-theirs)


def test_sparse_matrices_and_lists_of_texts_are_examples_too() -> None:
    X, y = words()
    dense = cross_validate(MultinomialNaiveBayes(), X, y)
    for matrix in (sparse.csr_matrix(X), sparse.coo_matrix(X), sparse.csc_array(X)):
        assert np.array_equal(cross_validate(MultinomialNaiveBayes(), matrix, y).losses, dense.losses)
    texts = [" ".join(np.repeat(["cash", "noon", "report", "lunch"], row)) for row in X]
    pipeline = make_pipeline(CountVectorizer(), MultinomialNaiveBayes())
    assert cross_validate(pipeline, texts, y).mean == pytest.approx(dense.mean)


class Recorder(ClassifierMixin, BaseEstimator):
    """Notes which examples (their number is their only feature) it was fitted to, and fails if it is asked for one."""

    def __init__(self, taste: int = 0) -> None:
        self.taste = taste

    def fit(self, X: NDArray[Any], y: NDArray[Any]) -> Self:
        self.seen_ = set(X[:, 0].tolist())
        self.groups_ = set(X[:, 1].tolist())
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: NDArray[Any]) -> NDArray[Any]:
        asked = set(X[:, 0].tolist())
        assert asked == self.seen_ or not asked & self.seen_  # its own training loss, or strangers alone
        assert asked == self.seen_ or not set(X[:, 1].tolist()) & self.groups_
        answers: NDArray[Any] = np.where((X[:, 0] + self.taste) % 2 == 0, *self.classes_)
        return answers


@pytest.mark.parametrize("folds", [5, "leave-one-out", SFold(3, random_state=4)])
def test_no_model_is_asked_about_an_example_or_a_group_it_has_seen(folds: Any) -> None:  # noqa: ANN401
    groups = np.arange(60) // 3
    X = np.stack([np.arange(60), groups], axis=1)
    y = np.arange(60) % 2
    assert len(cross_validate(Recorder(), X, y, folds=folds, groups=groups).losses) == 60
    inner = 4 if folds == "leave-one-out" else folds
    nested_cross_validate([Recorder(), Recorder(1)], X, y, outer=folds, inner=inner, groups=groups)


def test_the_best_candidate_is_that_of_a_grid_search() -> None:
    X, y = numbers(3, 30)
    lams = [100.0, 10.0, 1.0, 0.1, 0.0]
    found = select([Ridge(lam) for lam in lams], X, y, folds=SFold(5))
    grid = GridSearchCV(Ridge(), {"lam": lams}, cv=SFold(5), scoring="neg_mean_squared_error").fit(X, y)
    assert lams[found.choice] == grid.best_params_["lam"]
    assert found.means == pytest.approx(-grid.cv_results_["mean_test_score"])
    assert (found.train[:-1].mean(axis=1) > found.train[1:].mean(axis=1)).all()


def test_within_one_standard_error_of_the_best_the_simplest_wins() -> None:
    table = np.array([[9.0, 9, 9], [3, 4, 5.2], [2, 4, 6], [2, 3.5, 5.9]])
    assert table.mean(axis=1).argmin() == 3
    assert simplest_within_one_standard_error(table) == 1
    assert simplest_within_one_standard_error(table[:, :1]) == 2  # one fold has no error to speak of


def test_a_split_chooses_on_its_validation_part_and_never_touches_its_test_part() -> None:
    groups = np.arange(50)
    X, y = np.stack([np.arange(50), groups], axis=1), np.arange(50) % 2
    split = train_validation_test(X, stratify=y)
    found = select([Recorder(1), Recorder()], X, y, folds=split)
    assert found.table.tolist() == [[1], [0]]
    assert found.choice == 1
    run = cross_validate(Recorder(), X, y, folds=split)
    assert run.example.tolist() == split.validation.tolist()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"folds": 13}, "n_splits=13 folds need as many examples"),
        ({"folds": 1}, "n_splits must be at least 2"),
        ({"folds": "five"}, "folds must be a number, 'leave-one-out' or a splitter, got 'five'"),
        ({"loss": "hinge"}, "loss must be one of squared, zero_one, brier, log or a function"),
        ({"y": [0, 1]}, r"y must have one label per example \(12\)"),
        ({"groups": [0, 1]}, r"groups must have one label per item \(12\)"),
    ],
)
def test_what_cannot_be_is_refused_by_name(arguments: dict[str, Any], said: str) -> None:
    X, y = words(0, 12)
    with pytest.raises(ValueError, match=said):
        cross_validate(MultinomialNaiveBayes(), X, **({"y": y} | arguments))


def test_candidates_and_rules_are_checked() -> None:
    X, y = words(0, 12)
    with pytest.raises(ValueError, match="candidates must hold"):
        select([], X, y)
    with pytest.raises(ValueError, match="rule must be one of best, one_standard_error, got 'worst'"):
        select([MultinomialNaiveBayes()], X, y, rule="worst")
    with pytest.raises(ValueError, match="loss needs predict_proba"):
        cross_validate(Recorder(), X, y, loss="brier")
    assert cross_validate(LogisticRegression(), X, y, folds=2, loss="brier").losses.shape == (12,)
