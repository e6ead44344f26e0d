"""A1: a bag of words holds counts, or presence."""

import numpy as np

from thresher.learn import BernoulliNaiveBayes, MultinomialNaiveBayes, count_words, vocabulary

TEXTS = ["Free money, free lunch: FREE!", "We meet for lunch", "Money for the meeting"]


def test_a_bag_counts_every_occurrence_of_a_word_whatever_its_case() -> None:
    columns = vocabulary(TEXTS)
    bag = count_words(TEXTS, columns).toarray()
    assert {word: bag[0, column] for word, column in columns.items() if bag[0, column]} == {
        "free": 3,
        "money": 1,
        "lunch": 1,
    }


def test_presence_is_one_wherever_the_count_is_not_zero() -> None:
    columns = vocabulary(TEXTS)
    counts = count_words(TEXTS, columns).toarray()
    assert counts.max() > 1
    assert np.array_equal(count_words(TEXTS, columns, presence=True).toarray(), counts > 0)


def test_both_event_models_read_the_same_bag() -> None:
    """The Bernoulli model sees the presence in the counts, the multinomial model the counts themselves."""
    columns = vocabulary(TEXTS)
    bag = count_words(TEXTS, columns)
    labels = ["spam", "ham", "ham"]
    spam = 1
    assert MultinomialNaiveBayes().fit(bag, labels).feature_count_[spam, columns["free"]] == 3
    assert BernoulliNaiveBayes().fit(bag, labels).feature_count_[spam, columns["free"]] == 1
