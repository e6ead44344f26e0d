"""The real program and ours on the same input, and what of their output must be the same."""

import contextlib
import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.making import ham, spam
from tests.cli.running import ENVIRONMENT, line_of, run
from tests.serve.making import BITS

TAUGHT = 20
NEW = TAUGHT + 5
UNSURE = (
    b"Reply-To: claim@elsewhere.example\nFrom: Winner Office <prize9@lottery.example>\nTo: me@home.example\n"
    b"Subject: Minutes of meeting\n\nDear all, the agenda, Congratulations! claim your prize of\n"
)
"""As much of the one kind as of the other."""


class Ran(NamedTuple):
    """What a program did."""

    code: int
    out: str
    err: str


def real(program: str, *args: object, stdin: bytes = b"", cwd: Path | None = None) -> Ran:
    """Run the real program."""
    return _ran([program, *map(str, args)], stdin, cwd)


def ours(program: str, *args: object, home: Path, stdin: bytes = b"", cwd: Path | None = None) -> Ran:
    """Run what stands in for it, in this process."""
    with contextlib.chdir(cwd or Path.cwd()), pytest.MonkeyPatch.context() as patch:
        patch.setenv("THRESHER_BITS", str(BITS))
        return Ran(*run("compat", program, *args, home=home, stdin=stdin))


def as_a_program(program: str, *args: object, home: Path, stdin: bytes = b"") -> Ran:
    """Run it as a process of its own."""
    return _ran(line_of("compat", program, *args, home=home), stdin, None)


def _ran(line: Sequence[str], stdin: bytes, cwd: Path | None) -> Ran:
    environment = {**ENVIRONMENT, "THRESHER_BITS": str(BITS), "LC_ALL": "C.UTF-8"}
    ran = subprocess.run(line, input=stdin, capture_output=True, check=False, cwd=cwd, env=environment)
    return Ran(ran.returncode, os.fsdecode(ran.stdout), os.fsdecode(ran.stderr))


def shape(text: str) -> str:
    """Return a text with every figure, version and reason replaced: what scripts match stays."""
    text = re.sub(r"version=\S+", "version=V", text)
    return re.sub(r"-?\d+(\.\d+)?", "N", text)


def write_mail(folder: Path) -> None:
    """Write the messages that both programs are taught, and some new ones."""
    for kind, make in (("ham", ham), ("spam", spam)):
        (folder / kind).mkdir(parents=True)
        for number in range(TAUGHT):
            (folder / kind / f"{number}.eml").write_bytes(make(number))
    (folder / "h").write_bytes(ham(NEW))
    (folder / "s").write_bytes(spam(NEW))
    (folder / "u").write_bytes(UNSURE)
    boxed = b"".join(b"From a@b.example Sat Jan  3 01:05:34 2026\n" + raw + b"\n" for raw in (ham(NEW), spam(NEW)))
    (folder / "both.mbox").write_bytes(boxed)
