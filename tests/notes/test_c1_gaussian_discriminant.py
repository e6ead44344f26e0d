"""C1: Gaussian discriminant analysis with a shared covariance, in closed form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from thresher.learn import GaussianDiscriminant

# Few enough to do on paper.
X = np.array([[1.0, 2.0], [3.0, 2.0], [6.0, 5.0], [8.0, 6.0], [7.0, 10.0]])
Y = np.array([0, 0, 1, 1, 1])


def test_phi_the_means_and_sigma_are_those_worked_out_by_hand() -> None:
    """The classes scatter (-1, 0), (1, 0) about (2, 2) and (-1, -2), (1, -1), (0, 3) about (7, 7); N is 5."""
    fitted = GaussianDiscriminant().fit(X, Y)
    assert np.exp(fitted.class_log_prior_) == pytest.approx([2 / 5, 3 / 5])
    assert fitted.means_ == pytest.approx(np.array([[2, 2], [7, 7]]))
    assert fitted.covariance_ == pytest.approx(np.array([[4, 1], [1, 14]]) / 5)


def test_the_posterior_is_bayes_rule_with_the_densities_written_out() -> None:
    fitted = GaussianDiscriminant().fit(X, Y)
    new = np.array([4.0, 4.0])
    sigma = np.array([[0.8, 0.2], [0.2, 2.8]])

    def density(mean: list[float]) -> float:
        off = new - mean
        return float(np.exp(-0.5 * off @ np.linalg.solve(sigma, off)) / (2 * np.pi * np.sqrt(np.linalg.det(sigma))))

    spam, ham = 0.6 * density([7, 7]), 0.4 * density([2, 2])
    assert np.exp(fitted.predict_joint_log_proba([new])[0]) == pytest.approx([ham, spam], rel=1e-10)
    assert fitted.predict_proba([new])[0, 1] == pytest.approx(spam / (spam + ham), rel=1e-10)


@given(seed=st.integers(0, 10**6), n_classes=st.integers(2, 5), n_features=st.integers(1, 6))
def test_the_parameters_maximize_the_likelihood(seed: int, n_classes: int, n_features: int) -> None:
    """No small step away from them makes the data more likely."""
    rng = np.random.default_rng(seed)
    y = np.arange(60) % n_classes
    data = rng.normal(y[:, np.newaxis] * rng.normal(size=n_features), 1.0, (60, n_features))
    fitted = GaussianDiscriminant().fit(data, y)

    def log_likelihood(means: np.ndarray, sigma: np.ndarray) -> float:
        off = data - means[y]
        quadratic = (off * np.linalg.solve(sigma, off.T).T).sum()
        return float(-0.5 * (quadratic + 60 * np.linalg.slogdet(sigma)[1]))

    best = log_likelihood(fitted.means_, fitted.covariance_)
    nudge = rng.normal(size=(n_features, n_features)) * 1e-3
    assert log_likelihood(fitted.means_ + rng.normal(size=fitted.means_.shape) * 1e-3, fitted.covariance_) < best
    assert log_likelihood(fitted.means_, fitted.covariance_ + nudge @ nudge.T + 1e-4 * np.eye(n_features)) < best


@pytest.mark.parametrize("solver", ["lsqr", "eigen"])
@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_it_equals_scikit_learns_lda_to_ten_digits(solver: str, n_classes: int) -> None:
    """Their covariance is the mean of the classes' own, weighted with the learned priors: the same number."""
    rng = np.random.default_rng(41)
    y = rng.integers(0, n_classes, 300)
    data = rng.normal(size=(n_classes, 5))[y] + rng.normal(size=(300, 5)) @ rng.normal(size=(5, 5))
    ours = GaussianDiscriminant().fit(data, y)
    theirs = LinearDiscriminantAnalysis(solver=solver, store_covariance=True).fit(data, y)
    np.testing.assert_allclose(ours.means_, theirs.means_, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(ours.covariance_, theirs.covariance_, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(ours.predict_proba(data), theirs.predict_proba(data), rtol=0, atol=1e-10)
    if n_classes == 2:
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-10, atol=1e-10)
