"""What the reader's compiled kernel gains: real mail read and tokenized with it and without, in turn.

    python bench/mail_kernel.py --corpus DIR [--rounds 9]      (as unpacked: DIR/streams/sa-full.index)

Prints the table of evidence/mail-kernel.md. Time is processor time; the ratio is the median of the rounds' ratios.
"""

import argparse
from pathlib import Path
from statistics import median
from time import process_time

from thresher import boxes
from thresher.mail import kernel
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize


def main() -> None:
    """Print microseconds a message and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    if not kernel.COMPILED:
        parser.error("the kernel is not compiled here: make setup, with a C compiler installed")
    listed = boxes.read_index(args.corpus / "streams" / "sa-full.index")
    raws = [item.raw for one in listed for item in boxes.read(one.path)]
    times: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(args.rounds):
        streams = {}
        for compiled, taken in times.items():
            kernel.COMPILED = compiled
            start = process_time()
            streams[compiled] = [tokenize(parse(raw)) for raw in raws]
            taken.append(process_time() - start)
        assert streams[False] == streams[True]
    for compiled, taken in times.items():
        name = "kernel" if compiled else "patterns"
        print(f"{name:<10}{1e6 * median(taken) / len(raws):8.1f} us a message")
    print(f"ratio     {median(b / a for a, b in zip(times[False], times[True], strict=True)):8.2f}")


if __name__ == "__main__":
    main()
