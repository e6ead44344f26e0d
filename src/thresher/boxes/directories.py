"""What mailboxes that keep each message in a file have in common: Maildir, MH, a folder of messages.

A listing is a scan of the directory; a move is one rename, so a message is in one folder or the other whatever is
killed. Which names are messages, what they say of flags, and how a free name is made, each format says itself.
"""

import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from thresher.boxes.inotify import Changes
from thresher.boxes.item import BoxError, Entry, box_error
from thresher.boxes.mailbox import Folder, Scan, Sighting
from thresher.boxes.maildir import PRIVATE_FILE, unique_name, write_new

UID: Final = "\0"
"""Stands for a message's uid in a path; no path holds it."""
SETTLED_NS: Final = 2 * 10**9
"""A directory changed twice within the clock's grain (4 ms on Linux, 2 s on FAT) shows one time: so its time is
believed only when it is that old."""


class DirectoryMailbox(ABC):
    """A mailbox in a directory, with a file for each message."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._files: dict[str, dict[str, str]] = {}
        """For each folder scanned, where each message was then, with UID for its uid: for most that is one and the same
        string, where a path for each of a million messages would take 1 GB."""
        self._changes: Changes | None = None
        if not root.is_dir():
            raise BoxError(str(root), "no such folder", "check the spelling")

    @property
    def place(self) -> str:
        return str(self.root)

    @abstractmethod
    def folders(self) -> list[Folder]:
        """List the folders."""

    @abstractmethod
    def _parts(self, folder: str) -> list[Path]:
        """Return the directories in which a folder's messages lie."""

    @abstractmethod
    def _sightings(self, folder: str) -> Iterator[tuple[Sighting, str]]:
        """Look at a folder's messages."""

    @abstractmethod
    def _move(self, path: Path, folder: str, target: str) -> str:
        """Move a message and return its uid."""

    @abstractmethod
    def append(self, folder: str, raw: bytes, flags: Collection[str] = (), arrived: float | None = None) -> str: ...

    @abstractmethod
    def create(self, folder: str) -> None: ...

    def scan(self, folder: str, mark: str = "") -> Scan:
        try:
            before = self._mark(folder)
            if mark and mark == before:
                return Scan(mark)
            seen = list(self._sightings(folder))
        except OSError as error:
            raise box_error(self._shown(folder), error) from error
        self._files[folder] = {sighting.uid: sys.intern(path.replace(sighting.uid, UID)) for sighting, path in seen}
        return Scan(before, self._files[folder].keys(), [sighting for sighting, _ in seen])

    def _mark(self, folder: str) -> str:
        times = [part.stat().st_mtime_ns for part in self._watched(folder)]
        settled = all(changed < time.time_ns() - SETTLED_NS for changed in times)
        return ":".join(map(str, times)) if settled else ""

    def _watched(self, folder: str) -> list[Path]:
        """Return whose times change when a message comes, goes or gets a flag."""
        return self._parts(folder)

    def entries(self, folder: str, uids: Sequence[str]) -> Iterator[tuple[str, Entry]]:
        for uid in uids:
            if path := self._find(folder, uid):
                yield uid, Entry(str(path), delivered=True)

    def _find(self, folder: str, uid: str) -> Path | None:
        """Return where a message is now."""
        path = self._seen(folder, uid)
        if path is None or not path.exists():
            self.scan(folder)
            path = self._seen(folder, uid)
        return path

    def _seen(self, folder: str, uid: str) -> Path | None:
        path = self._files.get(folder, {}).get(uid)
        return None if path is None else Path(path.replace(UID, uid))

    def move(self, folder: str, uids: Sequence[str], target: str) -> dict[str, str]:
        moved = {}
        try:
            self.create(target)
            for uid in uids:
                path = self._find(folder, uid)
                if path is not None:
                    moved[uid] = self._move(path, folder, target)
        except FileNotFoundError:
            # Gone between being found and being moved: somebody else's move, and the rest is asked for again.
            rest = [uid for uid in uids if uid not in moved]
            self.scan(folder)
            if all(self._files[folder].get(uid) for uid in rest):
                raise
            moved |= self.move(folder, [uid for uid in rest if uid in self._files[folder]], target)
        except OSError as error:
            raise box_error(self._shown(folder), error) from error
        return moved

    def stand(self, target: str) -> str:  # noqa: ARG002 - the port's signature: one rename leaves nothing to find out
        return ""

    def resume(self, folder: str, uid: str, target: str, stand: str) -> str | None:  # noqa: ARG002 - the same
        return None if self._find(folder, uid) else ""

    def listen(self, folders: Sequence[str]) -> None:
        if self._changes is not None:
            self._changes.close()
        self._changes = Changes(part for folder in folders for part in self._watched(folder))

    def wait(self, seconds: float) -> bool:
        if self._changes is None:
            self._changes = Changes(part for folder in self.folders() for part in self._watched(folder.name))
        return self._changes.wait(seconds)

    def close(self) -> None:
        if self._changes is not None:
            self._changes.close()
            self._changes = None

    def _shown(self, folder: str) -> str:
        return f"{self.root}: {folder}"


def files(directory: Path) -> Iterable[os.DirEntry[str]]:
    """List what may be messages in a directory."""
    with os.scandir(directory) as listing:
        return [entry for entry in listing if entry.name[0] != "." and entry.is_file()]


def below(root: Path, directory: Path) -> str:
    """Name a directory as a folder: its path from the root."""
    return directory.relative_to(root).as_posix()


def reserved(target: Path) -> bool:
    """Make an empty file of this name, over which a message can then be renamed without hitting another; or say no."""
    try:
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    except FileExistsError:
        return False
    return True


def stored(directory: Path, raw: bytes, arrived: float | None) -> Path:
    """Write a message durably under a name that no reader looks at, to be renamed."""
    written = directory / f".{unique_name()}"
    write_new(written, raw)
    if arrived is not None:
        os.utime(written, (arrived, arrived))
    return written
