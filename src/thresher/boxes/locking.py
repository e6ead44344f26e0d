"""Locks that mail programs agree on: a ``.lock`` file beside the file, and the system's lock on the file itself.

Both are taken, since programs differ in which they heed. A lock file of a program that died is broken when it has not
been touched for STALE seconds, as procmail and the others do.
"""

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from thresher.boxes.item import BoxError

STALE: Final = 300.0
PATIENCE: Final = 20.0
PAUSE: Final = 0.05


@contextmanager
def dot_locked(file: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold ``FILE.lock``."""
    lock = file.with_name(f"{file.name}.lock")
    end = time.monotonic() + patience
    while not _taken(lock):
        with suppress(FileNotFoundError):
            if time.time() - lock.stat().st_mtime > STALE:
                lock.unlink()
                continue
        if time.monotonic() > end:
            raise BoxError(str(file), "locked by another program", f"try again, or delete {lock} if nothing uses it")
        time.sleep(PAUSE)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


@contextmanager
def locked_file(file: Path, patience: float = PATIENCE) -> Iterator[int]:
    """Hold both locks of a file, and give it opened for reading and writing."""
    with dot_locked(file, patience):
        descriptor = os.open(file, os.O_RDWR)
        try:
            _lock(descriptor, file, patience)
            yield descriptor
        finally:
            os.close(descriptor)


def _taken(lock: Path) -> bool:
    try:
        descriptor = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    except PermissionError:
        # A spool whose folder is not ours to write (/var/mail): the system's lock alone must do, as it does for mutt.
        return True
    with os.fdopen(descriptor, "w") as opened:
        opened.write(f"{os.getpid()}\n")
    return True


def _lock(descriptor: int, file: Path, patience: float) -> None:
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in {errno.EACCES, errno.EAGAIN}:
                raise
            if time.monotonic() > end:
                raise BoxError(str(file), "locked by another program", "try again") from error
            time.sleep(PAUSE)
        else:
            return
