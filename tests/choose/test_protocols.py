"""Every protocol scores messages that were not learned; what reaches the learner, and when, is what it says."""

import numpy as np
import pytest

from thresher.choose.protocols import Examples, Filter, Prequential, Scored, folds, take, train_and_test, validate
from thresher.learn.counted import Multinomial
from thresher.learn.hashing import Features, Ids
from thresher.learn.online import ScaledLogistic
from thresher.learn.running import one

BITS = 10


def made_up(n: int = 60, seed: int = 1) -> Examples:
    """Messages whose spam has other slots than their ham, mostly."""
    random = np.random.default_rng(seed)
    is_spam = random.random(n) < 0.4
    slots = [np.unique(random.integers(0, 60, 12) + (40 if spam else 0)) for spam in is_spam]
    return Examples(Features(np.concatenate(slots), np.cumsum([0, *map(len, slots)])), is_spam)


def make() -> ScaledLogistic:
    return ScaledLogistic(BITS)


def met(examples: Examples, **how: float) -> list[float]:
    stream = Prequential(make, **how)  # type: ignore[arg-type] # delay is a whole number where it is given
    return [
        float(stream.meet(examples.features.of(i), spam=bool(examples.is_spam[i])).log_odds[0])
        for i in range(len(examples))
    ]


def by_hand(examples: Examples, delay: int) -> list[float]:
    """The slow, obvious way: a new filter for every message, taught what was known by then."""
    scores = []
    for i in range(len(examples)):
        fresh = make()
        for j in range(max(i - delay, 0)):
            fresh.learn(examples.features.of(j), spam=bool(examples.is_spam[j]))
        scores.append(float(fresh.scores(one(examples.features.of(i)))[0]))
    return scores


@pytest.mark.parametrize("delay", [0, 1, 7, 100])
def test_a_label_comes_as_many_messages_late_as_was_asked(delay: int) -> None:
    examples = made_up()
    assert met(examples, delay=delay) == pytest.approx(by_hand(examples, delay), abs=1e-6)


def test_without_feedback_nothing_is_learned() -> None:
    assert not any(met(made_up(), feedback=0.0))


def test_partial_feedback_learns_about_the_share_that_was_asked_and_the_same_each_time() -> None:
    examples = made_up(400)
    stream = Prequential(make, feedback=0.25)
    for i in range(len(examples)):
        stream.meet(examples.features.of(i), spam=bool(examples.is_spam[i]))
    learned = stream.filter.learner.n_ham + stream.filter.learner.n_spam
    assert 70 <= learned <= 130
    assert met(examples, feedback=0.25) == met(examples, feedback=0.25)


@pytest.mark.parametrize(("how", "said"), [({"delay": -1}, "delay"), ({"feedback": 1.5}, "feedback")])
def test_what_cannot_be_is_refused_by_name(how: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Prequential(make, **how)  # type: ignore[arg-type] # as above


def test_probabilities_are_calibrated_on_what_came_before() -> None:
    """Naive Bayes is too sure of itself; after some lessons its probabilities are not its own any more."""
    examples = made_up(300)
    stream = Prequential(lambda: Multinomial(BITS))
    said = [
        stream.meet(examples.features.of(i), spam=bool(examples.is_spam[i])).probability[0]
        for i in range(len(examples))
    ]
    assert stream.filter.calibration.count == 300
    assert all(0 <= p <= 1 for p in said)


def test_training_mail_is_learned_mixed_whatever_its_order() -> None:
    examples = made_up(80)
    order = np.argsort(examples.is_spam, kind="stable")
    apart = Examples(take(examples.features, order), examples.is_spam[order])
    ours, theirs = (train_and_test(make, one, examples.features) for one in (examples, apart))
    assert ours.log_odds.tolist() == theirs.log_odds.tolist()


def test_a_fold_is_judged_by_a_filter_that_learned_the_others() -> None:
    examples = made_up(90)
    groups = np.arange(90) // 2
    seen: list[int] = []
    for training, validation in folds(examples, 3, groups):
        assert not set(groups[training]) & set(groups[validation])
        assert sorted([*training, *validation]) == list(range(90))
        trained = Filter(make)
        trained.learn_mixed(examples, training)
        alone = [trained.score(one(examples.features.of(i))).log_odds[0] for i in validation]
        assert validate(make, examples, (training, validation)).log_odds.tolist() == alone
        seen += validation.tolist()
    assert sorted(seen) == list(range(90))


@pytest.mark.parametrize("rows", [[], [3], [5, 1, 1, 0], list(range(60))])
def test_taken_features_are_those_of_the_rows(rows: list[int]) -> None:
    features = made_up().features
    taken = take(features, np.array(rows, np.intp))
    assert len(taken) == len(rows)
    assert [taken.of(i).tolist() for i in range(len(rows))] == [features.of(row).tolist() for row in rows]


def test_a_filter_answers_with_what_it_said_before_the_lesson() -> None:
    examples, trained = made_up(), Filter(make)
    slots: Ids = examples.features.of(0)
    before: Scored = trained.score(one(slots))
    assert trained.learn(slots, spam=True).log_odds.tolist() == before.log_odds.tolist()
