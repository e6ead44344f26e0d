"""Files that are wholly there or not at all and open to their owner only, and locks that die with their holder."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PRIVATE_FOLDER = 0o700
_PRIVATE_FILE = 0o600

# What SQLite puts beside a file and leaves there when it cannot finish.
_COMPANIONS = ("", "-wal", "-shm", "-journal")

# A process killed while it wrote leaves its temporary file behind. No write takes an hour without touching its file, so
# what is older belongs to nobody.
_STALE_SECONDS = 3600.0


def private_folder(folder: Path) -> None:
    """Make a folder only its owner may enter; one that is there already stays as it is."""
    folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)


@contextmanager
def replaced(file: Path) -> Iterator[Path]:
    """Give an empty private file to fill; when the block ends well it takes the place of `file` durably."""
    with temporary(file) as filled:
        yield filled
        sync(filled)
        filled.replace(file)
        sync(file.parent)


@contextmanager
def temporary(beside: Path) -> Iterator[Path]:
    """Give an empty private file in another's folder, gone when the block ends."""
    _sweep(beside)
    # What tempfile.mkstemp does, which takes 5 ms to import on every `check`.
    name = beside.parent / f".{beside.name}.{os.urandom(8).hex()}.tmp"
    os.close(os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, _PRIVATE_FILE))
    try:
        yield name
    finally:
        for companion in _COMPANIONS:
            name.with_name(name.name + companion).unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Return when a file's bytes, or a folder's names, are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold the lock of a folder, or of a file made for it, during the block; without `wait`, give False if it is taken.

    The system lets go of it when the process dies, however it dies. Only other users of the lock are kept out, not
    those of the path. Never lock a file that SQLite has open: closing it here would drop SQLite's own locks.
    """
    flags = os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT
    descriptor = os.open(path, flags, _PRIVATE_FILE)
    try:
        yield _take(descriptor, wait=wait)
    finally:
        # Closing alone would leave the lock with any child forked meanwhile.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _take(descriptor: int, *, wait: bool) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sweep(file: Path) -> None:
    """Delete what killed processes left of earlier attempts to write `file`."""
    old = time.time() - _STALE_SECONDS
    for left in file.parent.iterdir():
        if left.name.startswith(f".{file.name}.") and ".tmp" in left.name:
            with suppress(FileNotFoundError):  # somebody else sweeps too
                if left.stat().st_mtime < old:
                    left.unlink()
