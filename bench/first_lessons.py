"""After few lessons, one-sided lessons and wrong ones: the filter beside bogofilter. Ends with 1 if a bar is missed.

    python bench/first_lessons.py --corpus DIR [--draws 4]

Of streams/sa-full.index. Few lessons: so many are drawn, with this share of spam, and learned by both in one order;
1-AUC % of the next 500 messages, which are not learned, mean over the draws. Wrong labels: each message is scored, then
learned with a label that is wrong with this probability; 1-AUC % against the true labels. Both filters get the same.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

if not __package__:  # run as a program: what stands beside it is bench.*, as it is to tests and types
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.peers import BOGOFILTER_VERDICTS, Step, bogofilter, bogofilter_scores, run
from bench.prequential import Floats, Labels
from bench.tables import Bar, missed, table
from thresher.boxes import Listed, read_index
from thresher.choose.metrics import one_minus_auc_percent
from thresher.learn.hashing import DEFAULT_BITS, Hasher, Ids
from thresher.learn.online import ScaledLogistic
from thresher.learn.running import one
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize
from thresher.values import Label

LESSONS = (10, 20, 50, 100, 500)
SHARES = (0.5, 0.1, 0.9)
TESTED = 500
NOISE = (0.01, 0.05, 0.1)
SEED = 11
BAR_LESSONS = 50
BAR_NOISE = 0.05


class Stream(NamedTuple):
    """Messages, as both filters need them."""

    listed: list[Listed]
    examples: list[Ids]
    spam: Labels


class Draw(NamedTuple):
    """Which messages are learned, in this order, and which are then judged."""

    learned: list[int]
    judged: list[int]


def read_stream(index: Path) -> Stream:
    """Read and hash every message."""
    listed = read_index(index)
    features = Hasher().features([tokenize(parse(Path(each.path).read_bytes())) for each in listed])
    return Stream(
        listed,
        [features.of(i) for i in range(len(features))],
        np.array([each.label is Label.SPAM for each in listed]),
    )


def drawn(spam: Labels, lessons: int, share: float, seed: int) -> Draw:
    """Draw lessons with a share of spam, and the next messages from the rest."""
    order = np.random.default_rng((SEED, seed)).permutation(len(spam))
    wanted = {True: round(lessons * share), False: lessons - round(lessons * share)}
    chosen = np.concatenate([order[spam[order] == label][:count] for label, count in wanted.items()])
    learned = order[np.isin(order, chosen)]
    judged = order[~np.isin(order, chosen)][:TESTED]
    return Draw(learned.tolist(), judged.tolist())


def our_scores(stream: Stream, draw: Draw) -> Floats:
    """Learn, then judge."""
    learner = ScaledLogistic(DEFAULT_BITS)
    for i in draw.learned:
        learner.learn(stream.examples[i], spam=bool(stream.spam[i]))
    return np.array([learner.scores(one(stream.examples[i]))[0] for i in draw.judged])


def their_scores(stream: Stream, draw: Draw) -> Floats:
    """Let bogofilter learn, then judge."""
    with tempfile.TemporaryDirectory() as home:
        command = ["bogofilter", "-C", "-d", home]
        for i in draw.learned:
            run([Step([*command, "-s" if stream.spam[i] else "-n"], Path(stream.listed[i].path).read_bytes())])
        judged = [
            run([Step([*command, "-TT"], Path(stream.listed[i].path).read_bytes(), BOGOFILTER_VERDICTS)])
            for i in draw.judged
        ]
        return np.array([float(each.output) for each in judged])


def few(stream: Stream, draws: int) -> Iterator[tuple[int, float, float, float]]:
    """Yield lessons, share of spam, and 1-AUC % of both."""

    def aucs(lessons: int, share: float, seed: int) -> tuple[float, float]:
        draw = drawn(stream.spam, lessons, share, seed)
        spam = stream.spam[draw.judged]
        return (
            one_minus_auc_percent(spam, our_scores(stream, draw)),
            one_minus_auc_percent(spam, their_scores(stream, draw)),
        )

    with ThreadPoolExecutor(2) as pool:
        for lessons in LESSONS:
            for share in SHARES:
                found = list(pool.map(partial(aucs, lessons, share), range(draws)))
                ours, theirs = np.mean(found, axis=0).tolist()
                yield lessons, share, ours, theirs


def wrong(stream: Stream, noise: float) -> tuple[float, float]:
    """1-AUC % of both, learning labels of which a share is wrong."""
    false = np.random.default_rng((SEED, 0)).random(len(stream.spam)) < noise
    said = stream.spam ^ false
    learner = ScaledLogistic(DEFAULT_BITS)
    ours = np.array([learner.learn(slots, spam=bool(each)) for slots, each in zip(stream.examples, said, strict=True)])
    labels = [Label.SPAM if each else Label.HAM for each in said]
    with tempfile.TemporaryDirectory() as home:
        listed = [each._replace(label=label) for each, label in zip(stream.listed, labels, strict=True)]
        theirs = np.array(bogofilter_scores(listed, Path(home)))
    return one_minus_auc_percent(stream.spam, ours), one_minus_auc_percent(stream.spam, theirs)


def report(rows: Sequence[tuple[str, float, float]]) -> list[str]:
    """Return the table."""
    return table(
        ["1-AUC %", "thresher", "bogofilter", "ratio"],
        [[name, f"{ours:.3f}", f"{theirs:.3f}", f"{ours / theirs:.2f}"] for name, ours, theirs in rows],
    )


def main() -> int:
    """Measure, print, and say what is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True, metavar="DIR", help="folder of the unpacked corpora")
    parser.add_argument("--draws", type=int, default=4, metavar="N", help="draws of each size and share (default 4)")
    args = parser.parse_args()
    if bogofilter() is None:
        parser.error("bogofilter is needed: apt install bogofilter")
    stream = read_stream(args.corpus / "streams" / "sa-full.index")
    rows: list[tuple[str, float, float]] = []
    bars: list[Bar] = []
    for lessons, share, ours, theirs in few(stream, args.draws):
        rows.append((f"{lessons} lessons, {share:.0%} spam", ours, theirs))
        if lessons == BAR_LESSONS:
            bars.append(Bar(rows[-1][0], "at most", theirs))
    for noise in NOISE:
        rows.append((f"{noise:.0%} of the labels wrong", *wrong(stream, noise)))
        if noise == BAR_NOISE:
            bars.append(Bar(rows[-1][0], "at most", rows[-1][2]))
    print("\n".join(report(rows)))
    below = missed(bars, {name: ours for name, ours, _ in rows})
    for bar in below:
        print(f"first_lessons: missed: {bar.figure} must be {bar}", file=sys.stderr)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
