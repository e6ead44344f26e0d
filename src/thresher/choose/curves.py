"""Curves: losses against a setting, and against the number of examples, on what was learned and on what was not.

The law of this file: both ends of a curve come from the same models, so that the gap between them is overfitting and
not a different draw.
"""

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from thresher.choose.cross_validation import Estimator, Folds, Rows, Selection, select, take
from thresher.choose.duplicates import Ids
from thresher.choose.losses import LossLike, losses_of
from thresher.choose.metrics import Floats
from thresher.choose.splits import allocate, count


class ValidationCurve(NamedTuple):
    """Mean losses against the values of one setting."""

    values: list[Any]
    train: Floats
    """(values, S): on what each fold's model had learned."""
    validation: Floats
    """(values, S): on what it had not."""
    choice: int
    """Index of the chosen value."""

    @property
    def chosen(self) -> Any:  # noqa: ANN401 -- whatever the setting takes
        """The chosen value."""
        return self.values[self.choice]


class LearningCurve(NamedTuple):
    """Mean losses against the number of examples learned, from repeated draws."""

    sizes: Ids
    train: Floats
    """(sizes, repeats): empirical risk, on what was learned."""
    test: Floats
    """(sizes, repeats): on examples held out."""


class Band(NamedTuple):
    """A curve with an interval at each point."""

    mean: Floats
    low: Floats
    high: Floats


def validation_curve(  # noqa: PLR0913 -- the arguments of select, and what is varied
    estimator: Estimator,
    setting: str,
    values: Sequence[Any],
    X: Rows,
    y: ArrayLike,
    *,
    folds: Folds = 5,
    groups: ArrayLike | None = None,
    loss: LossLike = None,
    rule: str = "best",
    random_state: int = 0,
) -> ValidationCurve:
    """Training and validation loss against a setting, named as set_params names it: 'alpha', 'ridge__lam'.

    List the values from the simplest model to the most complex; the rest is as in select.
    """
    known = estimator.get_params()
    if setting not in known:
        raise ValueError(f"setting must be one of {', '.join(sorted(known))}, got {setting!r}")
    candidates = [clone(estimator).set_params(**{setting: value}) for value in values]
    found: Selection = select(
        candidates, X, y, folds=folds, groups=groups, loss=loss, rule=rule, random_state=random_state
    )
    return ValidationCurve(list(values), found.train, found.table, found.choice)


def learning_curve(  # noqa: PLR0913 -- a protocol in one call, each argument by name
    estimator: Estimator,
    X: Rows,
    y: ArrayLike,
    sizes: Sequence[int],
    *,
    repeats: int = 20,
    test: float = 0.3,
    groups: ArrayLike | None = None,
    stratify: bool = True,
    loss: LossLike = None,
    random_state: int = 0,
) -> LearningCurve:
    """Training and test loss against the number of examples learned.

    Each repeat holds a share `test` of the examples (whole groups) out, shuffles the others, with `stratify` so that
    any beginning has the classes in their shares, and learns the first `size` of them for each size.
    """
    X, labels = X.tocsr() if hasattr(X, "tocsr") else X, np.asarray(y)
    n = count(X)
    if not 0 < test < 1:
        raise ValueError(f"test must be a share between 0 and 1, got {test}")
    if repeats < 1:
        raise ValueError(f"repeats must be at least 1, got {repeats}")
    belong = np.arange(n) if groups is None else np.asarray(groups)
    classes = labels if stratify and labels.dtype.kind != "f" else np.zeros(n)
    train_losses, test_losses = np.empty((len(sizes), repeats)), np.empty((len(sizes), repeats))
    for repeat in range(repeats):
        rng = np.random.default_rng([random_state, repeat])
        part = allocate(belong, np.array([1 - test, test]), classes, rng)
        pool, held_out = _mixed(np.flatnonzero(part == 0), classes, rng), np.flatnonzero(part == 1)
        if not 0 < min(sizes) <= max(sizes) <= len(pool):
            raise ValueError(f"sizes must lie between 1 and {len(pool)}, what test={test} leaves, got {list(sizes)}")
        for i, size in enumerate(sizes):
            rows = pool[:size]
            fitted = clone(estimator).fit(take(X, rows), labels[rows])
            train_losses[i, repeat] = losses_of(fitted, take(X, rows), labels[rows], loss).mean()
            test_losses[i, repeat] = losses_of(fitted, take(X, held_out), labels[held_out], loss).mean()
    return LearningCurve(np.asarray(sizes), train_losses, test_losses)


def _mixed(rows: Ids, classes: NDArray[Any], rng: np.random.Generator) -> Ids:
    """The rows in an order drawn at random in which every beginning has the classes in their shares, within one."""
    rows = rng.permutation(rows)
    _, class_of = np.unique(classes[rows], return_inverse=True)
    place = np.empty(len(rows))
    for c in range(int(class_of.max(initial=-1)) + 1):
        members = class_of == c
        place[members] = (np.arange(members.sum()) + 0.5) / members.sum()
    return rows[np.argsort(place, kind="stable")]


def spread(runs: Floats, confidence: float = 0.95) -> Band:
    """Mean of each row, and between what this share of its runs lies."""
    tail = _tail(confidence)
    low, high = np.quantile(runs, [tail, 1 - tail], axis=1)
    return Band(runs.mean(axis=1), low, high)


def mean_band(runs: Floats, confidence: float = 0.95) -> Band:
    """Mean of each row with its confidence interval, for runs drawn independently: some twenty or more of them."""
    if runs.shape[1] < 2:  # noqa: PLR2004 -- one run has no spread
        raise ValueError(f"runs must have at least two columns, got {runs.shape[1]}")
    mean = runs.mean(axis=1)
    away = NormalDist().inv_cdf(1 - _tail(confidence)) * runs.std(axis=1, ddof=1) / np.sqrt(runs.shape[1])
    return Band(mean, mean - away, mean + away)


def _tail(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, got {confidence}")
    return (1 - confidence) / 2
