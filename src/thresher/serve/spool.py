"""Lessons that wait on disk, each a file, while the journal cannot take them: locked, damaged, gone, or out of reach.

Its law: what `put` has returned is on disk; a lesson leaves when the journal has it, and is given to it again if that
was not seen. That does no harm: a person's word on a message counts once. Any process of the home may empty the spool,
one at a time.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from thresher.engine import Teaching
from thresher.learn.hashing import Hasher
from thresher.prepare import Prepared
from thresher.store.files import private_folder, replaced, sync
from thresher.store.journal import JournalError
from thresher.values import Label

FOLDER: Final = "spool"
MOST: Final = 10_000
"""Lessons that may wait: some 40 MB, and more than people give in a day on which nobody looks at the disk."""
_SUFFIX: Final = ".lesson"


class SpoolFull(JournalError):
    """Too many lessons wait already."""


class Spooled(msgspec.Struct, frozen=True):
    """A lesson with what the journal is to say of it."""

    digest: bytes
    label: Label
    stream: bytes
    user: str | None
    source: str
    path: str
    at: float


class Spool:
    """The waiting lessons of one home."""

    def __init__(self, home: Path) -> None:
        self.folder = home / FOLDER
        self._number = count()

    def __len__(self) -> int:
        return len(self.names())

    def names(self) -> list[str]:
        """Name the lessons that wait, the oldest first."""
        try:
            return sorted(path.name for path in self.folder.iterdir() if path.suffix == _SUFFIX)
        except FileNotFoundError:
            return []

    def put(self, teaching: Teaching, user: str | None) -> None:
        """Keep a lesson; OSError if that cannot be done either."""
        if len(self) >= MOST:
            raise SpoolFull(f"{MOST} lessons wait in {self.folder} for the journal; see why it cannot be written")
        self.folder.mkdir(mode=0o700, exist_ok=True)  # and not its parents: a home that is gone is not made anew
        message, label, source = teaching
        kept = Spooled(message.digest, label, message.stream, user, source, message.path, time.time())
        # In the order given; the name is not taken twice, as no two lessons of a digest come in one nanosecond.
        file = self.folder / f"{time.time_ns():020}-{next(self._number)}-{message.digest.hex()}{_SUFFIX}"
        with replaced(file) as filled:
            filled.write_bytes(msgspec.msgpack.encode(kept))

    def waiting(self, hasher: Hasher) -> Iterator[tuple[str, Teaching, Spooled]]:
        """Yield the lessons, the oldest first, ready to be learned; what cannot be read is put aside."""
        for name in self.names():
            try:
                kept = msgspec.msgpack.decode((self.folder / name).read_bytes(), type=Spooled)
            except FileNotFoundError:
                continue
            except msgspec.DecodeError:
                (self.folder / name).rename(self.folder / f"{name}.damaged")
                continue
            slots = hasher.features([kept.stream]).slots.astype(np.int32)
            message = Prepared(kept.path, kept.digest, kept.stream, slots)
            yield name, Teaching(message, kept.label, kept.source), kept

    def remove(self, name: str) -> None:
        """Let a lesson go that the journal has."""
        (self.folder / name).unlink(missing_ok=True)
        sync(self.folder)

    def prepare(self) -> None:
        """Make the folder while there is room for it."""
        with suppress(OSError):  # a home that cannot be written now is one that `put` will complain of
            private_folder(self.folder)
