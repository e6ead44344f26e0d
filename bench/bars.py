"""The accuracy that must hold on real mail, measured through `thresher evaluate`; ends with 1 and names what does not.

    python bench/bars.py --corpus DIR [--peers] [--json]

DIR holds the unpacked corpora: streams/NAME.index with lines `spam PATH` or `ham PATH`. Everything is deterministic:
the same figures on every machine. Of each stream, they are worked out anew from the file that --results writes
(bench/results.py) and compared with those printed. --peers adds bogofilter, learning the same streams one by one.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

if not __package__:  # run as a program: what stands beside it is bench.*, as it is to tests and types
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.peers import BOGOFILTER, ProgramFailed, Step, bogofilter, bogofilter_scores, run, thresher_command
from bench.results import (
    Results,
    WrongResults,
    disagreements,
    errors_in_tail,
    figures,
    one_minus_auc_percent,
    read_results,
    spam_missed,
)
from bench.tables import Bar, bar_cells, missed
from thresher.boxes import Listed, read_index
from thresher.values import Label, ThresherError

PROCESSES = 2
SHOWN = ("sa-full", "ling", "list")
"""Streams whose figures are shown."""
TWICE = "sa-full"
"""The stream that is run with one process too: the results must be the same bytes."""
TORTURE = "sa-torture"
TORTURES = tuple(f"{TORTURE}-{number}" for number in range(10))
TORTURE_TAIL = 500
"""Errors are counted in the last 500 of each of the ten, as those who published results on them do."""

# The bars. A figure is `STREAM FIGURE` with a figure of `Row`, or one of those below.
DIFFERING = f"{TWICE} lines that differ between 1 and {PROCESSES} processes"
CALIBRATION = f"{TWICE} expected calibration error %"
BRIER = f"{TWICE} Brier score"
TAIL_ERRORS = f"{TORTURE} errors in the last {TORTURE_TAIL}"
BARS = (
    Bar("sa-full 1-AUC %", "at most", 0.035),
    Bar("sa-full error %", "at most", 1.0),
    Bar("sa-full missed %", "at most", 5.0),
    Bar("list 1-AUC %", "at most", 0.01),
    Bar("list error %", "at most", 0.3),
    Bar(TAIL_ERRORS, "at most", 14),
    Bar(DIFFERING, "at most", 0),
    Bar(CALIBRATION, "at most", 1.0),
    Bar(BRIER, "at most", 0.010),
)


class Row(NamedTuple):
    """What a filter makes of a stream."""

    stream: str
    filter: str
    n: int
    one_minus_auc: float
    error: float
    missed: float

    def figures(self) -> dict[str, float]:
        """Name the figures as the bars do."""
        return {
            f"{self.stream} 1-AUC %": self.one_minus_auc,
            f"{self.stream} error %": self.error,
            f"{self.stream} missed %": self.missed,
        }


class Evaluated(NamedTuple):
    """One run of `evaluate`."""

    results: Results
    out: bytes
    """The file of results."""


def evaluate(index: Path, folder: Path, jobs: int) -> Evaluated:
    """Run the command, and hold what it wrote and what it printed to one another."""
    out = folder / "out.tsv"
    command = thresher_command("evaluate", "--index", index, "--results", out, "--json", "--jobs", str(jobs))
    printed = json.loads(run([Step([*command, "--home", str(folder / "home")])]).output)
    text = out.read_bytes()
    try:
        results = read_results(os.fsdecode(text), [(one.label, one.written) for one in read_index(index)])
    except WrongResults as error:
        raise WrongResults(f"{index.stem}: {error}") from error
    wrong = disagreements(printed, figures(results))
    if wrong:
        raise WrongResults(f"{index.stem}: printed otherwise than the results say: {', '.join(wrong)}")
    return Evaluated(results, text)


def row(stream: str, name: str, spam: Sequence[bool], scores: Sequence[float], errors: int) -> Row:
    """Return the figures that are shown, in percent."""
    return Row(
        stream,
        name,
        len(spam),
        one_minus_auc_percent(spam, scores),
        100 * errors / len(spam),
        100 * spam_missed(spam, scores),
    )


def measure(streams: Path, folder: Path) -> tuple[list[Row], dict[str, float]]:
    """Return what is shown, and every figure by its name."""
    rows = []
    found: dict[str, float] = {}
    for stream in SHOWN:
        evaluated = evaluate(streams / f"{stream}.index", folder, PROCESSES)
        results = evaluated.results
        rows.append(row(stream, "thresher", results.spam, results.log_odds, errors_in_tail(results, len(results.spam))))
        found |= rows[-1].figures()
        if stream == TWICE:
            alone = evaluate(streams / f"{stream}.index", folder, 1)
            found[DIFFERING] = differing_lines(evaluated.out, alone.out)
            worked_out = figures(results)
            found[CALIBRATION] = 100 * worked_out["expected_calibration_error"]
            found[BRIER] = worked_out["brier"]
    found[TAIL_ERRORS] = sum(
        errors_in_tail(evaluate(streams / f"{stream}.index", folder, PROCESSES).results, TORTURE_TAIL)
        for stream in TORTURES
    )
    return rows, found


def differing_lines(one: bytes, other: bytes) -> int:
    """Count the lines in which two files differ, byte by byte; a line that only one has differs."""
    ours, theirs = one.split(b"\n"), other.split(b"\n")
    return sum(a != b for a, b in zip(ours, theirs, strict=False)) + abs(len(ours) - len(theirs))


def peer_rows(streams: Path) -> Iterator[Row]:
    """Let bogofilter learn the streams that are shown, a process for each score and one for each lesson."""

    def learned(stream: str) -> Row:
        listed: list[Listed] = read_index(streams / f"{stream}.index")
        with tempfile.TemporaryDirectory() as home:
            scores = bogofilter_scores(listed, Path(home))
        spam = [one.label is Label.SPAM for one in listed]
        errors = sum((score > 0.5) != is_spam for score, is_spam in zip(scores, spam, strict=True))
        return row(stream, BOGOFILTER, spam, scores, errors)

    with ThreadPoolExecutor(PROCESSES) as pool:
        yield from pool.map(learned, SHOWN)


def lines(rows: Sequence[Row], found: dict[str, float]) -> Iterator[str]:
    """Return what is printed, separated by tabs."""
    yield "stream\tfilter\tmessages\t1-AUC %\terror %\tspam missed % at 0.1 % ham lost"
    for one in rows:
        yield f"{one.stream}\t{one.filter}\t{one.n}\t{one.one_minus_auc:.4f}\t{one.error:.2f}\t{one.missed:.2f}"
    yield ""
    yield "figure\tvalue\tbar\tmet"
    for bar in BARS:
        value = found.get(bar.figure)
        yield "\t".join([bar.figure, "" if value is None else f"{value:.4g}", *bar_cells(bar, value)])


def as_json(rows: Sequence[Row], found: dict[str, float]) -> str:
    """Return the same as one object."""
    bars = [
        {"figure": bar.figure, "value": found.get(bar.figure), "bar": str(bar), "met": bar.met(found.get(bar.figure))}
        for bar in BARS
    ]
    return json.dumps({"streams": [one._asdict() for one in rows], "bars": bars})


def main() -> int:
    """Measure, print, and say what is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True, metavar="DIR", help="folder of the unpacked corpora")
    parser.add_argument("--peers", action="store_true", help="bogofilter on the same streams; takes minutes")
    parser.add_argument("--json", action="store_true", help="print one object")
    args = parser.parse_args()
    streams = args.corpus / "streams"
    if args.peers and bogofilter() is None:
        parser.error("--peers needs bogofilter: apt install bogofilter")
    try:
        with tempfile.TemporaryDirectory() as folder:
            rows, found = measure(streams, Path(folder))
        if args.peers:
            rows = [*rows, *peer_rows(streams)]
    except (ThresherError, ProgramFailed, WrongResults) as error:
        print(f"bars: {error}", file=sys.stderr)
        return 1
    print(as_json(rows, found) if args.json else "\n".join(lines(rows, found)))
    below = missed(BARS, found)
    for bar in below:
        print(f"bars: missed: {bar.figure} must be {bar}, is {found.get(bar.figure)}", file=sys.stderr)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
