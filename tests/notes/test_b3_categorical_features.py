"""B3: categorical features with k_j values, and continuous attributes cut into bins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sklearn.naive_bayes import CategoricalNB

from thresher.learn import BernoulliNaiveBayes, CategoricalNaiveBayes, Discretizer

LIVING_AREA = [400, 800, 1200, 1600]
X = np.array([[1, 1], [2, 1], [2, 2], [3, 1], [3, 2], [3, 2]])
Y = np.array([0, 0, 0, 1, 1, 1])


def test_a_living_area_of_890_square_feet_is_the_value_3() -> None:
    cut = Discretizer(edges=[LIVING_AREA]).fit([[0.0]])
    assert cut.transform([[890]]).tolist() == [[3]]


def test_four_edges_give_the_values_1_to_5_and_an_edge_belongs_to_the_bin_above() -> None:
    cut = Discretizer(edges=[LIVING_AREA]).fit([[0.0]])
    assert cut.transform([[399], [400], [799], [800], [1500], [1600], [9999]]).ravel().tolist() == [1, 2, 2, 3, 4, 5, 5]
    assert cut.values_[0].tolist() == [1, 2, 3, 4, 5]


def test_theta_is_the_share_of_the_class_that_has_the_value() -> None:
    fitted = CategoricalNaiveBayes(alpha=0).fit(X, Y)
    assert [values.tolist() for values in fitted.values_] == [[1, 2, 3], [1, 2]]
    expected = [[1 / 3, 2 / 3, 0, 2 / 3, 1 / 3], [0, 0, 1, 1 / 3, 2 / 3]]
    assert np.exp(fitted.feature_log_prob_) == pytest.approx(np.array(expected))


@pytest.mark.parametrize("alpha", [0.01, 1.0, 7.5])
def test_smoothing_adds_alpha_to_each_value_and_k_alpha_to_the_examples(alpha: float) -> None:
    """There are k = 3 values of the first feature and 2 of the second."""
    fitted = CategoricalNaiveBayes(alpha=alpha).fit(X, Y)
    counts = np.array([[1, 2, 0, 2, 1], [0, 0, 3, 1, 2]])
    k = np.array([3, 3, 3, 2, 2])
    assert np.exp(fitted.feature_log_prob_) == pytest.approx((counts + alpha) / (3 + k * alpha))


def test_alpha_may_differ_from_feature_to_feature() -> None:
    fitted = CategoricalNaiveBayes(alpha=[0.5, 2.0]).fit(X, Y)
    assert np.exp(fitted.feature_log_prob_[0]) == pytest.approx([1.5 / 4.5, 2.5 / 4.5, 0.5 / 4.5, 4 / 7, 3 / 7])


def test_a_feature_of_two_values_is_the_bernoulli_model() -> None:
    """Document 003 calls the several values a straightforward generalization; at two nothing changes."""
    bits, y = np.random.default_rng(3).integers(0, 2, (40, 6)), np.arange(40) % 3
    categorical, bernoulli = CategoricalNaiveBayes().fit(bits, y), BernoulliNaiveBayes().fit(bits, y)
    assert categorical.predict_joint_log_proba(bits) == pytest.approx(
        bernoulli.predict_joint_log_proba(bits), abs=1e-10
    )


@given(
    X=arrays(np.int64, (14, 4), elements=st.integers(0, 3)),
    new=arrays(np.int64, (5, 4), elements=st.integers(0, 3)),
    alpha=st.floats(0.01, 20),
    weight=arrays(np.float64, 14, elements=st.floats(0.1, 5)),
)
def test_it_equals_scikit_learns_to_ten_digits(
    X: NDArray[np.int64], new: NDArray[np.int64], alpha: float, weight: NDArray[np.float64]
) -> None:
    y = np.arange(14) % 3
    ours = CategoricalNaiveBayes(alpha=alpha, values=[range(4)] * 4).fit(X, y, sample_weight=weight)
    theirs = CategoricalNB(alpha=alpha, min_categories=4).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(
        ours.predict_joint_log_proba(new), theirs.predict_joint_log_proba(new), rtol=0, atol=1e-10
    )
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), rtol=0, atol=1e-10)


def test_bins_and_naive_bayes_separate_what_no_line_can() -> None:
    """Bins are for attributes that are far from normal: here one class lies on both sides of the other."""
    rng = np.random.default_rng(33)
    y = np.arange(400) % 2
    x = np.where(y == 1, rng.choice([-3.0, 3.0], 400), 0.0) + rng.normal(0, 0.5, 400)
    binned = Discretizer(edges=[[-1.5, 1.5]]).fit(x[:, np.newaxis]).transform(x[:, np.newaxis])
    verdicts = CategoricalNaiveBayes().fit(binned[:200], y[:200]).predict(binned[200:])
    assert np.mean(verdicts == y[200:]) > 0.98
