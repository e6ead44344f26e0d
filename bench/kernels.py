"""Kernels against what they replace, each pair in one interleaved run: medians and their ratio.

    taskset -c 0 python bench/kernels.py [--rounds 7] [--strings 500] [--length 1000]

Three questions: what the spectrum kernel matrix takes beside the explicit double loop over pairs of strings, and how it
grows with their length; what kernel LMS takes beside the matrix products it consists of; how well a support vector
machine with our kernels reads digits. Every round runs both sides in turn, so that the machine's mood hits them alike.
"""

import argparse
from collections import Counter
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter

import numpy as np
import numpy.typing as npt
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.svm import SVC

from thresher.learn import GaussianKernel, KernelLMS, PolynomialKernel, SpectrumKernel, spectrum

Floats = npt.NDArray[np.float64]

K = 4
BAR_SPECTRUM = 1 / 20
BAR_KERNEL_LMS = 2.0
BAR_DIGITS = 0.98


def interleaved(one: Callable[[], object], two: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Median seconds of both, after one round of warming up."""
    taken: tuple[list[float], list[float]] = ([], [])
    for turn in range(rounds + 1):
        for task, times in zip((one, two), taken, strict=True):
            begin = perf_counter()
            task()
            if turn:
                times.append(perf_counter() - begin)
    return median(taken[0]), median(taken[1])


def report(what: str, ours: float, theirs: float, bar: str) -> None:
    print(f"{what:<44}{1e3 * ours:>10.1f} ms{1e3 * theirs:>12.1f} ms{ours / theirs:>10.4f}  {bar}")


def strings_of(alphabet: str, strings: int, length: int, seed: int = 1) -> list[bytes]:
    """Random letters; for `words`, words by Zipf's law with blanks between, so that substrings repeat as in mail."""
    rng = np.random.default_rng(seed)
    if alphabet != "words":
        letters = np.frombuffer(alphabet.encode(), dtype=np.uint8)
        return [rng.choice(letters, length).tobytes() for _ in range(strings)]
    words = [rng.integers(97, 123, rng.integers(2, 9), dtype=np.uint8).tobytes() for _ in range(3000)]
    share = 1 / np.arange(1, 3001)
    return [
        b" ".join(words[i] for i in rng.choice(3000, length, p=share / share.sum()))[:length] for _ in range(strings)
    ]


def double_loop(counted: list[Counter[bytes]]) -> Floats:
    """The kernel matrix pair by pair, each pair once, its substrings counted beforehand."""
    matrix = np.empty((len(counted), len(counted)))
    for i, first in enumerate(counted):
        for j, second in enumerate(counted[: i + 1]):
            matrix[i, j] = matrix[j, i] = sum(n * second[s] for s, n in first.items() if s in second)
    return matrix


def count_and_loop(strings: list[bytes]) -> Floats:
    return double_loop([Counter(s[i : i + K] for i in range(len(s) - K + 1)) for s in strings])


def compare_spectrum(strings: int, length: int, rounds: int) -> None:
    print(f"\nspectrum kernel matrix, k = {K}, {strings} strings of {length} bytes{'ours':>11}{'double loop':>15}")
    kernel = SpectrumKernel(K)
    for name, alphabet in (("26 letters", "abcdefghijklmnopqrstuvwxyz"), ("4 letters", "acgt"), ("words", "words")):
        sample = strings_of(alphabet, strings, length)
        if not np.array_equal(kernel(sample, sample), count_and_loop(sample)):
            raise RuntimeError("the two matrices differ")
        ours, theirs = interleaved(partial(kernel, sample, sample), partial(count_and_loop, sample), rounds)
        report(name, ours, theirs, f"bar {BAR_SPECTRUM}: {'met' if ours < BAR_SPECTRUM * theirs else 'MISSED'}")


def sorted_counts(strings: list[bytes], k: int) -> object:
    """The counts with substrings numbered by sorting them, as those too many for the table are."""
    table, spectrum.LARGEST_TABLE = spectrum.LARGEST_TABLE, 0
    try:
        return spectrum.substring_counts(strings, k)
    finally:
        spectrum.LARGEST_TABLE = table


def compare_numbering(strings: int, length: int, rounds: int) -> None:
    print(f"\ncounting the substrings of {strings} strings of {length} bytes, k = {K}{'table':>16}{'sorting':>15}")
    for name, alphabet in (("26 letters", "abcdefghijklmnopqrstuvwxyz"), ("words", "words")):
        sample = strings_of(alphabet, strings, length)
        table, sort = partial(spectrum.substring_counts, sample, K), partial(sorted_counts, sample, K)
        report(name, *interleaved(table, sort, rounds), "")


def compare_lengths(rounds: int) -> None:
    print("\ncounting the substrings of 100 strings of words, ms, by their length; each column twice the one before")
    lengths = [1000 * 2**i for i in range(7)]
    print("".join(f"{length:>10}" for length in lengths))
    samples = [strings_of("words", 100, length) for length in lengths]
    for k in (4, 8):
        tasks = [partial(spectrum.substring_counts, sample, k) for sample in samples]
        print("".join(f"{1e3 * min(interleaved(task, task, rounds)):>10.1f}" for task in tasks), f" k = {k}")


def matrix_products(X: Floats, y: Floats, steps: int) -> Floats:
    """What kernel LMS cannot do without: all inner products once, and one product with the kernel matrix a step."""
    matrix = X @ X.T
    for _ in range(steps):
        y = matrix @ y
        y /= np.abs(y).max()
    return y


def compare_kernel_lms(rounds: int) -> None:
    rng = np.random.default_rng(3)
    examples, attributes, steps = 500, 1000, 100
    X, y = rng.normal(size=(examples, attributes)), rng.normal(size=examples)
    print(
        f"\nkernel LMS, d = {attributes}, {examples} examples, {steps} steps, cubic kernel{'ours':>8}{'products':>15}"
    )
    ours, theirs = interleaved(
        partial(KernelLMS(steps=steps).fit, X, y), partial(matrix_products, X, y, steps), 5 * rounds
    )
    report("fit", ours, theirs, f"bar {BAR_KERNEL_LMS:g}: {'met' if ours < BAR_KERNEL_LMS * theirs else 'MISSED'}")


def read_digits() -> None:
    """Each family's kernel and C chosen by 5-fold cross-validation on two thirds, measured once on the last third."""
    X, y = load_digits(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X / 16, y, test_size=1 / 3, stratify=y, random_state=0)
    print(f"\ndigits: {len(y_train)} to learn, {len(y_test)} to read")
    for name, kernels in (
        ("polynomial", [PolynomialKernel(degree, c) for degree in (2, 3, 4, 5) for c in (0, 1)]),
        ("Gaussian", [GaussianKernel(sigma) for sigma in (0.5, 1, 1.5, 2, 3)]),
    ):
        search = GridSearchCV(SVC(), {"kernel": kernels, "C": [1, 10, 100]}, cv=5).fit(X_train, y_train)
        accuracy = search.score(X_test, y_test)
        best, met = search.best_params_, "met" if accuracy >= BAR_DIGITS else "MISSED"
        print(
            f"{name:<12}{best['kernel']!s:<32}C = {best['C']:<5}cross-validated {search.best_score_:.4f}  "
            f"test {accuracy:.4f}  bar {BAR_DIGITS}: {met}"
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strings", type=int, default=500)
    parser.add_argument("--length", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    compare_kernel_lms(args.rounds)
    read_digits()
    compare_numbering(args.strings, args.length, args.rounds)
    compare_lengths(args.rounds)
    compare_spectrum(args.strings, args.length, args.rounds)


if __name__ == "__main__":
    main()
