"""B6: solution 2 pretends that each word was seen alpha more times."""

from math import log10

import numpy as np
import pytest

from thresher.learn import BernoulliNaiveBayes, MultinomialNaiveBayes

EMAILS = np.array([[5, 3, 1, 1], [4, 2, 1, 1], [2, 0, 2, 3], [1, 0, 3, 2]])
LABELS = ["spam", "spam", "ham", "ham"]
NEW = [[1, 3, 4, 2]]
HAM, SPAM = 0, 1


def test_with_alpha_1_theta_ham_is_4_1_6_6_seventeenths() -> None:
    fitted = MultinomialNaiveBayes(alpha=1).fit(EMAILS, LABELS)
    assert np.exp(fitted.feature_log_prob_[HAM]) == pytest.approx([4 / 17, 1 / 17, 6 / 17, 6 / 17])


def test_the_email_then_is_ham_by_minus_7_335_against_minus_7_528() -> None:
    fitted = MultinomialNaiveBayes(alpha=1).fit(EMAILS, LABELS)
    joint = fitted.predict_joint_log_proba(NEW)[0] * log10(np.e)
    assert joint[HAM].round(3) == -7.335
    assert joint[SPAM].round(3) == -7.528
    assert fitted.predict(NEW).tolist() == ["ham"]


@pytest.mark.parametrize("alpha", [1e-3, 0.5, 2.5, 1000.0])
def test_the_multinomial_denominator_grows_by_alpha_times_the_number_of_words(alpha: float) -> None:
    fitted = MultinomialNaiveBayes(alpha=alpha).fit(EMAILS, LABELS)
    expected = (np.array([3, 0, 5, 5]) + alpha) / (13 + alpha * 4)
    assert np.exp(fitted.feature_log_prob_[HAM]) == pytest.approx(expected)


@pytest.mark.parametrize("alpha", [1e-3, 0.5, 2.5, 1000.0])
def test_the_bernoulli_denominator_grows_by_alpha_times_the_two_values_of_a_word(alpha: float) -> None:
    fitted = BernoulliNaiveBayes(alpha=alpha).fit(EMAILS, LABELS)
    expected = (np.array([2, 0, 2, 2]) + alpha) / (2 + alpha * 2)
    assert np.exp(fitted.feature_log_prob_[HAM]) == pytest.approx(expected)


def test_alpha_may_differ_from_word_to_word() -> None:
    alpha = np.array([0.5, 2.0, 0.0, 1.5])
    multinomial = MultinomialNaiveBayes(alpha=alpha).fit(EMAILS, LABELS)
    assert np.exp(multinomial.feature_log_prob_[HAM]) == pytest.approx((np.array([3, 0, 5, 5]) + alpha) / (13 + 4))
    bernoulli = BernoulliNaiveBayes(alpha=alpha).fit(EMAILS, LABELS)
    assert np.exp(bernoulli.feature_log_prob_[HAM]) == pytest.approx((np.array([2, 0, 2, 2]) + alpha) / (2 + 2 * alpha))
