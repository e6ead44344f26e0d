"""Leave-one-out in closed form: what N models, each without one example, say of that example, from a single fit.

The law of this file: nothing is approximate. Ridge is linear in the targets, so the residual without an example follows
from its leverage. Naive Bayes is counts, so an example is left out by taking its own words away, at its own words only:
time grows with the number of words in all messages, as one fit's does. Each equals the N fits to rounding.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import check_array

from thresher.learn import event_models as nb
from thresher.learn._validation import check_alpha, check_known, check_log_prior, check_not_negative
from thresher.learn.categorical import CategoricalNaiveBayes
from thresher.learn.event_models import Floats
from thresher.learn.least_squares import Ridge, decompose, leverage, ridge_weights
from thresher.learn.naive_bayes import BernoulliNaiveBayes, MultinomialNaiveBayes, NaiveBayes

Rows = Any
"""A matrix with a row per example, dense or sparse."""
Labels = Any
Estimator = Any

INTERPOLATED = 1e-8
"""Below this, 1 - leverage has no digits left to divide by; such examples, few if any, are left out one by one."""


# Allen 1974 (PRESS): y_i - h_-i(x_i) = (y_i - h(x_i)) / (1 - H_ii), H = X (X'X + lambda I)^-1 X'
def ridge_left_out(X: Floats, y: Floats, lam: float, *, fit_intercept: bool = False) -> Floats:
    """What ridge regression on the other examples predicts for each, (N,)."""
    lam = check_not_negative(lam, "lam")
    x_mean, y_mean = _means(X, y, fit_intercept=fit_intercept)
    design = decompose(X - x_mean)
    # A constant that is not regularized has a leverage of 1 / N on top.
    free = 1.0 - leverage(design, lam) - (1.0 / len(X) if fit_intercept else 0.0)
    fitted = (X - x_mean) @ ridge_weights(design, y - y_mean, lam) + y_mean
    settled = free > INTERPOLATED
    predicted = y - (y - fitted) / np.where(settled, free, 1.0)
    for i in np.flatnonzero(~settled):
        others = np.arange(len(X)) != i
        x_mean, y_mean = _means(X[others], y[others], fit_intercept=fit_intercept)
        weights = ridge_weights(decompose(X[others] - x_mean), y[others] - y_mean, lam)
        predicted[i] = (X[i] - x_mean) @ weights + y_mean
    return np.asarray(predicted)


def _means(X: Floats, y: Floats, *, fit_intercept: bool) -> tuple[Floats, float]:
    return (X.mean(axis=0), float(y.mean())) if fit_intercept else (np.zeros(X.shape[1]), 0.0)


def log_prior_left_out(model: NaiveBayes, own: NDArray[np.intp]) -> Floats:
    """(N, C): the log prior without each example; `own` is the class it is in."""
    n_classes = len(model.class_count_)
    others = np.maximum(model.class_count_ - np.eye(n_classes), 0)
    return np.stack([check_log_prior(model.class_prior, count) for count in others])[own]


class _Words:
    """The counts of a fitted model beside the words of the examples it learned, which are to be left out of them."""

    def __init__(self, model: BernoulliNaiveBayes | MultinomialNaiveBayes, events: sparse.csr_array, y: Labels) -> None:
        alpha = check_alpha(model.alpha, events.shape[1])
        self.n, self.V = events.shape
        self.own = check_known(np.asarray(y), model.classes_)
        self.class_count, self.counts = model.class_count_, model.feature_count_
        self.alpha = np.broadcast_to(alpha, (self.V,))
        self.row = np.repeat(np.arange(self.n), np.diff(events.indptr))
        self.word, self.times = events.indices, events.data
        own_count = self.counts[self.own[self.row], self.word] - self.times
        kept = nb.seen_in_every_class(self.counts) if model.drop_unseen else np.ones(self.V, np.bool_)
        self.kept = kept
        # Words that only this example showed in its class, which drop_unseen then leaves out.
        self.dropped = kept[self.word] & (own_count <= 0) if model.drop_unseen else np.zeros(len(self.word), np.bool_)
        self.told = kept[self.word] & ~self.dropped
        self.prior = log_prior_left_out(model, self.own)

    def count_of(self, c: int) -> Floats:
        """For each word of each example, how often class c showed it without that example."""
        mine = self.own[self.row] == c
        return np.asarray(self.counts[c, self.word] - np.where(mine, self.times, 0.0))

    def sum(self, values: Floats) -> Floats:
        """Sum over the words of each example, (N,)."""
        return np.asarray(np.bincount(self.row, weights=values, minlength=self.n), np.float64)


def multinomial_left_out(model: MultinomialNaiveBayes, events: sparse.csr_array, y: Labels) -> Floats:
    """(N, C): joint log-probability of each example under the model that learned all the others."""
    words = _Words(model, events, y)
    told, times = words.told, np.where(words.told, words.times, 0.0)
    length = words.sum(np.where(words.kept[words.word], words.times, 0.0))
    pseudo_total = words.alpha[words.kept].sum() - words.sum(np.where(words.dropped, words.alpha[words.word], 0.0))
    joint = words.prior.copy()
    for c in range(len(words.class_count)):
        mine = words.own == c
        gone = words.sum(np.where(words.dropped, words.counts[c, words.word], 0.0))
        total = words.counts[c, words.kept].sum() - np.where(mine, length, gone)
        denominator = total + pseudo_total
        log_numerator = _log(words.count_of(c) + words.alpha[words.word])
        joint[:, c] += words.sum(np.where(told, times * np.where(told, log_numerator, 0.0), 0.0))
        joint[:, c] -= words.sum(times) * np.log(np.where(denominator > 0, denominator, 1.0))
    return joint


def bernoulli_left_out(model: BernoulliNaiveBayes, events: sparse.csr_array, y: Labels) -> Floats:
    """(N, C): joint log-probability of each example under the model that learned all the others."""
    words = _Words(model, events, y)
    joint = words.prior.copy()
    for c in range(len(words.class_count)):
        present = _log(words.count_of(c) + words.alpha[words.word])
        for mine in (False, True):
            rows = (words.own == c) == mine
            joint[rows, c] += _presence(words, c, words.class_count[c] - mine, present, mine=mine)[rows]
    return joint


def _presence(words: _Words, c: int, messages: float, present: Floats, *, mine: bool) -> Floats:
    """(N,): log-likelihood in class c with so many messages left: all words absent, then those put right that are not.

    A word that all messages of the example's own class have is in the example too, so it never counts as absent there.
    """
    everywhere = words.counts[c] > messages if mine else np.zeros(words.V, np.bool_)
    absent = _log(np.where(everywhere, 1.0, messages - words.counts[c] + words.alpha))
    if messages <= 0:
        absent[np.isneginf(absent)] = 0.0  # nothing is known of this class, and one -inf for a word it has is enough
    never = np.isneginf(absent) & words.kept
    absent = np.where(np.isneginf(absent) | ~words.kept, 0.0, absent)
    denominator = messages + 2.0 * words.alpha
    share = np.where(words.kept, np.log(np.where(denominator > 0, denominator, 1.0)), 0.0)
    sums = absent.sum() - words.sum(absent[words.word])
    sums += words.sum(np.where(words.told, np.where(words.told, present, 0.0), 0.0))
    sums -= share.sum() - words.sum(np.where(words.dropped, share[words.word], 0.0))
    impossible = never.sum() - words.sum(never[words.word].astype(np.float64)) > 0
    return np.asarray(np.where(impossible, -np.inf, sums))


def categorical_left_out(model: CategoricalNaiveBayes, X: Rows, y: Labels) -> Floats:
    """(N, C): joint log-probability of each example under the model that learned all the others."""
    own = check_known(np.asarray(y), model.classes_)
    n_values = np.array([len(values) for values in model.values_])
    feature = np.repeat(np.arange(len(n_values)), n_values)
    alpha = np.broadcast_to(check_alpha(model.alpha, len(n_values)), n_values.shape)
    row, column = model.one_hot(X).nonzero()
    mine = model.feature_count_[own[row], column] - 1.0
    told = model.kept_[feature[column]] & (mine > 0) if model.drop_unseen else np.ones(len(row), np.bool_)
    if isinstance(model.values, str):  # a value learned from this example alone is then none
        told &= model.feature_count_.sum(axis=0)[column] > 1
    row, column, mine = row[told], column[told], mine[told]
    of = feature[column]
    joint = log_prior_left_out(model, own)
    for c in range(len(model.class_count_)):
        is_own = own[row] == c
        count = np.where(is_own, mine, model.feature_count_[c, column])
        denominator = model.class_count_[c] - is_own + n_values[of] * alpha[of]
        log_theta = _log(count + alpha[of]) - np.log(np.where(denominator > 0, denominator, 1.0))
        joint[:, c] += np.bincount(row, weights=log_theta, minlength=len(own))
    return joint


def left_out(fitted: Estimator, X: Rows, y: Labels) -> Floats | None:
    """The closed form for an estimator fitted to all of X, y: predictions (N,) or joint log-probabilities (N, C).

    None if there is none for such an estimator.
    """
    if isinstance(fitted, Ridge) and np.ndim(y) == 1:
        rows, targets = np.asarray(X, np.float64), np.asarray(y, np.float64)
        return ridge_left_out(rows, targets, fitted.lam, fit_intercept=fitted.fit_intercept)
    if isinstance(fitted, CategoricalNaiveBayes):
        return categorical_left_out(fitted, X, y)
    if isinstance(fitted, BernoulliNaiveBayes):
        return bernoulli_left_out(fitted, _events(fitted, X), y)
    if isinstance(fitted, MultinomialNaiveBayes):
        return multinomial_left_out(fitted, _events(fitted, X), y)
    return None


def _events(fitted: NaiveBayes, X: Rows) -> sparse.csr_array:
    """What the model counts in each example, without the zeros."""
    checked = check_array(X, accept_sparse="csr")
    events = sparse.csr_array(fitted._events(checked), dtype=np.float64, copy=True)  # noqa: SLF001 -- the model's to say
    events.sum_duplicates()
    events.eliminate_zeros()
    return events


def _log(values: Floats) -> NDArray[np.float64]:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.maximum(values, 0.0)))
