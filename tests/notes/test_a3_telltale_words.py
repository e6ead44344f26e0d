"""A3: telltale words score a message as weighted sums, one for spam and one for ham."""

from collections import Counter

import pytest

from thresher.learn import telltale_scores
from thresher.learn.bag_of_words import words

WEIGHTS = {
    "spam": {"lottery": 0.3, "prize": 0.3, "office": 0.01, "email": 0.01},
    "ham": {"lottery": 0.01, "prize": 0.01, "office": 0.1, "email": 0.05},
}
MESSAGE = "Your email was drawn in our lottery. To get the prize, write an email to the office."


def test_the_lottery_message_scores_63_hundredths_against_22_and_is_spam() -> None:
    counts = Counter(words(MESSAGE))
    assert [counts[word] for word in ("lottery", "prize", "office", "email")] == [1, 1, 1, 2]
    scores = telltale_scores(counts, WEIGHTS)
    assert scores == {"spam": pytest.approx(0.63), "ham": pytest.approx(0.22)}
    assert max(scores, key=lambda label: scores[label]) == "spam"


def test_words_that_tell_nothing_weigh_nothing() -> None:
    assert telltale_scores({"umbrella": 7}, WEIGHTS) == {"spam": 0, "ham": 0}
