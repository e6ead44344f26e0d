"""C5: on Gaussian data discriminant analysis needs fewer examples; on Poisson data logistic regression wins."""

import numpy as np
import pytest
from scipy.special import gammaln
from scipy.stats import multivariate_normal

from thresher.choose.generative import (
    GAUSSIAN,
    POISSON,
    Errors,
    GaussianClasses,
    PoissonClasses,
    generative_or_discriminative,
)
from thresher.learn import GaussianDiscriminant, LogisticRegression

FEW = [30, 40, 50, 60]
MANY = 1500


@pytest.fixture(scope="module")
def few_gaussian() -> Errors:
    return generative_or_discriminative(GAUSSIAN, sizes=FEW, repeats=80, n_test=2000, random_state=5)


def many(population: GaussianClasses | PoissonClasses) -> Errors:
    return generative_or_discriminative(population, sizes=[MANY], repeats=10, n_test=20_000, random_state=5)


def lead(errors: Errors, size: int) -> tuple[float, float]:
    """By how much logistic regression errs more often than discriminant analysis, and its standard error: in pairs."""
    more = errors.logistic[size] - errors.discriminant[size]
    return float(more.mean()), float(more.std(ddof=1) / np.sqrt(len(more)))


@pytest.mark.parametrize("size", range(len(FEW)))
def test_on_gaussian_data_discriminant_analysis_errs_less_after_as_few_examples(
    few_gaussian: Errors, size: int
) -> None:
    more, deviation = lead(few_gaussian, size)
    assert more > 3 * deviation


def test_on_gaussian_data_logistic_regression_needs_a_quarter_more_examples(few_gaussian: Errors) -> None:
    """With 50 it does not reach what discriminant analysis does with 40."""
    assert few_gaussian.logistic[FEW.index(50)].mean() > few_gaussian.discriminant[FEW.index(40)].mean()


def test_on_gaussian_data_both_end_at_the_best_there_is() -> None:
    errors = many(GAUSSIAN)
    assert errors.discriminant.mean() - errors.best < 0.002
    assert errors.logistic.mean() - errors.best < 0.002


def test_on_poisson_data_logistic_regression_wins_and_ends_at_the_best_there_is() -> None:
    """One error in a hundred more is what discriminant analysis pays for an assumption that no example can mend."""
    errors = many(POISSON)
    more, deviation = lead(errors, 0)
    assert more < -10 * deviation
    assert errors.logistic.mean() - errors.best < 0.002
    assert errors.discriminant.mean() - errors.best > 0.008


def test_on_poisson_data_the_posterior_is_logistic_and_logistic_regression_finds_it() -> None:
    """With theta_j = log(lambda_1j / lambda_0j), as the densities say and as it is estimated."""
    x = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 5.0]])
    of_class = [(x * np.log(rates) - rates - gammaln(x + 1)).sum(axis=1) for rates in POISSON.rates]
    assert POISSON.log_odds(x) == pytest.approx(of_class[1] - of_class[0])
    y = np.arange(200_000) % 2
    found = LogisticRegression(lam=0.0).fit(POISSON.draw(y, np.random.default_rng(5)), y)
    assert found.coef_[0] == pytest.approx(np.log(POISSON.rates[1] / POISSON.rates[0]), abs=0.05)


def test_on_gaussian_data_the_posterior_is_logistic_and_discriminant_analysis_finds_it() -> None:
    x = np.array([[0.0, 1.0], [3.0, -1.0]])
    population = GaussianClasses(np.array([[0.0, 1.0], [1.0, 3.0]]), deviation=1.5)
    of_class = [multivariate_normal(mean, 1.5**2 * np.eye(2)).logpdf(x) for mean in population.means]
    assert population.log_odds(x) == pytest.approx(of_class[1] - of_class[0])
    y = np.arange(200_000) % 2
    found = GaussianDiscriminant().fit(population.draw(y, np.random.default_rng(5)), y)
    assert found.coef_[0] == pytest.approx([1 / 1.5**2, 2 / 1.5**2], abs=0.03)


def test_the_same_seed_gives_the_same_curves_and_another_seed_others() -> None:
    few = PoissonClasses(np.array([[1.0], [3.0]]))
    one, same, other = (
        generative_or_discriminative(few, sizes=[20], repeats=3, n_test=200, random_state=seed) for seed in (1, 1, 2)
    )
    assert np.array_equal(one.logistic, same.logistic)
    assert np.array_equal(one.discriminant, same.discriminant)
    assert not np.array_equal(one.logistic, other.logistic)
