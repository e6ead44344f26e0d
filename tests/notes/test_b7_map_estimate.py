"""B7: smoothing is the estimate of maximum posterior probability under a Dirichlet prior, and vanishes with data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from thresher.learn import BernoulliNaiveBayes
from thresher.learn.event_models import multinomial_log_theta

Floats = NDArray[np.float64]


@pytest.mark.parametrize("days", [0, 1, 2, 10, 1_826_213])
def test_a_sun_that_rose_on_t_days_rises_again_with_t_plus_1_over_t_plus_2(days: int) -> None:
    """One message a day that has the word `rose`; the other class is there because a classifier needs two."""
    learned = BernoulliNaiveBayes(alpha=1).partial_fit([[1], [1]], [0, 1], classes=[0, 1], sample_weight=[days, 1])
    assert np.exp(learned.feature_log_prob_[0, 0]) == pytest.approx((days + 1) / (days + 2))


counts_of_words = arrays(np.float64, (1, 5), elements=st.integers(0, 50).map(float))
pseudo_counts = st.floats(0.01, 10)


@given(
    counts=counts_of_words,
    alpha=pseudo_counts,
    other=arrays(np.float64, 5, elements=st.floats(0.001, 1)).map(lambda w: w / w.sum()),
)
def test_no_other_distribution_has_more_posterior_probability(counts: Floats, alpha: float, other: Floats) -> None:
    """The prior is Dirichlet with parameters alpha + 1, so the log posterior is (n + alpha) . log theta, up to 1."""
    log_theta = multinomial_log_theta(counts, alpha)[0]
    assert np.exp(log_theta).sum() == pytest.approx(1)
    posterior = counts[0] + alpha
    assert posterior @ log_theta >= posterior @ np.log(other) - 1e-9


@given(counts=counts_of_words.filter(np.any), alpha=pseudo_counts, times=st.integers(1, 10**6))
def test_its_effect_shrinks_as_one_over_the_number_of_words_seen(counts: Floats, alpha: float, times: int) -> None:
    """With N words seen and V pseudo-counts of alpha, theta is within alpha V / (N + alpha V) of the share."""
    seen = counts * times
    distance = np.abs(np.exp(multinomial_log_theta(seen, alpha)) - counts / counts.sum()).max()
    assert distance <= alpha * 5 / (seen.sum() + alpha * 5) + 1e-12
