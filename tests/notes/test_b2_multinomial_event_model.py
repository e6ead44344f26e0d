"""B2: the multinomial event model on four e-mails over (free, bank, meet, time), and on any number of classes."""

from math import log10

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sklearn.naive_bayes import MultinomialNB

from thresher.learn import MultinomialNaiveBayes
from thresher.learn.event_models import multinomial_log_theta

EMAILS = np.array([[5, 3, 1, 1], [4, 2, 1, 1], [2, 1, 2, 3], [1, 2, 3, 2]])
LABELS = ["spam", "spam", "ham", "ham"]
NEW = [[1, 3, 4, 2]]
HAM, SPAM = 0, 1


def fitted() -> MultinomialNaiveBayes:
    return MultinomialNaiveBayes(alpha=0).fit(EMAILS, LABELS)


def test_theta_is_each_words_share_of_the_words_of_its_class() -> None:
    theta = np.exp(fitted().feature_log_prob_)
    assert theta[SPAM] == pytest.approx([9 / 18, 5 / 18, 2 / 18, 2 / 18])
    assert theta[HAM] == pytest.approx([3 / 16, 3 / 16, 5 / 16, 5 / 16])


def test_pi_is_each_classs_share_of_the_messages() -> None:
    assert np.exp(fitted().class_log_prior_) == pytest.approx([2 / 4, 2 / 4])


def test_the_new_email_scores_minus_7_996_for_spam_and_minus_6_240_for_ham_and_is_ham() -> None:
    joint = fitted().predict_joint_log_proba(NEW)[0] * log10(np.e)
    assert joint[SPAM].round(3) == -7.996
    assert joint[HAM].round(3) == -6.240
    assert fitted().predict(NEW).tolist() == ["ham"]


def test_the_estimator_holds_what_the_formula_says() -> None:
    counts = np.array([[3.0, 3, 5, 5], [9, 5, 2, 2]])
    assert np.array_equal(fitted().feature_log_prob_, multinomial_log_theta(counts, 0.0))


def test_documents_may_have_any_length() -> None:
    """A message said three times over has three times the evidence of one."""
    once, thrice = (fitted().predict_log_proba(np.array(NEW) * times)[0] for times in (1, 3))
    assert thrice[HAM] - thrice[SPAM] == pytest.approx(3 * (once[HAM] - once[SPAM]))


@given(
    X=arrays(np.int64, (12, 5), elements=st.integers(0, 9)),
    message=arrays(np.int64, (4, 5), elements=st.integers(0, 9)),
    alpha=st.floats(0.01, 20),
    n_classes=st.integers(2, 6),
)
def test_with_any_number_of_classes_it_equals_scikit_learns_to_ten_digits(
    X: NDArray[np.int64], message: NDArray[np.int64], alpha: float, n_classes: int
) -> None:
    y = np.arange(12) % n_classes
    ours, theirs = MultinomialNaiveBayes(alpha=alpha).fit(X, y), MultinomialNB(alpha=alpha).fit(X, y)
    np.testing.assert_allclose(
        ours.predict_joint_log_proba(message), theirs.predict_joint_log_proba(message), rtol=0, atol=1e-10
    )
    np.testing.assert_allclose(ours.predict_proba(message), theirs.predict_proba(message), rtol=0, atol=1e-10)
