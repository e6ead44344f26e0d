"""Leave-one-out in closed form says what N fits, each without one example, say."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneOut, cross_val_score

from thresher.choose import closed_form, cross_validate, leave_one_out
from thresher.choose.closed_form import ridge_left_out
from thresher.learn import BernoulliNaiveBayes, CategoricalNaiveBayes, MultinomialNaiveBayes, Ridge
from thresher.learn.naive_bayes import NaiveBayes

Matrix = NDArray[np.int64]
N, V = 7, 4
LABELS = np.array(["ham", "spam", "list"])

examples = arrays(np.int64, (N, V), elements=st.integers(0, 3))
# At least two classes: the first two examples differ.
labels = st.lists(st.integers(0, 2), min_size=N - 2, max_size=N - 2).map(lambda rest: LABELS[[0, 1, *rest]])
alphas = st.sampled_from([0.0, 0.3, 1.0, [0.0, 0.5, 1.0, 2.0]])
priors = st.sampled_from(["learned", "uniform"])


def forgotten(model: NaiveBayes, X: Matrix, y: NDArray[Any]) -> NDArray[np.float64]:
    """Joint log-probabilities of each example from the model that has forgotten it: N models."""
    rows = []
    for i in range(len(X)):
        without = clone(model).fit(X, y).forget(X[[i]], y[[i]])
        rows.append(without.predict_joint_log_proba(X[[i]])[0])
    return np.array(rows)


@pytest.mark.parametrize("kind", [BernoulliNaiveBayes, MultinomialNaiveBayes, CategoricalNaiveBayes])
@given(X=examples, y=labels, alpha=alphas, prior=priors, drop=st.booleans())
def test_naive_bayes_without_an_example_is_the_model_that_forgot_it(
    kind: type[NaiveBayes], X: Matrix, y: NDArray[Any], alpha: float, prior: str, *, drop: bool
) -> None:
    model = kind(alpha=alpha, class_prior=prior, drop_unseen=drop)
    np.testing.assert_allclose(left_out(model, X, y), forgotten(model, X, y), rtol=0, atol=1e-10)


@pytest.mark.parametrize("kind", [BernoulliNaiveBayes, MultinomialNaiveBayes])
@given(X=examples, y=labels)
def test_a_sparse_matrix_with_stored_zeros_and_words_in_pieces_is_the_same_matrix(
    kind: type[NaiveBayes], X: Matrix, y: NDArray[Any]
) -> None:
    rows, columns = np.divmod(np.arange(2 * N * V) // 2, V)
    halves = np.repeat(X.ravel() / 2, 2)
    given_so = sparse.csr_matrix((halves, (rows, columns)), shape=X.shape)
    dense = left_out(kind(), X, y)
    np.testing.assert_allclose(left_out(kind(), given_so, y), dense, rtol=0, atol=1e-12)


def test_given_values_and_a_threshold_below_zero_are_the_models_own() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (20, 3)), rng.integers(0, 2, 20)
    model: NaiveBayes
    for model in (
        CategoricalNaiveBayes(values=[[0, 1, 2, 9]] * 3),
        CategoricalNaiveBayes(values=[[0, 1, 2, 9]] * 3, drop_unseen=True),
        BernoulliNaiveBayes(binarize=1),
        BernoulliNaiveBayes(binarize=-1),
    ):
        np.testing.assert_allclose(left_out(model, X, y), forgotten(model, X, y), rtol=0, atol=1e-10)


def left_out(model: NaiveBayes, X: object, y: NDArray[Any]) -> NDArray[np.float64]:
    """Joint log-probabilities of each example in closed form, from one model."""
    joint = closed_form.left_out(clone(model).fit(X, y), X, y)
    assert joint is not None
    return joint


def refitted(X: NDArray[np.float64], y: NDArray[np.float64], model: Ridge) -> list[float]:
    fits = (clone(model).fit(np.delete(X, i, 0), np.delete(y, i)) for i in range(len(X)))
    return [float(fitted.predict(X[[i]])[0]) for i, fitted in enumerate(fits)]


@pytest.mark.parametrize("fit_intercept", [False, True])
@given(
    X=arrays(np.float64, (9, 3), elements=st.floats(-5, 5).map(lambda x: round(x, 3))),
    y=arrays(np.float64, 9, elements=st.floats(-5, 5)),
    lam=st.sampled_from([0.01, 1.0, 100.0, float("inf")]),
)
def test_ridge_without_an_example_is_the_fit_to_the_others(
    X: NDArray[np.float64], y: NDArray[np.float64], lam: float, *, fit_intercept: bool
) -> None:
    model = Ridge(lam, fit_intercept=fit_intercept)
    predicted = ridge_left_out(X, y, lam, fit_intercept=fit_intercept)
    np.testing.assert_allclose(predicted, refitted(X, y, model), rtol=1e-7, atol=1e-7)


@pytest.mark.filterwarnings("ignore::thresher.learn.SingularDesignWarning")
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_an_example_that_least_squares_passes_through_exactly_is_left_out_by_a_fit(*, fit_intercept: bool) -> None:
    """The third feature is the first example's alone: its leverage is 1, and the closed form would divide by 0."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(8, 3)), rng.normal(size=8)
    X[:, 2] = np.arange(8) == 0
    model = Ridge(0, fit_intercept=fit_intercept)
    predicted = ridge_left_out(X, y, 0, fit_intercept=fit_intercept)
    assert np.isfinite(predicted).all()
    np.testing.assert_allclose(predicted, refitted(X, y, model), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("loss", ["zero_one", "brier", "log"])
def test_losses_are_those_of_n_fits(loss: str) -> None:
    """Thirty examples, so that no class is ever left with none and N fits are possible."""
    rng = np.random.default_rng(3)
    X, y = rng.poisson(1, (30, 6)), np.arange(30) % 3
    closed = leave_one_out(MultinomialNaiveBayes(), X, y, loss=loss)
    fits = cross_validate(MultinomialNaiveBayes(), X, y, folds=LeaveOneOut(), loss=loss)
    np.testing.assert_allclose(closed.losses, fits.losses, rtol=0, atol=1e-12)
    assert closed.mean == pytest.approx(fits.mean)
    assert closed.standard_error == pytest.approx(fits.standard_error)


@pytest.mark.filterwarnings("ignore::thresher.learn.ImpossibleMessageWarning")
def test_an_example_no_other_class_can_explain_gets_the_prior_of_the_others() -> None:
    X, y = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]]), np.array([0, 0, 1, 1, 1])
    closed = leave_one_out(MultinomialNaiveBayes(alpha=0), X, y, loss="brier")
    fits = cross_validate(MultinomialNaiveBayes(alpha=0), X, y, folds=LeaveOneOut(), loss="brier")
    assert closed.losses == pytest.approx(fits.losses)
    assert closed.losses[4] == pytest.approx(0.25)  # two of the other four are of class 1


def test_what_has_no_closed_form_is_fitted_n_times() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(25, 2))
    y = (X[:, 0] + rng.normal(size=25) > 0).astype(int)
    ours = leave_one_out(LogisticRegression(), X, y)
    theirs = cross_val_score(LogisticRegression(), X, y, cv=LeaveOneOut())
    assert (1 - ours.losses).tolist() == theirs.tolist()


def test_refusals_name_the_argument() -> None:
    X, y = np.ones((4, 1)), np.arange(4.0)
    with pytest.raises(ValueError, match="lam must be"):
        leave_one_out(Ridge(-1), X, y)
    with pytest.raises(ValueError, match="loss needs predict_proba, which Ridge has not"):
        leave_one_out(Ridge(1), X, y, loss="brier")
