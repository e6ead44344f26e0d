"""Where the time goes: `learn` and `check` of a whole corpus, sampled every millisecond of processor time.

    python bench/profile_line.py --corpus DIR      (as unpacked: DIR/streams/sa-full.index)

Prints the table of evidence/profile.md: the share of samples in which a function was at work, itself or what it called.
A sampler costs nothing a call, so that small functions are not made to look slow, as they are by cProfile.
"""

import argparse
import contextlib
import io
import signal
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType

from thresher import boxes
from thresher.cli import main as thresher
from thresher.values import Label

EVERY = 0.001
"""Seconds of processor time."""
LEAST = 0.02
"""Share of the samples below which a function is not shown."""


def sampled(arguments: list[str]) -> Counter[str]:
    """Run a command in one process and count in how many samples each of our functions stood."""
    counts: Counter[str] = Counter()

    def look(_signal: int, frame: FrameType | None) -> None:
        counts[""] += 1
        met = set()
        while frame:
            package, _, module = frame.f_code.co_filename.rpartition("/thresher/")
            if package:
                met.add(f"{module.removesuffix('.py')}: {frame.f_code.co_qualname}")
            frame = frame.f_back
        counts.update(met)

    signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
        thresher(arguments, standalone_mode=False)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return counts


def main() -> None:
    """Print both profiles."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True)
    listed = boxes.read_index(parser.parse_args().corpus / "streams" / "sa-full.index")
    with tempfile.TemporaryDirectory() as home:
        common = ["--jobs", "1", "--home", home]
        lessons = [f"--{one.label}={one.path}" for one in sorted(listed, key=lambda one: one.label is Label.SPAM)]
        for command, arguments in (("learn", lessons), ("check", [one.path for one in listed])):
            counts = sampled([command, *common, *arguments])
            total = counts.pop("")
            print(f"\n{command}: {total} samples\n")
            for name, count in counts.most_common():
                if count >= LEAST * total:
                    print(f"| {name:<50} | {100 * count / total:5.1f} |")


if __name__ == "__main__":
    main()
