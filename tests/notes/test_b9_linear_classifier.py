"""B9: naive Bayes is a linear classifier."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from thresher.learn import BernoulliNaiveBayes, MultinomialNaiveBayes

MODELS = [BernoulliNaiveBayes, MultinomialNaiveBayes]


def as_counted(model: type, X: NDArray[np.int64]) -> NDArray[np.int64]:
    """What the model sees of the counts: the Bernoulli model their presence."""
    return (X > 0).astype(np.int64) if model is BernoulliNaiveBayes else X


@pytest.mark.parametrize("model", MODELS)
@given(
    X=arrays(np.int64, (9, 6), elements=st.integers(0, 4)),
    messages=arrays(np.int64, (7, 6), elements=st.integers(0, 4)),
    alpha=st.floats(0.01, 10),
)
def test_the_sign_of_the_linear_form_is_the_arg_max_and_its_value_the_log_odds(
    model: type[BernoulliNaiveBayes | MultinomialNaiveBayes],
    X: NDArray[np.int64],
    messages: NDArray[np.int64],
    alpha: float,
) -> None:
    learned = model(alpha=alpha).fit(X, np.arange(9) % 2)
    w0, w = learned.linear_form()
    score = w0 + as_counted(model, messages) @ w
    log_proba = learned.predict_log_proba(messages)
    assert score == pytest.approx(log_proba[:, 1] - log_proba[:, 0], abs=1e-9)
    clear = np.abs(score) > 1e-9  # a tie has no sign
    assert np.array_equal(learned.predict(messages)[clear], (score > 0)[clear])


def test_the_multinomial_weights_are_differences_of_logarithms() -> None:
    learned = MultinomialNaiveBayes().fit([[5, 3], [1, 2], [0, 4]], ["spam", "ham", "ham"])
    w0, w = learned.linear_form()
    assert w0 == pytest.approx(np.log(1 / 3) - np.log(2 / 3))
    assert w == pytest.approx(np.log([6 / 10, 4 / 10]) - np.log([2 / 9, 7 / 9]))


def test_the_bernoulli_intercept_holds_what_the_absence_of_every_word_says() -> None:
    learned = BernoulliNaiveBayes().fit([[1, 1], [0, 1], [0, 0]], ["spam", "ham", "ham"])
    w0, _ = learned.linear_form()
    empty = learned.predict_log_proba([[0, 0]])[0]
    assert w0 == pytest.approx(empty[1] - empty[0])
