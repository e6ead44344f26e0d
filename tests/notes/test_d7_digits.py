"""D7: scikit-learn's support vector machine reads handwritten digits with our kernels."""

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.svm import SVC

from thresher.learn import GaussianKernel, PolynomialKernel, SpectrumKernel

Floats = NDArray[np.float64]

CANDIDATES = {
    "polynomial": [PolynomialKernel(degree, c) for degree in (2, 3, 4) for c in (0, 1)],
    "Gaussian": [GaussianKernel(sigma) for sigma in (0.5, 1, 1.5, 2, 3)],
}


def digits() -> list[Floats]:
    """1,797 pictures of 8 x 8 points between 0 and 1, a third kept for the test and never seen before it."""
    X, y = load_digits(return_X_y=True)
    split: list[Floats] = train_test_split(X / 16, y, test_size=1 / 3, stratify=y, random_state=0)
    return split


@pytest.mark.parametrize("family", CANDIDATES)
def test_the_kernel_that_cross_validation_chooses_reads_98_percent_of_the_digits_it_never_saw(family: str) -> None:
    X_train, X_test, y_train, y_test = digits()
    search = GridSearchCV(SVC(C=10), {"kernel": CANDIDATES[family]}, cv=3).fit(X_train, y_train)
    assert len(y_test) == 599
    assert search.score(X_test, y_test) >= 0.98


def test_the_machine_with_our_gaussian_is_that_with_scikit_learns() -> None:
    X_train, X_test, y_train, _ = digits()
    ours, theirs = SVC(kernel=GaussianKernel(1.5), C=10), SVC(kernel="rbf", gamma=1 / (2 * 1.5**2), C=10)
    np.testing.assert_allclose(
        ours.fit(X_train, y_train).decision_function(X_test),
        theirs.fit(X_train, y_train).decision_function(X_test),
        atol=1e-2,  # the solver stops at a tolerance of 1e-3
    )


def test_the_machine_tells_strings_apart_with_the_spectrum_kernel() -> None:
    rng = np.random.default_rng(0)
    strings = ["".join(rng.choice(list(letters), 30)) for letters in ("abcd", "cdef") * 20]
    model = SVC(kernel=SpectrumKernel(2)).fit(strings[:20], ["early", "late"] * 10)
    assert model.score(strings[20:], ["early", "late"] * 10) == 1
