"""Known distributions p(x, y): what a data set is drawn from when we want to know how far from the truth it leads."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from thresher.choose.metrics import Floats

DrawX = Callable[[int, np.random.Generator], Floats]


class Population(Protocol):
    """A distribution of x, and of y given x, of which mean and variance are known."""

    def draw_x(self, n: int, rng: np.random.Generator) -> Floats:
        """N inputs, (n, d)."""
        ...

    def draw_y(self, X: Floats, rng: np.random.Generator) -> Floats:
        """One y for each x, (n,)."""
        ...

    def mean(self, X: Floats) -> Floats:
        """E[y | x], (n,): the best there is to predict."""
        ...

    def variance(self, X: Floats) -> Floats:
        """Var[y | x], (n,): the noise nothing can predict."""
        ...


def uniform(low: float = 0.0, high: float = 1.0) -> DrawX:
    """One feature, equally likely anywhere between two numbers."""
    return lambda n, rng: rng.uniform(low, high, (n, 1))


def standard_normal(n_features: int) -> DrawX:
    """Independent features of mean 0 and variance 1."""
    return lambda n, rng: rng.normal(size=(n, n_features))


class NoisyFunction(NamedTuple):
    """y = f(x) + noise of deviation sigma, Gaussian and the same everywhere."""

    function: Callable[[Floats], Floats]
    """Of (n, d), giving (n,)."""
    sigma: float
    x: DrawX = uniform()

    def draw_x(self, n: int, rng: np.random.Generator) -> Floats:
        return self.x(n, rng)

    def draw_y(self, X: Floats, rng: np.random.Generator) -> Floats:
        return self.function(X) + self.sigma * rng.normal(size=len(X))

    def mean(self, X: Floats) -> Floats:
        return self.function(X)

    def variance(self, X: Floats) -> Floats:
        return np.full(len(X), self.sigma**2)


class Coin(NamedTuple):
    """y is 1 with a probability that depends on x, else 0: a classification whose posterior is known."""

    probability: Callable[[Floats], Floats]
    """Of (n, d), giving (n,)."""
    x: DrawX = uniform()

    def draw_x(self, n: int, rng: np.random.Generator) -> Floats:
        return self.x(n, rng)

    def draw_y(self, X: Floats, rng: np.random.Generator) -> Floats:
        return (rng.random(len(X)) < self.probability(X)).astype(np.float64)

    def mean(self, X: Floats) -> Floats:
        return self.probability(X)

    def variance(self, X: Floats) -> Floats:
        p = self.probability(X)
        return p * (1 - p)


def sine(sigma: float = 0.3) -> NoisyFunction:
    """The sine example of document 004: x between 0 and 1, y = sin 2 pi x and noise.

    Its ten points lie 0.24 (root mean square) off the curve; 0.3 is what Bishop's book, where they come from, has.
    """
    return NoisyFunction(lambda X: np.asarray(np.sin(2 * np.pi * X[:, 0])), sigma)
