"""The regression estimators and the polynomial basis are scikit-learn estimators, by scikit-learn's own checks."""

from collections.abc import Callable
from unittest import SkipTest

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

from thresher.learn import GaussianKernel, KernelLMS, LeastMeanSquares, PolynomialBasis, Ridge

ESTIMATORS = [
    Ridge(),
    Ridge(0, fit_intercept=True),
    Ridge(0.01, fit_intercept=True),
    LeastMeanSquares(),
    LeastMeanSquares(feature_map=np.tanh),
    LeastMeanSquares(update="stochastic", steps=50, random_state=0),
    KernelLMS(),
    KernelLMS(GaussianKernel(2), steps=200),
    PolynomialBasis(),
    PolynomialBasis(3, repeated=True),
]

# What some checks look at does not exist here: data frames, and arrays of other libraries than NumPy.
NOT_OURS = ("pandas is not installed", "SCIPY_ARRAY_API is not set")


@parametrize_with_checks(ESTIMATORS)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
# Some checks fit one example or constant features, and plain least squares rightly says that it is left with a choice.
@pytest.mark.filterwarnings("ignore::thresher.learn.SingularDesignWarning")
def test_every_check_of_scikit_learn_passes(estimator: BaseEstimator, check: Callable[[BaseEstimator], None]) -> None:
    try:
        check(estimator)
    except SkipTest as reason:
        assert str(reason).startswith(NOT_OURS)  # noqa: PT017 -- any other reason to skip is a failure
