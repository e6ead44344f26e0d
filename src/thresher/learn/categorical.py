"""Naive Bayes for features with a few values each; discretizer.py makes such features of continuous ones.

The law of this file: a column of the counts is one value of one feature. Which columns there are follows from the
counts as everything else does: a value that nobody holds any more has no column, so forgetting leaves no trace of it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils import ClassifierTags, Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from thresher.learn import event_models as nb
from thresher.learn._validation import check_known, check_rows_of_features
from thresher.learn.event_models import Alpha, Floats
from thresher.learn.naive_bayes import Counts, MatrixLike, NaiveBayes, count_events


class CategoricalNaiveBayes(NaiveBayes):
    """Each feature takes one of k_j values: numbers that name kinds and measure nothing.

    Parameters
    ----------
    alpha : pseudo-count >= 0 of each value, one for all features or one per feature; 0 is maximum likelihood.
    class_prior : 'learned' from the examples, 'uniform', or one probability per class in sorted order of the classes.
    drop_unseen : leave out the features of which some class has never shown some value.
    values : 'learned', the values that were seen, and one never seen tells nothing; or the possible values, one list
        per feature (such as Discretizer's `values_`), and any other is refused.

    Fitted: classes_, class_count_ (examples), values_ (the values of each feature), feature_count_ (examples per class
    and value, a column per value, feature after feature), class_log_prior_, feature_log_prob_ (0 where dropped), kept_
    (features not dropped), n_features_in_.

    """

    _accept_sparse = False  # a feature that is absent is no value of it

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        class_prior: str | ArrayLike = "learned",
        drop_unseen: bool = False,
        values: str | Sequence[ArrayLike] = "learned",
    ) -> None:
        super().__init__(alpha=alpha, class_prior=class_prior, drop_unseen=drop_unseen)
        self.values = values

    def one_hot(self, X: MatrixLike) -> sparse.csr_matrix:
        """What the linear form weighs: a column per value as in feature_count_, 1 where the example has it."""
        check_is_fitted(self, "class_count_")
        return self._events(validate_data(self, X, reset=False))

    def _events(self, X: Any) -> sparse.csr_matrix:  # noqa: ANN401 -- see the base class
        if not isinstance(self.values, str):
            _refuse_unknown(X, self.values_)
        return _one_hot(X, self.values_)

    def _count(
        self,
        X: Any,  # noqa: ANN401 -- see the base class
        y: NDArray[Any],
        classes: NDArray[Any],
        sample_weight: ArrayLike | None,
    ) -> Counts:
        if not isinstance(self.values, str):
            values = check_rows_of_features(self.values, X.shape[1], "values")
            _refuse_unknown(X, values)
        elif self.values == "learned":
            values = [np.unique(column).astype(np.float64) for column in X.T]
        else:
            raise ValueError(f"values must be 'learned' or one row of numbers per feature, got {self.values!r}")
        counts = count_events(_one_hot(X, values), check_known(y, classes), classes, sample_weight)
        return counts._replace(values=values)

    def _learned(self) -> Counts:
        return super()._learned()._replace(values=self.values_)

    def _aligned(self, ours: Counts, lesson: Counts) -> tuple[Counts, Counts]:
        union = [np.union1d(a, b) for a, b in zip(_values(ours), _values(lesson), strict=True)]
        return _spread_values(ours, union), _spread_values(lesson, union)

    def _log_probabilities(self, counts: Counts, alpha: Alpha) -> tuple[Floats, Floats | None]:
        n_values = np.array([len(values) for values in _values(counts)])
        of_column = alpha if isinstance(alpha, float) else np.repeat(alpha, n_values)
        k = np.repeat(n_values.astype(np.float64), n_values)
        return nb.categorical_log_theta(counts.events, counts.messages, of_column, k), None

    def _parameters(self, counts: Counts, alpha: Alpha) -> tuple[Floats, Floats | None, NDArray[np.bool_]]:
        log_theta, absent = self._log_probabilities(counts, alpha)
        kept = np.ones(len(_values(counts)), dtype=np.bool_)
        if self.drop_unseen:
            feature = np.repeat(np.arange(len(kept)), [len(values) for values in _values(counts)])
            kept[feature[~nb.seen_in_every_class(counts.events)]] = False
            log_theta[:, ~kept[feature]] = 0.0
        return log_theta, absent, kept

    def _store(self, classes: NDArray[Any], counts: Counts) -> None:
        if isinstance(self.values, str):
            counts = _spread_values(counts, _held(counts))
        super()._store(classes, counts)
        self.values_ = _values(counts)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.input_tags.categorical = True
        # scikit-learn asks for 83 % on clouds of which most values are missing in some class, so that all are dropped.
        tags.classifier_tags = ClassifierTags(poor_score=self.drop_unseen)
        return tags


def _values(counts: Counts) -> list[Floats]:
    if counts.values is None:
        raise TypeError("these counts are of words, not of values")
    return counts.values


def _held(counts: Counts) -> list[Floats]:
    """The values that some example has."""
    held = np.split((counts.events > 0).any(axis=0), np.cumsum([len(values) for values in _values(counts)])[:-1])
    return [values[some] for values, some in zip(_values(counts), held, strict=True)]


def _spread_values(counts: Counts, values: list[Floats]) -> Counts:
    """The same counts with columns for these values and no others; a value they have not has zeros."""
    before, after = _keys(_values(counts)), _keys(values)
    events = np.zeros((len(counts.events), len(after)))
    _, source, target = np.intersect1d(before, after, assume_unique=True, return_indices=True)
    events[:, target] = counts.events[:, source]
    return counts._replace(events=events, values=values)


def _keys(values: list[Floats]) -> NDArray[Any]:
    """One comparable thing per column: which feature, which value."""
    feature = np.repeat(np.arange(len(values)), [len(some) for some in values])
    keys = np.empty(len(feature), dtype=[("feature", np.intp), ("value", np.float64)])
    keys["feature"], keys["value"] = feature, np.concatenate(values)
    return keys


def _one_hot(X: NDArray[Any], values: list[Floats]) -> sparse.csr_matrix:
    """A column per value, feature after feature; a value that is none of them sets no column."""
    first = np.concatenate([[0], np.cumsum([len(some) for some in values])])
    columns = np.empty(X.shape, dtype=np.intp)
    known = np.empty(X.shape, dtype=np.bool_)
    for j, some in enumerate(values):
        place = np.searchsorted(some, X[:, j])
        known[:, j] = np.isin(X[:, j], some)
        columns[:, j] = first[j] + place
    ends = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
    return sparse.csr_matrix((np.ones(ends[-1]), columns[known], ends), shape=(len(X), first[-1]))


def _refuse_unknown(X: NDArray[Any], values: list[Floats]) -> None:
    for j, some in enumerate(values):
        strange = np.setdiff1d(X[:, j], some)
        if len(strange):
            raise ValueError(f"X holds {strange[0]:g} in feature {j}, which is none of its values {some.tolist()}")
