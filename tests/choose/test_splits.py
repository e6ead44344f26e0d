"""Parts never overlap, keep groups whole and classes in their shares; parts that do overlap are refused by name."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from thresher.choose import SFold, Split, refuse_overlap, train_validation_test
from thresher.choose.splits import NAMED, OverlapError
from thresher.learn.hashing import Features

grouped = st.lists(st.tuples(st.integers(0, 30), st.booleans()), min_size=40, max_size=120)


@given(grouped, st.integers(0, 5))
def test_every_item_is_in_exactly_one_part_and_no_group_in_two(items: list[tuple[int, bool]], seed: int) -> None:
    groups, classes = np.array([g for g, _ in items]), np.array([c for _, c in items])
    if len(set(groups)) < 10:
        groups = np.arange(len(items)) // 2
    split = train_validation_test(np.arange(len(items)), groups=groups, stratify=classes, random_state=seed)
    assert np.array_equal(np.sort(np.concatenate(split)), np.arange(len(items)))
    parts = [set(groups[part].tolist()) for part in split]
    assert sum(map(len, parts)) == len(set().union(*parts))


@given(st.integers(20, 200), st.floats(0.1, 0.4), st.floats(0.1, 0.4), st.integers(0, 9))
def test_without_groups_the_parts_and_their_classes_have_their_shares_within_an_item(
    n: int, validation: float, test: float, seed: int
) -> None:
    classes = np.arange(n) % 3 == 0
    split = train_validation_test(list(range(n)), validation=validation, test=test, stratify=classes, random_state=seed)
    for part, share in zip(split, (1 - validation - test, validation, test), strict=True):
        assert abs(len(part) - share * n) <= 2
        for label in (False, True):
            assert abs(np.sum(classes[part] == label) - share * np.sum(classes == label)) <= 1.5


def test_equal_messages_stay_together_unasked() -> None:
    messages = [b"first", b"second"] * 10 + [b"message %d" % i for i in range(20)]
    split = train_validation_test(messages)
    refuse_overlap({name: [messages[i] for i in part] for name, part in split._asdict().items()})


def test_the_draw_follows_from_the_seed() -> None:
    one, same, other = (train_validation_test(range(50), random_state=seed) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert not np.array_equal(one.train, other.train)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"validation": 0.0}, "validation must be a share"),
        ({"test": 1.0}, "test must be a share"),
        ({"validation": 0.5, "test": 0.5}, "must leave something to train on"),
        ({"groups": [1, 2]}, r"groups must have one label per item \(10\)"),
        ({"stratify": [1, 2]}, r"stratify must have one label per item \(10\)"),
        ({"groups": [1] * 10}, "validation and test would be empty: there are 10 items in 1 groups"),
    ],
)
def test_a_split_that_cannot_be_is_refused(arguments: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        train_validation_test(range(10), **arguments)  # type: ignore[arg-type]  # wrong on purpose


def test_an_overlap_names_up_to_five_items_and_carries_all() -> None:
    with pytest.raises(OverlapError, match=r"test\[0\] is train\[0\]; .*; and 3 more") as refused:
        refuse_overlap({"train": range(20), "test": range(8)})
    assert len(refused.value.overlaps) == 8 > NAMED
    assert refused.value.overlaps[2][:4] == ("test", 2, "train", 2)


def test_rows_sets_and_features_overlap_alike() -> None:
    near = [{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {11, 12}], [{1, 2, 3, 4, 5, 6, 7, 8, 9}]
    refuse_overlap({"train": near[0], "test": near[1]})
    with pytest.raises(OverlapError, match=r"test\[0\] nearly is train\[0\]"):
        refuse_overlap({"train": near[0], "test": near[1]}, similarity=0.9)
    features = [
        Features(np.array([slot for one in part for slot in one]), np.cumsum([0, *map(len, part)])) for part in near
    ]
    with pytest.raises(OverlapError, match=r"test\[0\] nearly is train\[0\]"):
        refuse_overlap({"train": features[0], "test": features[1]}, similarity=0.9)
    rows = np.array([[0.0, 1.0], [2.0, 3.0]])
    refuse_overlap({"train": rows, "test": rows + 0.01})
    with pytest.raises(OverlapError, match=r"test\[1\] nearly is train\[1\]"):
        refuse_overlap({"train": rows, "test": rows + 0.01}, distance=0.1)


def test_repetitions_within_a_part_are_no_overlap() -> None:
    refuse_overlap({"train": ["a", "a"], "test": ["b", "b"]})
    refuse_overlap({})


@given(grouped, st.integers(2, 8), st.integers(0, 3))
def test_each_item_is_validated_once_and_no_group_is_on_both_sides(
    items: list[tuple[int, bool]], folds: int, seed: int
) -> None:
    groups, classes = np.array([g for g, _ in items]), np.array([c for _, c in items])
    if len(set(groups)) < folds:
        groups = np.arange(len(items))
    validated = []
    for train, validation in SFold(folds, random_state=seed).split(groups, classes, groups):
        assert not set(groups[train].tolist()) & set(groups[validation].tolist())
        assert len(train) + len(validation) == len(items)
        validated += validation.tolist()
    assert sorted(validated) == list(range(len(items)))


@given(st.integers(20, 200), st.integers(2, 10))
def test_folds_are_of_one_size_and_one_mixture_within_an_item(n: int, folds: int) -> None:
    classes = np.arange(n) % 4 == 0
    parts = SFold(folds).parts(n, classes)
    sizes, spam = np.bincount(parts, minlength=folds), np.bincount(parts[classes], minlength=folds)
    assert np.ptp(sizes) <= 1
    assert np.ptp(spam) <= 1


def test_a_number_to_predict_is_not_taken_for_a_class() -> None:
    y = np.linspace(0.05, 0.95, 20)
    assert np.array_equal(SFold(5).parts(20, y), SFold(5).parts(20))


def test_scikit_learn_takes_both_as_its_own() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = X[:, 0] > 0
    split = train_validation_test(X, stratify=y)
    assert isinstance(split, Split)
    assert cross_val_score(LogisticRegression(), X, y, cv=SFold(4)).shape == (4,)
    once = cross_val_score(LogisticRegression(), X, y, cv=split)
    fitted = LogisticRegression().fit(X[split.train], y[split.train])
    assert once.tolist() == [fitted.score(X[split.validation], y[split.validation])]


@pytest.mark.parametrize(
    ("folds", "n", "groups", "said"),
    [
        (1, 5, None, "n_splits must be at least 2"),
        (6, 5, None, "n_splits=6 folds need .* there are 5 examples"),
        (3, 5, [0, 0, 0, 1, 1], "there are 5 examples in 2 groups"),
        (3, 5, [0, 1], "groups must have one label per item"),
    ],
)
def test_too_few_examples_for_the_folds_are_refused(folds: int, n: int, groups: list[int] | None, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        SFold(folds).parts(n, None, groups)
