"""Running learners as scikit-learn classifiers, so that curves and decompositions work on what runs in the filter.

The law of this file: what is fitted is the filter's own: lessons in learning order, probabilities calibrated on scores
taken before each lesson.
"""

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from thresher.choose.metrics import Floats
from thresher.choose.protocols import Examples, Filter, Make
from thresher.learn.hashing import Features, Ids


class RunningClassifier(ClassifierMixin, BaseEstimator):
    """A running learner and its calibration.

    Parameters
    ----------
    make : makes the learner, with nothing learned.

    X is a sequence of messages, each as its slots; y says 1 for spam and 0 for ham.
    Fitted: filter_, classes_.

    """

    def __init__(self, make: Make) -> None:
        self.make = make

    def fit(self, X: Sequence[Ids], y: ArrayLike) -> Self:
        """Learn these messages and nothing else."""
        # Both, even where only one was taught: the filter knows that there are two.
        self.classes_ = np.array([0, 1])
        self.filter_ = Filter(self.make)
        self.filter_.learn_mixed(Examples(together(X), np.asarray(y) == 1), np.arange(len(X)))
        return self

    def predict_proba(self, X: Sequence[Ids]) -> Floats:
        check_is_fitted(self, "filter_")
        spam = self.filter_.score(together(X)).probability
        return np.stack([1 - spam, spam], axis=1)

    def predict(self, X: Sequence[Ids]) -> NDArray[np.intp]:
        return (self.predict_proba(X)[:, 1] > 0.5).astype(np.intp)  # noqa: PLR2004 - even odds


def together(X: Sequence[Ids]) -> Features:
    """Put messages into one array."""
    offsets = np.cumsum([0, *map(len, X)])
    slots = np.concatenate(X) if len(X) else np.zeros(0, np.intp)
    return Features(slots.astype(np.intp, copy=False), offsets)


def apart(features: Features) -> list[Ids]:
    """Take an array of messages apart."""
    return [features.of(i) for i in range(len(features))]
