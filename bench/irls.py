"""Logistic regression by Newton's method against scikit-learn's lbfgs on one problem: coefficients, times, their ratio.

    OPENBLAS_NUM_THREADS=1 taskset -c 0 python bench/irls.py [--rounds 15] [--lam 1.0] [--mixed 0.3] [--keep] [--plain]

Both minimize the same function. lbfgs runs with its default tolerance and with smaller ones; the table says how far
the coefficients then are from the minimum, which is where a tolerance of 1e-18 takes Newton's method. Features are
independent and of deviation 1, the easiest case for lbfgs, or mixed with one another, as measured ones are.
"""

import argparse
import sys
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression as ScikitLearns

if not __package__:  # run as a program: what stands beside it is bench.*, as it is to tests and types
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.naive_bayes import interleaved
from thresher.learn import LogisticRegression, irls

Floats = NDArray[np.float64]
Model = LogisticRegression | ScikitLearns

KEPT_SHARES = (0.0, 0.001, 0.01, 0.1, 0.3)  # 0 is Newton's method by the book
TOLERANCES = (1e-4, 1e-6, 1e-8)
BAR_DIFFERENCE = 1e-6
EXACT = 1e-18
MANY = 10_000


def problem(rows: int, features: int, mixed: float, seed: int = 1) -> tuple[Floats, NDArray[np.int64]]:
    """Normal features, each with so much of the others in it, and classes drawn with logistic probabilities."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, features)) @ (np.eye(features) + mixed * rng.normal(size=(features, features)))
    log_odds = X @ rng.normal(size=features) / np.sqrt(features) - 0.5
    return X, (rng.random(rows) < 1.0 / (1.0 + np.exp(-log_odds))).astype(np.int64)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--features", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--lam", type=float, default=1.0)
    parser.add_argument("--mixed", type=float, default=0.0)
    parser.add_argument("--plain", action="store_true", help="ours without samples, rounding and learning")
    parser.add_argument("--keep", action="store_true", help="instead: how long a Hessian is kept")
    args = parser.parse_args()

    X, y = problem(args.rows, args.features, args.mixed)
    print(f"{args.rows} x {args.features}, lam = {args.lam:g}, mixed {args.mixed:g}, median of {args.rounds} rounds")
    if args.plain:
        irls.MANY = args.rows  # as if there were never enough examples
    if args.keep:
        compare_keeping(X, y, args.lam, args.rounds)
    else:
        compare_solvers(X, y, args.lam, args.rounds)


def compare_solvers(X: Floats, y: NDArray[np.int64], lam: float, rounds: int) -> None:
    """Print what a fit takes, ours and scikit-learn's, and how far it ends from the minimum."""
    models: dict[str, Model] = {"thresher, irls": LogisticRegression(lam)}
    for tol in TOLERANCES:
        models[f"scikit-learn, lbfgs, tol={tol:g}"] = ScikitLearns(C=1.0 / lam, tol=tol, max_iter=MANY)
    exact = LogisticRegression(lam, tol=EXACT).fit(X, y)
    times = interleaved({name: partial(model.fit, X, y) for name, model in models.items()}, rounds)
    print(f"{'':34}{'time':>10}{'ratio':>8}{'steps':>7}{'off by':>10}")
    ours, off = times["thresher, irls"], {}
    for name, model in models.items():
        off[name] = max(np.abs(model.coef_ - exact.coef_).max(), np.abs(model.intercept_ - exact.intercept_).max())
        steps = int(np.max(model.n_iter_))
        print(f"{name:<34}{1e3 * times[name]:>7.1f} ms{ours / times[name]:>8.2f}{steps:>7}{off[name]:>10.1e}")
    # What a looser tolerance returns is not the same coefficients, and no time to compare with.
    equal = [name for name in models if name != "thresher, irls" and off[name] <= BAR_DIFFERENCE]
    fastest = min((times[name] for name in equal), default=np.inf)
    met = off["thresher, irls"] <= BAR_DIFFERENCE and ours <= fastest
    print(f"bar: the same coefficients to {BAR_DIFFERENCE:g} and no slower: {'met' if met else 'MISSED'}")


def compare_keeping(X: Floats, y: NDArray[np.int64], lam: float, rounds: int) -> None:
    """Print what a fit takes if a Hessian is kept as long as the decrement falls to this share at each step."""

    def fit(share: float) -> LogisticRegression:
        irls.KEEP = irls.KEEP_LEARNING = share
        return LogisticRegression(lam).fit(X, y)

    exact = LogisticRegression(lam, tol=EXACT).fit(X, y)
    times = interleaved({f"{share:g}": partial(fit, share) for share in KEPT_SHARES}, rounds)
    print(f"{'kept while below':18}{'time':>10}{'steps':>7}{'off by':>10}")
    for share in KEPT_SHARES:
        model = fit(share)
        off = np.abs(model.theta() - exact.theta()).max()
        print(f"{share:<18g}{1e3 * times[f'{share:g}']:>7.1f} ms{model.n_iter_:>7}{off:>10.1e}")


if __name__ == "__main__":
    main()
