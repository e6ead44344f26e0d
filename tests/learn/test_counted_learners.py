"""Naive Bayes as running learners: scikit-learn's numbers on the features seen, and none of those never seen."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

from thresher.learn.counted import ALPHA, Bernoulli, Multinomial
from thresher.learn.hashing import Ids
from thresher.learn.running import one

BITS = 9
SLOTS = 1 << BITS
SEEN = 300
"""Slots that lessons draw from; those above are never seen."""

Learner = Multinomial | Bernoulli
each = pytest.mark.parametrize(("make", "peer"), [(Multinomial, MultinomialNB), (Bernoulli, BernoulliNB)])
each_learner = pytest.mark.parametrize("make", [Multinomial, Bernoulli])


def made_up(count: int, seed: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Presence of each slot in each message, and which of them are spam. A tenth of the slots is in one class only."""
    rng = np.random.default_rng(seed)
    spam = rng.random(count) < 0.35
    spam[:2] = True, False
    shares = rng.beta(0.3, 3.0, (2, SEEN))
    shares[0, : SEEN // 20] = 0.0
    shares[1, -SEEN // 20 :] = 0.0
    presence = np.zeros((count, SLOTS), np.bool_)
    presence[:, :SEEN] = rng.random((count, SEEN)) < shares[spam.astype(int)]
    return presence, spam


def taught(make: type[Learner], presence: npt.NDArray[np.bool_], spam: npt.NDArray[np.bool_]) -> Learner:
    learner = make(BITS)
    for row, is_spam in zip(presence, spam.tolist(), strict=True):
        learner.learn(np.flatnonzero(row), spam=is_spam)
    return learner


def score(learner: Learner, slots: Ids) -> float:
    return float(learner.scores(one(slots))[0])


@each
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("count", [2, 3, 50, 400])
def test_log_odds_are_those_of_scikit_learn_on_the_features_seen(
    make: type[Learner], peer: type[MultinomialNB | BernoulliNB], seed: int, count: int
) -> None:
    presence, spam = made_up(count, seed)
    new, _ = made_up(40, seed + 1000)
    seen = presence.any(axis=0)
    joint = peer(alpha=ALPHA).fit(presence[:, seen], spam).predict_joint_log_proba(new[:, seen])
    learner = taught(make, presence, spam)
    ours = [score(learner, np.flatnonzero(row)) for row in new]
    assert ours == pytest.approx((joint[:, 1] - joint[:, 0]).tolist(), rel=1e-9, abs=1e-9)


@each
def test_after_forgetting_they_are_those_of_what_is_left(
    make: type[Learner], peer: type[MultinomialNB | BernoulliNB]
) -> None:
    presence, spam = made_up(120, 7)
    learner = taught(make, presence, spam)
    for row, is_spam in zip(presence[30:], spam[30:].tolist(), strict=True):
        learner.forget(np.flatnonzero(row), spam=is_spam)
    seen = presence[:30].any(axis=0)
    joint = peer(alpha=ALPHA).fit(presence[:30, seen], spam[:30]).predict_joint_log_proba(presence[:, seen])
    ours = [score(learner, np.flatnonzero(row)) for row in presence]
    assert ours == pytest.approx((joint[:, 1] - joint[:, 0]).tolist(), rel=1e-9, abs=1e-9)


@each_learner
@given(
    st.lists(st.integers(0, SEEN - 1), unique=True, max_size=30),
    st.lists(st.integers(SEEN, SLOTS - 1), unique=True, min_size=1, max_size=30),
)
def test_a_feature_never_seen_changes_no_verdict(make: type[Learner], known: list[int], unseen: list[int]) -> None:
    learner = taught(make, *made_up(60, 3))
    alone, together = np.array(known, np.intp), np.array([*known, *unseen], np.intp)
    assert score(learner, together) == pytest.approx(score(learner, alone), rel=1e-12, abs=1e-12)
    assert learner.shares(together).shares[len(known) :].tolist() == [0.0] * len(unseen)


@each_learner
def test_equally_frequent_classes_have_no_prior_odds(make: type[Learner]) -> None:
    learner = make(BITS)
    for spam in (True, False, False, True):
        learner.learn(np.array([1, 2, 3]), spam=spam)
    assert score(learner, np.array([1, 2, 3])) == 0.0


def test_an_empty_message_gets_the_prior_odds_from_the_multinomial_model() -> None:
    learner = Multinomial(BITS)
    for spam in (True, False, False, False):
        learner.learn(np.array([1, 2, 3]), spam=spam)
    assert score(learner, np.array([], np.intp)) == pytest.approx(np.log(1 / 3))


def test_an_absent_feature_is_evidence_for_the_bernoulli_model_alone() -> None:
    """Slot 1 stood in every spam and no ham, slot 2 in everything; the empty message lacks both."""
    scores = {}
    for make in (Multinomial, Bernoulli):
        learner = make(BITS)
        for _ in range(20):
            learner.learn(np.array([1, 2]), spam=True)
            learner.learn(np.array([2]), spam=False)
        scores[make] = score(learner, np.array([], np.intp))
    assert scores[Multinomial] == 0.0
    assert scores[Bernoulli] == pytest.approx(np.log(ALPHA / (20 + ALPHA)))
