"""Least mean squares, with and without a kernel, and the kernels: invariances, oracles, and what they refuse."""

import pickle
from collections import Counter
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from thresher.learn import (
    GaussianKernel,
    KernelLMS,
    LeastMeanSquares,
    MercerError,
    MonomialKernel,
    PolynomialKernel,
    SpectrumKernel,
)
from thresher.learn.spectrum import LARGEST_TABLE, substring_counts

Floats = NDArray[np.float64]

RNG = np.random.default_rng(21)
X = RNG.normal(size=(30, 4)) + 1
Y = X @ RNG.normal(size=4) + RNG.normal(size=30)
STRINGS = ["abracadabra", "cadabraabra", "hocus pocus"]


def test_the_kernels_equal_those_of_scikit_learn() -> None:
    np.testing.assert_allclose(GaussianKernel(1.7)(X, X[:5]), rbf_kernel(X, X[:5], gamma=1 / (2 * 1.7**2)), rtol=1e-9)
    theirs = polynomial_kernel(X, X[:5], degree=3, gamma=1, coef0=0.5)
    np.testing.assert_allclose(PolynomialKernel(3, 0.5)(X, X[:5]), theirs, rtol=1e-12)


def test_an_offset_of_all_points_costs_the_gaussian_no_digits() -> None:
    np.testing.assert_allclose(GaussianKernel(1)(X + 2.0**20, X[:5] + 2.0**20), GaussianKernel(1)(X, X[:5]), rtol=1e-8)


@pytest.mark.parametrize(
    "kernel", [MonomialKernel(3), PolynomialKernel(2, 1), GaussianKernel(0.5), SpectrumKernel(3), SpectrumKernel(4)]
)
def test_a_kernel_is_a_value(kernel: Any) -> None:  # noqa: ANN401 -- any of them
    assert pickle.loads(pickle.dumps(kernel)) == kernel  # noqa: S301
    assert clone(KernelLMS(kernel)).kernel == kernel
    assert repr(kernel).startswith(type(kernel).__name__)
    with pytest.raises(AttributeError):
        kernel.k = 3


@given(
    strings=st.lists(st.text(min_size=7, max_size=40), min_size=1, max_size=5),
    others=st.lists(st.text(min_size=7, max_size=40), min_size=1, max_size=5),
    k=st.integers(1, 7),
)
def test_substrings_of_any_characters_are_counted_as_a_dictionary_counts_them(
    strings: list[str], others: list[str], k: int
) -> None:
    def counted(string: str) -> Counter[str]:
        return Counter(string[i : i + k] for i in range(len(string) - k + 1))

    expected = [[sum(n * counted(z)[s] for s, n in counted(x).items()) for z in others] for x in strings]
    assert SpectrumKernel(k)(strings, others).tolist() == expected


@pytest.mark.parametrize("k", [1, 2, 3, 4, 8, 9, 40, 900])
def test_long_substrings_of_all_256_bytes_are_told_apart(k: int) -> None:
    """Codes of three such bytes no longer fit the table, codes of eight no number; all roads give the same counts."""
    assert LARGEST_TABLE < 256**3
    rng = np.random.default_rng(22)
    strings = [rng.bytes(500) * 2 for _ in range(4)]
    strings += [strings[0][::-1], strings[1][:250] + strings[2][250:]]
    expected = [Counter(s[i : i + k] for i in range(len(s) - k + 1)) for s in strings]
    counts = substring_counts(strings, k)
    assert [sorted(row.data) for row in counts] == [sorted(counted.values()) for counted in expected]
    K = SpectrumKernel(k)(strings, strings)
    assert K.tolist() == [[sum(n * b[s] for s, n in a.items()) for b in expected] for a in expected]


@pytest.mark.parametrize("kind", [list, tuple, np.array, partial(np.array, dtype=object)])
def test_strings_come_in_any_sequence(kind: Any) -> None:  # noqa: ANN401 -- a type or a function
    assert SpectrumKernel(3)(kind(STRINGS), kind(STRINGS)).tolist() == SpectrumKernel(3)(STRINGS, STRINGS).tolist()


def test_kernel_lms_learns_from_strings() -> None:
    model = KernelLMS(SpectrumKernel(3)).fit(STRINGS, [1, 1, -1])
    assert np.sign(model.predict(["abracadabra!", "focus, hocus"])).tolist() == [1, -1]


def test_kernel_lms_goes_to_the_interpolation_that_kernel_ridge_has_without_a_penalty() -> None:
    kernel = GaussianKernel(1)
    theirs = KernelRidge(alpha=0, kernel="precomputed").fit(kernel(X, X), Y)
    ours = KernelLMS(kernel, steps=30_000).fit(X, Y)
    assert ours.dual_coef_ == pytest.approx(theirs.dual_coef_, rel=1e-4)


@given(order=st.permutations(range(30)))
def test_the_order_of_the_examples_does_not_matter_to_batch_steps(order: list[int]) -> None:
    for model in (LeastMeanSquares(steps=20), KernelLMS(steps=20)):
        expected = clone(model).fit(X, Y).predict(X)
        assert model.fit(X[order], Y[order]).predict(X) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_examples_seen_twice_are_steps_of_twice_the_length() -> None:
    twice = np.repeat(X, 2, axis=0), np.repeat(Y, 2)
    for one, two in (
        (LeastMeanSquares(rate=0.002, steps=20), LeastMeanSquares(rate=0.001, steps=20)),
        (KernelLMS(rate=2e-5, steps=20), KernelLMS(rate=1e-5, steps=20)),
    ):
        assert two.fit(*twice).predict(X) == pytest.approx(one.fit(X, Y).predict(X), rel=1e-9)


@pytest.mark.parametrize("update", ["batch", "stochastic"])
def test_fit_is_partial_fit_from_nothing(update: Any) -> None:  # noqa: ANN401 -- a literal
    whole = LeastMeanSquares(update=update, steps=7, random_state=5).fit(X[::-1] * 3, Y).fit(X, Y)
    single = LeastMeanSquares(update=update, random_state=5)
    for _ in range(7):
        single.partial_fit(X, Y)
    assert single.coef_.tobytes() == whole.coef_.tobytes()
    assert single.n_iter_ == whole.n_iter_ == 7


# What the types already forbid, for those who do not check them.
WRONG: dict[str, Any] = {
    "update": "newton",
    "steps": 1.5,
    "kernel": "rbf",
    "degree": 1.5,
    "strings": [*STRINGS, b"bytes"],
}

REFUSED: list[tuple[Any, tuple[Any, ...], type[Exception], str]] = [
    (LeastMeanSquares(rate=0), (X, Y), ValueError, "rate must be a finite number above 0, got 0"),
    (LeastMeanSquares(rate=1.0), (X, Y), ValueError, "rate=1 makes the error grow with every step: use less than 0.0"),
    (LeastMeanSquares(rate=0.05, steps=3), (X, Y), ValueError, "makes the error grow"),
    (LeastMeanSquares(update="stochastic", rate=9.0), (X, Y), ValueError, "rate=9 makes the error grow"),
    (LeastMeanSquares(steps=0), (X, Y), ValueError, "steps must be a whole number of at least 1, got 0"),
    (LeastMeanSquares(decay=-1), (X, Y), ValueError, "decay must be a number of at least 0, got -1"),
    (
        LeastMeanSquares(update=WRONG["update"]),
        (X, Y),
        ValueError,
        "update must be 'batch' or 'stochastic', got 'newton'",
    ),
    (LeastMeanSquares(feature_map=np.sum), (X, Y), ValueError, r"feature_map must give one row .* shape \(\)"),
    (LeastMeanSquares(feature_map=lambda X: X * np.nan), (X, Y), ValueError, "feature_map must give finite numbers"),
    (LeastMeanSquares(), (X * np.nan, Y), ValueError, "Input X contains NaN"),
    (KernelLMS(rate=-1), (X, Y), ValueError, "rate must be a finite number above 0, got -1"),
    (KernelLMS(rate=1.0), (X, Y), ValueError, "rate=1 makes the error grow with every step: use less than"),
    (KernelLMS(steps=WRONG["steps"]), (X, Y), ValueError, "steps must be a whole number of at least 1, got 1.5"),
    (
        KernelLMS(WRONG["kernel"]),
        (X, Y),
        TypeError,
        "kernel must be a function of two collections of examples, got 'rbf'",
    ),
    (
        KernelLMS(lambda X, Z: X[: len(Z) - 1]),
        (X, Y),
        ValueError,
        r"kernel must return a matrix of shape \(30, 30\) here",
    ),
    (KernelLMS(lambda X, Z: -X @ Z.T), (X, Y), MercerError, "the kernel matrix of X must be positive semi-definite"),
    (KernelLMS(lambda X, Z: X @ Z[::-1].T), (X, Y), MercerError, "the kernel matrix of X must be symmetric"),
    (KernelLMS(), (np.where(X[3] == X, np.inf, X), Y), ValueError, "Input X contains infinity"),
    (KernelLMS(), (STRINGS, [1, 2, 3]), ValueError, "could not convert string"),
    (KernelLMS(SpectrumKernel(3)), (STRINGS, [1, 2]), ValueError, "inconsistent numbers of samples"),
    (KernelLMS(SpectrumKernel(3)), (STRINGS, [1, 2, np.nan]), ValueError, "Input y contains NaN"),
    (KernelLMS(SpectrumKernel(12)), (STRINGS, [1, 2, 3]), ValueError, r"k=12 is longer than X\[0\], which has 11"),
]


@pytest.mark.parametrize(("estimator", "data", "error", "message"), REFUSED)
def test_bad_input_is_refused_by_name(
    estimator: LeastMeanSquares | KernelLMS, data: tuple[Any, ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        estimator.fit(*data)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MonomialKernel(0), "degree must be a whole number of at least 1, got 0"),
        (lambda: PolynomialKernel(WRONG["degree"]), "degree must be a whole number of at least 1, got 1.5"),
        (lambda: PolynomialKernel(2, -1), "c must be a number of at least 0, got -1"),
        (lambda: PolynomialKernel(2, np.inf), "c must be finite, got inf"),
        (lambda: GaussianKernel(0), "sigma must be a finite number above 0, got 0"),
        (lambda: GaussianKernel(np.nan), "sigma must be a finite number above 0, got nan"),
        (lambda: SpectrumKernel(0), "k must be a whole number of at least 1, got 0"),
        (lambda: MonomialKernel()(X, X[:, :3]), "X has 4 features and Z 3: they must have the same"),
        (lambda: MonomialKernel()(X, X[0]), "Expected 2D array"),
        (lambda: GaussianKernel()(X, X * np.nan), "Input Z contains NaN"),
        (lambda: SpectrumKernel(4)(["abcd", "abc"], STRINGS), r"k=4 is longer than X\[1\], which has 3 characters"),
        (lambda: SpectrumKernel(4)(STRINGS, ["abcd", ""]), r"k=4 is longer than Z\[1\], which has 0 characters"),
        (lambda: SpectrumKernel(4)("one string", STRINGS), "X must be a sequence of at least one str"),
        (lambda: SpectrumKernel(4)([], STRINGS), "X must be a sequence of at least one str"),
        (lambda: SpectrumKernel(4)(STRINGS, [b"bytes"]), "X and Z must both hold str or both bytes"),
        (lambda: SpectrumKernel(4)(WRONG["strings"], STRINGS), r"X\[3\] must be str like X\[0\], got b'bytes'"),
    ],
)
def test_a_kernel_refuses_what_it_cannot_take_by_name(make: Any, message: str) -> None:  # noqa: ANN401 -- a lambda
    with pytest.raises((ValueError, TypeError), match=message):
        make()


def test_a_refused_step_leaves_the_weights_untouched() -> None:
    model = LeastMeanSquares(random_state=0).fit(X, Y)
    before = model.coef_.copy()
    model.rate = 50.0
    with pytest.raises(ValueError, match="makes the error grow"):
        model.partial_fit(X, -Y)
    assert model.coef_.tolist() == before.tolist()
    assert model.n_iter_ == 1000


def test_features_that_are_all_zero_teach_nothing_and_break_nothing() -> None:
    for model in (LeastMeanSquares(), LeastMeanSquares(update="stochastic"), KernelLMS(PolynomialKernel(2))):
        assert model.fit(X * 0, Y).predict(X).tolist() == [0] * 30
