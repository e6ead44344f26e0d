"""Running the commands: in this process where that is enough, as a program where processes matter."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from tests.cli.nobody import NOBODY
from thresher.cli import main

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith("THRESHER_")} | {
    "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
    "OPENBLAS_NUM_THREADS": "1",
    # Tests that want the page say where.
    "THRESHER_SERVE_PAGE": "none",
}


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """What it printed, line by line."""
        return self.out.splitlines()

    @property
    def objects(self) -> list[dict[str, Any]]:
        """What it printed, as JSON."""
        return [json.loads(line) for line in self.lines]


def run(*arguments: object, home: Path | None = None, stdin: bytes = b"") -> Ran:
    """Run a command in this process."""
    chosen = ["--home", str(home)] if home else []
    result = CliRunner().invoke(
        main, [*chosen, *map(str, arguments)], input=stdin, catch_exceptions=False, prog_name="thresher"
    )
    return Ran(result.exit_code, result.stdout, result.stderr)


def done(*arguments: object, home: Path | None = None, stdin: bytes = b"") -> Ran:
    """Run a command in this process that must do what it is asked, without a word of warning."""
    ran = run(*arguments, home=home, stdin=stdin)
    assert (ran.code, ran.err) == (0, ""), ran
    return ran


def line_of(*arguments: object, home: Path, options: tuple[str, ...] = (), module: str = "thresher") -> list[str]:
    """Return the line that runs thresher as a program."""
    return [sys.executable, *options, "-m", module, "--home", str(home), *map(str, arguments)]


def start(*arguments: object, home: Path) -> subprocess.Popen[str]:
    """Start thresher as a program."""
    return subprocess.Popen(
        line_of(*arguments, home=home), env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def program(*arguments: object, home: Path, stdin: bytes = b"", module: str = "thresher", cwd: Path = ROOT) -> Ran:
    """Run thresher as a program."""
    line = line_of(*arguments, home=home, module=module)
    ran = subprocess.run(line, env=ENVIRONMENT, input=stdin, capture_output=True, check=False, cwd=cwd)
    return Ran(ran.returncode, os.fsdecode(ran.stdout), os.fsdecode(ran.stderr))


def as_nobody(*arguments: object, home: Path, stdin: bytes = b"") -> Ran:
    """Run thresher as somebody whom file modes bind."""
    return program(*arguments, home=home, stdin=stdin, module="tests.cli.nobody")


def give_to_nobody(*paths: Path) -> None:
    """Make files those of the user that `as_nobody` runs as."""
    if os.geteuid() == 0:
        for path in paths:
            os.chown(path, NOBODY, NOBODY)
