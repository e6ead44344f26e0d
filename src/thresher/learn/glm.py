"""Generalized linear models with canonical response, and logistic regression as their best-known case.

The law of this file: an estimator turns examples into an Objective and the parameters found into predictions. What a
distribution is stands in families.py, how the best parameters are found in irls.py and stochastic.py.
"""

import warnings
from abc import ABCMeta, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_softmax
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import ClassifierTags, RegressorTags, Tags, check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from thresher.learn._validation import (
    check_classes,
    check_count,
    check_not_negative,
    check_positive,
    check_sample_weight,
    check_two_classes_weigh,
)
from thresher.learn.event_models import Floats
from thresher.learn.families import FAMILIES
from thresher.learn.irls import Fit, Objective, irls
from thresher.learn.least_squares import SingularDesignWarning
from thresher.learn.stochastic import stochastic_gradient

CLASSIFIERS = ("bernoulli", "multinomial")
SOLVERS = ("irls", "stochastic")


class SeparableDataWarning(UserWarning):
    """In some direction of the coefficients the fit only ever improves: the data are separable, no best is finite."""

    def __init__(self) -> None:
        super().__init__(
            "the data are separable: the larger the coefficients, the better the fit, so these are only as large as it "
            "takes to come within the tolerance of the best; lam > 0 gives them a finite best"
        )


def _classifies(model: "_CanonicalModel") -> bool:
    family = model._family()  # noqa: SLF001 -- a part of the class that its decorators need before it is made
    return family is None or family in CLASSIFIERS


class _CanonicalModel(BaseEstimator, metaclass=ABCMeta):
    """What all generalized linear models share: the search for the parameters, and the mean they predict."""

    lam: float
    fit_intercept: bool
    solver: str
    tol: float
    max_iter: int
    learning_rate: float
    random_state: int | np.random.RandomState | None
    classes_: NDArray[Any]

    @abstractmethod
    def _family(self) -> str | None:
        """The name of the family; None for the one that suits the number of classes."""

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the parameters. Weights count as repetitions, so the penalty is the weaker the more they sum to."""
        family = self._checked_family()
        classifies = _classifies(self)
        checked, targets = validate_data(self, X, y, dtype=np.float64, y_numeric=not classifies)
        weights = check_sample_weight(sample_weight, len(checked))
        if classifies:
            Y = self._memberships(targets, weights, family)
            family = "bernoulli" if Y.shape[1] == 1 else "multinomial"
        else:
            Y = np.asarray(targets, dtype=np.float64)[:, np.newaxis]
            if family == "poisson" and Y.min() < 0:
                raise ValueError(f"y must be at least 0 for the family 'poisson', which counts; got {Y.min():g}")
        lam = check_not_negative(self.lam, "lam")
        if lam == np.inf:
            raise ValueError("lam must be finite")
        objective = Objective(checked, Y, weights, FAMILIES[str(family)], lam, bool(self.fit_intercept))
        intercept, coef = self._solve(objective)
        self._name = str(family)
        self.intercept_ = intercept if classifies else float(intercept[0])
        self.coef_ = coef if classifies else coef[0]
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The expectation of y, or the most probable class."""
        check_is_fitted(self, "coef_")
        eta = self._eta(X)
        if self._name == "bernoulli":
            return np.asarray(self.classes_[(eta[:, 0] > 0).astype(np.intp)])
        if self._name == "multinomial":
            return np.asarray(self.classes_[eta.argmax(axis=1)])
        return FAMILIES[self._name].response(eta)[:, 0]

    def predict_mean(self, X: ArrayLike) -> Floats:
        """The expectation of y for each example, (N,); of classifiers their probabilities, (N, C)."""
        check_is_fitted(self, "coef_")
        mean = FAMILIES[self._name].response(self._eta(X))
        if self._name == "bernoulli":
            return np.hstack([1.0 - mean, mean])
        return mean if self._name == "multinomial" else mean[:, 0]

    @available_if(_classifies)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def decision_function(self, X: ArrayLike) -> Floats:
        """Log-odds of classes_[1] for two classes, else the natural parameters, a score for each class."""
        check_is_fitted(self, "coef_")
        eta = self._eta(X)
        if self._name == "bernoulli":
            return eta[:, 0]
        return eta[:, 1] - eta[:, 0] if len(self.classes_) == 2 else eta  # noqa: PLR2004

    @available_if(_classifies)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def predict_log_proba(self, X: ArrayLike) -> Floats:
        check_is_fitted(self, "coef_")
        eta = self._eta(X)
        if self._name == "bernoulli":
            return -np.logaddexp(0.0, np.hstack([eta, -eta]))
        return np.asarray(log_softmax(eta, axis=1))

    @available_if(_classifies)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def predict_proba(self, X: ArrayLike) -> Floats:
        return np.asarray(np.exp(self.predict_log_proba(X)))

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Share of the classes that are right, or the share of y's variance that is explained."""
        measure = accuracy_score if _classifies(self) else r2_score
        return float(measure(y, self.predict(X), sample_weight=sample_weight))

    def theta(self) -> Floats:
        """The parameters with the constant first, (d + 1,), or a row of them per class, (C, d + 1)."""
        check_is_fitted(self, "coef_")
        theta = np.column_stack([np.atleast_1d(self.intercept_), np.atleast_2d(self.coef_)])
        return theta if len(theta) > 1 else theta[0]

    def linear_form(self) -> tuple[float, Floats]:
        """(w0, w): w0 + x . w is the natural parameter; of two classes the log-odds of the second against the first."""
        theta = self.theta()
        if theta.ndim > 1:
            raise ValueError(f"a linear form separates two classes, here are {len(theta)}")
        return float(theta[0]), theta[1:]

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()  # type: ignore[no-untyped-call]  # scikit-learn ships no types
        tags.target_tags.required = True
        if _classifies(self):
            tags.estimator_type = "classifier"
            tags.classifier_tags = ClassifierTags(multi_class=self._family() != "bernoulli")
        else:
            tags.estimator_type = "regressor"
            tags.regressor_tags = RegressorTags()
            tags.target_tags.positive_only = self._family() == "poisson"
        return tags

    def _eta(self, X: ArrayLike) -> Floats:
        checked = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(checked @ np.atleast_2d(self.coef_).T + np.atleast_1d(self.intercept_))

    def _checked_family(self) -> str | None:
        family = self._family()
        if family is not None and family not in FAMILIES:
            raise ValueError(f"family must be one of {sorted(FAMILIES)}, got {family!r}")
        if self.solver not in SOLVERS:
            raise ValueError(f"solver must be one of {sorted(SOLVERS)}, got {self.solver!r}")
        return family

    def _memberships(self, labels: NDArray[Any], weights: Floats, family: str | None) -> Floats:
        """Y of the Bernoulli family, (N, 1), or of the multinomial, (N, C)."""
        found = np.unique(labels)
        check_classification_targets(found)
        classes = check_classes(found, "y")
        if family == "bernoulli" and len(classes) > 2:  # noqa: PLR2004 -- that is what it is for
            raise ValueError(
                f"Only binary classification is supported by the family 'bernoulli'; y has {len(classes)} classes, "
                "for which there is 'multinomial'"
            )
        binary = family != "multinomial" and len(classes) == 2  # noqa: PLR2004
        membership = np.asarray(labels[:, np.newaxis] == classes[1:] if binary else labels[:, np.newaxis] == classes)
        of_classes = weights @ membership
        check_two_classes_weigh(np.append(weights.sum() - of_classes, of_classes) if binary else of_classes)
        self.classes_ = classes
        return membership.astype(np.float64)

    def _solve(self, objective: Objective) -> tuple[Floats, Floats]:
        max_iter = check_count(self.max_iter, "max_iter", least=1)
        tol, rate = check_positive(self.tol, "tol"), check_positive(self.learning_rate, "learning_rate")
        if self.solver == "stochastic":
            seed = check_random_state(self.random_state).randint(2**31)
            self.n_iter_ = max_iter
            return stochastic_gradient(objective, passes=max_iter, rate=rate, rng=np.random.default_rng(seed))
        found = irls(objective, tol=tol, max_iter=max_iter)
        self.n_iter_ = found.n_iter
        _say(found, objective.X.shape[1])
        return found.intercept, found.coef


def _say(found: Fit, n_features: int) -> None:
    if found.rank < n_features:
        warnings.warn(SingularDesignWarning(found.rank, n_features), stacklevel=4)
    if found.separable:
        warnings.warn(SeparableDataWarning(), stacklevel=4)
    elif not found.converged:
        warnings.warn(
            f"Newton's method has not converged after {found.n_iter} steps; raise max_iter or bring the features to "
            "similar sizes",
            ConvergenceWarning,
            stacklevel=4,
        )


class GeneralizedLinearModel(_CanonicalModel):
    """E[y|x] = g(theta' x), g the canonical response of a family of distributions.

    Parameters
    ----------
    family : 'gaussian' (g is the identity) and 'poisson' (exp) make it a regressor, 'bernoulli' (the sigmoid, for two
        classes) and 'multinomial' (the softmax) a classifier.
    lam : lambda >= 0; lambda / 2 times the squared length of the coefficients is added to the negative log-likelihood.
        The intercept is free. In scikit-learn's terms it is Ridge's alpha and 1 / C.
    fit_intercept : whether there is an intercept.
    solver : 'irls' is Newton's method; 'stochastic' takes one example after the other, in random order.
    tol : Newton's method ends where a step promises this share of what the first one did. Such steps nearly square the
        error: at 1e-12 the coefficients err in the twelfth digit, and of many examples with a penalty, which are not
        all summed for each step, in the eighth. 1e-18 is as exact as it gets.
    max_iter : Newton steps at most; or the number of passes over the examples.
    learning_rate : of the stochastic solver; 1 makes the first steps as long as may be, less ends closer.
    random_state : the order of the stochastic solver.

    Fitted: coef_ and intercept_ ((d,) and a number; of classifiers (1, d) and (1,), or a row per class), classes_ (of
    classifiers), n_iter_, n_features_in_. Data without a finite best raise a SeparableDataWarning, data with many a
    SingularDesignWarning.

    """

    def __init__(
        self,
        family: str = "gaussian",
        *,
        lam: float = 0.0,
        fit_intercept: bool = True,
        solver: str = "irls",
        tol: float = 1e-12,
        max_iter: int = 100,
        learning_rate: float = 0.1,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.family = family
        self.lam = lam
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.learning_rate = learning_rate
        self.random_state = random_state

    def _family(self) -> str:
        return self.family


class LogisticRegression(_CanonicalModel):
    """The generalized linear model of classes: the Bernoulli family for two, the multinomial for more.

    Parameters
    ----------
    lam : lambda >= 0; lambda / 2 times the squared length of the coefficients is added to the negative log-likelihood,
        the intercept free. It is 1 / C of scikit-learn's LogisticRegression, whose minimum is the same.
    fit_intercept, solver, tol, max_iter, learning_rate, random_state : as of GeneralizedLinearModel.

    Fitted: classes_, coef_ and intercept_ ((1, d) and (1,), or a row per class if there are more than two), n_iter_,
    n_features_in_.

    """

    def __init__(
        self,
        lam: float = 1.0,
        *,
        fit_intercept: bool = True,
        solver: str = "irls",
        tol: float = 1e-12,
        max_iter: int = 100,
        learning_rate: float = 0.1,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.lam = lam
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.learning_rate = learning_rate
        self.random_state = random_state

    def _family(self) -> None:
        return None
