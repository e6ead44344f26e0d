"""Training, validation and test sets that never overlap, duplicates included; and S folds of the same kind.

The law of this file: what belongs together goes together. Items that are equal, or that the caller calls a group (see
duplicates.near_duplicates), are never parted; and parts that somebody else made are refused where they overlap, with
the items named. Within that, every part gets the classes in the shares of the whole.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils.multiclass import type_of_target

from thresher.choose.duplicates import Duplicates, Ids, Items, close_rows, exact_duplicates, near_duplicates
from thresher.learn.hashing import Features

NAMED: Final = 5
"""Offending items an error spells out; it carries them all."""


class Split(NamedTuple):
    """Indices of each part, in ascending order. As `cv=` it trains on the first and validates on the second."""

    train: Ids
    validation: Ids
    test: Ids

    def split(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[tuple[Ids, Ids]]:  # noqa: ANN401
        """The one pair of a training and a validation set, as scikit-learn's splitters give theirs."""
        del X, y, groups
        yield self.train, self.validation

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ANN401
        """One."""
        del X, y, groups
        return 1


class Overlap(NamedTuple):
    """An item of one part that another part holds too."""

    part: str
    item: int
    other_part: str
    other_item: int
    exact: bool

    def __str__(self) -> str:
        return f"{self.part}[{self.item}] {'is' if self.exact else 'nearly is'} {self.other_part}[{self.other_item}]"


class OverlapError(ValueError):
    """Parts that must not overlap do; `overlaps` names the items."""

    def __init__(self, overlaps: list[Overlap]) -> None:
        named = "; ".join(map(str, overlaps[:NAMED]))
        more = f"; and {len(overlaps) - NAMED} more" if len(overlaps) > NAMED else ""
        super().__init__(f"the parts overlap: {named}{more}. Keep each of these in one part only")
        self.overlaps = overlaps


def train_validation_test(
    items: Items,
    *,
    validation: float = 0.2,
    test: float = 0.2,
    groups: ArrayLike | None = None,
    stratify: ArrayLike | None = None,
    random_state: int = 0,
) -> Split:
    """Draw three parts that never overlap.

    Parameters
    ----------
    items : a matrix with a row per item, or a sequence of anything hashable: messages, digests, texts.
    validation, test : shares of the items; the rest is for training.
    groups : one label per item; items of one group stay together. None groups those that are equal;
        `near_duplicates(items).groups` those that are nearly equal.
    stratify : one class per item; each part gets the classes in their shares.
    random_state : what the draw follows from.

    """
    for name, share in (("validation", validation), ("test", test)):
        if not 0 < share < 1:
            raise ValueError(f"{name} must be a share between 0 and 1, got {share}")
    if validation + test >= 1:
        raise ValueError(f"validation + test must leave something to train on, got {validation} + {test}")
    belong = exact_duplicates(items).groups if groups is None else _labels(groups, "groups", count(items))
    classes = np.zeros(len(belong), np.intp) if stratify is None else _labels(stratify, "stratify", len(belong))
    shares = np.array([1 - validation - test, validation, test])
    part = allocate(belong, shares, classes, np.random.default_rng(random_state))
    split = Split(*(np.flatnonzero(part == i) for i in range(3)))
    empty = [name for name, members in zip(Split._fields, split, strict=True) if not len(members)]
    if empty:
        n_groups = len(np.unique(belong))
        raise ValueError(f"{' and '.join(empty)} would be empty: there are {len(belong)} items in {n_groups} groups")
    return split


def refuse_overlap(
    parts: Mapping[str, Items], *, similarity: float | None = None, distance: float | None = None
) -> None:
    """Raise an OverlapError if an item is in two of the parts, or in one part and nearly in another.

    Parts are matrices or sequences of one kind. Near duplicates are looked for if `similarity` is given (of sets, see
    near_duplicates) or `distance` (of rows, see close_rows). Repetitions within one part are its own affair.
    """
    names, sizes = list(parts), [count(items) for items in parts.values()]
    joined = _joined(list(parts.values()))
    found = [(exact_duplicates(joined), True)]
    if similarity is not None:
        found.append((near_duplicates(joined, similarity), False))
    if distance is not None:
        found.append((close_rows(joined, distance), False))
    owner = np.repeat(np.arange(len(sizes)), sizes)
    place = np.concatenate([np.arange(size) for size in sizes]) if sizes else np.zeros(0, np.intp)
    overlaps: dict[tuple[int, int], Overlap] = {}
    for duplicates, exact in found:
        for a, b in _crossing(duplicates, owner):
            overlap = Overlap(names[owner[b]], int(place[b]), names[owner[a]], int(place[a]), exact)
            overlaps.setdefault((a, b), overlap)
    if overlaps:
        raise OverlapError(list(overlaps.values()))


def _crossing(duplicates: Duplicates, owner: Ids) -> list[tuple[int, int]]:
    """The links from part to part, the earlier item first."""
    links = np.sort(duplicates.links, axis=1)
    found: list[tuple[int, int]] = [(a, b) for a, b in links.tolist() if owner[a] != owner[b]]
    return found


class SFold(BaseCrossValidator):
    """S equal parts, each in turn for validation and the others for training, as scikit-learn's splitters.

    Parameters
    ----------
    n_splits : S, at least 2.
    random_state : what the draw follows from.

    `split(X, y, groups)` keeps the items of a group together and, where y holds classes, gives each part their shares.

    """

    def __init__(self, n_splits: int = 5, *, random_state: int = 0) -> None:
        self.n_splits = n_splits
        self.random_state = random_state

    def split(
        self,
        X: Any,  # noqa: ANN401 -- anything that has a length or a shape
        y: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Iterator[tuple[Ids, Ids]]:
        part = self.parts(count(X), y, groups)
        for fold in range(self.n_splits):
            yield np.flatnonzero(part != fold), np.flatnonzero(part == fold)

    def parts(self, n_items: int, y: ArrayLike | None = None, groups: ArrayLike | None = None) -> Ids:
        """For each item the fold that validates on it."""
        if self.n_splits < 2:  # noqa: PLR2004 -- one part leaves nothing to train on
            raise ValueError(f"n_splits must be at least 2, got {self.n_splits}")
        belong = np.arange(n_items) if groups is None else _labels(groups, "groups", n_items)
        classes = np.zeros(n_items, np.intp) if y is None or not _discrete(y) else _labels(y, "y", n_items)
        n_groups = len(np.unique(belong))
        if n_groups < self.n_splits:
            among = f"{n_items} examples" if groups is None else f"{n_items} examples in {n_groups} groups"
            raise ValueError(f"n_splits={self.n_splits} folds need as many examples (or groups); there are {among}")
        shares = np.full(self.n_splits, 1 / self.n_splits)
        return allocate(belong, shares, classes, np.random.default_rng(self.random_state))

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ANN401 -- scikit-learn's
        del X, y, groups
        return self.n_splits


# Graham 1969, longest processing time first: the largest group goes where most is lacking
def allocate(groups: ArrayLike, shares: NDArray[np.float64], classes: ArrayLike, rng: np.random.Generator) -> Ids:
    """For each item its part: groups stay together, classes and parts get their shares as nearly as groups allow."""
    _, group_of = np.unique(np.asarray(groups), return_inverse=True)
    _, class_of = np.unique(np.asarray(classes), return_inverse=True)
    sizes = np.bincount(group_of)
    members = sparse.coo_array((np.ones(len(group_of)), (group_of, class_of))).tocsr()
    majority = np.asarray(members.argmax(axis=1)).ravel().tolist()
    lacking = np.outer(np.bincount(class_of), shares)
    overall = shares * len(group_of)
    part_of = np.zeros(len(sizes), np.intp)
    drawn = rng.permutation(len(sizes))
    for group in drawn[np.argsort(-sizes[drawn], kind="stable")].tolist():
        # Of the parts that lack this class alike, the one that lacks most of everything.
        wanting = lacking[majority[group]]
        part = int(np.argmax(wanting + overall / (len(group_of) + 1)))
        part_of[group] = part
        wanting[part] -= sizes[group]
        overall[part] -= sizes[group]
    return part_of[group_of]


def count(items: Items) -> int:
    """How many items there are."""
    return int(items.shape[0]) if hasattr(items, "shape") else len(items)


def _joined(parts: list[Items]) -> Items:
    if all(isinstance(part, Features) for part in parts) and parts:
        sizes = np.concatenate([np.diff(part.offsets) for part in parts])
        return Features(np.concatenate([part.slots for part in parts]), np.cumsum(np.append(0, sizes)))
    if any(sparse.issparse(part) for part in parts):
        return sparse.vstack(parts, format="csr")
    if any(isinstance(part, np.ndarray) for part in parts):
        return np.concatenate([np.asarray(part) for part in parts])
    return [item for part in parts for item in part]


def _labels(labels: ArrayLike, name: str, n_items: int) -> NDArray[Any]:
    values = np.asarray(labels)
    if values.shape != (n_items,):
        raise ValueError(f"{name} must have one label per item ({n_items}), got shape {values.shape}")
    return values


def _discrete(y: ArrayLike) -> bool:
    return type_of_target(y) in {"binary", "multiclass"}
