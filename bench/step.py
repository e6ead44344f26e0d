"""Scoring and learning with the learner's kernel and with arrays, both ways in turn: the ratio of their processor time.

    taskset -c 1 python -m bench.step --corpus DIR [--rounds 5]

For evidence/kernel.md. The first 2,000 messages of streams/sa-full.index, scored 64 at a time and learned one by one.
"""

import argparse
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple
from unittest.mock import patch

from bench.tables import table
from thresher.boxes import read_index
from thresher.learn import online
from thresher.learn.hashing import DEFAULT_BITS, Features, Hasher
from thresher.learn.online import ScaledLogistic
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize
from thresher.values import Label

MESSAGES = 2000
AT_ONCE = 64


class Times(NamedTuple):
    """Microseconds a message."""

    learn: float
    score: float


def times(features: Features, spam: list[bool], *, compiled: bool) -> Times:
    """Learn everything, then score everything, one way."""
    with patch.object(online, "COMPILED", compiled):
        learner = ScaledLogistic(DEFAULT_BITS)
        begin = process_time()
        for i, label in enumerate(spam):
            learner.learn(features.of(i), spam=label)
        learned = process_time()
        for first in range(0, len(spam) - AT_ONCE, AT_ONCE):
            bounds = features.offsets[first : first + AT_ONCE + 1]
            learner.scores(Features(features.slots[bounds[0] : bounds[-1]], bounds - bounds[0]))
        return Times(*(1e6 * seconds / len(spam) for seconds in (learned - begin, process_time() - learned)))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True, metavar="DIR", help="folder of the unpacked corpora")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    if not online.COMPILED:
        parser.error("the kernel is not compiled: make setup, with a C compiler")
    listed = read_index(args.corpus / "streams" / "sa-full.index")[:MESSAGES]
    features = Hasher().features([tokenize(parse(Path(one.path).read_bytes())) for one in listed])
    spam = [one.label is Label.SPAM for one in listed]
    rounds = [[times(features, spam, compiled=way) for way in (False, True)] for _ in range(args.rounds)]
    rows = []
    for name in Times._fields:
        arrays, kernel = ([getattr(one[way], name) for one in rounds] for way in (0, 1))
        ratios = [b / a for a, b in zip(arrays, kernel, strict=True)]
        rows.append([name, f"{median(arrays):.1f}", f"{median(kernel):.1f}", f"{median(ratios):.2f}"])
    print("\n".join(table(["us a message", "arrays", "kernel", "ratio"], rows)))


if __name__ == "__main__":
    main()
