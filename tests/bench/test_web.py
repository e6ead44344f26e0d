"""The benchmark of the page runs, and says whether its bar was met."""

import subprocess
import sys
from pathlib import Path

from tests.cli.running import ENVIRONMENT, ROOT


def test_every_page_is_timed_and_the_bar_is_said(tmp_path: Path) -> None:
    line = [sys.executable, "bench/web.py", "--messages", "300", "--rounds", "2"]
    ran = subprocess.run(
        line, cwd=ROOT, env={**ENVIRONMENT, "TMPDIR": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert ran.returncode in {0, 1}, ran.stderr
    lines = ran.stdout.splitlines()
    assert len(lines) >= 15
    assert lines[-1].startswith("bar: every median below 50 ms: ")
