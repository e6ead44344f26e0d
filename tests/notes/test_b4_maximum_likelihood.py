"""B4: alpha = 0 is allowed, and what it cannot judge is visible and harmless."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import sparse

from thresher.learn import BernoulliNaiveBayes, ImpossibleMessageWarning, MultinomialNaiveBayes

EMAILS = np.array([[5, 3, 1, 1], [4, 2, 1, 1], [2, 0, 2, 3], [1, 0, 3, 2]])
LABELS = ["spam", "spam", "ham", "ham"]
NEW = [[1, 3, 4, 2]]
HAM, SPAM = 0, 1


def fitted() -> MultinomialNaiveBayes:
    return MultinomialNaiveBayes(alpha=0).fit(EMAILS, LABELS)


def test_a_word_without_a_count_has_probability_zero() -> None:
    assert np.exp(fitted().feature_log_prob_[HAM]) == pytest.approx([3 / 13, 0, 5 / 13, 5 / 13])


def test_an_email_with_that_word_is_minus_infinity_for_the_class_and_so_of_the_other() -> None:
    joint = fitted().predict_joint_log_proba(NEW)[0]
    assert joint[HAM] == -np.inf
    assert np.isfinite(joint[SPAM])
    assert fitted().predict_proba(NEW).tolist() == [[0, 1]]


def test_an_email_without_that_word_is_judged_as_ever() -> None:
    assert np.isfinite(fitted().predict_joint_log_proba([[1, 0, 4, 2]])).all()


# Four messages of one spam and three ham words: nobody ever wrote the last, and spam never the middle ones.
SOME = np.array([[2, 0, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0], [0, 2, 3, 0]])
IS_SPAM = np.array([True, False, False, False])
IMPOSSIBLE = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 1]])


@pytest.mark.parametrize("matrix", [np.asarray, sparse.csr_matrix])
def test_an_email_no_class_can_have_sent_gets_the_prior_and_a_warning_that_names_its_row(
    matrix: type[sparse.csr_matrix],
) -> None:
    learned = MultinomialNaiveBayes(alpha=0).fit(SOME, IS_SPAM)
    with pytest.warns(ImpossibleMessageWarning, match="2 of the messages") as caught:
        posterior = learned.predict_proba(matrix(IMPOSSIBLE))
    assert posterior == pytest.approx(np.array([[0, 1], [0.75, 0.25], [0.75, 0.25]]))
    warning = caught[0].message
    assert isinstance(warning, ImpossibleMessageWarning)
    assert warning.rows.tolist() == [1, 2]


def test_the_verdict_on_such_an_email_follows_the_prior_with_the_same_warning() -> None:
    learned = MultinomialNaiveBayes(alpha=0).fit(SOME, IS_SPAM)
    with pytest.warns(ImpossibleMessageWarning):
        assert learned.predict(IMPOSSIBLE).tolist() == [True, False, False]


def test_the_joint_probabilities_themselves_stay_minus_infinity() -> None:
    learned = MultinomialNaiveBayes(alpha=0).fit(SOME, IS_SPAM)
    assert np.isneginf(learned.predict_joint_log_proba(IMPOSSIBLE)).tolist() == [
        [True, False],
        [True, True],
        [True, True],
    ]


def test_in_the_bernoulli_model_a_word_that_was_always_there_must_be_there() -> None:
    """Every spam had the first word and no ham had it: its absence excludes spam as its presence excludes ham."""
    learned = BernoulliNaiveBayes(alpha=0).fit([[1, 1], [1, 0], [0, 1], [0, 0]], [1, 1, 0, 0])
    assert np.isneginf(learned.predict_joint_log_proba([[0, 1], [1, 1]])).tolist() == [[False, True], [True, False]]


@pytest.mark.parametrize("model", [BernoulliNaiveBayes, MultinomialNaiveBayes])
def test_a_class_without_messages_can_have_sent_none_but_the_empty_one(
    model: type[BernoulliNaiveBayes | MultinomialNaiveBayes],
) -> None:
    """It never showed a word, and never lacked one."""
    learned = model(alpha=0, class_prior="uniform").partial_fit([[1, 0], [0, 1]], [0, 0], classes=[0, 1])
    assert np.isneginf(learned.predict_joint_log_proba([[0, 0], [1, 0]])[:, 1]).tolist() == [False, True]


@pytest.mark.parametrize("model", [BernoulliNaiveBayes, MultinomialNaiveBayes])
@given(
    X=arrays(np.int64, (5, 4), elements=st.integers(0, 2)),
    message=arrays(np.int64, (3, 4), elements=st.integers(0, 2)),
)
def test_nothing_is_ever_nan(
    model: type[BernoulliNaiveBayes | MultinomialNaiveBayes], X: NDArray[np.int64], message: NDArray[np.int64]
) -> None:
    """Neither with a class that has no message yet, nor dense, nor sparse with zeros stored."""
    stored_zeros = sparse.csr_matrix((message.ravel(), np.tile(np.arange(4), 3), np.arange(0, 13, 4)), shape=(3, 4))
    assert stored_zeros.nnz == 12
    learned = model(alpha=0).partial_fit(X, [0, 0, 1, 1, 1], classes=[0, 1, 2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImpossibleMessageWarning)
        dense, thin = learned.predict_proba(message), learned.predict_proba(stored_zeros)
    assert dense.sum(axis=1) == pytest.approx(1)
    assert thin == pytest.approx(dense)
