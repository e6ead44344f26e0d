"""The filters that are compared, each run as its users run it: whole processes, names of messages in, verdicts out.

The law of this file: every filter gets the same messages in the same order and a fresh home, says a line a message when
it checks, and runs with its own defaults. A program that fails ends the benchmark: half a run has no time.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter
from typing import NamedTuple

from thresher.boxes import Listed, read_index
from thresher.values import Label

BOGOFILTER = "bogofilter"
BOGOFILTER_VERDICTS = (0, 1, 2)
"""Exit codes of bogofilter that are verdicts: spam, ham, unsure; 3 is an error."""
IGNORANT = 0.5
"""The score of a message before bogofilter has a word list, without which it refuses to judge."""
SKLEARN_FILTER = Path(__file__).with_name("sklearn_filter.py")


class Mail(NamedTuple):
    """What the filters learn and check: paths of messages, in the order of an index."""

    listed_in: Path
    paths: list[str]
    ham: list[str]
    spam: list[str]


class Step(NamedTuple):
    """One process."""

    command: list[str]
    stdin: bytes = b""
    fine: tuple[int, ...] = (0,)
    """Exit codes that mean no error."""


class Filter(NamedTuple):
    """A filter, as processes. The path is the folder of what it has learned, empty before `learn`."""

    name: str
    version: str
    learn: Callable[[Mail, Path], list[Step]]
    check: Callable[[Mail, Path], list[Step]]


class Ran(NamedTuple):
    """What came of some processes, one after the other."""

    seconds: float
    busy: float
    """Seconds of processor time, of all cores together."""
    output: bytes
    errors: bytes
    """What they said on standard error."""


class ProgramFailed(Exception):
    """A program that is measured did not do its work."""


def read_mail(index: Path) -> Mail:
    """Read which messages there are."""
    listed = read_index(index.resolve())
    paths = {label: [one.path for one in listed if one.label is label] for label in Label}
    return Mail(index, [one.path for one in listed], paths[Label.HAM], paths[Label.SPAM])


def thresher_command(*arguments: str | Path) -> list[str]:
    """Return our own command, run by the Python that runs this."""
    return [sys.executable, "-m", "thresher", *map(str, arguments)]


def thresher() -> Filter:
    """Return ourselves."""
    return Filter(
        "thresher",
        f"thresher {version('thresher')}",
        lambda mail, home: [Step(thresher_command("learn", "--home", home, "--ham", *mail.ham, "--spam", *mail.spam))],
        lambda mail, home: [Step(thresher_command("check", "--home", home, *mail.paths))],
    )


def bogofilter() -> Filter | None:
    """Return bogofilter, if it is installed."""
    if shutil.which(BOGOFILTER) is None:
        return None
    said = subprocess.run([BOGOFILTER, "-V"], capture_output=True, text=True, check=True)

    def command(home: Path, *flags: str) -> list[str]:
        return [BOGOFILTER, "-C", "-d", str(home), *flags, "-b"]

    return Filter(
        "bogofilter",
        (said.stdout or said.stderr).splitlines()[0].replace("version ", ""),
        lambda mail, home: [Step(command(home, "-n"), _names(mail.ham)), Step(command(home, "-s"), _names(mail.spam))],
        lambda mail, home: [Step(command(home, "-T"), _names(mail.paths), BOGOFILTER_VERDICTS)],
    )


def scikit_learn() -> Filter:
    """Return what a data scientist would write in ten lines: bench/sklearn_filter.py."""

    def command(verb: str, home: Path) -> list[str]:
        return [sys.executable, str(SKLEARN_FILTER), verb, str(home / "model")]

    return Filter(
        "scikit-learn",
        f"scikit-learn {version('scikit-learn')}",
        lambda mail, home: [Step(command("learn", home), _names(mail.ham) + b"\n" + _names(mail.spam))],
        lambda mail, home: [Step(command("check", home), _names(mail.paths))],
    )


def _names(paths: Sequence[str]) -> bytes:
    return b"".join(os.fsencode(path) + b"\n" for path in paths)


def run(steps: Sequence[Step]) -> Ran:
    """Run processes to their ends, and tell how long that took."""
    output, errors = [], []
    begin, busy = perf_counter(), _busy()
    for step in steps:
        ended = subprocess.run(step.command, input=step.stdin, capture_output=True, check=False)
        if ended.returncode not in step.fine:
            said = ended.stderr.decode("utf-8", "replace").strip()
            raise ProgramFailed(f"{' '.join(step.command[:5])} ... ended with {ended.returncode}: {said}")
        output.append(ended.stdout)
        errors.append(ended.stderr)
    return Ran(perf_counter() - begin, _busy() - busy, b"".join(output), b"".join(errors))


def _busy() -> float:
    """Return the processor time of all processes started from here that have ended, and of those they started."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def on_cores(cores: frozenset[int] | None) -> Iterator[None]:
    """Hold this process, and those it starts, to some cores, as taskset does; None leaves it as it is."""
    if cores is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def bogofilter_scores(listed: Sequence[Listed], home: Path) -> list[float]:
    """Score each message with bogofilter before it is learned, starting from nothing; two processes a message."""
    return [_score_and_learn(one, home) for one in listed]


def _score_and_learn(message: Listed, home: Path) -> float:
    raw = Path(message.path).read_bytes()
    command = [BOGOFILTER, "-C", "-d", str(home)]
    score = IGNORANT
    if any(home.iterdir()):
        # -TT: the score alone, with 16 digits
        score = float(run([Step([*command, "-TT"], raw, BOGOFILTER_VERDICTS)]).output)
    run([Step([*command, "-s" if message.label is Label.SPAM else "-n"], raw)])
    return score
