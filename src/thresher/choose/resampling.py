"""How sure a figure is, and whether one run of scores beats another: the bootstrap, on weights.

The law of this file: a resample is a weight for each message, how often it was drawn, so that every figure is a formula
of weights and a thousand resamples are a few products of matrices. Scores are sorted once. Two runs are compared on the
same draws, since they judged the same messages. With groups (near duplicates) whole groups are drawn: fifty copies of
one message are one piece of evidence. NumPy alone, as in metrics.py, whose figures these are at weight one.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from thresher.choose.calibration import CALIBRATION_BINS, calibration_bins
from thresher.choose.metrics import (
    HAM_LOST,
    SHARE_ROUNDING,
    SURE,
    Floats,
    Labels,
    checked_probability,
    checked_scores,
)

Weights = Floats
"""(R, N): how often resample r holds message n."""
Figure = Callable[[Weights], Floats]
"""A figure for each resample; NaN where it is not defined."""

RESAMPLES: Final = 1000
CONFIDENCE: Final = 0.95
METHODS: Final = ("bca", "percentile", "wide")
BLOCK: Final = 1 << 18
"""Weights held at once: two megabytes, which the second-level cache of most machines has room for."""
JACKKNIFE: Final = 200
"""Parts left out in turn for the acceleration of BCa. It is a skewness, and needs no more."""


class Interval(NamedTuple):
    """A figure, and between what it lies with the given confidence; NaN where it is not defined."""

    value: float
    low: float
    high: float


class Comparison(NamedTuple):
    """A figure of two runs over the same messages."""

    ours: float
    theirs: float
    difference: Interval
    """Theirs less ours. An interval without 0 says which is better."""
    p_value: float
    """Two-sided: twice the smaller share of resamples on either side of 0, and never less than that of one half."""


class Run(NamedTuple):
    """Scores of the same messages as the labels it is used with."""

    log_odds: ArrayLike
    probability: ArrayLike
    threshold: float = 0.5


def figures(labels: ArrayLike, run: Run, share: float = HAM_LOST) -> dict[str, Figure]:
    """Every figure of metrics.Report that is no count, as a function of weights."""
    spam, probability = checked_probability(labels, run.probability)
    _, log_odds = checked_scores(labels, run.log_odds, "log_odds")
    wrong = (probability > run.threshold) != spam
    given = np.clip(np.where(spam, probability, 1.0 - probability), SURE, 1.0 - SURE)
    ranking = Ranking(spam, log_odds)
    return {
        "error_rate": mean_of(wrong),
        "ham_lost": mean_of(wrong, among=~spam),
        "spam_missed": mean_of(wrong, among=spam),
        "one_minus_auc_percent": ranking.one_minus_auc_percent,
        "lam_percent": _lam_percent(spam, wrong),
        "spam_missed_at_ham_lost": lambda weights: ranking.spam_missed_at_ham_lost(weights, share),
        "brier": mean_of((probability - spam) ** 2),
        "expected_calibration_error": _calibration_error(spam, probability),
        "log_loss": mean_of(-np.log(given)),
    }


def mean_of(values: ArrayLike, among: Labels | None = None) -> Figure:
    """Weighted mean of one value a message, or of those of some of the messages."""
    column = np.asarray(values, dtype=np.float64)
    counted = np.ones(len(column)) if among is None else among.astype(np.float64)
    pair = np.stack([column * counted, counted], axis=1)

    def figure(weights: Weights) -> Floats:
        total, n = (weights @ pair).T
        return _ratio(total, n)

    return figure


class Ranking:
    """Figures that depend on the order of the scores, which is the same in all resamples."""

    def __init__(self, spam: Labels, scores: Floats) -> None:
        self._order = np.argsort(scores, kind="stable")
        self._spam = spam[self._order]
        ordered = scores[self._order]
        # Messages of one score are one step: whatever is summed over them, their order must not show.
        starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
        self._starts = starts

    # Mann and Whitney 1947: 1 - AUC = sum over spam of (ham above + half the ham beside) / (ham x spam)
    def one_minus_auc_percent(self, weights: Weights) -> Floats:
        """The area above the ROC curve in percent, for each resample."""
        ham, spam = self._steps(weights)
        n_ham, n_spam = ham.sum(axis=1), spam.sum(axis=1)
        not_above = np.cumsum(ham, axis=1) - ham / 2
        return 100 * _ratio(n_ham * n_spam - np.einsum("rn,rn->r", not_above, spam), n_ham * n_spam)

    def spam_missed_at_ham_lost(self, weights: Weights, share: float = HAM_LOST) -> Floats:
        """Share of the spam that does not score above the highest ham that must be kept."""
        ham, spam = self._steps(weights)
        n_ham, n_spam = ham.sum(axis=1), spam.sum(axis=1)
        allowed = np.floor(share * n_ham + SHARE_ROUNDING)
        # From the top: the first step at which more ham has come than may be lost stays, and all below it.
        kept = np.cumsum(ham[:, ::-1], axis=1)[:, ::-1] > allowed[:, np.newaxis]
        missed = np.where(kept, spam, 0.0).sum(axis=1)
        return np.where(n_ham > 0, _ratio(missed, n_spam), np.nan)

    def _steps(self, weights: Weights) -> tuple[Floats, Floats]:
        """Weight of the ham and of the spam at each distinct score, ascending."""
        ordered = weights[:, self._order]
        ham = np.add.reduceat(np.where(self._spam, 0.0, ordered), self._starts, axis=1)
        spam = np.add.reduceat(np.where(self._spam, ordered, 0.0), self._starts, axis=1)
        return ham, spam


def _calibration_error(spam: Labels, probability: Floats) -> Figure:
    """As calibration.expected_calibration_error: |said - was| summed over bins; what is drawn anew errs upwards."""
    at = calibration_bins(probability)
    off = np.zeros((len(at), CALIBRATION_BINS))
    off[np.arange(len(at)), at] = probability - spam

    def figure(weights: Weights) -> Floats:
        return _ratio(np.abs(weights @ off).sum(axis=1), weights.sum(axis=1))

    return figure


def _lam_percent(spam: Labels, wrong: Labels) -> Figure:
    columns = np.stack([~spam, spam, wrong & ~spam, wrong & spam], axis=1).astype(np.float64)

    def figure(weights: Weights) -> Floats:
        n_ham, n_spam, lost, missed = (weights @ columns).T
        with np.errstate(divide="ignore", invalid="ignore"):
            logits = [np.log(x / (n - x)) for x, n in ((_half(lost, n_ham), n_ham), (_half(missed, n_spam), n_spam))]
            lam = 100.0 / (1.0 + np.exp(-(logits[0] + logits[1]) / 2))
        return np.where((n_ham > 0) & (n_spam > 0), lam, np.nan)

    return figure


def _half(wrong: Floats, n: Floats) -> Floats:
    """No error counts as half a message, and all wrong as all but half a one; see metrics.lam_percent."""
    return np.minimum(np.maximum(wrong, 0.5), n - 0.5)


def intervals(
    labels: ArrayLike,
    run: Run,
    *,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    method: str = "bca",
    groups: ArrayLike | None = None,
    random_state: int = 0,
) -> dict[str, Interval]:
    """Each figure of a run with its interval."""
    of = figures(labels, run)
    draws = _Draws(np.size(labels), resamples, groups, random_state)
    # A sum of |said - was| is larger in a resample than in what is resampled, so its interval errs to the wide side.
    upwards = {name: of.pop(name) for name in ("expected_calibration_error",)}
    found = _resampled(of, draws, confidence, method) | _resampled(upwards, draws, confidence, "wide")
    return {name: interval for name, (interval, _) in found.items()}


def compare(
    labels: ArrayLike,
    ours: Run,
    theirs: Run,
    *,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    method: str = "bca",
    groups: ArrayLike | None = None,
    random_state: int = 0,
) -> dict[str, Comparison]:
    """Each figure of two runs over the same messages, and the interval of its difference on the same resamples."""
    one, other = figures(labels, ours), figures(labels, theirs)
    draws = _Draws(np.size(labels), resamples, groups, random_state)
    found = _resampled({name: _less(one[name], other[name]) for name in one}, draws, confidence, method)
    once = np.ones((1, np.size(labels)))
    return {
        name: Comparison(float(one[name](once)[0]), float(other[name](once)[0]), interval, _p_value(resampled))
        for name, (interval, resampled) in found.items()
    }


def bootstrap(
    of: Mapping[str, Figure],
    n_items: int,
    *,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    method: str = "bca",
    groups: ArrayLike | None = None,
    random_state: int = 0,
) -> dict[str, Interval]:
    """Intervals of any figures that are functions of weights, by name.

    Parameters
    ----------
    of : the figures. Each must take weights of any number of rows.
    n_items : the number of items that have a weight.
    resamples : how often to draw as many items (or groups) as there are.
    confidence : how often, of a hundred such intervals, the truth should lie within.
    method : 'bca' corrects the percentile interval for bias and skewness; 'percentile' does not.
    groups : one label per item; items of one group are drawn together.
    random_state : what the draws follow from.

    """
    draws = _Draws(n_items, resamples, groups, random_state)
    return {name: interval for name, (interval, _) in _resampled(of, draws, confidence, method).items()}


def _resampled(
    of: Mapping[str, Figure], draws: "_Draws", confidence: float, method: str
) -> dict[str, tuple[Interval, Floats]]:
    """Of each figure the interval, and its values in the resamples in which it is defined."""
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, got {confidence}")
    values = _values(of, [np.ones((1, draws.n_items))])
    found = _values(of, draws)
    left_out = _values(of, draws.left_out() if method == "bca" else [])
    intervals = {}
    for name in of:
        value = float(values[name][0])
        interval = _interval(value, found[name], left_out[name], confidence)
        intervals[name] = (_widened(interval) if method == "wide" else interval, found[name])
    return intervals


# Davison and Hinkley 1997, (5.6): 2 v - q, the basic interval, undoes the growth; its upper end would undo too much
def _widened(found: Interval) -> Interval:
    """From the basic interval's lower end to the percentile interval's upper one; for figures that are not negative."""
    return Interval(found.value, max(0.0, min(2 * found.value - found.high, found.value)), max(found.high, found.value))


def _values(of: Mapping[str, Figure], draws: Iterable[Weights]) -> dict[str, Floats]:
    """Each figure's values over all rows, but for those where it is not defined; NaN if it never is."""
    rows = [[figure(weights) for figure in of.values()] for weights in draws]
    found = {}
    for name, column in zip(of, zip(*rows, strict=True), strict=True) if rows else []:
        values = np.concatenate(column)
        defined = values[~np.isnan(values)]
        found[name] = defined if len(defined) else values[:1]
    return found or dict.fromkeys(of, np.zeros(0))


def _less(ours: Figure, theirs: Figure) -> Figure:
    return lambda weights: theirs(weights) - ours(weights)


class _Draws:
    """The same resamples for every figure, made a block at a time: a thousand of 100,000 messages are 800 MB."""

    def __init__(self, n_items: int, resamples: int, groups: ArrayLike | None, random_state: int) -> None:
        if n_items < 2:  # noqa: PLR2004 -- one item is always drawn
            raise ValueError(f"a bootstrap needs at least two items, got {n_items}")
        if resamples < 1:
            raise ValueError(f"resamples must be at least 1, got {resamples}")
        self.n_items, self.resamples, self.random_state = n_items, resamples, random_state
        self.group_of = np.arange(n_items) if groups is None else _codes(groups, n_items)
        self.n_groups = int(self.group_of.max()) + 1
        self.grouped = groups is not None

    def __iter__(self) -> Iterator[Weights]:
        rng = np.random.default_rng(self.random_state)
        step = max(BLOCK // len(self.group_of), 1)
        for start in range(0, self.resamples, step):
            rows = min(step, self.resamples - start)
            drawn = rng.integers(0, self.n_groups, (rows, self.n_groups))
            drawn += np.arange(rows)[:, np.newaxis] * self.n_groups
            yield self._spread(np.bincount(drawn.ravel(), minlength=rows * self.n_groups).reshape(rows, -1))

    def left_out(self) -> Iterator[Weights]:
        """All items but one of at most JACKKNIFE parts, in turn."""
        part_of = np.random.default_rng(self.random_state).permutation(self.n_groups) % min(self.n_groups, JACKKNIFE)
        for part in range(int(part_of.max()) + 1):
            yield self._spread((part_of != part)[np.newaxis])

    def _spread(self, per_group: NDArray[np.int64] | Labels) -> Weights:
        weights = per_group.astype(np.float64)
        return weights[:, self.group_of] if self.grouped else weights


# Efron and Tibshirani 1993, An Introduction to the Bootstrap, (14.9) to (14.15)
def _interval(value: float, found: Floats, left_out: Floats, confidence: float) -> Interval:
    """The percentile interval, or BCa's if there are figures with parts left out."""
    if math.isnan(value) or np.isnan(found).any():
        return Interval(value, math.nan, math.nan)
    levels = (0.5 - confidence / 2, 0.5 + confidence / 2)
    if len(left_out):
        levels = _corrected(levels, value, found, left_out)
    low, high = np.quantile(found, levels).tolist()
    return Interval(value, low, high)


def _corrected(levels: tuple[float, float], value: float, found: Floats, left_out: Floats) -> tuple[float, float]:
    """Where in the resamples the ends of a BCa interval lie."""
    normal = NormalDist()
    below = (np.count_nonzero(found < value) + np.count_nonzero(found == value) / 2) / len(found)
    least = 0.5 / len(found)
    bias = normal.inv_cdf(min(max(below, least), 1 - least))
    away = left_out.mean() - left_out
    spread = float((away**2).sum())
    acceleration = float((away**3).sum()) / (6 * spread**1.5) if spread else 0.0
    corrected = []
    for level in levels:
        shifted = bias + normal.inv_cdf(level)
        # Past this pole the correction turns about; only figures of a handful of items come near.
        shrink = max(1 - acceleration * shifted, SHARE_ROUNDING)
        corrected.append(normal.cdf(bias + shifted / shrink))
    return corrected[0], corrected[1]


def _p_value(differences: Floats) -> float:
    if np.isnan(differences).any():
        return math.nan
    beyond = min(int(np.count_nonzero(differences <= 0)), int(np.count_nonzero(differences >= 0)))
    return min(1.0, 2 * max(beyond, 0.5) / len(differences))


def _codes(groups: ArrayLike, n_items: int) -> NDArray[np.intp]:
    labels = np.asarray(groups)
    if labels.shape != (n_items,):
        raise ValueError(f"groups must have one label per item ({n_items}), got shape {labels.shape}")
    return np.unique(labels, return_inverse=True)[1]


def _ratio(part: Floats, whole: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(whole > 0, part / whole, np.nan))
