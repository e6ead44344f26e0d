"""Experiments that show what the rest is for: error against complexity, and against the number of examples.

The law of this file: an experiment returns arrays, a row per value and a column per run, and draws nothing. Data made
from a known distribution are drawn anew for each run; of mail there is one sample, so its runs are folds of it, or
draws from it, that keep near duplicates together.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.pipeline import make_pipeline
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from thresher.choose.cross_validation import Estimator, Folds, Rows
from thresher.choose.curves import LearningCurve, ValidationCurve, learning_curve, validation_curve
from thresher.choose.losses import LossLike, losses_of
from thresher.choose.metrics import Floats
from thresher.choose.populations import Population, sine
from thresher.learn import PolynomialBasis, Ridge
from thresher.learn._validation import check_count

DEGREES: Final = tuple(range(10))
LAMBDAS: Final = tuple(float(lam) for lam in np.logspace(1, -12, 27))
ALPHAS: Final = (100.0, 30.0, 10.0, 3.0, 1.0, 0.1, 0.01, 1e-3, 1e-4, 1e-6, 1e-9)
FRESH: Final = 2000
"""New examples that stand for all there are: a risk measured on them errs by a few per cent."""


class Against(NamedTuple):
    """Mean loss against the values of something, over runs with data drawn anew."""

    values: list[Any]
    train: Floats
    """(values, runs): empirical risk, on what was learned."""
    test: Floats
    """(values, runs): on fresh examples; close to the risk."""


class RiskOfOne(NamedTuple):
    """Empirical risk of one predictor, fixed beforehand, against the number of examples it is measured on."""

    sizes: list[int]
    empirical: Floats
    """(sizes, runs)"""
    risk: float


def against(
    estimators: Sequence[Estimator],
    values: Sequence[Any],
    population: Population,
    n: int,
    *,
    runs: int = 50,
    loss: LossLike = None,
    random_state: int = 0,
) -> Against:
    """Fit all estimators to the same data sets of n examples; one estimator for each value of what is varied."""
    if len(estimators) != len(values):
        raise ValueError(f"estimators and values must go together, got {len(estimators)} and {len(values)}")
    train, test = np.empty((len(values), runs)), np.empty((len(values), runs))
    for run in range(runs):
        rng = np.random.default_rng([random_state, run])
        (X, y), (fresh_X, fresh_y) = _draw(population, n, rng), _draw(population, FRESH, rng)
        for i, estimator in enumerate(estimators):
            fitted = clone(estimator).fit(X, y)
            train[i, run] = losses_of(fitted, X, y, loss).mean()
            test[i, run] = losses_of(fitted, fresh_X, fresh_y, loss).mean()
    return Against(list(values), train, test)


def error_against_degree(
    degrees: Sequence[int] = DEGREES, *, n: int = 10, sigma: float = 0.3, runs: int = 50, random_state: int = 0
) -> Against:
    """Squared error of polynomials of each degree M, fitted by least squares to n points of the sine example."""
    models = [make_pipeline(PolynomialBasis(degree), Ridge(0.0)) for degree in degrees]
    return against(models, degrees, sine(sigma), n, runs=runs, random_state=random_state)


def error_against_lambda(
    lams: Sequence[float] = LAMBDAS,
    *,
    degree: int = 9,
    n: int = 10,
    sigma: float = 0.3,
    runs: int = 50,
    random_state: int = 0,
) -> Against:
    """Squared error of ridge regression on a polynomial of the sine example, from much regularization to none."""
    models = [make_pipeline(PolynomialBasis(degree), Ridge(lam)) for lam in lams]
    return against(models, lams, sine(sigma), n, runs=runs, random_state=random_state)


def error_against_size(
    estimator: Estimator,
    population: Population,
    sizes: Sequence[int],
    *,
    runs: int = 50,
    loss: LossLike = None,
    random_state: int = 0,
) -> Against:
    """Empirical risk and risk of what is learned from N examples of a known distribution; they meet as N grows."""
    columns = [
        against([estimator], [size], population, size, runs=runs, loss=loss, random_state=random_state)
        for size in sizes
    ]
    train, test = (np.concatenate([getattr(column, name) for column in columns]) for name in ("train", "test"))
    return Against(list(sizes), train, test)


# 004: R_emp[h] = 1/N sum_n l(h(x_n), y_n) -> R[h] as N grows, for an h that was not chosen by these examples
def empirical_risk_of_one(
    fitted: Estimator,
    population: Population,
    sizes: Sequence[int],
    *,
    runs: int = 50,
    loss: LossLike = None,
    random_state: int = 0,
) -> RiskOfOne:
    """Empirical risk of a predictor fitted elsewhere, on N fresh examples; its risk from a hundred times FRESH."""
    rng = np.random.default_rng(random_state)
    empirical = np.empty((len(sizes), runs))
    for i, size in enumerate(sizes):
        for run in range(runs):
            empirical[i, run] = losses_of(fitted, *_draw(population, size, rng), loss).mean()
    risk = losses_of(fitted, *_draw(population, 100 * FRESH, rng), loss).mean()
    return RiskOfOne(list(sizes), empirical, float(risk))


def error_against_alpha(
    model: Estimator,
    X: Rows,
    y: ArrayLike,
    alphas: Sequence[float] = ALPHAS,
    *,
    folds: Folds = 5,
    groups: ArrayLike | None = None,
    loss: LossLike = "zero_one",
) -> ValidationCurve:
    """Error of naive Bayes against its pseudo-count, from the smoothest to hardly smoothed."""
    return validation_curve(model, "alpha", alphas, X, y, folds=folds, groups=groups, loss=loss)


def error_against_vocabulary(
    model: Estimator,
    X: Rows,
    y: ArrayLike,
    sizes: Sequence[int],
    *,
    folds: Folds = 5,
    groups: ArrayLike | None = None,
    loss: LossLike = "zero_one",
) -> ValidationCurve:
    """Error against the number of words, the commonest in the training messages of each fold."""
    pipeline = make_pipeline(CommonestWords(), model)
    return validation_curve(pipeline, "commonestwords__size", sizes, X, y, folds=folds, groups=groups, loss=loss)


def error_against_messages(
    model: Estimator,
    X: Rows,
    y: ArrayLike,
    sizes: Sequence[int],
    *,
    repeats: int = 20,
    groups: ArrayLike | None = None,
    loss: LossLike = "zero_one",
) -> LearningCurve:
    """Error against the number of messages learned."""
    return learning_curve(model, X, y, sizes, repeats=repeats, groups=groups, loss=loss)


class CommonestWords(TransformerMixin, BaseEstimator):
    """Keep the columns that are in most training messages.

    Parameters
    ----------
    size : how many to keep, at least 1; all if there are no more.

    Fitted: kept_ (their columns, the commonest first; of equally common ones the first), n_features_in_.

    """

    def __init__(self, size: int = 1000) -> None:
        self.size = size

    def fit(self, X: Rows, y: object = None) -> Self:
        """Count in how many messages each word is."""
        del y
        size = check_count(self.size, "size", least=1)
        checked = validate_data(self, X, accept_sparse="csr")
        present = np.asarray((checked != 0).sum(axis=0)).ravel()
        self.kept_: NDArray[np.intp] = np.argsort(-present, kind="stable")[:size]
        return self

    def transform(self, X: Rows) -> Rows:
        """These columns alone."""
        check_is_fitted(self)
        return validate_data(self, X, accept_sparse="csr", reset=False)[:, self.kept_]

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()  # type: ignore[no-untyped-call]  # scikit-learn ships no types
        tags.input_tags.sparse = True
        return tags


def _draw(population: Population, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    X = population.draw_x(n, rng)
    return X, population.draw_y(X, rng)
