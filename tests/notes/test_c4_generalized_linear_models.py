"""C4: generalized linear models with canonical response, by Newton's method and stochastic gradient, with a penalty."""

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy.special import expit, softmax
from sklearn.linear_model import LogisticRegression as ScikitLearns
from sklearn.linear_model import PoissonRegressor, Ridge

from thresher.learn import GeneralizedLinearModel, LogisticRegression

Floats = NDArray[np.float64]
N, D = 400, 5

STATSMODELS = {
    "gaussian": sm.families.Gaussian(),
    "bernoulli": sm.families.Binomial(),
    "poisson": sm.families.Poisson(),
}


def examples(family: str) -> tuple[Floats, NDArray[np.int64] | Floats]:
    """Data drawn from the model itself."""
    rng = np.random.default_rng(44)
    X = rng.normal(size=(N, D)) @ (np.eye(D) + 0.3 * rng.normal(size=(D, D))) + 1.0
    eta = X @ np.array([0.5, -0.4, 0.3, 0.0, 0.2]) - 0.5
    if family == "gaussian":
        return X, eta + rng.normal(size=N)
    if family == "poisson":
        return X, rng.poisson(np.exp(eta))
    if family == "bernoulli":
        return X, (rng.random(N) < expit(eta)).astype(np.int64)
    scores = np.column_stack([eta, -eta, X[:, 0], 0.5 * X[:, 1]])
    return X, (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)


@pytest.mark.parametrize("family", ["gaussian", "bernoulli", "poisson"])
def test_newtons_method_finds_the_coefficients_of_statsmodels(family: str) -> None:
    X, y = examples(family)
    ours = GeneralizedLinearModel(family).fit(X, y)
    theirs = sm.GLM(y, sm.add_constant(X), family=STATSMODELS[family]).fit(tol=1e-14)
    np.testing.assert_allclose(ours.theta(), theirs.params, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(
        ours.predict_mean(X) if family != "bernoulli" else ours.predict_proba(X)[:, 1], theirs.fittedvalues, rtol=1e-8
    )


@pytest.mark.parametrize("family", ["gaussian", "bernoulli", "poisson"])
def test_weights_are_frequencies_as_statsmodels_understands_them(family: str) -> None:
    X, y = examples(family)
    weight = np.random.default_rng(5).integers(1, 5, N)
    ours = GeneralizedLinearModel(family).fit(X, y, sample_weight=weight)
    theirs = sm.GLM(y, sm.add_constant(X), family=STATSMODELS[family], freq_weights=weight).fit(tol=1e-14)
    np.testing.assert_allclose(ours.theta(), theirs.params, rtol=1e-8, atol=1e-8)


def test_the_multinomial_model_is_statsmodels_with_its_first_class_as_zero() -> None:
    """The softmax leaves a constant over the classes open: theirs puts the first class at 0, ours the sum."""
    X, y = examples("multinomial")
    ours = GeneralizedLinearModel("multinomial").fit(X, y)
    theirs = sm.MNLogit(y, sm.add_constant(X)).fit(disp=0, method="newton", tol=1e-14)
    np.testing.assert_allclose((ours.theta()[1:] - ours.theta()[0]).T, theirs.params, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(ours.theta().sum(axis=0), 0, atol=1e-10)


@pytest.mark.parametrize("lam", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("family", ["bernoulli", "multinomial"])
def test_logistic_regression_with_a_penalty_finds_the_coefficients_of_scikit_learn(family: str, lam: float) -> None:
    """The same function is minimized: C = 1 / lambda, the intercept free."""
    X, y = examples(family)
    ours = LogisticRegression(lam).fit(X, y)
    theirs = ScikitLearns(C=1.0 / lam, tol=1e-12, max_iter=10_000).fit(X, y)
    assert ours.coef_.shape == theirs.coef_.shape
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)


@pytest.mark.parametrize("lam", [0.5, 50.0])
def test_poisson_regression_with_a_penalty_finds_the_coefficients_of_scikit_learn(lam: float) -> None:
    """Theirs divides the loss by N."""
    X, y = examples("poisson")
    ours = GeneralizedLinearModel("poisson", lam=lam).fit(X, y)
    theirs = PoissonRegressor(alpha=lam / N, tol=1e-10, solver="newton-cholesky").fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-8)


@pytest.mark.parametrize("lam", [0.5, 50.0])
def test_the_gaussian_family_with_a_penalty_is_ridge_regression(lam: float) -> None:
    X, y = examples("gaussian")
    ours, theirs = GeneralizedLinearModel("gaussian", lam=lam).fit(X, y), Ridge(alpha=lam).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-10)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-10)


@pytest.mark.parametrize("family", ["gaussian", "bernoulli", "poisson", "multinomial"])
def test_stochastic_gradient_comes_to_the_same_coefficients_within_a_hundredth(family: str) -> None:
    X, y = examples(family)
    newton = GeneralizedLinearModel(family, lam=1.0).fit(X, y)
    stochastic = GeneralizedLinearModel(family, lam=1.0, solver="stochastic", random_state=4).fit(X, y)
    np.testing.assert_allclose(stochastic.theta(), newton.theta(), atol=0.01)


@pytest.mark.parametrize(("family", "response"), [("gaussian", lambda eta: eta), ("poisson", np.exp)])
def test_the_mean_is_the_canonical_response_of_theta_x(family: str, response: np.ufunc) -> None:
    X, y = examples(family)
    fitted = GeneralizedLinearModel(family).fit(X, y)
    w0, w = fitted.linear_form()
    assert fitted.predict(X) == pytest.approx(response(w0 + X @ w))


def test_the_response_of_two_classes_is_the_sigmoid_and_of_more_the_softmax() -> None:
    X, y = examples("bernoulli")
    w0, w = (fitted := LogisticRegression().fit(X, y)).linear_form()
    assert fitted.predict_proba(X)[:, 1] == pytest.approx(expit(w0 + X @ w))
    X, y = examples("multinomial")
    theta = (fitted := LogisticRegression().fit(X, y)).theta()
    assert fitted.predict_proba(X) == pytest.approx(softmax(np.column_stack([np.ones(N), X]) @ theta.T, axis=1))


@pytest.mark.parametrize("family", ["gaussian", "bernoulli", "poisson"])
def test_at_the_maximum_likelihood_the_mean_agrees_with_the_data_on_every_feature(family: str) -> None:
    """The gradient is X'(y - mean), so both have the same sum and the same product with each feature."""
    X, y = examples(family)
    fitted = GeneralizedLinearModel(family).fit(X, y)
    mean = fitted.predict_proba(X)[:, 1] if family == "bernoulli" else fitted.predict(X)
    assert np.column_stack([np.ones(N), X]).T @ (y - mean) == pytest.approx(0, abs=1e-6)
