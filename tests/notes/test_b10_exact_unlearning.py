"""B10: forgetting an example leaves the same state as never having seen it, bit for bit."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import sparse

from thresher.learn import BernoulliNaiveBayes, MultinomialNaiveBayes
from thresher.learn.event_models import Events

Model = BernoulliNaiveBayes | MultinomialNaiveBayes
Matrix = Callable[[NDArray[np.int64]], Events]
MODELS = [BernoulliNaiveBayes, MultinomialNaiveBayes]
CLASSES = ["ham", "spam"]
STATE = ["class_count_", "feature_count_", "class_log_prior_", "feature_log_prob_"]

messages = arrays(np.int64, (8, 5), elements=st.integers(0, 2**20))
labels = st.lists(st.sampled_from(CLASSES), min_size=8, max_size=8)
weights = st.lists(st.integers(1, 2**20), min_size=8, max_size=8)


def bits(model: Model) -> dict[str, bytes]:
    return {name: getattr(model, name).tobytes() for name in STATE}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("matrix", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("alpha", [0.0, 0.3])
@given(X=messages, y=labels, weight=weights, kept=st.integers(1, 7))
def test_forgetting_leaves_the_bits_of_never_having_seen(
    model: type[Model], matrix: Matrix, alpha: float, X: NDArray[np.int64], y: list[str], weight: list[int], kept: int
) -> None:
    seen = model(alpha=alpha).partial_fit(matrix(X), y, classes=CLASSES, sample_weight=weight)
    seen.forget(matrix(X[kept:]), y[kept:], sample_weight=weight[kept:])
    never = model(alpha=alpha).partial_fit(matrix(X[:kept]), y[:kept], CLASSES, sample_weight=weight[:kept])
    assert bits(seen) == bits(never)


@pytest.mark.parametrize("model", MODELS)
@given(X=messages, y=labels, order=st.permutations(range(8)))
def test_the_order_and_the_batches_of_learning_and_forgetting_leave_no_trace(
    model: type[Model], X: NDArray[np.int64], y: list[str], order: list[int]
) -> None:
    one_by_one = model().partial_fit(X, y, classes=CLASSES)
    for row in order[:4]:
        one_by_one.forget(X[[row]], [y[row]])
    for row in reversed(order[:4]):
        one_by_one.partial_fit(X[[row]], [y[row]])
    assert bits(one_by_one) == bits(model().partial_fit(X, y, classes=CLASSES))


@pytest.mark.parametrize("model", MODELS)
@given(X=messages, y=labels)
def test_a_correction_is_forgetting_and_learning(model: type[Model], X: NDArray[np.int64], y: list[str]) -> None:
    other = "ham" if y[3] == "spam" else "spam"
    corrected = model().partial_fit(X, y, classes=CLASSES)
    corrected.forget(X[[3]], [y[3]]).partial_fit(X[[3]], [other])
    assert bits(corrected) == bits(model().partial_fit(X, [*y[:3], other, *y[4:]], classes=CLASSES))


@pytest.mark.parametrize("model", MODELS)
def test_forgetting_everything_leaves_a_model_that_knows_nothing(model: type[Model]) -> None:
    X, y = [[1, 2], [3, 0]], CLASSES
    emptied = model().fit(X, y).forget(X, y)
    assert emptied.predict_proba([[1, 1]]).tolist() == [[0.5, 0.5]]
