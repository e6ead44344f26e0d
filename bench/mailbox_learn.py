"""`thresher mailbox learn` from a large Maildir: memory, cores, and going on after a kill.

    python bench/mailbox_learn.py [--messages 100000]

The bars: 300 MB at most, all processes together, pages they share counted once; all cores busy; killed in the middle
and run again, no lesson counts twice and what was learned is not read again.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.peak import family, proportional
from thresher.prepare import cores

BAR = 300e6
LOOK_EVERY = 0.1
TICKS = os.sysconf("SC_CLK_TCK")


def thresher(home: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "thresher", "--home", str(home), *words]


def told(line: Sequence[str]) -> list[dict[str, Any]]:
    done = subprocess.run(line, stdout=subprocess.PIPE, check=True, text=True)
    return [json.loads(text) for text in done.stdout.splitlines()]


def used(pids: Sequence[int]) -> float:
    """Return the processor time of processes, in seconds."""
    seconds = 0.0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        seconds += (int(fields[11]) + int(fields[12])) / TICKS
    return seconds


def ready(pids: Sequence[int]) -> int:
    """Count the processes that run or could at once, were there a core for them."""
    count = 0
    for pid in pids:
        try:
            for task in Path(f"/proc/{pid}/task").iterdir():
                count += (task / "stat").read_text().rpartition(")")[2].split()[0] == "R"
        except (FileNotFoundError, ProcessLookupError):
            continue
    return count


class Watched(NamedTuple):
    """How a run went."""

    peak: int
    used: float
    seconds: float
    ready: list[int]
    """Of each look while it read, how many of its processes had work."""
    printed: list[dict[str, Any]]


def watched(home: Path, kill_after: float | None) -> Watched:
    """Run `learn`."""
    start, peak, busy = time.monotonic(), 0, 0.0
    having_work = []
    with subprocess.Popen(thresher(home, "mailbox", "learn", "--json"), stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            members = family(process.pid)
            peak = max(peak, sum(map(proportional, members)))
            busy = max(busy, used(members))
            if len(members) > 1:
                having_work.append(ready(members))
            if kill_after is not None and time.monotonic() - start > kill_after:
                process.send_signal(signal.SIGKILL)
            time.sleep(LOOK_EVERY)
        printed = process.stdout.read() if process.stdout else ""
    lines = [json.loads(text) for text in printed.splitlines()]
    return Watched(peak, busy, time.monotonic() - start, having_work, lines)


def main() -> int:
    """Make mail, learn it whole, learn it again in two goes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--maildir", type=Path, help="one that `thresher demo-mail --maildir` made; else it is made")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        maildir = given.maildir or folder / "Maildir"
        if given.maildir is None:
            told(thresher(folder, "demo-mail", str(maildir), "--maildir", "--messages", str(given.messages), "--json"))
        homes = [folder / "once", folder / "twice"]
        for home in homes:
            told(thresher(home, "mailbox", "add", "big", "--maildir", str(maildir), "--json"))
        run = watched(homes[0], None)
        summary, end = run.printed
        watched(homes[1], run.seconds / 2)
        before = told(thresher(homes[1], "status", "--json"))[0]["lessons"]
        second, again = watched(homes[1], None).printed
    peak = run.peak
    busy = sum(count >= cores() for count in run.ready) / max(len(run.ready), 1)
    same = again["lessons"] == end["lessons"]
    print(f"| {summary['read']} messages | |\n|---|---:|")
    print(f"| memory, MB, all processes | {peak / 1e6:.0f} |")
    print(f"| seconds | {run.seconds:.0f} |")
    print(f"| processor seconds | {run.used:.0f} |")
    print(f"| share of the time in which it had work for all {cores()} cores | {100 * busy:.0f} % |")
    print(f"| lessons | {end['lessons']} |")
    print(f"| killed half way: lessons by then | {before} |")
    print(f"| messages read by the run after the kill | {second['read']} |")
    print(f"| lessons after it | {again['lessons']} |")
    print(f"\nbar: at most {BAR / 1e6:.0f} MB: {'held' if peak <= BAR else 'NOT held'}")
    print(f"bar: after a kill the same lessons, none twice: {'held' if same else 'NOT held'}")
    return 0 if peak <= BAR and same else 1


if __name__ == "__main__":
    sys.exit(main())
