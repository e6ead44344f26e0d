"""Stochastic gradient for generalized linear models: one example, one small step.

The law of this file: the step is the same for every family, theta := theta + a (y - h(x)) x, as long as the response is
the canonical one. Features are centred and brought to deviation 1 on the way, so that one rate suits them all.
"""

import numpy as np

from thresher.learn.event_models import Floats
from thresher.learn.irls import Objective

# Steps shrink like passes^-0.75: between 1/2 and 1, where the average of the way converges as fast as any method can
# (Polyak and Juditsky 1992).
SHRINK = 0.75
AVERAGED = 0.5  # the last half of the way is averaged; the first still shows where it started


def stochastic_gradient(of: Objective, *, passes: int, rate: float, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Intercept (K,) and coefficients (K, d) after so many passes over the examples in random order.

    A `rate` of 1 is the first step that fits an example of average length as closely as the curvature there allows; no
    step fits any example more closely than that, so none can run away.
    """
    constant = int(of.fit_intercept)
    Z, centre, deviation = _standardized(of)
    lengths = (Z**2).sum(axis=1)
    weights = of.weights / of.weights.mean()
    shrinking = of.lam / of.weights.sum() / deviation**2
    shrinking[:constant] = 0.0
    mean_y = of.weights @ of.Y / of.weights.sum()
    theta = np.zeros((of.Y.shape[1], Z.shape[1]))
    if constant:
        theta[:, 0] = of.family.natural(mean_y)
    first = rate / (max(lengths.mean(), 1.0) * of.family.curvature_bound(mean_y[np.newaxis], mean_y) + shrinking.max())
    average, averaged = np.zeros_like(theta), 0
    for turn in range(passes):
        common = first / (1.0 + turn) ** SHRINK
        for i in rng.permutation(np.flatnonzero(weights)):
            z, y, weight = Z[i], of.Y[i], weights[i]
            mean = of.family.response((theta @ z)[np.newaxis])
            curvature = lengths[i] * weight * of.family.curvature_bound(mean, y) + shrinking.max()
            step = min(common, 1.0 / curvature) if curvature else common
            theta += step * (weight * (y - mean[0])[:, np.newaxis] * z - shrinking * theta)
            if turn >= AVERAGED * passes - 1:
                average += theta
                averaged += 1
    theta = average / averaged / deviation
    coef = theta[:, constant:]
    return theta[:, 0] - coef @ centre if constant else np.zeros(len(theta)), coef


def _standardized(of: Objective) -> tuple[Floats, Floats, Floats]:
    """The examples, their centre (d,) and their deviations, 1 for a constant; with a leading 1 for the intercept."""
    shares = of.weights / of.weights.sum()
    centre = shares @ of.X if of.fit_intercept else np.zeros(of.X.shape[1])
    off = of.X - centre
    deviation = np.sqrt(shares @ off**2)
    deviation = np.where(deviation > 0, deviation, 1.0)
    if not of.fit_intercept:
        return off / deviation, centre, deviation
    return np.column_stack([np.ones(len(off)), off / deviation]), centre, np.concatenate([[1.0], deviation])
