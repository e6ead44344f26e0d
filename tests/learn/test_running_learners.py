"""Every running learner: one score however asked, shares that add up to it, and a state that is a fold of lessons."""

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.learn import views
from thresher.learn.counted import Bernoulli, Multinomial
from thresher.learn.hashing import Features, Ids
from thresher.learn.online import (
    ALPHA,
    BIAS_RATE,
    BIAS_SHARE,
    DOUBT,
    FLOOR,
    NEW,
    OWN,
    RATE,
    SHARES,
    START,
    ScaledLogistic,
)
from thresher.learn.running import Arrays, Numbers, one

BITS = 10
Learner = ScaledLogistic | Multinomial | Bernoulli
Make = Callable[[int], Learner]
each = pytest.mark.parametrize("make", [ScaledLogistic, Multinomial, Bernoulli])
each_order_free = pytest.mark.parametrize("make", [Multinomial, Bernoulli])


class Taught(NamedTuple):
    """A lesson as a learner gets it."""

    slots: Ids
    spam: bool


def ids(slots: Sequence[int]) -> Ids:
    return np.array(slots, np.intp)


# Few slots, of every view, so that messages share some and others come only once; the last one, so that the end of the
# arrays is met.
some_slots = st.lists(
    st.sampled_from([*range(8), 500, 512, 513, 767, 768, 900, (1 << BITS) - 1]), unique=True, max_size=9
).map(ids)
lesson = st.builds(Taught, some_slots, st.booleans())
lessons = st.lists(lesson, max_size=12)


def made_up_lessons(count: int, seed: int = 1, most: int = 700) -> list[Taught]:
    """Many lessons, long ones among them, whose spam leans to the higher slots."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        spam = bool(rng.random() < 0.4)
        drawn = rng.beta(2.0, 3.0 if not spam else 1.5, rng.integers(0, most)) * (1 << BITS)
        made.append(Taught(np.unique(drawn.astype(np.intp)), spam))
    return made


def taught(make: Make, given_lessons: Sequence[Taught]) -> Learner:
    learner = make(BITS)
    for slots, spam in given_lessons:
        learner.learn(slots, spam=spam)
    return learner


def batch_of(messages: Sequence[Ids]) -> Features:
    slots = np.concatenate(messages) if messages else ids([])
    return Features(slots, np.cumsum([0, *map(len, messages)]).astype(np.intp))


def score(learner: Learner, slots: Ids) -> float:
    return float(learner.scores(one(slots))[0])


def bits_of(state: tuple[Numbers, Arrays]) -> object:
    """A state for comparing bit for bit."""
    numbers, arrays = state
    return numbers, {name: (array.dtype.str, array.shape, array.tobytes()) for name, array in arrays.items()}


def counts_of(learner: Learner) -> tuple[int, int, bytes, bytes]:
    return learner.n_spam, learner.n_ham, learner.spam.tobytes(), learner.ham.tobytes()


@each
@given(lessons, st.lists(some_slots, max_size=6))
def test_a_message_scores_the_same_alone_and_in_a_batch(make: Make, past: list[Taught], messages: list[Ids]) -> None:
    learner = taught(make, past)
    assert learner.scores(batch_of(messages)).tolist() == [score(learner, slots) for slots in messages]


@each
def test_long_messages_score_the_same_alone_and_in_a_batch(make: Make) -> None:
    """Sums of many numbers are taken in blocks, whose bounds must not depend on the neighbours."""
    learner = taught(make, made_up_lessons(40))
    messages = [slots for slots, _ in made_up_lessons(60, seed=2, most=3000)]
    assert learner.scores(batch_of(messages)).tolist() == [score(learner, slots) for slots in messages]


@each
@given(lessons, some_slots)
def test_shares_add_up_to_the_score(make: Make, past: list[Taught], slots: Ids) -> None:
    learner = taught(make, past)
    base, shares = learner.shares(slots)
    assert len(shares) == len(slots)
    assert base + shares.sum() == pytest.approx(score(learner, slots), rel=1e-9, abs=1e-9)


@each
def test_shares_of_long_messages_add_up_to_the_score(make: Make) -> None:
    learner = taught(make, made_up_lessons(200))
    for slots, _ in made_up_lessons(30, seed=3, most=3000):
        base, shares = learner.shares(slots)
        assert base + math.fsum(shares) == pytest.approx(score(learner, slots), rel=1e-9, abs=1e-9)


@each
@given(lessons, lesson)
def test_learning_returns_the_score_before(make: Make, past: list[Taught], new: Taught) -> None:
    learner = taught(make, past)
    before = score(learner, new.slots)
    assert learner.learn(new.slots, spam=new.spam) == before


@each
@given(lessons, lesson)
def test_scoring_and_explaining_change_nothing(make: Make, past: list[Taught], new: Taught) -> None:
    learner, untouched = taught(make, past), taught(make, past)
    learner.scores(batch_of([new.slots, ids([])]))
    learner.shares(new.slots)
    assert bits_of(learner.state()) == bits_of(untouched.state())


@each
@given(lessons, lesson)
def test_forgetting_a_lesson_restores_the_counts(make: Make, past: list[Taught], new: Taught) -> None:
    learner = taught(make, past)
    before = counts_of(learner)
    learner.learn(new.slots, spam=new.spam)
    learner.forget(new.slots, spam=new.spam)
    assert counts_of(learner) == before


@each_order_free
@given(lessons, lesson, lessons)
def test_forgetting_leaves_the_state_without_the_lesson(
    make: Make, past: list[Taught], new: Taught, later: list[Taught]
) -> None:
    learner = taught(make, [*past, new, *later])
    learner.forget(new.slots, spam=new.spam)
    assert bits_of(learner.state()) == bits_of(taught(make, [*past, *later]).state())


@each_order_free
@given(lessons, st.randoms(use_true_random=False))
def test_order_of_lessons_makes_no_difference(make: Make, past: list[Taught], random: Random) -> None:
    shuffled = list(past)
    random.shuffle(shuffled)
    assert bits_of(taught(make, shuffled).state()) == bits_of(taught(make, past).state())


@each_order_free
@given(lessons)
def test_forgetting_everything_leaves_a_new_learner_that_learns_again(make: Make, past: list[Taught]) -> None:
    learner = taught(make, past)
    for slots, spam in past:
        learner.forget(slots, spam=spam)
    assert bits_of(learner.state()) == bits_of(make(BITS).state())
    for slots, spam in past:
        learner.learn(slots, spam=spam)
    assert bits_of(learner.state()) == bits_of(taught(make, past).state())


def test_scaled_logistic_regression_is_not_order_free() -> None:
    """The same lessons in another order give other weights."""
    past = made_up_lessons(10)
    there, back = taught(ScaledLogistic, past), taught(ScaledLogistic, past[::-1])
    assert bits_of(there.state()) != bits_of(back.state())


@each
def test_a_replay_gives_the_same_state_wherever_its_arrays_lie_in_memory(make: Make) -> None:
    past = made_up_lessons(60)
    replayed = make(BITS)
    for i, (slots, spam) in enumerate(past):
        room = np.zeros(len(slots) + 8, np.intp)
        moved = room[i % 8 :][: len(slots)]
        moved[:] = slots
        replayed.learn(moved, spam=spam)
    assert bits_of(replayed.state()) == bits_of(taught(make, past).state())


@each
@given(lessons, lessons)
def test_a_restored_learner_goes_on_as_the_one_saved(
    make: type[Learner], past: list[Taught], later: list[Taught]
) -> None:
    learner = taught(make, past)
    numbers, arrays = learner.state()
    restored = make.restored(BITS, numbers, {name: array.copy() for name, array in arrays.items()})
    assert bits_of(restored.state()) == bits_of(learner.state())
    for slots, spam in later:
        assert restored.learn(slots, spam=spam) == learner.learn(slots, spam=spam)
    assert bits_of(restored.state()) == bits_of(learner.state())


@each
@pytest.mark.parametrize("writeable", [False, True])
@pytest.mark.parametrize("change", ["learn", "forget"])
def test_arrays_of_a_snapshot_are_never_written_to(make: type[Learner], change: str, *, writeable: bool) -> None:
    """A snapshot's arrays may be a file mapped into memory, or another learner's own."""
    past = made_up_lessons(5)
    numbers, arrays = taught(make, past).state()
    for array in arrays.values():
        array.flags.writeable = writeable
    before = bits_of((numbers, arrays))
    restored = make.restored(BITS, numbers, arrays)
    getattr(restored, change)(past[0].slots, spam=past[0].spam)
    assert bits_of((numbers, arrays)) == before
    assert bits_of(restored.state()) != before


@each
@pytest.mark.parametrize(
    "never_learned",
    [Taught(ids([1, 2, 3]), spam=False), Taught(ids([1, 2, 4]), spam=True), Taught(ids([900]), spam=True)],
    ids=["other-label", "other-slot", "unseen-slot"],
)
def test_forgetting_what_was_not_learned_is_refused_and_changes_nothing(make: Make, never_learned: Taught) -> None:
    learner = taught(make, [Taught(ids([1, 2, 3]), spam=True), Taught(ids([4, 5]), spam=False)])
    before = bits_of(learner.state())
    with pytest.raises(ValueError, match="never learned"):
        learner.forget(never_learned.slots, spam=never_learned.spam)
    assert bits_of(learner.state()) == before


@each
def test_an_empty_message_cannot_be_forgotten_before_any_lesson(make: Make) -> None:
    learner = make(BITS)
    with pytest.raises(ValueError, match="never learned"):
        learner.forget(ids([]), spam=True)
    assert bits_of(learner.state()) == bits_of(make(BITS).state())


@each
@given(some_slots)
def test_before_the_first_lesson_every_score_is_zero(make: Make, slots: Ids) -> None:
    assert score(make(BITS), slots) == 0.0


@each
def test_one_lesson_of_each_class_tells_them_apart(make: Make) -> None:
    learner = taught(make, [Taught(ids([1, 2, 3, 7]), spam=True), Taught(ids([4, 5, 6, 7]), spam=False)])
    assert score(learner, ids([1, 2, 8])) > 0.0 > score(learner, ids([4, 5, 8]))


@each
def test_hundreds_of_lessons_are_told_apart_before_they_are_learned(make: Make) -> None:
    learner = make(BITS)
    wrong = [(learner.learn(slots, spam=spam) > 0) != spam for slots, spam in made_up_lessons(400)]
    assert sum(wrong[100:]) < 0.1 * 300


@given(lessons, some_slots)
def test_with_one_class_scaled_logistic_knows_nothing(past: list[Taught], slots: Ids) -> None:
    for spam in (False, True):
        assert score(taught(ScaledLogistic, [Taught(x.slots, spam) for x in past]), slots) == 0.0


@each
def test_memory_does_not_grow_with_lessons(make: Make) -> None:
    """Bernoulli's two histograms do, by at most one entry a lesson."""
    learner = make(BITS)
    fixed = {name: array.nbytes for name, array in learner.state()[1].items()}
    past = made_up_lessons(300, most=60)
    for slots, spam in past:
        learner.learn(slots, spam=spam)
    for name, array in learner.state()[1].items():
        assert array.nbytes <= fixed[name] + ("histogram" in name) * 8 * (len(past) + 1)


class Slow:
    """Scaled logistic regression as its module says it, one feature at a time."""

    def __init__(self) -> None:
        self.counts: dict[bool, dict[int, int]] = {True: {}, False: {}}
        self.n = {True: 0, False: 0}
        self.w: dict[int, float] = {}
        self.G: dict[int, float] = {}
        self.b = [0.0] * views.COUNT
        self.Gb = [START] * views.COUNT

    def seen(self, slots: Ids) -> dict[int, list[int]]:
        """The views that a message has, and the slots of each."""
        quarters = [int(slot) * 4 >> BITS for slot in slots]
        by_view = {0: {0, 1}, 1: {2}, 2: {3}}
        found = {g: [int(k) for k, q in zip(slots, quarters, strict=True) if q in by_view[g]] for g in by_view}
        return {g: them for g, them in found.items() if them}

    def x(self, slots: list[int]) -> dict[int, float]:
        def log_share(k: int, *, spam: bool) -> float:
            return math.log((self.counts[spam].get(k, 0) + ALPHA) / (self.n[spam] + 2 * ALPHA))

        def value(k: int) -> float:
            if not self.counts[True].get(k, 0) + self.counts[False].get(k, 0):
                return NEW
            return abs(log_share(k, spam=True) - log_share(k, spam=False)) + FLOOR

        v = {k: value(k) for k in slots}
        norm = math.sqrt(sum(value**2 for value in v.values()))
        return {k: value / norm for k, value in v.items()}

    def score(self, slots: Ids) -> float:
        rarer = min(self.n.values())
        return rarer / (rarer + 1) * self.untrusted(slots)

    def own(self, slots: Ids) -> dict[int, float]:
        return {
            g: self.b[g] + sum(self.w.get(k, 0.0) * x for k, x in self.x(them).items())
            for g, them in self.seen(slots).items()
        }

    def untrusted(self, slots: Ids) -> float:
        own = self.own(slots)
        total = sum(SHARES[g] for g in own) or 1.0
        return sum(SHARES[g] / total * z for g, z in own.items())

    def learn(self, slots: Ids, *, spam: bool) -> None:
        own, together = self.own(slots), self.untrusted(slots)
        wrong = together < 0 if spam else together > 0
        doubted = 1 / (1 + math.exp(abs(together) - DOUBT)) if wrong else 1.0
        steps = {g: self.x(them) for g, them in self.seen(slots).items()}
        for g, xs in steps.items():
            error = doubted * (1 / (1 + math.exp(-(OWN * own[g] + (1 - OWN) * together))) - spam)
            for k, x in xs.items():
                self.G[k] = self.G.get(k, START) + (error * x) ** 2
                self.w[k] = self.w.get(k, 0.0) - RATE * error * x / math.sqrt(self.G[k])
                self.counts[spam][k] = self.counts[spam].get(k, 0) + 1
            self.Gb[g] += BIAS_SHARE * error**2
            self.b[g] -= BIAS_RATE * error / math.sqrt(self.Gb[g])
        self.n[spam] += 1


@given(lessons, some_slots)
def test_scaled_logistic_is_what_its_formulas_say(past: list[Taught], slots: Ids) -> None:
    """Up to single precision, in which it keeps its weights."""
    slow = Slow()
    for taught_slots, spam in past:
        slow.learn(taught_slots, spam=spam)
    assert score(taught(ScaledLogistic, past), slots) == pytest.approx(slow.score(slots), rel=1e-4, abs=1e-4)


def test_a_label_against_all_that_is_known_moves_known_words_little_and_new_ones_fully() -> None:
    """Labels can be wrong; if this one is right, the message itself is known from now on."""
    known, new = np.arange(20), np.arange(40, 60)
    learner = ScaledLogistic(BITS)
    for i in range(200):
        learner.learn(known if i % 2 else known + 100, spam=bool(i % 2))
    before, both = score(learner, known), np.concatenate([known, new])
    assert score(learner, both) > DOUBT
    learner.learn(both, spam=False)
    assert score(learner, known) > 0.7 * before
    for _ in range(2):
        learner.learn(both, spam=False)
    assert score(learner, both) < 0


@each
@given(before=lessons, after=st.lists(lesson, min_size=1, max_size=6))
def test_a_learner_can_be_put_back_as_it_was(make: Make, before: list[Taught], after: list[Taught]) -> None:
    """For lessons that the journal then refused."""
    learner, untouched = taught(make, before), taught(make, before)
    put_back = learner.as_it_is(np.concatenate([slots for slots, _ in after]))
    for slots, spam in after:
        learner.learn(slots, spam=spam)
    learner.forget(after[0].slots, spam=after[0].spam)
    put_back()
    numbers, arrays = learner.state()
    expected_numbers, expected_arrays = untouched.state()
    assert numbers == expected_numbers
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, expected_arrays[name])


@each
def test_settings_are_part_of_the_state_and_change_the_scores(make: Make) -> None:
    past = made_up_lessons(30)
    ours, theirs = taught(make, past), taught(lambda bits: make(bits, alpha=3.0), past)  # type: ignore[call-arg]
    assert theirs.state()[0]["alpha"] == 3.0
    slots = one(past[0].slots)
    assert ours.scores(slots).tolist() != theirs.scores(slots).tolist()
    assert type(theirs).restored(BITS, *theirs.state()).scores(slots).tolist() == theirs.scores(slots).tolist()


@each
@pytest.mark.parametrize(
    ("chosen", "said"), [({"aplha": 1.0}, "aplha"), ({"alpha": 0.0}, "alpha"), ({"alpha": math.nan}, "alpha")]
)
def test_a_setting_that_cannot_be_is_refused_by_name(make: Make, chosen: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make(BITS, **chosen)
