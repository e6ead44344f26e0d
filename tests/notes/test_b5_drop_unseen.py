"""B5: solution 1 drops the features that are zero in any class."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from thresher.learn import BernoulliNaiveBayes, MultinomialNaiveBayes

EMAILS = np.array([[5, 3, 1, 1], [4, 2, 1, 1], [2, 0, 2, 3], [1, 0, 3, 2]])
LABELS = ["spam", "spam", "ham", "ham"]
WITHOUT_BANK = [0, 2, 3]

MODELS = [BernoulliNaiveBayes, MultinomialNaiveBayes]


@pytest.mark.parametrize("model", MODELS)
def test_bank_is_dropped_and_the_other_three_words_are_kept(
    model: type[BernoulliNaiveBayes | MultinomialNaiveBayes],
) -> None:
    assert model(alpha=0, drop_unseen=True).fit(EMAILS, LABELS).kept_.tolist() == [True, False, True, True]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("alpha", [0.5, [0.5, 9.0, 1.0, 2.0]])
def test_it_is_learning_from_the_matrix_without_the_column(
    model: type[BernoulliNaiveBayes | MultinomialNaiveBayes], alpha: float | list[float]
) -> None:
    rest = alpha if isinstance(alpha, float) else [alpha[k] for k in WITHOUT_BANK]
    dropped = model(alpha=alpha, drop_unseen=True).fit(EMAILS, LABELS)
    removed = model(alpha=rest).fit(EMAILS[:, WITHOUT_BANK], LABELS)
    new = np.array([[1, 3, 4, 2], [0, 1, 0, 2]])
    assert dropped.predict_joint_log_proba(new) == pytest.approx(removed.predict_joint_log_proba(new[:, WITHOUT_BANK]))


def test_the_words_that_are_kept_share_all_of_the_probability() -> None:
    fitted = MultinomialNaiveBayes(alpha=0, drop_unseen=True).fit(EMAILS, LABELS)
    spam = np.exp(fitted.feature_log_prob_[1, fitted.kept_])
    assert spam == pytest.approx([9 / 13, 2 / 13, 2 / 13])


def test_a_dropped_word_has_no_weight() -> None:
    _, w = MultinomialNaiveBayes(alpha=0, drop_unseen=True).fit(EMAILS, LABELS).linear_form()
    assert np.flatnonzero(w == 0).tolist() == [1]


@given(
    X=arrays(np.int64, (6, 4), elements=st.integers(0, 2)),
    message=arrays(np.int64, (3, 4), elements=st.integers(0, 2)),
)
def test_maximum_likelihood_on_what_is_left_finds_no_message_impossible(
    X: NDArray[np.int64], message: NDArray[np.int64]
) -> None:
    fitted = MultinomialNaiveBayes(alpha=0, drop_unseen=True).fit(X, [0, 0, 0, 1, 1, 1])
    assert np.isfinite(fitted.predict_joint_log_proba(message)).all()
