"""The order in which lessons are learned: both classes spread evenly, each in its own order, the same however given."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from thresher.learn.schedule import in_learning_order, interleaved

labels = st.lists(st.booleans(), max_size=60)


def slowly(is_spam: list[bool]) -> list[int]:
    """Lesson j of a class of n comes at (j + 1/2) / n of the whole; at one place ham goes first."""
    places: list[tuple[Fraction, bool, int]] = []
    for label in (False, True):
        indices = [i for i, spam in enumerate(is_spam) if spam is label]
        places += [(Fraction(2 * j + 1, 2 * len(indices)), label, i) for j, i in enumerate(indices)]
    return [index for _, _, index in sorted(places)]


@given(labels)
def test_it_is_the_order_its_definition_says(is_spam: list[bool]) -> None:
    assert interleaved(np.array(is_spam, np.bool_)).tolist() == slowly(is_spam)


@given(labels)
def test_every_lesson_comes_once_and_each_class_keeps_its_order(is_spam: list[bool]) -> None:
    things = list(enumerate(is_spam))
    ordered = in_learning_order(things, is_spam)
    assert sorted(ordered) == things
    for label in (False, True):
        assert [thing for thing in ordered if thing[1] is label] == [thing for thing in things if thing[1] is label]


@given(labels)
def test_how_the_classes_were_mixed_when_given_makes_no_difference(is_spam: list[bool]) -> None:
    """The model depends on each class's own order and on nothing else."""
    by_class = sorted(is_spam)
    assert in_learning_order(numbered(is_spam), is_spam) == in_learning_order(numbered(by_class), by_class)


def numbered(is_spam: list[bool]) -> list[tuple[bool, int]]:
    """Number the lessons of each class."""
    return [(label, is_spam[:i].count(label)) for i, label in enumerate(is_spam)]


@given(labels)
def test_no_beginning_of_it_is_lopsided(is_spam: list[bool]) -> None:
    """After any number of lessons each class is within one of its share."""
    ordered = in_learning_order(is_spam, is_spam)
    for so_far in range(len(ordered) + 1):
        share = so_far * sum(is_spam) / max(len(is_spam), 1)
        assert abs(sum(ordered[:so_far]) - share) <= 1


def test_a_long_journal_of_rare_spam_overflows_nothing() -> None:
    is_spam = np.zeros(200_000, np.bool_)
    is_spam[-3:] = True
    order = interleaved(is_spam)
    places = np.flatnonzero(is_spam[order])
    assert np.allclose(places / len(is_spam), [1 / 6, 1 / 2, 5 / 6], atol=1e-4)
