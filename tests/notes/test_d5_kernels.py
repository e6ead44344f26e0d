"""D5: each kernel equals the inner product of its features, made one by one on small cases."""

from itertools import product
from math import factorial, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from thresher.learn import GaussianKernel, MonomialKernel, PolynomialBasis, PolynomialKernel, SpectrumKernel

Floats = NDArray[np.float64]

points = arrays(
    np.float64, st.tuples(st.integers(1, 5), st.just(3)), elements=st.floats(-3, 3).map(lambda x: round(x, 4))
)


def close(K: Floats, features: Floats, others: Floats) -> bool:
    return bool(np.allclose(K, features @ others.T, rtol=1e-9, atol=1e-9))


@given(X=points, Z=points)
def test_1_s_s2_s3_is_the_inner_product_of_all_products_of_up_to_three(X: Floats, Z: Floats) -> None:
    """Document 001 (5.5) and (5.9)."""
    s = X @ Z.T
    K, basis = MonomialKernel(3)(X, Z), PolynomialBasis(3, repeated=True)
    np.testing.assert_allclose(K, 1 + s + s**2 + s**3, rtol=1e-9, atol=1e-9)
    assert close(K, basis.fit_transform(X), basis.fit_transform(Z))


def squares(X: Floats) -> Floats:
    """x_i x_j for all i, j."""
    return np.asarray(np.einsum("ni,nj->nij", X, X).reshape(len(X), -1))


@given(X=points, Z=points)
def test_the_square_is_the_inner_product_of_all_nine_products_of_two(X: Floats, Z: Floats) -> None:
    assert squares(X).shape[1] == 9
    assert close(PolynomialKernel(2)(X, Z), squares(X), squares(Z))


@given(X=points, Z=points, c=st.floats(0, 5))
def test_with_c_added_there_are_also_the_attributes_times_sqrt_2c_and_c(X: Floats, Z: Floats, c: float) -> None:
    def features(X: Floats) -> Floats:
        return np.column_stack([squares(X), sqrt(2 * c) * X, np.full(len(X), c)])

    assert features(X).shape[1] == 13
    assert close(PolynomialKernel(2, c)(X, Z), features(X), features(Z))


@given(X=points, Z=points, c=st.floats(0, 3), degree=st.integers(1, 5))
def test_the_kth_power_weighs_each_monomial_by_its_multinomial_coefficient(
    X: Floats, Z: Floats, c: float, degree: int
) -> None:
    """(d + k choose k) features: sqrt(k! / (a! b! c! r!) c^r) x1^a x2^b x3^c with r factors left for the constant."""

    def features(X: Floats) -> Floats:
        columns = []
        for powers in product(range(degree + 1), repeat=3):
            rest = degree - sum(powers)
            if rest >= 0:
                orders = factorial(degree) / np.prod([factorial(p) for p in (*powers, rest)])
                columns.append(sqrt(orders * c**rest) * (X**powers).prod(axis=1))
        return np.column_stack(columns)

    assert features(X).shape[1] == factorial(3 + degree) / (factorial(3) * factorial(degree))
    np.testing.assert_allclose(PolynomialKernel(degree, c)(X, Z), features(X) @ features(Z).T, rtol=1e-8, atol=1e-6)


@given(
    x=arrays(np.float64, (4, 1), elements=st.floats(-1.5, 1.5)),
    z=arrays(np.float64, (3, 1), elements=st.floats(-1.5, 1.5)),
    sigma=st.floats(1, 4),
)
def test_the_gaussian_is_the_inner_product_of_its_infinite_series(x: Floats, z: Floats, sigma: float) -> None:
    """phi_m(x) = exp(-x^2 / (2 sigma^2)) (x / sigma)^m / sqrt(m!); forty terms leave less than 1e-12 here."""

    def features(x: Floats) -> Floats:
        m = np.arange(40)
        terms = (x / sigma) ** m / np.sqrt([float(factorial(i)) for i in range(40)])
        return np.asarray(np.exp(-(x**2) / (2 * sigma**2)) * terms)

    np.testing.assert_allclose(GaussianKernel(sigma)(x, z), features(x) @ features(z).T, rtol=1e-9)


@given(X=points, Z=points, sigma=st.floats(0.1, 10))
def test_the_gaussian_is_a_function_of_the_distance(X: Floats, Z: Floats, sigma: float) -> None:
    distances = ((X[:, np.newaxis] - Z) ** 2).sum(axis=2)
    np.testing.assert_allclose(GaussianKernel(sigma)(X, Z), np.exp(-distances / (2 * sigma**2)), rtol=1e-9, atol=1e-12)
    assert GaussianKernel(sigma)(X, X).diagonal() == pytest.approx(1)


@given(
    X=st.lists(st.text("abc", min_size=3, max_size=12), min_size=1, max_size=4),
    Z=st.lists(st.text("abc", min_size=3, max_size=12), min_size=1, max_size=4),
    k=st.integers(1, 3),
)
def test_the_spectrum_kernel_is_the_inner_product_of_all_counts_of_substrings(
    X: list[str], Z: list[str], k: int
) -> None:
    """With three letters there are 3^k substrings, which can all be looked for."""

    def features(strings: list[str]) -> Floats:
        every = ["".join(letters) for letters in product("abc", repeat=k)]
        return np.array([[sum(s.startswith(w, i) for i in range(len(s))) for w in every] for s in strings], dtype=float)

    assert SpectrumKernel(k)(X, Z).tolist() == (features(X) @ features(Z).T).tolist()
    as_bytes = [x.encode() for x in X], [z.encode() for z in Z]
    assert SpectrumKernel(k)(*as_bytes).tolist() == SpectrumKernel(k)(X, Z).tolist()
