"""Choosing among candidates: each message judged by a model without it, a choice measured on what it never saw."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from thresher.choose.candidates import Candidate, candidates, named, settings_named, with_settings
from thresher.choose.duplicates import near_duplicates
from thresher.choose.metrics import Labels
from thresher.choose.protocols import Examples, Filter, Scored, take
from thresher.choose.tuning import Comparison, Fold, called_spam, fewer_slots, simplest_within_one_standard_error
from thresher.demo import messages
from thresher.learn.hashing import Hasher
from thresher.learn.running import RunningLearner
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize
from thresher.values import Label
from thresher.view import LEARNERS

BITS = 12


def mail_streams(count: int, seed: int) -> tuple[list[bytes], Labels]:
    made = list(messages(count, seed=seed))
    return [tokenize(parse(one.raw)) for one in made], np.array([one.label is Label.SPAM for one in made])


def made(candidate: Candidate) -> RunningLearner:
    return LEARNERS[candidate.learner](candidate.bits, **dict(candidate.settings))


@pytest.fixture(scope="module")
def examples() -> Examples:
    streams, is_spam = mail_streams(120, 3)
    return Examples(Hasher(BITS).features(streams), is_spam)


@pytest.fixture(scope="module")
def comparison(examples: Examples) -> Comparison:
    groups = near_duplicates(examples.features).groups
    return Comparison(examples, BITS, groups, made, folds=3)


def fits_of(comparison: Comparison, many: Sequence[Candidate]) -> list[list[Fold]]:
    comparison.prepared(many)
    return [[comparison.fit((one, left_out)) for left_out in comparison.left_out()] for one in many]


def test_there_are_at_least_24_candidates_from_the_simplest_to_the_most_complex() -> None:
    many = candidates(LEARNERS, 20)
    assert len(set(many)) == len(many) >= 24
    assert {one.learner for one in many} == set(LEARNERS)
    assert len({one.bits for one in many}) == 2
    assert many[0].learner == "multinomial"
    assert dict(many[0].settings)["alpha"] == max(dict(one.settings)["alpha"] for one in many)


def test_what_a_person_has_set_is_not_varied() -> None:
    many = candidates(LEARNERS, 20, {"learner": "bernoulli", "bits": 14, "alpha": None})
    assert {(one.learner, one.bits) for one in many} == {("bernoulli", 14)}
    assert len(many) > 1
    assert len(candidates(LEARNERS, 20, {"learner": "bernoulli", "bits": "14", "alpha": "0.5"})) == 1


@pytest.mark.parametrize("candidate", candidates(LEARNERS, 20)[::7])
def test_a_candidates_name_says_all_of_it(candidate: Candidate) -> None:
    assert with_settings(LEARNERS, settings_named(str(candidate))) == candidate
    assert named(candidate.values()) == str(candidate)


@pytest.mark.parametrize("name", ["multinomial:alpa=1", "multinomial:alpha", "multinomial:alpha=", "multinomial:,"])
def test_a_name_that_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is none of alpha=NUMBER"):
        settings_named(name)


@pytest.mark.parametrize("drop", [0, 1, 4])
def test_fewer_slots_are_those_of_a_smaller_hasher(drop: int) -> None:
    streams, _ = mail_streams(20, 5)
    cut, small = fewer_slots(Hasher(14).features(streams), drop), Hasher(14 - drop).features(streams)
    assert len(cut) == len(small)
    for i in range(len(cut)):
        assert np.array_equal(np.sort(cut.of(i)), np.sort(small.of(i)))


def test_every_message_is_judged_by_a_model_that_has_not_learned_it(comparison: Comparison, examples: Examples) -> None:
    candidate = Candidate("multinomial", BITS, (("alpha", 1.0),))
    for left_out in comparison.left_out():
        fold = comparison.prepared([candidate]).fit((candidate, left_out))
        unseen = np.flatnonzero(np.isin(comparison.part, left_out))
        assert np.array_equal(fold.rows, unseen)
        alone = Filter(partial(made, candidate))
        alone.learn_mixed(examples, np.setdiff1d(np.arange(len(examples)), unseen))
        expected = alone.score(take(examples.features, unseen))
        assert np.array_equal(fold.scored.log_odds, expected.log_odds)
        assert np.array_equal(fold.scored.probability, expected.probability)


def test_near_duplicates_are_never_on_both_sides() -> None:
    streams, is_spam = mail_streams(40, 7)
    twice = Examples(Hasher(BITS).features([*streams, *streams]), np.tile(is_spam, 2))
    groups = near_duplicates(twice.features).groups
    part = Comparison(twice, BITS, groups, made, folds=4).part
    assert np.array_equal(part[:40], part[40:])


def test_the_outer_estimate_follows_from_choices_that_never_saw_it(comparison: Comparison) -> None:
    """Worked out here the slow way: a comparison of the other folds alone, for each fold."""
    many = candidates(LEARNERS, BITS, {"bits": BITS})[::5]
    fits = fits_of(comparison, many)
    tuned = comparison.choose(fits, 10.0)
    pairs = list(combinations(range(3), 2))
    spam = comparison.is_spam
    for fold in range(3):
        costs = np.zeros((len(many), len(spam)))
        for row, candidate in zip(fits, costs, strict=True):
            for pair, one in zip(pairs, row[3:], strict=True):
                if fold in pair:
                    called = one.scored.probability > 10 / 11
                    candidate[one.rows] = np.where(spam[one.rows], ~called, 10.0 * called)
        rest = comparison.part != fold
        chosen = simplest_within_one_standard_error(costs[:, rest], np.arange(rest.sum()))
        assert tuned.chosen_without[fold] == chosen
        one = fits[chosen][fold]
        called = one.scored.probability > 10 / 11
        assert np.array_equal(tuned.outer_costs[one.rows], np.where(spam[one.rows], ~called, 10.0 * called))
    assert tuned.outer.cost == pytest.approx(tuned.outer_costs.mean())


def test_labels_of_a_fold_change_nothing_of_the_choice_made_without_it(examples: Examples) -> None:
    """The proof that the outer estimate never saw the choice: turn a fold's labels round, and the choice stays."""
    many = candidates(LEARNERS, BITS, {"bits": BITS})[::6]
    groups = np.arange(len(examples))
    before = Comparison(examples, BITS, groups, made, folds=3)
    turned = Examples(examples.features, np.where(before.part == 0, ~examples.is_spam, examples.is_spam))
    after = Comparison(turned, BITS, groups, made, folds=3)
    after.part = before.part
    chosen = [one.choose(fits_of(one, many), 10.0).chosen_without[0] for one in (before, after)]
    assert chosen[0] == chosen[1]


def test_the_simplest_within_one_standard_error_of_the_best_is_chosen() -> None:
    groups = np.arange(100)
    best, near, far = np.zeros(100), np.zeros(100), np.ones(100)
    best[:10], near[:12] = 1, 1
    assert simplest_within_one_standard_error(np.stack([far, near, best]), groups) == 1
    near[:18] = 1
    assert simplest_within_one_standard_error(np.stack([far, near, best]), groups) == 2
    # Ten copies of one message are one piece of evidence, so the same means are less sure.
    assert simplest_within_one_standard_error(np.stack([far, near, best]), groups // 10) == 1


@pytest.mark.parametrize(("cost", "limit"), [(1, 0.5), (100, 100 / 101)])
def test_spam_is_what_is_so_probable_that_missing_it_costs_more(cost: float, limit: float) -> None:
    assert called_spam(np.array([limit - 1e-6, limit + 1e-6]), cost).tolist() == [False, True]


def test_a_ham_lost_costs_what_the_owner_says(comparison: Comparison) -> None:
    rows = [np.flatnonzero(comparison.part == fold) for fold in range(3)]
    rows += [np.sort(np.concatenate([rows[a], rows[b]])) for a, b in combinations(range(3), 2)]
    everything_is_spam = [Fold(row, Scored(np.ones(len(row)), np.ones(len(row)))) for row in rows]
    tuned = comparison.choose([everything_is_spam], 50.0)
    n_ham = int((~comparison.is_spam).sum())
    assert (tuned.table[0].ham_lost, tuned.table[0].spam_missed) == (n_ham, 0)
    assert tuned.table[0].cost == pytest.approx(50 * n_ham / len(comparison.is_spam))
