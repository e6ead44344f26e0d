"""D6: a kernel matrix is symmetric and positive semi-definite, and what is not is refused with the reason."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from thresher.learn import (
    GaussianKernel,
    MercerError,
    MonomialKernel,
    PolynomialKernel,
    SpectrumKernel,
    check_mercer,
)

Floats = NDArray[np.float64]

points = arrays(np.float64, (8, 3), elements=st.floats(-100, 100))


@pytest.mark.parametrize(
    "kernel",
    [MonomialKernel(3), PolynomialKernel(2), PolynomialKernel(4, 1.5), GaussianKernel(0.5), GaussianKernel(300)],
)
@given(X=points)
def test_the_kernels_of_attributes_are_accepted_on_any_points(
    kernel: MonomialKernel | PolynomialKernel | GaussianKernel, X: Floats
) -> None:
    check_mercer(kernel(X, X))


@given(strings=st.lists(st.text(min_size=4, max_size=30), min_size=1, max_size=8), k=st.integers(1, 4))
def test_the_spectrum_kernel_is_accepted_on_any_strings(strings: list[str], k: int) -> None:
    check_mercer(SpectrumKernel(k)(strings, strings))


@given(X=arrays(np.float64, (5, 2), elements=st.floats(-10, 10)))
def test_any_matrix_of_inner_products_is_accepted_though_it_be_singular(X: Floats) -> None:
    """Rank 2 of 5: three eigenvalues are zero, and come out a little above or below it."""
    check_mercer(X @ X.T)


def test_the_distance_is_no_kernel_and_the_eigenvalue_that_says_so_is_named() -> None:
    line = np.array([[0.0], [1.0], [3.0]])
    distances = cdist(line, line)
    smallest = np.linalg.eigvalsh(distances)[0]
    with pytest.raises(MercerError, match=f"positive semi-definite, but its smallest eigenvalue is {smallest:g}"):
        check_mercer(distances)


def test_a_made_up_similarity_is_refused_and_the_example_that_weighs_most_is_named() -> None:
    """Examples 0 and 1 are said to be more alike than each is to itself."""
    made_up = np.array([[1.0, 1.5, 0.0], [1.5, 1.2, 0.0], [0.0, 0.0, 1.0]])
    with pytest.raises(MercerError, match=r"eigenvalue is -0\.40333: z'Kz < 0 for a z that weighs example 0 most"):
        check_mercer(made_up)


def test_the_pair_that_breaks_the_symmetry_is_named() -> None:
    matrix = np.eye(4)
    matrix[1, 3] = 0.25
    with pytest.raises(MercerError, match=r"must be symmetric, but \[1, 3\] is 0.25 and \[3, 1\] is 0"):
        check_mercer(matrix)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.ones((2, 3)), r"similarity must be square, .* got shape \(2, 3\)"),
        (np.ones(3), r"similarity must be square, .* got shape \(3,\)"),
        (np.ones((0, 0)), r"similarity must be square, .* got shape \(0, 0\)"),
        (np.array([[1.0, np.nan], [0.0, 1.0]]), r"similarity must be finite, but \[0, 1\] is nan"),
        (np.array([[-1.0]]), "its smallest eigenvalue is -1"),
    ],
)
def test_what_is_no_matrix_of_a_kernel_at_all_is_refused_by_name(matrix: Floats, message: str) -> None:
    with pytest.raises(MercerError, match=message):
        check_mercer(matrix, "similarity")


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_rounding_is_forgiven_and_a_millionth_is_not_at_any_scale(scale: float) -> None:
    X = np.random.default_rng(0).normal(size=(50, 3))
    K = X @ X.T * scale
    check_mercer(K)
    asymmetric = K.copy()
    asymmetric[0, 1] += 1e-6 * scale
    with pytest.raises(MercerError, match="symmetric"):
        check_mercer(asymmetric)
    with pytest.raises(MercerError, match="eigenvalue"):
        check_mercer(K - 1e-6 * scale * np.eye(50))
