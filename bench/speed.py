"""Measuring speed: which runs there are, in which order, and what is kept of them.

The law of this file: all that is compared is run in turn, in every round, so that a busy minute hits all alike; a run
is a whole process from its start to its end; memory is measured apart from time, because looking costs some.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.peers import Filter, Mail, ProgramFailed, Ran, Step, on_cores, run, thresher_command

ONE_CORE = "one core"
ALL_CORES = "all cores"
COLD_STARTS = 3
"""Cold starts a round: they take a fifth of a second, so five rounds have fifteen of each."""
COLD_CHECK = "check of one message"
IMPORT_NUMPY = "import numpy"
PEAK = Path(__file__).with_name("peak.py")
HEAVY = ("sklearn", "scipy", "matplotlib", "rich")
"""What one cold check must not import: each takes as long to import as much of what the check itself does."""


class Run(NamedTuple):
    """What was run, and by whom."""

    command: str
    cores: str
    filter: str


class Findings(NamedTuple):
    """Everything that was measured."""

    seconds: dict[Run, list[float]]
    """Of each round, from start to end."""
    busy: dict[Run, list[float]]
    """The same, of processor time: what is left of a run when other programs' share of the machine is taken off."""
    cold: dict[str, list[float]]
    """Seconds of each cold start."""
    imported: list[str]
    """Which of HEAVY one cold check imports."""
    peaks: dict[tuple[str, str], dict[str, float | None]]
    """(command, filter) -> bytes, as bench/peak.py says them."""


def can_pin() -> bool:
    """Tell whether processes can be held to one core here."""
    return hasattr(os, "sched_setaffinity")


def measure(mail: Mail, filters: Sequence[Filter], rounds: int, folder: Path) -> Findings:
    """Run everything; the folder is for what the filters learn."""
    for path in mail.paths:
        Path(path).read_bytes()  # from here on, everybody finds the messages in the system's cache
    found = Findings({}, {}, {COLD_CHECK: [], IMPORT_NUMPY: []}, [], {})
    places: dict[str, frozenset[int] | None] = {ALL_CORES: None}
    if can_pin():
        # The last core: the first one often serves the machine's interrupts too.
        places = {ONE_CORE: frozenset({max(os.sched_getaffinity(0))}), **places}
    for number in range(rounds):
        for place, cores in places.items():
            homes = _homes(folder / f"{number}-{place}", filters)
            with on_cores(cores):
                _round(found, place, mail, filters, homes)
        _cold_starts(found, mail, homes["thresher"])
    found.imported.extend(heavy_imports(_imports(mail, homes["thresher"])))
    homes = _homes(folder / "peak", filters)
    for one in filters:
        found.peaks["learn", one.name] = _peak(one.learn(mail, homes[one.name]))
        found.peaks["check", one.name] = _peak(one.check(mail, homes[one.name]))
    return found


def _homes(folder: Path, filters: Sequence[Filter]) -> dict[str, Path]:
    homes = {one.name: folder / one.name for one in filters}
    for home in homes.values():
        home.mkdir(parents=True)
    return homes


def _round(found: Findings, place: str, mail: Mail, filters: Sequence[Filter], homes: dict[str, Path]) -> None:
    def keep(command: str, name: str, ran: Ran) -> None:
        found.seconds.setdefault(Run(command, place, name), []).append(ran.seconds)
        found.busy.setdefault(Run(command, place, name), []).append(ran.busy)

    for one in filters:
        keep("learn", one.name, run(one.learn(mail, homes[one.name])))
    for one in filters:
        ran = run(one.check(mail, homes[one.name]))
        verdicts = ran.output.count(b"\n")
        if verdicts != len(mail.paths):
            raise ProgramFailed(f"{one.name} gave {verdicts} verdicts on {len(mail.paths)} messages")
        keep("check", one.name, ran)
    evaluate = thresher_command("evaluate", "--index", mail.listed_in, "--home", homes["thresher"])
    keep("evaluate", "thresher", run([Step(evaluate)]))


def _cold_starts(found: Findings, mail: Mail, home: Path) -> None:
    commands = {COLD_CHECK: _check_one(mail, home), IMPORT_NUMPY: [sys.executable, "-c", "import numpy"]}
    for _ in range(COLD_STARTS):
        for name, command in commands.items():
            found.cold[name].append(run([Step(command)]).seconds)


def _check_one(mail: Mail, home: Path) -> list[str]:
    return thresher_command("check", "--home", home, mail.paths[0])


def _imports(mail: Mail, home: Path) -> str:
    python, *rest = _check_one(mail, home)
    return run([Step([python, "-X", "importtime", *rest])]).errors.decode()


def heavy_imports(import_times: str) -> list[str]:
    """Name those of HEAVY that `python -X importtime` saw: lines `import time: own | all | module`."""
    modules = [line.rpartition("|")[2].strip() for line in import_times.splitlines() if line.startswith("import time:")]
    packages = {module.partition(".")[0] for module in modules}
    return [name for name in HEAVY if name in packages]


def _peak(steps: Sequence[Step]) -> dict[str, float | None]:
    """Return the peak of the worst of some processes that run one after the other."""
    peaks = list(_peaks(steps))
    together = [peak["together"] for peak in peaks if peak["together"] is not None]
    return {"largest": max(peak["largest"] or 0 for peak in peaks), "together": max(together, default=None)}


def _peaks(steps: Sequence[Step]) -> Iterator[dict[str, float | None]]:
    for step in steps:
        looked_at = step._replace(command=[sys.executable, "-S", str(PEAK), *step.command])
        peak: dict[str, float | None] = json.loads(run([looked_at]).output)
        yield peak
