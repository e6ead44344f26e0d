"""F3: priors count; class frequencies shift the decision."""

import numpy as np
import pytest

from thresher.learn import BernoulliNaiveBayes, MultinomialNaiveBayes

Model = BernoulliNaiveBayes | MultinomialNaiveBayes
MODELS = [BernoulliNaiveBayes, MultinomialNaiveBayes]

# The word tells for spam by half: two of four spam, one of four ham have it. The second word is everywhere.
SPAM = [[1, 1], [1, 1], [0, 1], [0, 1]]
HAM = [[1, 1], [0, 1], [0, 1], [0, 1]]
NEW = [[1, 1]]


def verdict(model: Model, ham_times: int) -> str:
    X, y = SPAM + HAM * ham_times, ["spam"] * 4 + ["ham"] * 4 * ham_times
    return str(model.fit(X, y).predict(NEW)[0])


@pytest.mark.parametrize("model", MODELS)
def test_the_same_words_are_spam_where_spam_is_common_and_ham_where_it_is_rare(model: type[Model]) -> None:
    assert verdict(model(alpha=0), ham_times=1) == "spam"
    assert verdict(model(alpha=0), ham_times=10) == "ham"


@pytest.mark.parametrize("model", MODELS)
def test_a_uniform_prior_ignores_how_often_the_classes_came(model: type[Model]) -> None:
    assert verdict(model(alpha=0, class_prior="uniform"), ham_times=10) == "spam"


@pytest.mark.parametrize("model", MODELS)
def test_a_given_prior_moves_the_log_odds_by_its_own(model: type[Model]) -> None:
    """Classes are in sorted order: ham, spam."""
    even, rare = (
        model(class_prior=prior).fit(SPAM + HAM, ["spam"] * 4 + ["ham"] * 4).linear_form()
        for prior in ([0.5, 0.5], [0.99, 0.01])
    )
    assert rare[0] - even[0] == pytest.approx(np.log(0.01 / 0.99))
    assert np.array_equal(rare[1], even[1])
