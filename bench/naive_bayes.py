"""Naive Bayes against scikit-learn's on one sparse matrix: interleaved medians and their ratio.

    taskset -c 0 python bench/naive_bayes.py [--rows 6000] [--words 150000] [--nonzeros 200] [--rounds 25] [--products]

Word frequencies follow Zipf's law, as in mail, so that some columns are full and most are nearly empty. Both sides get
the same matrix and labels, and every round runs all of them in turn, so that the machine's mood hits them alike.
"""

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from statistics import median
from time import process_time
from typing import cast

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

from thresher.learn import BernoulliNaiveBayes, MultinomialNaiveBayes

Weights = npt.NDArray[np.float64]

ZIPF_EXPONENT = 1.1  # about that of words in mail


def word_counts(rows: int, words: int, nonzeros: int, seed: int = 1) -> sparse.csr_matrix:
    """A matrix of word counts with about `nonzeros` distinct words a row."""
    rng = np.random.default_rng(seed)
    share = 1.0 / np.arange(1, words + 1) ** ZIPF_EXPONENT
    edges = np.cumsum(share / share.sum())
    drawn = 2 * nonzeros  # about half of the words of a message repeat one it has
    columns = np.minimum(np.searchsorted(edges, rng.random(rows * drawn)), words - 1)
    counts = sparse.csr_matrix((np.ones(rows * drawn), (np.repeat(np.arange(rows), drawn), columns)), (rows, words))
    counts.sum_duplicates()
    return counts


def interleaved(tasks: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median seconds of each task, all tasks run once in each round after one round of warming up."""
    taken: dict[str, list[float]] = {name: [] for name in tasks}
    for turn in range(rounds + 1):
        for name, task in tasks.items():
            begin = process_time()
            task()
            if turn:
                taken[name].append(process_time() - begin)
    return {name: median(times) for name, times in taken.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=6000)
    parser.add_argument("--words", type=int, default=150_000)
    parser.add_argument("--nonzeros", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--products", action="store_true", help="instead: one product for all classes, or one for each")
    args = parser.parse_args()

    X = word_counts(args.rows, args.words, args.nonzeros)
    print(f"{X.shape[0]} x {X.shape[1]}, {X.nnz / X.shape[0]:.0f} nonzeros a row, median of {args.rounds} rounds")
    if args.products:
        compare_products(X, args.rounds)
    else:
        compare_estimators(X, args.rounds)


def compare_estimators(X: sparse.csr_matrix, rounds: int) -> None:
    """Print what a fit and a prediction take, ours and scikit-learn's."""
    y = np.random.default_rng(2).integers(0, 2, X.shape[0])
    print(f"{'':36}{'thresher':>11}{'scikit-learn':>14}{'ratio':>8}")
    for ours, theirs in ((BernoulliNaiveBayes, BernoulliNB), (MultinomialNaiveBayes, MultinomialNB)):
        our, their = ours().fit(X, y), theirs().fit(X, y)
        for step in ("fit", "predict", "predict_proba"):
            given = (X, y) if step == "fit" else (X,)
            tasks = {"ours": partial(getattr(our, step), *given), "theirs": partial(getattr(their, step), *given)}
            times = interleaved(tasks, rounds)
            a, b = times["ours"], times["theirs"]
            met = "met" if a <= b else "MISSED"
            print(f"{ours.__name__:<22}{step:<14}{1e3 * a:>8.2f} ms{1e3 * b:>11.2f} ms{a / b:>8.2f}  bar 1: {met}")


def each_product(X: sparse.csr_matrix, weights: Weights) -> Weights:
    return np.stack([X @ row for row in weights], axis=1)


def one_product(X: sparse.csr_matrix, weights: Weights) -> Weights:
    return cast(Weights, X @ weights.T)


def compare_products(X: sparse.csr_matrix, rounds: int) -> None:
    """Print what it takes to score the matrix for C classes in one product of C columns, or in C of one column."""
    print(f"{'classes':>7}{'C products':>14}{'one product':>14}{'ratio':>8}")
    for n_classes in (2, 3, 4, 6, 10, 20):
        weights = np.random.default_rng(n_classes).random((n_classes, X.shape[1]))
        tasks = {"each": partial(each_product, X, weights), "all": partial(one_product, X, weights)}
        times = interleaved(tasks, rounds)
        a, b = times["each"], times["all"]
        print(f"{n_classes:>7}{1e3 * a:>11.2f} ms{1e3 * b:>11.2f} ms{a / b:>8.2f}")


if __name__ == "__main__":
    main()
