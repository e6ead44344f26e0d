"""Cross-validation: losses on examples the model had not seen, the choice that follows, and what the choice is worth.

The law of this file: an example is judged only by a model that was fitted without it, and without any of its group.
What was chosen by validation losses is measured on examples that had no part in the choice: those of the outer folds.
Choices go to the simplest where they can, so candidates are listed from the simplest to the most complex.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.model_selection import LeaveOneOut

from thresher.choose.closed_form import left_out, log_prior_left_out
from thresher.choose.duplicates import Ids
from thresher.choose.losses import LossLike, check_loss, losses_of
from thresher.choose.metrics import Floats
from thresher.choose.splits import SFold, count
from thresher.learn.event_models import log_posterior
from thresher.learn.naive_bayes import NaiveBayes

LEAVE_ONE_OUT: Final = "leave-one-out"


Estimator = Any
"""Anything with fit and predict."""
Rows = Any
"""A matrix with a row per example, dense or sparse, or a list of whatever the estimator takes."""


class Splitter(Protocol):
    """Anything with scikit-learn's split: SFold, a Split, StratifiedKFold."""

    def split(self, X: Rows, y: Rows = None, groups: Rows = None) -> Iterable[tuple[Ids, Ids]]: ...


Folds = int | str | Splitter
"""A number of folds, 'leave-one-out', or a splitter."""


class CrossValidation(NamedTuple):
    """Losses on examples that the model had not seen."""

    losses: Floats
    """One per validated example, in the order of the examples."""
    example: Ids
    """Which example each is of."""
    fold: Ids
    """Which fold validated it."""
    train_losses: Floats
    """(S,): mean loss of each fold's model on what it had learned; NaN from a closed form, which has no such model."""

    @property
    def mean(self) -> float:
        """Mean loss of an example."""
        return float(self.losses.mean())

    @property
    def fold_means(self) -> Floats:
        """(S,): mean loss of each fold."""
        return np.asarray(np.bincount(self.fold, weights=self.losses) / np.bincount(self.fold))

    @property
    def standard_error(self) -> float:
        """Of the mean: from the spread of the folds, or with a single fold of its examples."""
        return standard_error(self.fold_means if self.fold.any() else self.losses)


class Selection(NamedTuple):
    """Which of several candidates, and on what grounds."""

    choice: int
    """Index of the chosen candidate."""
    table: Floats
    """(candidates, S): mean validation loss of each candidate in each fold."""
    train: Floats
    """(candidates, S): the same on what the model had learned."""

    @property
    def means(self) -> Floats:
        """(candidates,): mean over the folds."""
        return np.asarray(self.table.mean(axis=1))


class NestedCrossValidation(NamedTuple):
    """What choosing by cross-validation is worth: losses on examples that neither a fit nor a choice had seen."""

    outer: CrossValidation
    """Each outer fold judged by the candidate chosen without it."""
    chosen: Ids
    """(outer folds,): the candidate chosen for each."""
    selection: Selection
    """The choice on all examples: what to use. Its own loss is too good to be reported; that is what `outer` is for."""


def cross_validate(
    estimator: Estimator,
    X: Rows,
    y: ArrayLike,
    *,
    folds: Folds = 5,
    groups: ArrayLike | None = None,
    loss: LossLike = None,
    random_state: int = 0,
) -> CrossValidation:
    """Loss of each example under the model fitted to the other folds.

    Parameters
    ----------
    estimator : left as it is; a clone is fitted for each fold.
    X, y : the examples; X is a matrix, or a list of whatever the estimator takes.
    folds : their number, 'leave-one-out' (in closed form for naive Bayes and Ridge), or a splitter.
    groups : one label per example; examples of one group are never on both sides. See near_duplicates.
    loss : 'squared', 'zero_one', 'brier', 'log', or a function of truth and prediction; None counts a classifier's
        errors and squares a regressor's.
    random_state : what the draw of the folds follows from.

    """
    X, labels = _indexable(X), np.asarray(y)
    if folds == LEAVE_ONE_OUT and groups is None:
        closed = _left_out_losses(estimator, X, labels, loss)
        if closed is not None:
            everything = np.arange(len(labels))
            return CrossValidation(closed, everything, everything, np.full(len(labels), np.nan))
    pairs = _pairs(folds, X, labels, groups, random_state)
    return _validated([estimator] * len(pairs), X, labels, pairs, loss)


def leave_one_out(
    estimator: Estimator,
    X: Rows,
    y: ArrayLike,
    *,
    loss: LossLike = None,
) -> CrossValidation:
    """Loss of each example under the model of all others: one fit for naive Bayes and Ridge, N fits for the rest."""
    return cross_validate(estimator, X, y, folds=LEAVE_ONE_OUT, loss=loss)


def select(
    candidates: Sequence[Estimator],
    X: Rows,
    y: ArrayLike,
    *,
    folds: Folds = 5,
    groups: ArrayLike | None = None,
    loss: LossLike = None,
    rule: str = "best",
    random_state: int = 0,
) -> Selection:
    """Choose among estimators, listed from the simplest to the most complex, by their validation losses.

    `rule` is 'best', the least mean loss, or 'one_standard_error', the simplest within one standard error of it. Each
    candidate sees the same folds. The rest is as in cross_validate.
    """
    if not len(candidates):
        raise ValueError("candidates must hold at least one estimator")
    X, labels = _indexable(X), np.asarray(y)
    runs = [
        cross_validate(one, X, labels, folds=folds, groups=groups, loss=loss, random_state=random_state)
        for one in candidates
    ]
    table = np.stack([run.fold_means for run in runs])
    return Selection(_rules(rule)(table), table, np.stack([run.train_losses for run in runs]))


def nested_cross_validate(  # noqa: PLR0913 -- the arguments of select, and the outer folds
    candidates: Sequence[Estimator],
    X: Rows,
    y: ArrayLike,
    *,
    outer: Folds = 5,
    inner: Folds = 5,
    groups: ArrayLike | None = None,
    loss: LossLike = None,
    rule: str = "best",
    random_state: int = 0,
) -> NestedCrossValidation:
    """Choose anew within each outer fold's training examples, and measure the choice on the examples held out.

    Arguments are those of select, `outer` and `inner` being folds. `outer.mean` of the result is an honest figure for
    the whole procedure; it costs one selection per outer fold, and one more for the choice that is to be used.
    """
    X, labels = _indexable(X), np.asarray(y)
    group_of = None if groups is None else np.asarray(groups)

    def choose(rows: Ids) -> Selection:
        held = None if group_of is None else group_of[rows]
        given = {"loss": loss, "rule": rule, "random_state": random_state}
        return select(candidates, take(X, rows), labels[rows], folds=inner, groups=held, **given)  # type: ignore[arg-type]  # each of its type

    pairs = _pairs(outer, X, labels, group_of, random_state)
    chosen = [choose(train).choice for train, _ in pairs]
    measured = _validated([candidates[index] for index in chosen], X, labels, pairs, loss)
    return NestedCrossValidation(measured, np.array(chosen), choose(np.arange(len(labels))))


# Hastie, Tibshirani, Friedman 2009, The Elements of Statistical Learning, 7.10: the one-standard-error rule
def simplest_within_one_standard_error(table: Floats) -> int:
    """The first candidate whose mean loss is at most the least one plus that one's standard error."""
    means = table.mean(axis=1)
    best = int(means.argmin())
    bound = means[best] + (standard_error(table[best]) if table.shape[1] > 1 else 0.0)
    return int(np.flatnonzero(means <= bound)[0])


def best(table: Floats) -> int:
    """The candidate with the least mean loss; of several the first, which is the simplest."""
    return int(table.mean(axis=1).argmin())


RULES: Final[dict[str, Callable[[Floats], int]]] = {
    "best": best,
    "one_standard_error": simplest_within_one_standard_error,
}


def standard_error(values: Floats) -> float:
    """Of a mean of values drawn independently."""
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")


def take(X: Rows, rows: Ids) -> Rows:
    """These rows of a matrix, or items of a list."""
    return X[rows] if hasattr(X, "shape") else [X[row] for row in rows.tolist()]


def _indexable(X: Rows) -> Rows:
    return X.tocsr() if hasattr(X, "tocsr") else X


def _rules(rule: str) -> Callable[[Floats], int]:
    if rule not in RULES:
        raise ValueError(f"rule must be one of {', '.join(RULES)}, got {rule!r}")
    return RULES[rule]


def _pairs(
    folds: Folds,
    X: Rows,
    y: NDArray[Any],
    groups: ArrayLike | None,
    random_state: int,
) -> list[tuple[Ids, Ids]]:
    """The training and validation sets of each fold, checked."""
    n = count(X)
    if y.shape[:1] != (n,):
        raise ValueError(f"y must have one label per example ({n}), got shape {y.shape}")
    if isinstance(folds, str) and folds != LEAVE_ONE_OUT:
        raise ValueError(f"folds must be a number, {LEAVE_ONE_OUT!r} or a splitter, got {folds!r}")
    if folds == LEAVE_ONE_OUT:
        splitter: Any = LeaveOneOut() if groups is None else SFold(len(np.unique(np.asarray(groups))))
    else:
        splitter = SFold(folds, random_state=random_state) if isinstance(folds, int) else folds
    return list(splitter.split(X, y, groups))


def _validated(
    estimators: Sequence[Estimator],
    X: Rows,
    y: NDArray[Any],
    pairs: Sequence[tuple[Ids, Ids]],
    loss: LossLike,
) -> CrossValidation:
    """Fit each fold's estimator to its training set and take its losses on its validation set."""
    losses, train_losses = [], []
    for estimator, (train, validation) in zip(estimators, pairs, strict=True):
        fitted = clone(estimator).fit(take(X, train), y[train])
        losses.append(losses_of(fitted, take(X, validation), y[validation], loss))
        train_losses.append(losses_of(fitted, take(X, train), y[train], loss).mean())
    example = np.concatenate([validation for _, validation in pairs])
    fold = np.repeat(np.arange(len(pairs)), [len(validation) for _, validation in pairs])
    order = np.argsort(example, kind="stable")
    return CrossValidation(np.concatenate(losses)[order], example[order], fold[order], np.array(train_losses))


def _left_out_losses(estimator: Estimator, X: Rows, y: NDArray[Any], loss: LossLike) -> Floats | None:
    """Losses from the closed form, or None if there is none."""
    fitted = clone(estimator).fit(X, y)
    predicted = left_out(fitted, X, y)
    if predicted is None:
        return None
    meant = check_loss(loss, fitted)
    if not isinstance(fitted, NaiveBayes):
        if meant.method != "predict":
            raise ValueError(f"loss needs {meant.method}, which {type(fitted).__name__} has not")
        return meant.of(y, predicted, None)
    posterior, _ = log_posterior(predicted, log_prior_left_out(fitted, np.searchsorted(fitted.classes_, y)))
    answer = np.exp(posterior) if meant.method == "predict_proba" else fitted.classes_[posterior.argmax(axis=1)]
    return meant.of(y, answer, fitted.classes_)
