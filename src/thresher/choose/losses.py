"""What a prediction costs, example by example. Means, errors and intervals of these are the business of others."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from thresher.choose.metrics import SURE, Floats

Array = NDArray[Any]


class Loss(NamedTuple):
    """One number >= 0 an example."""

    method: str
    """What the estimator is asked for: predict or predict_proba."""
    of: Callable[[Array, Array, Array | None], Floats]
    """The loss of what it answered, given the truth, the answer and the classes."""


# 004: l(h(x), y) = [h(x) - y]^2
def squared(y: Array, predicted: Array, classes: Array | None = None) -> Floats:
    """Squared difference of two numbers."""
    del classes
    return np.asarray((np.asarray(predicted, np.float64) - np.asarray(y, np.float64)) ** 2)


def zero_one(y: Array, predicted: Array, classes: Array | None = None) -> Floats:
    """1 where the label is wrong."""
    del classes
    return np.asarray(np.asarray(predicted) != np.asarray(y), np.float64)


# Brier 1950, halved, so that with two classes it is the squared error of the probability of either
def brier(y: Array, probability: Array, classes: Array | None) -> Floats:
    """Half the squared distance of the probabilities from the truth; a class never learned had the probability 0."""
    truth = _truth(y, classes)
    unknown = 1.0 - truth.sum(axis=1)
    return np.asarray((((probability - truth) ** 2).sum(axis=1) + unknown) / 2)


def log(y: Array, probability: Array, classes: Array | None) -> Floats:
    """-log of the probability given to what it was, in nats; kept off 0 and 1 as in metrics.log_loss."""
    given = np.where(_truth(y, classes), probability, 0.0).sum(axis=1)
    return np.asarray(-np.log(np.clip(given, SURE, 1.0 - SURE)))


def _truth(y: Array, classes: Array | None) -> Floats:
    return np.asarray(np.asarray(y)[:, np.newaxis] == np.asarray(classes), np.float64)


LOSSES: Final = {
    "squared": Loss("predict", squared),
    "zero_one": Loss("predict", zero_one),
    "brier": Loss("predict_proba", brier),
    "log": Loss("predict_proba", log),
}

LossLike = str | Loss | Callable[[Array, Array], Floats] | None
"""A name of LOSSES, a function of truth and prediction, or None: errors of a classifier, squares of a regressor."""


def check_loss(loss: LossLike, estimator: object) -> Loss:
    """The loss that is meant."""
    if isinstance(loss, Loss):
        return loss
    if loss is None:
        return LOSSES["zero_one" if is_classifier(estimator) else "squared"]
    if isinstance(loss, str):
        if loss not in LOSSES:
            raise ValueError(f"loss must be one of {', '.join(LOSSES)} or a function, got {loss!r}")
        return LOSSES[loss]
    function = loss
    return Loss("predict", lambda y, predicted, _: np.asarray(function(y, predicted), np.float64))


def losses_of(fitted: Any, X: Any, y: Array, loss: LossLike = None) -> Floats:  # noqa: ANN401 -- any estimator, any data
    """The loss of a fitted estimator on each of these examples."""
    meant = check_loss(loss, fitted)
    if not hasattr(fitted, meant.method):
        raise ValueError(f"loss needs {meant.method}, which {type(fitted).__name__} has not")
    return meant.of(np.asarray(y), getattr(fitted, meant.method)(X), getattr(fitted, "classes_", None))
