"""Generative against discriminative: how many examples discriminant analysis and logistic regression need (002, 4.1.3).

The law of this file: both learn the same examples of a known distribution and are tested on the same others, as many of
either class, so that whatever lies between their curves is their own. Of both distributions the posterior is a logistic
function of x, which logistic regression can therefore learn; only one of them is what discriminant analysis assumes.
"""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from thresher.choose.metrics import Floats
from thresher.learn.discriminant import GaussianDiscriminant
from thresher.learn.glm import LogisticRegression

Classes = NDArray[np.intp]

# Small samples are often separable. So weak a penalty moves the coefficients of a large one by less than their error.
WEAK = 1e-3


class TwoClasses(Protocol):
    """A distribution of x in each of two equally frequent classes."""

    def draw(self, y: Classes, rng: np.random.Generator) -> Floats:
        """One x for each class named, (n, d)."""
        ...

    def log_odds(self, X: Floats) -> Floats:
        """What log p(y = 1|x) is above log p(y = 0|x), (n,)."""
        ...


class GaussianClasses(NamedTuple):
    """Normal features of independent noise, what discriminant analysis assumes."""

    means: Floats
    """(2, d)"""
    deviation: float = 1.0

    def draw(self, y: Classes, rng: np.random.Generator) -> Floats:
        return self.means[y] + self.deviation * rng.normal(size=(len(y), self.means.shape[1]))

    # C2: theta = Sigma^-1 (mu_1 - mu_0), and p = 1/2 half way between the means
    def log_odds(self, X: Floats) -> Floats:
        return np.asarray((X - self.means.mean(axis=0)) @ (self.means[1] - self.means[0]) / self.deviation**2)


class PoissonClasses(NamedTuple):
    """Independent counts: the more there are, the more they vary, which no shared covariance can say."""

    rates: Floats
    """(2, d)"""

    def draw(self, y: Classes, rng: np.random.Generator) -> Floats:
        return rng.poisson(self.rates[y]).astype(np.float64)

    # 002 (4.1.3): sum_j x_j log(lambda_1j / lambda_0j) - (lambda_1j - lambda_0j)
    def log_odds(self, X: Floats) -> Floats:
        return np.asarray(X @ np.log(self.rates[1] / self.rates[0]) - (self.rates[1] - self.rates[0]).sum())


# Six features, each of which tells a little.
GAUSSIAN = GaussianClasses(np.outer([-0.5, 0.5], np.linspace(0.3, 1.3, 6)))
# Three counts; the rarer one is in the first class, the more often it comes in the second.
POISSON = PoissonClasses(np.array([[0.1, 0.3, 1.0], [1.0, 1.5, 3.0]]))


class Errors(NamedTuple):
    """Shares of wrong verdicts on new examples, against the number of examples learned."""

    sizes: NDArray[np.intp]
    discriminant: Floats
    """(sizes, repeats): Gaussian discriminant analysis."""
    logistic: Floats
    """(sizes, repeats): logistic regression, of the same examples."""
    best: float
    """Of who knows the distribution: nobody errs less but by luck."""


def generative_or_discriminative(
    population: TwoClasses, *, sizes: ArrayLike, repeats: int = 30, n_test: int = 20_000, random_state: int = 0
) -> Errors:
    """Let both learn `repeats` samples of each size and count their errors on `n_test` further examples."""
    rng = np.random.default_rng(random_state)
    y_test = _half_each(n_test)
    X_test = population.draw(y_test, rng)
    counts = np.asarray(sizes, dtype=np.intp)
    errors = np.empty((2, len(counts), repeats))
    for i, n in enumerate(counts):
        for r in range(repeats):
            y = _half_each(n)
            X = population.draw(y, rng)
            errors[0, i, r] = np.mean(GaussianDiscriminant().fit(X, y).predict(X_test) != y_test)
            errors[1, i, r] = np.mean(LogisticRegression(WEAK).fit(X, y).predict(X_test) != y_test)
    best = float(np.mean((population.log_odds(X_test) > 0) != y_test))
    return Errors(counts, errors[0], errors[1], best)


def _half_each(n: int) -> Classes:
    return np.arange(n, dtype=np.intp) % 2
