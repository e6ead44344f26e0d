"""What bench/features.py and bench/learners.py share: streams of labelled mail, each scored before it is learned.

The corpora, unpacked in one folder:
    streams/ling.index, list.index, sa-full.index, sa-torture-0.index ... 9    `spam PATH` or `ham PATH` a line
    sms-spam/SMSSpamCollection                                                 `spam TAB TEXT` or `ham TAB TEXT` a line
The orders of `sa` are this file's own: the messages of sa-full.index, shuffled with the seeds 0, 1, 2, ... of NumPy.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from thresher.boxes import read_index
from thresher.choose.metrics import errors_at, one_minus_auc_percent, spam_missed_at_ham_lost
from thresher.learn.hashing import Ids
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize
from thresher.values import Label

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]

STREAMS = ("sa", "ling", "list", "sms")
TORTURES = 10
ROUNDS = 400  # of the bootstrap
TORTURE_TAIL = 500
"""Errors are counted in the last 500 of each torture stream, as those who published it do."""


class Order(NamedTuple):
    """One stream: which messages come, in their order, and what they are."""

    messages: list[int]
    spam: Labels


class Corpora(NamedTuple):
    """All messages as token streams, and the orders in which they are met."""

    texts: list[bytes]
    orders: dict[str, list[Order]]
    """Several orders of the same messages under `sa` and `torture`, one under each other name."""


class Learner(Protocol):
    """What is measured here."""

    def learn(self, slots: Ids, *, spam: bool) -> float:
        """Learn a message, and return its score before."""


Make = Callable[[], Learner]


class Figures(NamedTuple):
    """What one stream says, averaged over its orders; in percent."""

    one_minus_auc: float
    error: float
    missed: float
    """Spam missed where one ham in a thousand is lost."""


class Run(NamedTuple):
    """What a learner made of every stream."""

    scores: dict[str, list[Floats]]
    figures: dict[str, Figures]
    torture_errors: int


def arguments(doc: str) -> argparse.Namespace:
    """Read --corpus and --orders."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True, help="folder of the unpacked corpora")
    parser.add_argument("--orders", type=int, default=5, help="orders of the SpamAssassin corpus (default 5)")
    return parser.parse_args()


def read_corpora(folder: Path, orders: int) -> Corpora:
    """Read and tokenize every message once."""
    places: dict[str, int] = {}

    def order_of(index: str) -> Order:
        listed = read_index(folder / "streams" / f"{index}.index")
        messages = [places.setdefault(str(Path(one.path).resolve()), len(places)) for one in listed]
        return Order(messages, np.array([one.label is Label.SPAM for one in listed]))

    by_name = {name: [order_of(name)] for name in ("sa-full", "ling", "list")}
    by_name["torture"] = [order_of(f"sa-torture-{i}") for i in range(TORTURES)]
    by_name["sa"] = shuffled(by_name.pop("sa-full")[0], list(places), orders)
    texts = [tokenize(parse(Path(path).read_bytes())) for path in places]
    lines = (folder / "sms-spam" / "SMSSpamCollection").read_text("utf-8").splitlines()
    by_name["sms"] = [
        Order(list(range(len(texts), len(texts) + len(lines))), np.array([line.startswith("spam") for line in lines]))
    ]
    texts += [tokenize(parse(b"\n" + line.partition("\t")[2].encode())) for line in lines]
    return Corpora(texts, by_name)


def shuffled(given: Order, paths: Sequence[str], orders: int) -> list[Order]:
    """Orders of these messages that follow from their paths and the seed alone."""
    sorted_by_path = np.array(sorted(range(len(given.messages)), key=lambda i: paths[given.messages[i]]))
    made = []
    for seed in range(orders):
        drawn = np.random.default_rng(seed).permutation(sorted_by_path)
        made.append(Order([given.messages[i] for i in drawn], given.spam[drawn]))
    return made


def learn_in_order(learner: Learner, examples: Sequence[Ids], order: Order) -> Floats:
    """Scores of the messages, each before it was learned."""
    pairs = zip(order.messages, order.spam.tolist(), strict=True)
    return np.array([learner.learn(examples[message], spam=spam) for message, spam in pairs])


def run(make: Make, examples: Sequence[Ids], corpora: Corpora, *, torture: bool = True) -> Run:
    """Meet every stream with a new learner."""
    orders = corpora.orders
    scores = {name: [learn_in_order(make(), examples, order) for order in orders[name]] for name in STREAMS}
    errors = 0
    if torture:
        for order in orders["torture"]:
            tail = learn_in_order(make(), examples, order)[-TORTURE_TAIL:]
            errors += errors_at(order.spam[-TORTURE_TAIL:], tail, 0.0).errors
    found = {
        name: mean_figures([figures(order.spam, s) for order, s in zip(orders[name], scores[name], strict=True)])
        for name in STREAMS
    }
    return Run(scores, found, errors)


def figures(spam: Labels, scores: Floats) -> Figures:
    """The three figures of one stream."""
    return Figures(
        one_minus_auc_percent(spam, scores),
        100 * errors_at(spam, scores, 0.0).error_rate,
        100 * spam_missed_at_ham_lost(spam, scores),
    )


def mean_figures(several: Sequence[Figures]) -> Figures:
    """Mean over orders."""
    return Figures(*np.mean(several, axis=0).tolist())


def print_header(first: str) -> None:
    """Print the first two lines of a table in Markdown."""
    cells = [first, *STREAMS, "torture"]
    print("| " + " | ".join(cells) + " |")
    print("|---" * len(cells) + "|", flush=True)


def print_row(name: str, result: Run) -> None:
    """Print a line of the table: 1-AUC %, error %, spam missed % of each stream, and the torture streams' errors."""
    cells = ["{:.4f} · {:.2f} · {:.1f}".format(*result.figures[stream]) for stream in STREAMS]
    print("| " + " | ".join([name, *cells, str(result.torture_errors)]) + " |", flush=True)


# Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13: the percentile interval
def paired_bootstrap(orders: Sequence[Order], ours: Sequence[Floats], theirs: Sequence[Floats]) -> tuple[float, float]:
    """95 % interval of 1-AUC % of theirs less ours, mean over the orders: above 0 throughout, ours is better.

    Messages are drawn, and each brings its scores from both sides and all orders. The learners' path is not drawn anew.
    """
    places = [np.argsort(order.messages) for order in orders]
    spam = orders[0].spam[places[0]]
    a = [scores[place] for scores, place in zip(ours, places, strict=True)]
    b = [scores[place] for scores, place in zip(theirs, places, strict=True)]
    rng = np.random.default_rng(0)
    differences = []
    for _ in range(ROUNDS):
        drawn = rng.integers(0, len(spam), len(spam))
        ours_then, theirs_then = (np.mean([one_minus_auc_percent(spam[drawn], x[drawn]) for x in s]) for s in (a, b))
        differences.append(float(theirs_then - ours_then))
    low, high = np.quantile(differences, (0.025, 0.975)).tolist()
    return low, high


def print_intervals(corpora: Corpora, ours: Run, others: Mapping[str, Run]) -> None:
    """Print for each of the others by how much its 1-AUC % exceeds ours, as a 95 % interval."""
    cells = ["1-AUC %: theirs less ours", *STREAMS]
    print("\n| " + " | ".join(cells) + " |\n" + "|---" * len(cells) + "|")
    for other, result in others.items():
        found = [paired_bootstrap(corpora.orders[name], ours.scores[name], result.scores[name]) for name in STREAMS]
        print("| " + " | ".join([other, *(f"{low:+.4f} to {high:+.4f}" for low, high in found)]) + " |", flush=True)
