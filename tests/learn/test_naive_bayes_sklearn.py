"""Naive Bayes is a scikit-learn estimator, and agrees with scikit-learn's own on a matrix like that of a mailbox."""

from collections.abc import Callable
from unittest import SkipTest

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import BernoulliNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from thresher.learn import BernoulliNaiveBayes, MultinomialNaiveBayes

ESTIMATORS = [
    BernoulliNaiveBayes(),
    BernoulliNaiveBayes(alpha=0.3, class_prior="uniform"),
    BernoulliNaiveBayes(alpha=0, drop_unseen=True),
    MultinomialNaiveBayes(),
    MultinomialNaiveBayes(alpha=0.3, class_prior="uniform"),
    MultinomialNaiveBayes(alpha=0, drop_unseen=True),
]

# What some checks look at does not exist here: data frames, and arrays of other libraries than NumPy.
NOT_OURS = ("pandas is not installed", "SCIPY_ARRAY_API is not set")


@parametrize_with_checks(ESTIMATORS)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
def test_every_check_of_scikit_learn_passes(estimator: BaseEstimator, check: Callable[[BaseEstimator], None]) -> None:
    try:
        check(estimator)
    except SkipTest as reason:
        assert str(reason).startswith(NOT_OURS)  # noqa: PT017 -- any other reason to skip is a failure


def mailbox(rows: int = 300, words: int = 5000, drawn: int = 120) -> sparse.csr_matrix:
    """Word counts by Zipf's law."""
    rng = np.random.default_rng(11)
    columns = np.minimum(rng.zipf(1.3, rows * drawn) - 1, words - 1)
    return sparse.csr_matrix((np.ones(rows * drawn), (np.repeat(np.arange(rows), drawn), columns)), (rows, words))


@pytest.mark.parametrize("n_classes", [2, 3, 10])
@pytest.mark.parametrize("fit_prior", [True, False])
@pytest.mark.parametrize(
    ("ours", "theirs"), [(BernoulliNaiveBayes, BernoulliNB), (MultinomialNaiveBayes, MultinomialNB)]
)
def test_a_mailbox_is_judged_as_scikit_learn_judges_it_to_ten_digits(
    ours: type[BernoulliNaiveBayes | MultinomialNaiveBayes],
    theirs: type[BernoulliNB | MultinomialNB],
    fit_prior: bool,  # noqa: FBT001 -- pytest passes it by name
    n_classes: int,
) -> None:
    X, y = mailbox(), np.arange(300) % n_classes
    weight = np.random.default_rng(5).random(300)
    our = ours(alpha=0.7, class_prior="learned" if fit_prior else "uniform").fit(X, y, sample_weight=weight)
    their = theirs(alpha=0.7, fit_prior=fit_prior).fit(X, y, sample_weight=weight)
    for method in ("predict_joint_log_proba", "predict_log_proba", "predict_proba"):
        np.testing.assert_allclose(getattr(our, method)(X), getattr(their, method)(X), rtol=1e-10, atol=1e-10)
    for name in ("class_count_", "feature_count_", "class_log_prior_", "feature_log_prob_"):
        np.testing.assert_allclose(getattr(our, name), getattr(their, name), rtol=1e-10, atol=1e-10)
    assert np.array_equal(our.predict(X), their.predict(X))


def test_it_is_tuned_in_a_pipeline_like_any_other() -> None:
    X, y = mailbox(), np.arange(300) % 2
    pipeline = make_pipeline(FunctionTransformer(accept_sparse=True), MultinomialNaiveBayes())
    search = GridSearchCV(pipeline, {"multinomialnaivebayes__alpha": [0.1, 1.0]}, cv=3).fit(X, y)
    assert search.best_params_["multinomialnaivebayes__alpha"] in {0.1, 1.0}
    assert len(cross_val_score(clone(pipeline), X, y, cv=3)) == 3
