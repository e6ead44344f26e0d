"""Other processes, disks with little room, and homes that may not be written."""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "OPENBLAS_NUM_THREADS": "1"}

ROOM = 600_000
"""Bytes on a small disk: an empty journal and some dozens of lessons."""


def start(*arguments: object) -> subprocess.Popen[str]:
    """Start tests/store/child.py."""
    command = [sys.executable, "-m", "tests.store.child", *map(str, arguments)]
    return subprocess.Popen(
        command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def answer(child: subprocess.Popen[str]) -> Any:  # noqa: ANN401 - JSON
    """Wait for a child to end well and read its answer."""
    out, err = child.communicate()
    assert child.returncode == 0, err
    return json.loads(out) if out else None


class SmallDisk(NamedTuple):
    """A folder that takes little, and a call that makes room."""

    folder: Path
    make_room: Callable[[], None]


@contextmanager
def files_no_larger_than(size: int) -> Iterator[Callable[[], None]]:
    """Let no file of this process grow beyond a size; give a call that lifts the limit."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def lift() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield lift
    finally:
        lift()


def limited(folder: Path) -> Iterator[SmallDisk]:
    """Bound every file: anybody can have that, on any file system."""
    with files_no_larger_than(ROOM) as lift:
        yield SmallDisk(folder, lift)


def mounted(folder: Path) -> Iterator[SmallDisk]:
    """Mount a file system of four times ROOM, most of it taken by something else."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={4 * ROOM}", "tmpfs", folder], check=True)
    ballast = folder / "ballast"
    ballast.write_bytes(bytes(3 * ROOM))
    try:
        yield SmallDisk(folder, ballast.unlink)
    finally:
        subprocess.run(["umount", folder], check=True)


def can_mount() -> bool:
    """Try it: root in a container often may not."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        tried = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], capture_output=True, check=False)
        return tried.returncode == 0 and subprocess.run(["umount", folder], check=True).returncode == 0


# The second is what really happens; the first is there for whoever may not mount.
DISKS = {"limit": limited} | ({"mount": mounted} if can_mount() else {})


@pytest.fixture(params=list(DISKS))
def small_disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SmallDisk]:
    """Give a folder with little room."""
    yield from DISKS[request.param](tmp_path)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that every user of the machine may enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
