"""B8: all arithmetic is in logarithms, so a message of 50,000 words neither underflows nor overflows."""

import numpy as np
import pytest
from scipy import sparse

from thresher.learn import BernoulliNaiveBayes, MultinomialNaiveBayes

WORDS = 50_000


def training() -> sparse.csr_matrix:
    """Forty messages of 500 words each from a vocabulary of 50,000."""
    rng = np.random.default_rng(8)
    return sparse.csr_matrix(
        (np.ones(40 * 500), (np.repeat(np.arange(40), 500), rng.integers(0, WORDS, 40 * 500))), (40, WORDS)
    )


def long_messages() -> sparse.csr_matrix:
    """Each word once; one word 50,000 times; nothing at all."""
    once = sparse.csr_matrix(np.ones((1, WORDS)))
    one_word = sparse.csr_matrix(([float(WORDS)], ([0], [7])), shape=(1, WORDS))
    return sparse.csr_matrix(sparse.vstack([once, one_word, sparse.csr_matrix((1, WORDS))]))


@pytest.mark.parametrize("model", [BernoulliNaiveBayes, MultinomialNaiveBayes])
@pytest.mark.parametrize("alpha", [1e-9, 1.0])
def test_the_posterior_of_a_50000_word_message_sums_to_one(
    model: type[BernoulliNaiveBayes | MultinomialNaiveBayes], alpha: float
) -> None:
    learned = model(alpha=alpha).fit(training(), np.arange(40) % 2)
    assert learned.predict_proba(long_messages()).sum(axis=1) == pytest.approx([1, 1, 1], abs=1e-12)


@pytest.mark.parametrize("model", [BernoulliNaiveBayes, MultinomialNaiveBayes])
def test_its_likelihood_is_far_below_the_smallest_float_and_still_finite(
    model: type[BernoulliNaiveBayes | MultinomialNaiveBayes],
) -> None:
    learned = model().fit(training(), np.arange(40) % 2)
    joint = learned.predict_joint_log_proba(long_messages())[0]
    assert np.isfinite(joint).all()
    assert (joint < np.log(np.finfo(np.float64).tiny)).all()
