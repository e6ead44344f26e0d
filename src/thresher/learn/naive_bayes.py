"""Naive Bayes with the Bernoulli and the multinomial event model, as scikit-learn classifiers.

categorical.py has the third, for features of several values.

The law of this file: an estimator is a thin shell around its counts. Learning adds to them, forgetting takes away, and
all else is a formula of event_models.py applied to them at once, so that equal counts are equal models, bit for bit.
What a call changes is worked out in full before any of it is stored: a refused lesson leaves the counts as they were.
"""

import warnings
from abc import ABCMeta, abstractmethod
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import ClassifierTags, Tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from thresher.learn import event_models as nb
from thresher.learn._validation import (
    check_alpha,
    check_classes,
    check_classes_of_call,
    check_known,
    check_log_prior,
    check_sample_weight,
    check_two_classes_weigh,
)
from thresher.learn.event_models import Alpha, Events, Floats

MatrixLike = ArrayLike | Events


class ImpossibleMessageWarning(UserWarning):
    """No class could have sent some of the messages, so they were given the prior. Happens at alpha = 0 alone.

    `rows` are their positions in the input.
    """

    def __init__(self, rows: NDArray[np.intp]) -> None:
        super().__init__(
            f"{len(rows)} of the messages have probability zero in every class and get the prior; alpha > 0 avoids this"
        )
        self.rows = rows


class Counts(NamedTuple):
    """What was learned, or is to be."""

    messages: Floats
    """(C,): messages per class."""
    events: Floats
    """(C, V): events per class and column."""
    values: list[Floats] | None = None
    """Which values of each feature the columns stand for; None where a column is a word."""


def _takes_any_number(model: "NaiveBayes") -> bool:
    # scikit-learn's check of decision_function, unlike its others, learns negative numbers also where tags forbid them.
    return not model.__sklearn_tags__().input_tags.positive_only


class NaiveBayes(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """What the event models share: counts, priors, Bayes' rule. A model says what it counts, and what follows."""

    n_features_in_: int
    _accept_sparse: str | bool = "csr"

    def __init__(
        self, *, alpha: ArrayLike = 1.0, class_prior: str | ArrayLike = "learned", drop_unseen: bool = False
    ) -> None:
        self.alpha = alpha
        self.class_prior = class_prior
        self.drop_unseen = drop_unseen

    @abstractmethod
    def _events(self, X: Any) -> Events:  # noqa: ANN401 -- dense or sparse, of any type of number
        """What this model counts in X, which is checked; a ValueError if X holds what it cannot count."""

    @abstractmethod
    def _log_probabilities(self, counts: Counts, alpha: Alpha) -> tuple[Floats, Floats | None]:
        """Log-probability of each word's presence and, in a model that looks at it, of its absence."""

    def _learned(self) -> Counts:
        return Counts(self.class_count_, self.feature_count_)

    def _aligned(self, ours: Counts, lesson: Counts) -> tuple[Counts, Counts]:
        """Both with the same columns."""
        return ours, lesson

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn these messages and nothing else: partial_fit from counts of zero."""
        return self._learn(X, y, None, sample_weight, reset=True)

    def partial_fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn these messages too. The first call must name all `classes` there will ever be."""
        known = getattr(self, "classes_", None)
        check_classes_of_call(classes, known)
        return self._learn(X, y, classes, sample_weight, reset=known is None)

    def forget(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Take back messages learned before: the counts are then, bit for bit, as if they had never been seen.

        That is a promise for whole-number values and weights; fractions return to within rounding. Counts cannot tell
        whether these very messages were learned, only whether they could have been; if not, it is a ValueError.
        """
        check_is_fitted(self, "class_count_")
        checked, labels = validate_data(self, X, y, accept_sparse=self._accept_sparse, reset=False)
        ours, lesson = self._aligned(self._learned(), self._count(checked, labels, self.classes_, sample_weight))
        try:
            left = nb.remaining(ours.messages, lesson.messages), nb.remaining(ours.events, lesson.events)
            self._store(self.classes_, Counts(*left, lesson.values))
        except nb.CountError as error:
            raise ValueError("X, y cannot be forgotten: they hold more than was learned") from error
        return self

    def predict_joint_log_proba(self, X: MatrixLike) -> Floats:
        """Joint log-probability log p(x, c) for each message and class; -inf where the class cannot have sent it."""
        check_is_fitted(self, "class_count_")
        checked = validate_data(self, X, accept_sparse=self._accept_sparse, reset=False)
        return nb.log_joint(self._events(checked), self.class_log_prior_, self._likelihood)

    def predict_log_proba(self, X: MatrixLike) -> Floats:
        posterior, impossible = nb.log_posterior(self.predict_joint_log_proba(X), self.class_log_prior_)
        _warn_if_any(impossible)
        return posterior

    def predict_proba(self, X: MatrixLike) -> Floats:
        return np.asarray(np.exp(self.predict_log_proba(X)))

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        best = self._possible(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    @available_if(_takes_any_number)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def decision_function(self, X: MatrixLike) -> Floats:
        """Log-odds of classes_[1] for two classes, infinite where only one can be; else the joint of each class."""
        return nb.decision(self._possible(X))

    def _possible(self, X: MatrixLike) -> Floats:
        """Joint log-probabilities, the prior in their place where no class is possible."""
        joint, impossible = nb.prior_where_impossible(self.predict_joint_log_proba(X), self.class_log_prior_)
        _warn_if_any(impossible, stacklevel=4)
        return joint

    def linear_form(self) -> tuple[float, Floats]:
        """(w0, w): w0 + x . w is the log-odds of classes_[1] against classes_[0], x being what the model counts."""
        check_is_fitted(self, "class_count_")
        return nb.linear_form(self.class_log_prior_, self._likelihood)

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()  # type: ignore[no-untyped-call]  # scikit-learn ships no types
        tags.input_tags.sparse = True
        return tags

    def _learn(
        self, X: MatrixLike, y: ArrayLike, classes: ArrayLike | None, sample_weight: ArrayLike | None, *, reset: bool
    ) -> Self:
        checked, labels = validate_data(self, X, y, accept_sparse=self._accept_sparse, reset=reset)
        check_classification_targets(labels)
        if not reset:
            known = self.classes_
        elif classes is None:
            known = check_classes(labels, "y")
        else:
            known = check_classes(classes, "classes")
        counts = self._count(checked, labels, known, sample_weight)
        if classes is None and reset:
            check_two_classes_weigh(counts.messages)
        if not reset:
            ours, lesson = self._aligned(self._learned(), counts)
            counts = Counts(ours.messages + lesson.messages, ours.events + lesson.events, lesson.values)
        self._store(known, counts)
        return self

    def _count(
        self,
        X: Any,  # noqa: ANN401 -- dense or sparse, of any type of number
        y: NDArray[Any],
        classes: NDArray[Any],
        sample_weight: ArrayLike | None,
    ) -> Counts:
        """Messages per class and events per class and word, weighted."""
        return count_events(self._events(X), check_known(y, classes), classes, sample_weight)

    def _parameters(self, counts: Counts, alpha: Alpha) -> tuple[Floats, Floats | None, NDArray[np.bool_]]:
        """Log-probability of presence, of absence in a model that looks at it, and which features are kept."""
        if not self.drop_unseen:
            kept = np.ones(counts.events.shape[1], dtype=np.bool_)
            return *self._log_probabilities(counts, alpha), kept
        kept = nb.seen_in_every_class(counts.events)
        alpha = alpha if isinstance(alpha, float) else alpha[kept]
        present, absent = self._log_probabilities(counts._replace(events=counts.events[:, kept]), alpha)
        return _spread(present, kept), None if absent is None else _spread(absent, kept), kept

    def _store(self, classes: NDArray[Any], counts: Counts) -> None:
        """Work out all that follows from the counts, then store it."""
        if counts.events.size and counts.events.max() > nb.MAX_COUNT:
            raise ValueError(f"X brings a count to {counts.events.max():g}; above 2^53 counts are no longer exact")
        alpha = check_alpha(self.alpha, self.n_features_in_)
        class_log_prior = check_log_prior(self.class_prior, counts.messages)
        present, absent, kept = self._parameters(counts, alpha)
        self._likelihood = nb.likelihood(present, absent)
        self.classes_ = classes
        self.class_count_ = counts.messages
        self.feature_count_ = counts.events
        self.class_log_prior_ = class_log_prior
        self.feature_log_prob_ = present
        self.kept_ = kept


class BernoulliNaiveBayes(NaiveBayes):
    """Each word of the vocabulary is present in a message or absent, and both tell something.

    Parameters
    ----------
    alpha : pseudo-count >= 0, one for all words or one per word; 0 is maximum likelihood.
    class_prior : 'learned' from the messages, 'uniform', or one probability per class in sorted order of the classes.
    drop_unseen : leave out the words that some class has never shown.
    binarize : a word is present if its value is above this.

    Fitted: classes_, class_count_ (messages), feature_count_ (messages that have the word, per class and word),
    class_log_prior_, feature_log_prob_ (of presence; 0 where dropped), kept_ (words not dropped), n_features_in_.

    """

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        class_prior: str | ArrayLike = "learned",
        drop_unseen: bool = False,
        binarize: float = 0.0,
    ) -> None:
        super().__init__(alpha=alpha, class_prior=class_prior, drop_unseen=drop_unseen)
        self.binarize = binarize

    def _events(self, X: Any) -> Events:  # noqa: ANN401 -- see above
        if isinstance(X, np.ndarray):
            return np.greater(X, self.binarize).astype(np.float64)
        if self.binarize < 0:
            raise ValueError(f"binarize must be at least 0 for a sparse X, got {self.binarize}: absent words are 0")
        if not X.has_canonical_format:  # a word stored in two pieces is one word
            X = X.copy()
            X.sum_duplicates()
        present: Events = type(X)(
            (np.greater(X.data, self.binarize).astype(np.float64), X.indices, X.indptr), shape=X.shape
        )
        return present

    def _log_probabilities(self, counts: Counts, alpha: Alpha) -> tuple[Floats, Floats | None]:
        return nb.bernoulli_log_phi(counts.events, counts.messages, alpha)


class MultinomialNaiveBayes(NaiveBayes):
    """Each word of a message is drawn from its class's words; words that are absent tell nothing.

    Parameters
    ----------
    alpha : pseudo-count >= 0, one for all words or one per word; 0 is maximum likelihood.
    class_prior : 'learned' from the messages, 'uniform', or one probability per class in sorted order of the classes.
    drop_unseen : leave out the words that some class has never shown.

    Fitted: classes_, class_count_ (messages), feature_count_ (occurrences per class and word), class_log_prior_,
    feature_log_prob_ (0 where dropped), kept_ (words not dropped), n_features_in_.

    """

    def _events(self, X: Any) -> Events:  # noqa: ANN401 -- see above
        values = X if isinstance(X, np.ndarray) else X.data
        if values.size and values.min() < 0:
            raise ValueError(f"Negative values in data X (down to {values.min()}): the multinomial model counts words")
        counted: Events = X
        return counted

    def _log_probabilities(self, counts: Counts, alpha: Alpha) -> tuple[Floats, Floats | None]:
        return nb.multinomial_log_theta(counts.events, alpha), None  # a long message counts for more than a short one

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        # scikit-learn asks for 83 % on Gaussian clouds, whose negative halves it cuts off: they are no word counts.
        tags.classifier_tags = ClassifierTags(poor_score=True)
        return tags


def count_events(events: Events, y: NDArray[np.intp], classes: NDArray[Any], sample_weight: ArrayLike | None) -> Counts:
    """Messages per class and events per class and column, weighted; y is each message's place among the classes."""
    membership = np.zeros((len(y), len(classes)))
    membership[np.arange(len(y)), y] = check_sample_weight(sample_weight, len(y))
    # One contiguous row per class: the sum over words took 40 times as long on the transposed view, and the copy
    # takes a twentieth of that; evidence/naive-bayes-speed.md.
    return Counts(membership.sum(axis=0), np.ascontiguousarray((events.T @ membership).T))


def _spread(log_probabilities: Floats, kept: NDArray[np.bool_]) -> Floats:
    """The columns of the words that were kept, with log 1 = 0 between them for those that say nothing."""
    spread = np.zeros((len(log_probabilities), len(kept)))
    spread[:, kept] = log_probabilities
    return spread


def _warn_if_any(impossible: NDArray[np.bool_], stacklevel: int = 3) -> None:
    if impossible.any():
        warnings.warn(ImpossibleMessageWarning(np.flatnonzero(impossible)), stacklevel=stacklevel)
