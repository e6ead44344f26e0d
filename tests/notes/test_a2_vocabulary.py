"""A2: the vocabulary comes from the training mail; what it does not hold is ignored."""

import numpy as np
import pytest

from thresher.learn import BernoulliNaiveBayes, MultinomialNaiveBayes, count_words, vocabulary

TRAINING = ["win a prize now", "a prize for you", "lunch at noon", "the report at noon"]
LABELS = ["spam", "spam", "ham", "ham"]
TEST = ["a prize at noon", "lunch for you", "nothing known here"]

MODELS = [BernoulliNaiveBayes, MultinomialNaiveBayes]


def test_the_vocabulary_is_the_words_of_the_training_texts() -> None:
    assert set(vocabulary(TRAINING)) == {word for text in TRAINING for word in text.split()}


def test_stop_words_are_left_out_in_any_case() -> None:
    assert set(vocabulary(TRAINING)) - set(vocabulary(TRAINING, stop_words=["A", "the", "at"])) == {"a", "the", "at"}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_a_word_never_seen_in_training_changes_no_verdict(
    model: type[BernoulliNaiveBayes | MultinomialNaiveBayes], alpha: float
) -> None:
    columns = vocabulary(TRAINING)
    learned = model(alpha=alpha).fit(count_words(TRAINING, columns), LABELS)
    with_strangers = [f"{text} zyzzyva quux quux" for text in TEST]
    plain, strange = count_words(TEST, columns), count_words(with_strangers, columns)
    assert np.array_equal(learned.predict_joint_log_proba(plain), learned.predict_joint_log_proba(strange))


@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_a_message_of_unknown_words_gets_the_prior_never_zero_over_zero(alpha: float) -> None:
    columns = vocabulary(TRAINING)
    learned = MultinomialNaiveBayes(alpha=alpha).fit(count_words(TRAINING, columns), LABELS)
    assert learned.predict_proba(count_words(["zyzzyva quux"], columns)).tolist() == [[0.5, 0.5]]
