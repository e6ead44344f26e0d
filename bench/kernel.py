"""What the compiled kernel gains: hashing of real token streams by arrays and by the kernel, in turn.

    python bench/kernel.py --corpus DIR [--rounds 9]      (as unpacked: DIR/streams/sa-full.index)

Prints the tables of evidence/kernel.md. Time is processor time; the ratio is the median of the rounds' ratios.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np

from thresher import boxes
from thresher.learn import hashing
from thresher.learn.hashing import Features, Hasher
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize

BITS = 20
CHUNK = 64
"""Streams at once, as `check` and `learn` hash them."""


def hashed(hasher: Hasher, streams: Sequence[bytes], *, compiled: bool) -> tuple[float, list[Features]]:
    """Hash all streams one way; return the time and what came of it."""
    hashing.COMPILED = compiled  # type: ignore[misc]
    start = process_time()
    features = [hasher.features(streams[i : i + CHUNK]) for i in range(0, len(streams), CHUNK)]
    return process_time() - start, features


def main() -> None:
    """Print microseconds a message and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    if not hashing.COMPILED:
        parser.error("the kernel is not compiled here: make setup, with a C compiler installed")
    listed = boxes.read_index(args.corpus / "streams" / "sa-full.index")
    streams = [tokenize(parse(item.raw)) for one in listed for item in boxes.read(one.path)]
    hasher = Hasher(BITS)
    times: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(args.rounds):
        found = {}
        for compiled, taken in times.items():
            seconds, found[compiled] = hashed(hasher, streams, compiled=compiled)
            taken.append(seconds)
        assert all(np.array_equal(a.slots, b.slots) for a, b in zip(*found.values(), strict=True))
    for compiled, taken in times.items():
        name = "kernel" if compiled else "arrays"
        print(f"{name:<8}{1e6 * median(taken) / len(streams):8.1f} us a message")
    print(f"ratio   {median(b / a for a, b in zip(times[False], times[True], strict=True)):8.2f}")


if __name__ == "__main__":
    main()
