"""The decomposition by each of its three roads: corrected, exact, or out of bag, and refused where it cannot be."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from thresher.choose import bias_variance, bootstrap_bias_variance, ridge_bias_variance
from thresher.choose.decomposition import predictions_over_data_sets
from thresher.choose.populations import Coin, NoisyFunction, sine, standard_normal
from thresher.learn import GaussianDiscriminant, PolynomialBasis, Ridge

Floats = NDArray[np.float64]


def line(X: Floats) -> Floats:
    return np.asarray(X @ np.arange(1, X.shape[1] + 1))


def two_clouds(n: int, rng: np.random.Generator) -> Floats:
    return np.asarray(rng.normal(size=(n, 1)) + rng.choice([-1.0, 1.0], (n, 1)))


# Two Gaussian clouds of deviation 1 about -1 and 1: Gaussian discriminant analysis is right about them.
CLOUDS = Coin(lambda X: np.asarray(1 / (1 + np.exp(-2 * X[:, 0]))), two_clouds)


def drawn(n: int, seed: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    X = CLOUDS.draw_x(n, rng)
    return X, CLOUDS.draw_y(X, rng)


def test_few_data_sets_and_many_expect_the_same() -> None:
    """There is no bias here; uncorrected, that of two data sets a batch would be half the variance."""
    found = bias_variance(Ridge(0), NoisyFunction(line, 1.0, standard_normal(3)), 12, data_sets=400, batches=200)
    assert abs(found.bias_squared.value) < 4 * found.bias_squared.standard_error < found.variance.value / 4


def test_standard_errors_are_those_of_repetitions() -> None:
    model = make_pipeline(PolynomialBasis(1), Ridge(0.1))
    runs = [bias_variance(model, sine(), 10, data_sets=40, batches=10, random_state=seed) for seed in range(25)]
    for name in ("variance", "bias_squared", "risk", "gap"):
        values = np.array([getattr(run, name).value for run in runs])
        claimed = np.array([getattr(run, name).standard_error for run in runs]).mean()
        assert 0.6 < values.std(ddof=1) / claimed < 1.6, name


def test_a_constant_has_no_variance_and_least_squares_on_the_truth_no_bias() -> None:
    population = NoisyFunction(line, 0.5, standard_normal(3))
    constant = bias_variance(Ridge(float("inf")), population, 20)
    assert list(constant.variance) == [0, 0]
    assert abs(constant.bias_squared.value - 14) < 4 * constant.bias_squared.standard_error  # 1 + 4 + 9
    unbiased = bias_variance(Ridge(0), population, 20)
    assert abs(unbiased.bias_squared.value) < 4 * unbiased.bias_squared.standard_error
    assert unbiased.noise.value == pytest.approx(0.25)


def test_the_exact_decomposition_is_the_normal_equations_written_out() -> None:
    rng = np.random.default_rng(0)
    X, at = rng.normal(size=(12, 3)), rng.normal(size=(40, 3))
    f, truth = np.sin(X[:, 0]), np.sin(at[:, 0])
    exact = ridge_bias_variance(X, f, 0.7, [0.5], points=at, points_mean=truth)
    smoother = at @ np.linalg.inv(X.T @ X + 0.5 * np.eye(3)) @ X.T
    best = at @ np.linalg.lstsq(at, truth)[0]
    assert exact.variance[0] == pytest.approx(0.49 * (smoother**2).sum(axis=1).mean())
    assert exact.bias_squared[0] == pytest.approx(((smoother @ f - truth) ** 2).mean())
    assert exact.model_bias[0] == pytest.approx(((best - truth) ** 2).mean())
    assert exact.estimation_bias[0] == pytest.approx(((smoother @ f - best) ** 2).mean())
    assert exact.risk[0] == pytest.approx(exact.variance[0] + exact.bias_squared[0] + 0.49)


def test_an_infinite_penalty_leaves_bias_alone() -> None:
    X = np.random.default_rng(0).normal(size=(10, 2))
    exact = ridge_bias_variance(X, line(X), 1.0, [np.inf])
    assert exact.variance[0] == 0
    assert exact.bias_squared[0] == pytest.approx((line(X) ** 2).mean())


def test_a_classifiers_probability_is_decomposed_where_the_posterior_is_known() -> None:
    found = bias_variance(GaussianDiscriminant(), CLOUDS, 60, data_sets=100)
    assert abs(found.gap.value) < 4 * found.gap.standard_error
    assert found.noise.value > 5 * found.variance.value > 5 * abs(found.bias_squared.value)


@pytest.mark.parametrize("seed", range(3))
def test_from_one_data_set_of_a_model_that_can_fit_it_the_terms_are_those_of_the_distribution(seed: int) -> None:
    """The variance of the bootstrap is that of data sets drawn from the sample, so its bounds are wider."""
    found = bootstrap_bias_variance(GaussianDiscriminant(), *drawn(400, seed), resamples=50)
    known = bias_variance(GaussianDiscriminant(), CLOUDS, 400, data_sets=60)
    assert abs(found.noise.value - known.noise.value) < 3 * found.noise.standard_error
    assert abs(found.bias_squared.value) < 3 * found.bias_squared.standard_error
    assert abs(found.gap.value) < 3 * found.gap.standard_error
    assert 0.5 < found.variance.value / known.variance.value < 2


def test_standard_errors_of_the_bootstrap_are_those_of_other_data_sets() -> None:
    """Thirty of them, whose spread is known to about an eighth. That of the bias, a product of steps, is overrated."""
    runs = [bootstrap_bias_variance(GaussianDiscriminant(), *drawn(150, seed), resamples=20) for seed in range(30)]
    for name in ("bias_squared", "noise", "risk", "gap"):
        values = np.array([getattr(run, name).value for run in runs])
        claimed = np.array([getattr(run, name).standard_error for run in runs]).mean()
        assert (0.4 if name == "bias_squared" else 0.6) < values.std(ddof=1) / claimed < 1.5, name


def test_a_shrunken_model_shows_bias_from_one_data_set_too() -> None:
    X, y = drawn(600, 1)
    shrunken = bootstrap_bias_variance(LogisticRegression(C=1e-3), X, y, resamples=40)
    free = bootstrap_bias_variance(GaussianDiscriminant(), X, y, resamples=40)
    assert shrunken.bias_squared.value > 0.02 > 5 * abs(free.bias_squared.value)
    assert abs(shrunken.gap.value) < 3 * shrunken.gap.standard_error


def test_copies_of_an_example_in_one_group_are_one_piece_of_evidence() -> None:
    X, y = drawn(150, 2)
    copies = [np.repeat(values, 5, axis=0) for values in (X, y)]
    grouped = bootstrap_bias_variance(
        GaussianDiscriminant(), *copies, groups=np.repeat(np.arange(150), 5), resamples=50
    )
    alone = bootstrap_bias_variance(GaussianDiscriminant(), X, y, resamples=50)
    assert grouped.risk.value == pytest.approx(alone.risk.value, rel=0.05)
    assert grouped.variance.value == pytest.approx(alone.variance.value, rel=0.3)
    unaware = bootstrap_bias_variance(GaussianDiscriminant(), *copies, resamples=50)
    assert unaware.variance.value < 0.5 * grouped.variance.value
    assert unaware.risk.standard_error < 0.7 * grouped.risk.standard_error


def test_labels_may_be_called_anything() -> None:
    X, y = drawn(100, 1)
    one, other = (
        bootstrap_bias_variance(GaussianDiscriminant(), X, labels, resamples=30)
        for labels in (y, np.where(y == 1, "spam", "ham"))
    )
    assert one == other


def test_predictions_of_many_data_sets_stand_in_rows() -> None:
    points = np.linspace(0, 1, 7)[:, np.newaxis]
    model = make_pipeline(PolynomialBasis(1), Ridge(0))
    predicted = predictions_over_data_sets(model, sine(), 10, points, 5, np.random.default_rng(0))
    assert predicted.shape == (5, 7)
    assert np.diff(predicted, 2, axis=1) == pytest.approx(0)  # straight lines
    assert len(set(predicted[:, 0].tolist())) == 5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"data_sets": 20, "batches": 20}, "at least 2, got 20 data sets in 20"),
        ({"batches": 1}, "at least 2, got 400 data sets in 1"),
        ({"design": np.zeros((3, 1))}, "design must have n=10 rows, got 3"),
    ],
)
def test_a_monte_carlo_that_cannot_be_is_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        bias_variance(Ridge(), sine(), 10, **arguments)


def test_a_classifier_of_other_classes_is_refused() -> None:
    class Named(Coin):
        def draw_y(self, X: Floats, rng: np.random.Generator) -> Floats:
            return super().draw_y(X, rng) * 2

    with pytest.raises(ValueError, match=r"classes 0 and 1, not \[0.0, 2.0\]"):
        bias_variance(LogisticRegression(), Named(CLOUDS.probability, two_clouds), 50)


def test_refusals_name_the_argument() -> None:
    X = np.ones((4, 1))
    with pytest.raises(ValueError, match="lams must be"):
        ridge_bias_variance(X, np.ones(4), 1.0, [-1.0])
    with pytest.raises(ValueError, match="sigma must be"):
        ridge_bias_variance(X, np.ones(4), -1.0, [1.0])
    with pytest.raises(ValueError, match="points and points_mean must be given together"):
        ridge_bias_variance(X, np.ones(4), 1.0, [1.0], points=X)
    with pytest.raises(ValueError, match="one value per row"):
        ridge_bias_variance(X, np.ones(3), 1.0, [1.0])
    with pytest.raises(ValueError, match="y must hold two classes, got 3"):
        bootstrap_bias_variance(LogisticRegression(), X, [0, 1, 2, 2])
    with pytest.raises(ValueError, match=r"y must have one label per example \(4\)"):
        bootstrap_bias_variance(LogisticRegression(), X, [0, 1])
    with pytest.raises(ValueError, match="X must hold at least 40 examples"):
        bootstrap_bias_variance(LogisticRegression(), X, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="resamples=1 leave an example judged fewer than two times"):
        bootstrap_bias_variance(LogisticRegression(), np.arange(40.0)[:, np.newaxis], np.arange(40) % 2, resamples=1)
