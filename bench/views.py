"""What the views and the doubt of the running learner bring: each taken away, or changed, alone.

    OMP_NUM_THREADS=1 taskset -c 1 python -m bench.views --corpus DIR [--orders 5]

Prints the table of evidence/views.md.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from bench.prequential import arguments, print_header, print_intervals, print_row, read_corpora, run
from thresher.learn import online, views
from thresher.learn.hashing import DEFAULT_BITS, Hasher
from thresher.learn.online import ScaledLogistic


class Change(NamedTuple):
    """What is done to the learner."""

    name: str
    constants: Mapping[str, object]
    """Of learn.online."""
    quarters: tuple[int, int, int, int] = (views.CONTENT, views.CONTENT, views.PEOPLE, views.REST)
    """The view of each quarter of the slots."""


NEVER = 1e9
CHANGES = (
    Change("as it was: one view, no doubt, rate 0.7", {"DOUBT": NEVER, "RATE": 0.7}, (0, 0, 0, 0)),
    Change("one view", {}, (0, 0, 0, 0)),
    Change("two: content, header", {"SHARES": (1.0, 1.0, 1.0)}, (0, 0, 1, 1)),
    Change("equal shares", {"SHARES": (1.0, 1.0, 1.0)}),
    Change("content has twice the share", {"SHARES": (2.0, 1.0, 1.0)}),
    Change("each learns from its own error", {"OWN": 1.0}),
    Change("all learn from the common error", {"OWN": 0.0}),
    Change("no doubt", {"DOUBT": NEVER}),
    Change("doubt from 3", {"DOUBT": 3.0}),
    Change("what is new weighs 0.2", {"NEW": 0.2}),
    Change("what is new weighs 1.6", {"NEW": 1.6}),
    Change("rate 0.5", {"RATE": 0.5}),
    Change("rate 0.7", {"RATE": 0.7}),
    Change("rate 1.2", {"RATE": 1.2}),
)


class Changed(ScaledLogistic):
    """The learner, its rate as the module says it now."""

    def __init__(self, bits: int) -> None:
        super().__init__(bits, rate=online.RATE)


def main() -> None:
    """Print the tables."""
    args = arguments(__doc__ or "")
    corpora = read_corpora(args.corpus, args.orders)
    features = Hasher().features(corpora.texts)
    examples = [features.of(message) for message in range(len(features))]
    make = partial(Changed, DEFAULT_BITS)
    print_header("learner")
    chosen = run(make, examples, corpora)
    print_row("chosen", chosen)
    found = {}
    for change in CHANGES:
        with ExitStack() as stack:
            for name, value in change.constants.items():
                stack.enter_context(patch.object(online, name, value))
            stack.enter_context(patch.object(views, "BY_QUARTER", np.array(change.quarters, np.intp)))
            found[change.name] = run(make, examples, corpora)
        print_row(change.name, found[change.name])
    print_intervals(corpora, chosen, found)


if __name__ == "__main__":
    main()
