"""Why a model errs: variance + bias^2 + noise = expected risk, for the squared loss (document 004).

The law of this file: every term has its standard error or is exact, and none is got by subtracting the others from the
risk, which is measured beside them: what `gap` holds is a test of the sum, not a remainder. Averages of finitely many
data sets are corrected, so that ten of them and a thousand have the same expectation.

`bias_variance` draws data sets from a known distribution; `ridge_bias_variance` needs none, being linear in y;
`bootstrap_bias_variance` makes do with one real data set.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.optimize import isotonic_regression  # type: ignore[attr-defined]  # scipy ships no types
from sklearn.base import clone, is_classifier

from thresher.choose.cross_validation import Estimator, Rows, standard_error, take
from thresher.choose.metrics import Floats
from thresher.choose.populations import Population
from thresher.choose.splits import SFold, count
from thresher.learn._validation import check_not_negative
from thresher.learn.least_squares import decompose, ridge_weights

MANY: Final = 20_000
"""Examples without noise that stand for infinitely many where the best model of a kind is sought."""
CALIBRATION_FOLDS: Final = 10
JACKKNIFE: Final = 20
"""Blocks left out in turn. The standard error of twenty is itself known to a sixth."""


class Term(NamedTuple):
    """A mean and its standard error."""

    value: float
    standard_error: float


class BiasVariance(NamedTuple):
    """Expected risk and its parts."""

    variance: Term
    """How far models of different data sets lie from their average."""
    bias_squared: Term
    """How far their average lies from E[y | x]."""
    noise: Term
    """How far y lies from E[y | x]: what no model can help."""
    risk: Term
    """Squared loss on fresh y, measured."""
    gap: Term
    """Risk less the three terms: zero but for chance."""
    model_bias: Term | None = None
    """The part of bias^2 that the best model of the kind has too."""
    estimation_bias: Term | None = None
    """The part that is due to the way it is estimated, such as a penalty."""

    @property
    def total(self) -> float:
        """The sum of the three terms."""
        return self.variance.value + self.bias_squared.value + self.noise.value


class RidgeBiasVariance(NamedTuple):
    """The exact decomposition, an entry per lambda; noise and model bias are the same for all."""

    lams: Floats
    variance: Floats
    bias_squared: Floats
    noise: Floats
    model_bias: Floats
    estimation_bias: Floats

    @property
    def risk(self) -> Floats:
        """Expected risk, the sum of the three terms."""
        return self.variance + self.bias_squared + self.noise


def bias_variance(  # noqa: PLR0913 -- what to draw, where to look and how often, each by name
    estimator: Estimator,
    population: Population,
    n: int,
    *,
    design: Floats | None = None,
    points: Floats | None = None,
    best: Estimator | None = None,
    data_sets: int = 400,
    batches: int = 20,
    random_state: int = 0,
) -> BiasVariance:
    """Monte Carlo: fit the estimator to many data sets drawn from a known distribution.

    Parameters
    ----------
    estimator : a regressor, or a classifier of 0 and 1, of which the probability of 1 is taken.
    population : what the data sets are drawn from.
    n : examples in a data set.
    design : (n, d) inputs that all data sets share; None draws new ones for each.
    points : inputs to predict at; None draws as many as `n`, but at least a thousand, for each batch.
    best : an estimator of the same kind without a penalty. Fitted to E[y | x] without noise it is the best of its kind,
        and parts the bias into model bias and estimation bias.
    data_sets, batches : how many data sets, in so many batches. A batch is a decomposition of its own; the standard
        errors are those of their mean.
    random_state : what all draws follow from.

    """
    per_batch = data_sets // batches
    if batches < 2 or per_batch < 2:  # noqa: PLR2004 -- a spread takes two
        raise ValueError(f"batches and data_sets / batches must be at least 2, got {data_sets} data sets in {batches}")
    if design is not None and len(design) != n:
        raise ValueError(f"design must have n={n} rows, got {len(design)}")
    ideal = None if best is None else _ideal(best, population, points, random_state)
    rows = []
    for batch in range(batches):
        rng = np.random.default_rng([random_state, batch])
        at = population.draw_x(max(n, 1000), rng) if points is None else points
        predicted = predictions_over_data_sets(estimator, population, n, at, per_batch, rng, design=design)
        rows.append(_terms(predicted, population, at, ideal, rng))
    terms = [Term(float(column.mean()), standard_error(column)) for column in np.array(rows).T]
    return BiasVariance(*terms)


def predictions_over_data_sets(
    estimator: Estimator,
    population: Population,
    n: int,
    points: Floats,
    data_sets: int,
    rng: np.random.Generator,
    *,
    design: Floats | None = None,
) -> Floats:
    """(data_sets, points): what models of different data sets predict at the same points."""
    predicted = np.empty((data_sets, len(points)))
    for row in predicted:
        X = population.draw_x(n, rng) if design is None else design
        row[:] = _predict(clone(estimator).fit(X, population.draw_y(X, rng)), points)
    return predicted


def _ideal(best: Estimator, population: Population, points: Floats | None, random_state: int) -> Estimator:
    """The best model of its kind: fitted to E[y | x] at the points themselves, or at many drawn ones."""
    X = population.draw_x(MANY, np.random.default_rng(random_state)) if points is None else points
    return clone(best).fit(X, population.mean(X))


# 004: E_D R[h_D] = E (h_D - E_D h_D)^2 + E (E_D h_D - E[y|x])^2 + E (E[y|x] - y)^2. The square of a mean of D
# predictions exceeds that of their expectation by the D-th part of their variance, which is taken off.
def _terms(
    predicted: Floats, population: Population, at: Floats, ideal: Estimator | None, rng: np.random.Generator
) -> list[float]:
    """The terms of one batch, in the order of BiasVariance."""
    truth, average, spread = population.mean(at), predicted.mean(axis=0), predicted.var(axis=0, ddof=1)
    excess = spread / len(predicted)
    fresh = np.stack([population.draw_y(at, rng) for _ in predicted])
    variance, bias, noise = spread.mean(), ((average - truth) ** 2 - excess).mean(), population.variance(at).mean()
    risk = ((predicted - fresh) ** 2).mean()
    terms = [variance, bias, noise, risk, risk - variance - bias - noise]
    if ideal is not None:
        reached = _predict(ideal, at)
        terms += [((reached - truth) ** 2).mean(), ((average - reached) ** 2 - excess).mean()]
    return [float(term) for term in terms]


def _predict(fitted: Estimator, X: Rows) -> Floats:
    if not is_classifier(fitted):
        return np.asarray(fitted.predict(X), np.float64)
    classes = fitted.classes_.tolist()
    if classes != [0, 1]:
        raise ValueError(f"a classifier must have learned the classes 0 and 1, not {classes}: draw more examples")
    return np.asarray(fitted.predict_proba(X)[:, 1])


# 004, ridge on a design X with E[y] = f, Var[y] = sigma^2. With X = U S V' and shrinkage g = S / (S^2 + lambda):
# E h(x) = x' V g U'f and Var h(x) = sigma^2 |x' V g|^2; the best linear h* is least squares on E[y | x] at the points
def ridge_bias_variance(
    design: ArrayLike,
    mean: ArrayLike,
    sigma: float,
    lams: ArrayLike,
    *,
    points: ArrayLike | None = None,
    points_mean: ArrayLike | None = None,
) -> RidgeBiasVariance:
    """The exact decomposition for ridge regression with a given design, for every lambda at once.

    Parameters
    ----------
    design : (N, d) inputs, the constant among them.
    mean : (N,) E[y | x] there; it need not be linear, and what is not is the model bias.
    sigma : deviation of the noise.
    lams : penalties >= 0.
    points, points_mean : inputs to predict at, equally likely, and E[y | x] there; None takes those of the design.

    """
    X, f = np.asarray(design, np.float64), np.asarray(mean, np.float64)
    if (points is None) != (points_mean is None):
        raise ValueError("points and points_mean must be given together")
    at = X if points is None else np.asarray(points, np.float64)
    truth = f if points_mean is None else np.asarray(points_mean, np.float64)
    if f.shape != (len(X),) or truth.shape != (len(at),):
        raise ValueError(f"mean and points_mean must have one value per row, got {f.shape} and {truth.shape}")
    sigma = check_not_negative(sigma, "sigma")
    values = np.array([check_not_negative(lam, "lams") for lam in np.atleast_1d(np.asarray(lams, np.float64))])
    parts = decompose(X)
    along = at @ parts.vt.T
    best = at @ ridge_weights(decompose(at), truth, 0.0)
    variance, bias, estimation = np.empty((3, len(values)))
    for i, lam in enumerate(values):
        average = at @ ridge_weights(parts, f, lam)
        variance[i] = sigma**2 * ((along * (parts.s / (parts.s**2 + lam))) ** 2).sum(axis=1).mean()
        bias[i] = ((average - truth) ** 2).mean()
        estimation[i] = ((average - best) ** 2).mean()
    model = np.full(len(values), ((best - truth) ** 2).mean())
    return RidgeBiasVariance(values, variance, bias, np.full(len(values), sigma**2), model, estimation)


def bootstrap_bias_variance(
    estimator: Estimator,
    X: Rows,
    y: ArrayLike,
    *,
    resamples: int = 100,
    groups: ArrayLike | None = None,
    random_state: int = 0,
) -> BiasVariance:
    """For a classifier of two classes on real data: the decomposition of its Brier score, from resampled data sets.

    Each resample draws as many groups (examples, if None) as there are; its model judges those that were not drawn. One
    label an example cannot tell bias from noise, so E[y | x] is replaced by E[y | average prediction], estimated by
    isotonic regression on other examples. `noise` is then what no recalibration of the average prediction could take
    away, part of which a better kind of model might, and `bias_squared` what recalibration could; being estimated
    without a bias of its own, it can come out a little below zero.
    """
    X, labels = X.tocsr() if hasattr(X, "tocsr") else X, np.asarray(y)
    classes, truth = np.unique(labels, return_inverse=True)
    if len(classes) != 2:  # noqa: PLR2004 -- the Brier score of one probability
        raise ValueError(f"y must hold two classes, got {len(classes)}")
    if labels.shape != (count(X),):
        raise ValueError(f"y must have one label per example ({count(X)}), got shape {labels.shape}")
    if len(labels) < 2 * JACKKNIFE:
        raise ValueError(f"X must hold at least {2 * JACKKNIFE} examples to be taken apart, got {len(labels)}")
    _, group_of = np.unique(np.arange(len(labels)) if groups is None else np.asarray(groups), return_inverse=True)
    n, total, squares = _out_of_bag(estimator, X, truth.astype(np.int64), group_of, resamples, random_state)
    if n.min() < 2:  # noqa: PLR2004 -- a variance takes two
        raise ValueError(f"resamples={resamples} leave an example judged fewer than two times: use more")
    average = total / n
    spread = np.maximum(squares / n - average**2, 0.0) * n / (n - 1)
    risk = squares / n - 2 * average * truth + truth

    part = SFold(CALIBRATION_FOLDS, random_state=random_state).parts(len(truth), truth, group_of)

    def terms(rows: NDArray[np.intp]) -> Floats:
        a, y = average[rows], truth[rows]
        one, other = _recalibrated(a, y, part[rows])
        bias = (a - one) * (a - other) - spread[rows] / n[rows]
        noise = (y + (1 - 2 * y) * (one + other) / 2) / 2
        columns = [spread[rows], bias, noise, risk[rows]]
        return np.array([column.mean() for column in [*columns, columns[3] - columns[0] - bias - noise]])

    return BiasVariance(*map(Term, terms(np.arange(len(truth))).tolist(), _jackknife(terms, group_of)))


def _out_of_bag(
    estimator: Estimator, X: Rows, truth: NDArray[np.int64], group_of: NDArray[np.intp], resamples: int, seed: int
) -> tuple[Floats, Floats, Floats]:
    """For each example how often it was judged, and the sums of the probabilities and of their squares."""
    rng = np.random.default_rng(seed)
    n_groups = int(group_of.max()) + 1
    members = sparse.csr_array((np.ones(len(group_of)), (group_of, np.arange(len(group_of)))))
    sums = np.zeros((3, len(group_of)))
    for _ in range(resamples):
        drawn = members[rng.integers(0, n_groups, n_groups)].indices
        left = np.setdiff1d(np.arange(len(group_of)), drawn)
        fitted = clone(estimator).fit(take(X, drawn), truth[drawn])
        if len(left):
            probability = _predict(fitted, take(X, left))
            sums[:, left] += [np.ones(len(left)), probability, probability**2]
    return sums[0], sums[1], sums[2]


# With eta1 and eta2 estimated from different examples, E (p - eta1)(p - eta2) = (p - eta)^2; and y being another's
# still, E [y (1 - eta1) + (1 - y) eta1] / 2 = eta (1 - eta). The spread of the estimates is in neither.
def _recalibrated(average: Floats, truth: NDArray[np.intp], part: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Two estimates of E[y | average prediction] for each example, from two halves of the other parts."""
    calibrated = np.empty((2, len(average)))
    # Of equal predictions the ones first, so that a curve that must not fall makes them one step.
    order = np.lexsort((-truth, average))
    for fold in range(CALIBRATION_FOLDS):
        held_out = part == fold
        for half in (0, 1):
            given = order[(part[order] % 2 == half) & (part[order] != fold)]
            rising = isotonic_regression(truth[given].astype(np.float64)).x
            calibrated[half, held_out] = np.interp(average[held_out], average[given], rising)
    return calibrated[0], calibrated[1]


# Efron and Tibshirani 1993, chapter 11, with groups left out by the block
def _jackknife(terms: Callable[[NDArray[np.intp]], Floats], group_of: NDArray[np.intp]) -> list[float]:
    """Standard errors of means over rows, whatever is estimated on the way. For steps, as here, rather too large."""
    block = SFold(JACKKNIFE).parts(len(group_of), None, group_of)
    without = np.array([terms(np.flatnonzero(block != left)) for left in range(JACKKNIFE)])
    spread = ((without - without.mean(axis=0)) ** 2).sum(axis=0)
    errors: list[float] = np.sqrt(spread * (JACKKNIFE - 1) / JACKKNIFE).tolist()
    return errors
