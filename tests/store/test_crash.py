"""Whenever a process is killed, every lesson it acknowledged is there, once and whole, and nothing else is."""

import json
import subprocess
import sys
from pathlib import Path

from tests.store.conftest import ENVIRONMENT, ROOT


def kill(what: str, folder: Path, kills: int) -> dict[str, int]:
    """Run tests/store/crash.py, which forks: a process with threads, such as this one, had better not."""
    command = [sys.executable, "-W", "error", "-m", "tests.store.crash", what, str(folder), str(kills), "7"]
    run = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    tally: dict[str, int] = json.loads(run.stdout)
    assert tally["kills"] == kills
    return tally


def test_killed_at_work_a_process_leaves_exactly_what_it_acknowledged(tmp_path: Path) -> None:
    """Learning, correcting, forgetting, snapshots and backups, 300 kills; at most the step under way may be there too.

    Some kills must have cut a change short, and some spared a snapshot and a backup, or this would show little.
    """
    tally = kill("work", tmp_path, 300)
    assert tally["steps"] > 300
    assert tally["cut short"] > 0
    assert tally["snapshots"] > 0
    assert tally["backups"] > 0


def test_killed_while_restoring_a_process_leaves_one_whole_journal_and_keeps_the_other(tmp_path: Path) -> None:
    tally = kill("restore", tmp_path, 40)
    assert tally["steps"] > 10
