"""The journal's port: one durable row for every lesson that was given and not taken back.

Its law: what `append` or `forget` has returned is on disk, wholly. A person's word on a message counts once. Ids grow
and are never used again, so whoever has read up to an id reads on from there; `Position` says whether that is enough.
Back ends differ in where the rows lie and in nothing else: tests/conformance holds them to that.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Protocol, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from thresher.values import Label, Lesson, ThresherError


class Row(NamedTuple):
    """A lesson with its place in the journal."""

    id: int
    lesson: Lesson


class Entry(NamedTuple):
    """A row without its token stream: what lists, previews and receipts need."""

    id: int
    digest: bytes
    label: Label
    user: str
    source: str
    time: float
    score: float | None
    tokenizer: int
    after: float | None = None


class Ended(NamedTuple):
    """What stays of a lesson that no longer counts: that it was given and taken back, not its words or source."""

    seq: int
    id: int
    digest: bytes
    label: Label
    user: str
    learned: float
    ended: float
    corrected: bool
    """True if the same person gave the message the other label, False if it was forgotten."""


class Status(StrEnum):
    """What a lesson changed."""

    LEARNED = "learned"
    UNCHANGED = "unchanged"
    CORRECTED = "corrected"


class Outcome(NamedTuple):
    """The journal's answer to one lesson."""

    status: Status
    id: int
    """Of the row that now speaks for this person and message; the old row's if nothing changed."""
    previous: Entry | None = None
    """What this person had said of the message before; None if nothing."""


class Labels(NamedTuple):
    """Every row's id and label in id order, as arrays of one length."""

    ids: NDArray[np.int64]
    is_spam: NDArray[np.bool_]


class Counts(NamedTuple):
    """How many rows say what."""

    ham: int
    spam: int


class Position(NamedTuple):
    """Where a journal stands; a view of it names the position it was folded at.

    Same identity and generation: the rows after `last_id` are all that is new. Anything else: fold again.
    """

    identity: str
    """Of this journal's line of history; a restored journal gets a new one."""
    generation: int
    """Rows that have ended: grows with every one forgotten or corrected."""
    last_id: int
    """The highest id ever given."""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """Which rows: those that meet every condition given."""

    ids: tuple[int, ...] | None = None
    digests: tuple[bytes, ...] | None = None
    source: str | None = None
    """The source itself, the folder or the mbox (``inbox.mbox#7``) it lies in, or a glob (``*``, ``?``, ``[...]``)."""
    user: str | None = None
    since: float | None = None
    """Lessons of this time and later."""
    until: float | None = None
    """Lessons before this time."""


ALL = Selection()
"""Every row there is."""


class Journal(Protocol):
    """What every back end does. Safe to use from several threads and several processes at once."""

    @property
    def read_only(self) -> bool:
        """Whether this journal can only be read here; then `append` and `forget` raise `JournalReadOnly`."""

    def append(self, lessons: Sequence[Lesson]) -> list[Outcome]:
        """Write lessons in one durable transaction, as if they were given one after the other."""

    def forget(self, selection: Selection, *, at: float | None = None) -> list[Entry]:
        """Delete the rows selected in one durable transaction; `at` is when (now). `ALL` is refused with ValueError."""

    def find(self, digest: bytes, user: str | None = None) -> list[Row]:
        """Return what was said of a message, by one person or by everybody, in id order."""

    def rows(self, after: int = 0) -> Iterator[Row]:
        """Yield the rows after an id, in id order, a bounded number of them in memory.

        Rows that come or go meanwhile may or may not be seen: compare `position` before and after where that matters.
        """

    def fetch(self, ids: Iterable[int]) -> Iterator[Row]:
        """Yield the rows of these ids in the order asked; an id that is not there is passed over."""

    def entries(self, selection: Selection = ALL) -> Iterator[Entry]:
        """Yield the rows selected without their streams, in id order, a bounded number of them in memory."""

    def ended(self, after: int = 0) -> Iterator[Ended]:
        """Yield the lessons that no longer count, in the order they ended, those after a `seq`."""

    def labels(self) -> Labels:
        """Return all ids and labels, at one moment."""

    def counts(self) -> Counts:
        """Count the rows of each label."""

    def position(self) -> Position:
        """Return identity, generation and last id, at one moment."""

    def generation(self) -> int:
        """Return an integer that grows whenever a row ends."""

    def last_id(self) -> int:
        """Return the highest id ever given; 0 in a new journal."""

    def data_version(self) -> int:
        """Return an integer that differs after somebody else has changed the journal; cheap enough to ask often."""

    def backup(self, file: Path) -> None:
        """Write a verified copy of the journal as it stands, readable by its owner only, in place of `file`."""

    def integrity_check(self) -> list[str]:
        """Read everything and say what is damaged; empty if nothing is."""

    def close(self) -> None:
        """Let go of the journal. Closing twice is no error."""

    def __enter__(self) -> Self:
        """Return itself."""

    def __exit__(self, *_: object) -> None:
        """Close."""


class JournalError(ThresherError):
    """The journal could not do what was asked; the message says why and what to do. Nothing was half done."""


class JournalBusy(JournalError):
    """Another process held the journal for longer than the busy timeout."""


class JournalFull(JournalError):
    """There was no room to write. Once there is, the same call works."""


class JournalReadOnly(JournalError):
    """The journal, or the folder it lies in, may not be written here."""


class JournalMissing(JournalError):
    """The journal's file went away while it was open."""


class JournalCorrupt(JournalError):
    """The journal is damaged, or no journal."""


class JournalTooNew(JournalError):
    """The journal was written by a later version of thresher."""


class BackupUnsound(JournalError):
    """The file to restore from is no sound backup; the journal was left as it is."""
