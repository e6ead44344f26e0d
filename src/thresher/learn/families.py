"""The families of generalized linear models in their canonical form: p(y; eta) = b(y) exp(eta' y - A(eta)).

The law of this file: a family is its log-partition A and what follows from it. The canonical response is A's gradient,
the variance its second derivative, and whether the best parameters are infinite can be read off A far from the origin.

N examples, K natural parameters each: 1, or one per class for the multinomial. All arrays are (N, K) unless said.
"""

from abc import ABC, abstractmethod

import numpy as np
from scipy.special import expit, logsumexp, softmax

from thresher.learn.event_models import Floats

# What is as good as zero where an exact zero has no logarithm: a mean of no event in so many examples.
RARE = 1e-3


class Family(ABC):
    """What the algorithms need to know of a distribution."""

    @abstractmethod
    def log_partition(self, eta: Floats) -> Floats:
        """A(eta), (N,)."""

    @abstractmethod
    def response(self, eta: Floats) -> Floats:
        """The mean of y: the canonical response g(eta) = A'(eta)."""

    def both(self, eta: Floats) -> tuple[Floats, Floats]:
        """A and the mean, which mostly share their exponentials."""
        return self.log_partition(eta), self.response(eta)

    @abstractmethod
    def natural(self, mean: Floats) -> Floats:
        """The canonical link, (K,) to (K,); finite for a mean that no finite eta has."""

    @abstractmethod
    def variance(self, mean: Floats, a: int, b: int) -> Floats:
        """|A''| in eta_a and eta_b, (N,); for a != b it is the negative of A''."""

    @abstractmethod
    def slope(self, direction: Floats, slack: float) -> Floats:
        """The limit of A(t direction) / t for t to infinity, (N,); components up to `slack` are taken for rounding."""

    @abstractmethod
    def curvature_bound(self, mean: Floats, y: Floats) -> float:
        """At least A'' on the way from one example's mean to its y, which bounds a stochastic step."""


class Gaussian(Family):
    """y is a real number, of variance 1: A = eta^2 / 2."""

    def log_partition(self, eta: Floats) -> Floats:
        return np.asarray(0.5 * (eta**2).sum(axis=1))

    def response(self, eta: Floats) -> Floats:
        return eta

    def natural(self, mean: Floats) -> Floats:
        return mean

    def variance(self, mean: Floats, a: int, b: int) -> Floats:
        del a, b
        return np.ones(len(mean))

    def slope(self, direction: Floats, slack: float) -> Floats:
        return np.where(np.abs(direction[:, 0]) > slack, np.inf, 0.0)

    def curvature_bound(self, mean: Floats, y: Floats) -> float:
        del mean, y
        return 1.0


class Bernoulli(Family):
    """y is 0 or 1: A = log(1 + e^eta), the response is the sigmoid."""

    def log_partition(self, eta: Floats) -> Floats:
        return np.logaddexp(0.0, eta[:, 0])

    def response(self, eta: Floats) -> Floats:
        return np.asarray(expit(eta))

    def both(self, eta: Floats) -> tuple[Floats, Floats]:
        # A third of the time of the two above, and the same but for the last digit or two.
        small = np.exp(-np.abs(eta))
        mean = np.where(eta > 0, 1.0, small)
        mean /= 1.0 + small
        return np.asarray((np.log1p(small) + np.maximum(eta, 0.0))[:, 0]), mean

    def natural(self, mean: Floats) -> Floats:
        inside = np.clip(mean, RARE, 1.0 - RARE)
        return np.log(inside) - np.log1p(-inside)

    def variance(self, mean: Floats, a: int, b: int) -> Floats:
        del a, b
        return np.asarray(mean[:, 0] * (1.0 - mean[:, 0]))

    def slope(self, direction: Floats, slack: float) -> Floats:
        del slack
        return np.maximum(direction[:, 0], 0.0)

    def curvature_bound(self, mean: Floats, y: Floats) -> float:
        del mean, y
        return 0.25


class Poisson(Family):
    """y is a count: A = e^eta."""

    def log_partition(self, eta: Floats) -> Floats:
        with np.errstate(over="ignore"):  # a step too far costs infinitely much, and is taken back
            return np.exp(eta[:, 0])

    def response(self, eta: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return np.exp(eta)

    def both(self, eta: Floats) -> tuple[Floats, Floats]:
        mean = self.response(eta)
        return mean[:, 0], mean

    def natural(self, mean: Floats) -> Floats:
        return np.log(np.maximum(mean, RARE))

    def variance(self, mean: Floats, a: int, b: int) -> Floats:
        del a, b
        return np.asarray(mean[:, 0])

    def slope(self, direction: Floats, slack: float) -> Floats:
        return np.where(direction[:, 0] > slack, np.inf, 0.0)

    def curvature_bound(self, mean: Floats, y: Floats) -> float:
        return max(float(mean[0, 0]), float(y[0]), RARE)


class Multinomial(Family):
    """y is one of K classes, as a row of one 1 and zeros: A = log sum_k e^eta_k, the response is the softmax."""

    def log_partition(self, eta: Floats) -> Floats:
        return np.asarray(logsumexp(eta, axis=1))

    def response(self, eta: Floats) -> Floats:
        return np.asarray(softmax(eta, axis=1))

    def both(self, eta: Floats) -> tuple[Floats, Floats]:
        largest = eta.max(axis=1, keepdims=True)
        mean = np.exp(eta - largest)
        total = mean.sum(axis=1, keepdims=True)
        mean /= total
        return (np.log(total) + largest)[:, 0], mean

    def natural(self, mean: Floats) -> Floats:
        logs = np.log(np.maximum(mean, RARE))
        return np.asarray(logs - logs.mean())

    def variance(self, mean: Floats, a: int, b: int) -> Floats:
        return np.asarray(mean[:, a] * (1.0 - mean[:, a] if a == b else mean[:, b]))

    def slope(self, direction: Floats, slack: float) -> Floats:
        del slack
        return np.asarray(direction.max(axis=1))

    def curvature_bound(self, mean: Floats, y: Floats) -> float:
        del mean, y
        return 0.5


FAMILIES: dict[str, Family] = {
    "gaussian": Gaussian(),
    "bernoulli": Bernoulli(),
    "poisson": Poisson(),
    "multinomial": Multinomial(),
}
