"""E2: training, validation and test sets never overlap, duplicates included; an overlap is refused, its items named."""

import itertools

import numpy as np
import pytest

from thresher.choose import near_duplicates, refuse_overlap, train_validation_test
from thresher.choose.splits import OverlapError
from thresher.demo import messages
from thresher.learn.hashing import Features, Hasher
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize
from thresher.values import Label

SIMILARITY = 0.6
"""Made-up campaigns vary their words more than real ones do."""


@pytest.fixture(scope="module")
def mail() -> tuple[Features, list[bool]]:
    """Six hundred made-up messages, and which of them are spam."""
    made = list(messages(600, seed=5))
    features = Hasher(18).features([tokenize(parse(message.raw)) for message in made])
    return features, [message.label is Label.SPAM for message in made]


def part_of(features: Features, indices: list[int]) -> Features:
    slots = [features.of(index) for index in indices]
    return Features(np.concatenate(slots), np.cumsum([0, *map(len, slots)]))


def test_near_duplicates_in_mail_never_straddle_a_split(mail: tuple[Features, list[bool]]) -> None:
    features, spam = mail
    near = near_duplicates(features, SIMILARITY)
    assert near.extra > 20  # there is something to keep together
    split = train_validation_test(features, groups=near.groups, stratify=spam)
    for one, other in itertools.combinations(split, 2):
        assert not set(near.groups[one].tolist()) & set(near.groups[other].tolist())
    parts = {name: part_of(features, indices.tolist()) for name, indices in split._asdict().items()}
    refuse_overlap(parts, similarity=SIMILARITY)


def test_a_split_drawn_without_regard_to_them_is_refused_and_they_are_named(mail: tuple[Features, list[bool]]) -> None:
    features, _ = mail
    parts = {"train": part_of(features, list(range(400))), "test": part_of(features, list(range(400, 600)))}
    with pytest.raises(OverlapError, match=r"test\[\d+\] nearly is train\[\d+\]") as refused:
        refuse_overlap(parts, similarity=SIMILARITY)
    near = near_duplicates(features, SIMILARITY)
    for overlap in refused.value.overlaps:
        assert near.groups[400 + overlap.item] == near.groups[overlap.other_item]


def test_one_message_in_training_and_test_is_refused_and_named() -> None:
    mailbox = [message.raw for message in messages(50, seed=1)]
    with pytest.raises(OverlapError, match=r"test\[3\] is train\[7\]"):
        refuse_overlap({"train": mailbox[:40], "test": [*mailbox[40:43], mailbox[7], *mailbox[43:]]})


def test_the_same_index_in_two_parts_is_refused_too() -> None:
    with pytest.raises(OverlapError, match=r"validation\[0\] is train\[2\]"):
        refuse_overlap({"train": np.array([0, 1, 2]), "validation": np.array([2, 3]), "test": np.array([4])})
