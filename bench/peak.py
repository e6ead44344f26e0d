"""Run a command and print, as JSON, the most memory it held, in bytes.

    python -S bench/peak.py COMMAND... < STDIN

`largest`: the peak of its largest process, itself or one it started, as the kernel kept it (ru_maxrss).
`together`: the peak of all its processes at one time, pages they share counted once (the sum of their proportional set
sizes), looked at every few milliseconds; null where the system has no /proc.

Must stay a small program that imports little: a process begins with the peak of the one that started it, so a large
starter would be measured instead of the command. The command's own output is not shown.
"""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

PROC = Path("/proc")
LOOK_EVERY = 0.01
"""Seconds. A peak that lasts less may be missed by `together`, never by `largest`."""
RSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""What ru_maxrss counts: bytes on macOS, KiB elsewhere."""


def family(pid: int) -> list[int]:
    """List a process and those it started, and they."""
    found = [pid]
    for member in found:
        try:
            for task in (PROC / str(member) / "task").iterdir():
                found += map(int, (task / "children").read_text().split())
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
    return found


def proportional(pid: int) -> int:
    """Return the bytes of a process, a page that n processes share counted as 1/n; 0 once it has ended."""
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def main() -> int:
    """Run the command, look at it until it ends, print."""
    can_look = (PROC / "self" / "smaps_rollup").exists()
    together = 0
    with subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            if can_look:
                together = max(together, sum(map(proportional, family(process.pid))))
            time.sleep(LOOK_EVERY)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * RSS_UNIT
    print(json.dumps({"largest": largest, "together": max(together, largest) if can_look else None}))
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
