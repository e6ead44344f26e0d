"""B1: the Bernoulli event model, its closed form and scikit-learn's answer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sklearn.naive_bayes import BernoulliNB

from thresher.learn import BernoulliNaiveBayes

# Six messages over three words: rows of presence, spam first.
X = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1], [0, 1, 0], [0, 0, 1], [1, 0, 1]])
Y = np.array([1, 1, 1, 0, 0, 0])
MESSAGE = np.array([[1, 0, 1]])


def closed_form(alpha: float) -> float:
    """Posterior of spam for MESSAGE: Bayes' rule written out."""
    phi_y = np.mean(Y == 1)
    phi = {c: (X[c == Y].sum(axis=0) + alpha) / (np.sum(c == Y) + 2 * alpha) for c in (0, 1)}
    likelihood = {c: np.prod(np.where(MESSAGE[0] == 1, phi[c], 1 - phi[c])) for c in (0, 1)}
    spam = likelihood[1] * phi_y
    return float(spam / (spam + likelihood[0] * (1 - phi_y)))


@pytest.mark.parametrize("alpha", [0.1, 1.0, 7.0])
def test_the_posterior_is_bayes_rule_written_out(alpha: float) -> None:
    posterior = BernoulliNaiveBayes(alpha=alpha).fit(X, Y).predict_proba(MESSAGE)
    assert posterior[0, 1] == pytest.approx(closed_form(alpha), abs=1e-12)


def test_phi_is_the_share_of_the_class_that_has_the_word() -> None:
    fitted = BernoulliNaiveBayes(alpha=0).fit(X, Y)
    assert np.exp(fitted.feature_log_prob_) == pytest.approx(np.array([[1 / 3, 1 / 3, 2 / 3], [1, 2 / 3, 1 / 3]]))
    assert np.exp(fitted.class_log_prior_) == pytest.approx([0.5, 0.5])


def test_an_absent_word_counts_too() -> None:
    """The second word is commoner in spam, so a message without it is less likely spam than one that says nothing."""
    with_all, without_second = (BernoulliNaiveBayes().fit(X[:, kept], Y) for kept in ([0, 1, 2], [0, 2]))
    silent = without_second.predict_proba(MESSAGE[:, [0, 2]])[0, 1]
    assert with_all.predict_proba(MESSAGE)[0, 1] < silent


@given(
    X=arrays(np.int64, (12, 5), elements=st.integers(0, 3)),
    message=arrays(np.int64, (4, 5), elements=st.integers(0, 3)),
    alpha=st.floats(0.01, 20),
)
def test_it_equals_scikit_learns_to_ten_digits(X: NDArray[np.int64], message: NDArray[np.int64], alpha: float) -> None:
    y = np.arange(12) % 3
    ours, theirs = BernoulliNaiveBayes(alpha=alpha).fit(X, y), BernoulliNB(alpha=alpha).fit(X, y)
    np.testing.assert_allclose(
        ours.predict_joint_log_proba(message), theirs.predict_joint_log_proba(message), rtol=0, atol=1e-10
    )
    np.testing.assert_allclose(ours.predict_proba(message), theirs.predict_proba(message), rtol=0, atol=1e-10)
