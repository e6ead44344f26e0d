"""Files replaced whole, and locks that die with their holder."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.store.conftest import ENVIRONMENT, ROOT
from thresher.store.files import locked, replaced, temporary

HOLD = """
import sys, time, pathlib
from thresher.store.files import locked
with locked(pathlib.Path(sys.argv[1])) as mine:
    print(mine, flush=True)
    time.sleep(60)
"""

HOLD_AND_FORK = """
import os, sys, time, pathlib
from thresher.store.files import locked
with locked(pathlib.Path(sys.argv[1])):
    child = os.fork()
    if child == 0:
        time.sleep(60)
print(child, flush=True)
"""


def test_a_replaced_file_is_old_until_it_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    with replaced(file) as new:
        new.write_text("new")
        assert file.read_text() == "old"
    assert file.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_lock_given_back_is_free_though_a_child_forked_meanwhile_lives_on(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD_AND_FORK, str(tmp_path / "lock")]
    with subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        child = int(holder.stdout.readline())
        try:
            with locked(tmp_path / "lock", wait=False) as mine:
                assert mine
        finally:
            os.kill(child, signal.SIGKILL)


def test_a_file_stays_if_its_replacement_fails(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")

    def fail() -> None:
        with replaced(file) as new:
            new.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_what_killed_processes_left_is_swept_up_once_it_is_old(tmp_path: Path) -> None:
    """A fresh one may be at work still, and other names are none of ours."""
    old, fresh, other = (tmp_path / name for name in (".file.a1b2.tmp", ".file.c3d4.tmp-wal", ".other.e5f6.tmp"))
    for path in (old, fresh, other):
        path.touch()
    for path in (old, other):
        os.utime(path, (time.time() - 4000,) * 2)
    with temporary(tmp_path / "file"):
        assert not old.exists()
    assert fresh.exists()
    assert other.exists()


@pytest.mark.parametrize("name", ["lock", "."], ids=["file", "folder"])
def test_a_lock_keeps_other_processes_out_until_its_holder_dies(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "True\n"
        with locked(path, wait=False) as mine:
            assert not mine
        holder.kill()
        holder.wait()
    with locked(path) as mine:
        assert mine


def test_a_lock_is_free_again_after_its_block(tmp_path: Path) -> None:
    for _ in range(2):
        with locked(tmp_path / "lock", wait=False) as mine:
            assert mine
            with locked(tmp_path / "lock", wait=False) as again:
                assert not again
    with pytest.raises(RuntimeError), locked(tmp_path / "lock"):
        raise RuntimeError
    with locked(tmp_path / "lock", wait=False) as mine:
        assert mine
