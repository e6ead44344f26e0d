"""Do probabilities mean what they say, and are promises kept, on real mail? For evidence/calibration.md and promise.md.

    python -m bench.promises --corpus DIR [--orders N]

Every stream is met prequentially: scored, then learned. Which map is best after how many lessons, and whether promises
are kept, is told of as many random orders of each as asked for.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from bench.prequential import Corpora, Floats, Labels, Order, arguments, learn_in_order, read_corpora
from thresher.choose.calibration import KINDS, Calibration, apply, expected_calibration_error, sigmoid
from thresher.choose.metrics import brier, log_loss
from thresher.choose.promise import promise
from thresher.learn.hashing import DEFAULT_BITS, Hasher, Ids
from thresher.view import LEARNERS

STREAMS: Final = ("sa", "ling", "list")
LEFT_OUT: Final = (0.0, 0.25, 0.5, 0.75)
RATES: Final = (0.01, 0.02)
MAPS: Final = (*KINDS, "chosen")
STRETCHES: Final = (32, 100, 300, 1000, 3000, 10000)
"""Lessons between which the maps are compared; the first fit comes after 32."""
AT: Final = (600, 1000, 1800)
"""Lessons after which a promise is made, to be held to the rest of the stream."""
CONFIDENCE: Final = 0.95


def main() -> None:
    """Print the tables."""
    given = arguments(__doc__ or "")
    corpora = read_corpora(given.corpus, 1)
    hasher = Hasher(DEFAULT_BITS)
    features = hasher.features(corpora.texts)
    examples = [features.of(i) for i in range(len(features))]
    print("| stream | learner | map | ECE % | Brier | log-loss |\n|---|---|---|---|---|---|")
    for name in STREAMS:
        order = corpora.orders[name][0]
        for learner in LEARNERS:
            _calibration_rows(name, learner, order, learn_in_order(LEARNERS[learner](DEFAULT_BITS), examples, order))
    _starts_table(corpora, examples, given.orders)
    print(
        "\n| stream | lessons | rate | oldest left out | orders | broken | ham lost % | spam missed % |\n"
        + "|---" * 8
        + "|"
    )
    for name in STREAMS:
        shuffles = [_shuffled(corpora.orders[name][0], seed) for seed in range(given.orders)]
        _promise_rows(name, shuffles, examples)


def _shuffled(order: Order, seed: int) -> Order:
    drawn = np.random.default_rng(seed).permutation(len(order.messages))
    return Order([order.messages[i] for i in drawn], order.spam[drawn])


def _calibration_rows(name: str, learner: str, order: Order, scores: Floats) -> None:
    """Print a line for each map used throughout, and one for the map that is chosen as it goes."""
    rows, used = _mapped(order, scores)
    last = ", last " + used[-1]
    for kind, p in rows.items():
        error = 100 * expected_calibration_error(order.spam, p)
        title = kind + last if kind == "chosen" else kind
        cells = (name, learner, title, f"{error:.2f}", f"{brier(order.spam, p):.5f}", f"{log_loss(order.spam, p):.4f}")
        print("| " + " | ".join(cells) + " |")


def _mapped(order: Order, scores: Floats) -> tuple[dict[str, Floats], list[str]]:
    """What each map would have said of each score before it was learned, and which was chosen for it."""
    rows = {kind: np.zeros(len(scores)) for kind in MAPS}
    calibration = Calibration()
    used: list[str] = []
    for i, (score, spam) in enumerate(zip(scores.tolist(), order.spam.tolist(), strict=True)):
        one = np.array([score])
        fitted = calibration.state()[1]
        for kind in KINDS:
            known = kind == "identity" or kind in fitted
            rows[kind][i] = (
                apply(kind, np.asarray(fitted.get(kind, one), np.float64), one) if known else sigmoid(one)
            )[0]
        rows["chosen"][i] = calibration.probabilities(one)[0]
        used.append(calibration.kind)
        calibration.add(score, spam=spam)
    return rows, used


def _starts_table(corpora: Corpora, examples: Sequence[Ids], n_orders: int) -> None:
    """Print the log-loss of each map by how many lessons it had seen: the mean over streams and orders."""
    print("\n| learner | map | " + " | ".join(f"{low} to {high}" for low, high in pairwise(STRETCHES)) + " |")
    print("|---" * (2 + len(STRETCHES) - 1) + "|")
    for learner in LEARNERS:
        runs = []
        for name in STREAMS:
            for seed in range(n_orders):
                order = _shuffled(corpora.orders[name][0], seed)
                rows, _ = _mapped(order, learn_in_order(LEARNERS[learner](DEFAULT_BITS), examples, order))
                runs.append(_losses_by_stretch(order.spam, rows))
        means = np.nanmean(runs, axis=0)
        for kind, losses in zip(MAPS, means, strict=True):
            best = means[:-1].min(axis=0)
            cells = [
                f"**{loss:.4f}**" if loss == least else f"{loss:.4f}" for loss, least in zip(losses, best, strict=True)
            ]
            print("| " + " | ".join((learner, kind, *cells)) + " |", flush=True)


def _losses_by_stretch(spam: Labels, rows: dict[str, Floats]) -> Floats:
    """A row for each map; NaN beyond the stream's end."""
    losses = np.full((len(MAPS), len(STRETCHES) - 1), np.nan)
    for i, kind in enumerate(MAPS):
        for j, (low, high) in enumerate(pairwise(STRETCHES)):
            if low < len(spam):
                losses[i, j] = log_loss(spam[low:high], rows[kind][low:high])
    return losses


def _promise_rows(name: str, orders: Sequence[Order], examples: Sequence[Ids]) -> None:
    """Print how often a promise was broken on the rest of the stream, and what keeping it cost."""
    runs = [
        (order.spam, learn_in_order(LEARNERS["scaled-logistic"](DEFAULT_BITS), examples, order)) for order in orders
    ]
    for at in AT:
        for rate in RATES:
            for left_out in LEFT_OUT:
                found = [row for spam, scores in runs if (row := _held_to(spam, scores, at, rate, left_out))]
                if found:
                    broken, lost, missed = np.mean(found, axis=0)
                    cells = (
                        name,
                        at,
                        rate,
                        left_out,
                        len(found),
                        f"{broken:.2f}",
                        f"{100 * lost:.2f}",
                        f"{100 * missed:.1f}",
                    )
                    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def _held_to(spam: Labels, scores: Floats, at: int, rate: float, left_out: float) -> tuple[float, float, float] | None:
    window = slice(int(at * left_out), at)
    made = promise(scores[window][~spam[window]], rate, CONFIDENCE)
    if made.kept_short:
        return None
    lost = float(np.mean(scores[at:][~spam[at:]] > made.above))
    return float(lost > rate), lost, float(np.mean(scores[at:][spam[at:]] <= made.above))


if __name__ == "__main__":
    main()
