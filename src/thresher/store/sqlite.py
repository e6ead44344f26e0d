"""The journal on SQLite: the rows, and every statement that reads or writes them.

Its law: one call, one transaction, durable when it returns (WAL, synchronous = FULL, BEGIN IMMEDIATE). Reads go in
batches and hold nothing open between them, so a reader that stops half way keeps no writer waiting and no WAL growing.
"""

import json
import math
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any, Self

import numpy as np

from thresher.store.codec import pack, unpack
from thresher.store.journal import (
    ALL,
    Counts,
    Ended,
    Entry,
    JournalMissing,
    Labels,
    Outcome,
    Position,
    Row,
    Selection,
    Status,
)
from thresher.store.sqlite_copy import copy, problems
from thresher.store.sqlite_file import BUSY_TIMEOUT, corrupt, inode, open_file, transaction, translated
from thresher.values import Label, Lesson

_ENTRY = "id, digest, spam, user, source, time, score, tokenizer, after"
_ROW = f"SELECT {_ENTRY}, packed FROM lesson LEFT JOIN stream USING (id)"
_ENDED = "seq, id, digest, spam, user, learned, ended, corrected"

_POSITION = """
    SELECT identity,
        (SELECT coalesce(max(seq), 0) FROM ended),
        (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'lesson')
    FROM journal
"""

# Names are bound as the bytes they are, since a path need not be UTF-8, and stay text to look at.
_INSERT_LESSON = f"INSERT INTO lesson ({_ENTRY}) VALUES (?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?, ?, ?, ?)"
_INSERT_STREAM = "INSERT INTO stream (id, packed) VALUES (?, ?)"
_INSERT_ENDED = f"INSERT INTO ended ({_ENDED}) VALUES (NULL, ?, ?, ?, CAST(? AS TEXT), ?, ?, ?)"

# Rows read at a time: about 1 MB of streams. Larger batches read no faster.
_BATCH = 256

# How long forgetting waits for readers to let it empty the WAL, in which what was forgotten still stands.
_SCRUB_MS = 1000

_DIGEST_BYTES = 16

_LABELS = (Label.HAM, Label.SPAM)

# What SQLite gives for a row; the statement above says what.
_Columns = tuple[Any, ...]


class SqliteJournal:
    """A journal in one SQLite file, made if it is not there.

    `busy_timeout` is how many seconds to wait for another writer. Do not carry it over a fork: the child opens its own.
    """

    def __init__(self, file: Path, *, busy_timeout: float = BUSY_TIMEOUT) -> None:
        self._file = file.absolute()
        self._busy_timeout = busy_timeout
        self._turn = threading.RLock()
        self._opened = 0
        self._open()

    def _open(self) -> sqlite3.Connection:
        self._connection: sqlite3.Connection | None
        self._connection, self._refusal, self._inode = open_file(self._file, self._busy_timeout)
        self._connection.text_factory = _text
        self._connection.create_function("from_hex", 1, bytes.fromhex, deterministic=True)
        self._opened += 1
        return self._connection

    @property
    def read_only(self) -> bool:
        return self._refusal is not None

    def append(self, lessons: Sequence[Lesson]) -> list[Outcome]:
        for lesson in lessons:
            _check(lesson)
        if not lessons:
            return []
        with self._writing() as connection:
            batch = _Batch(connection, lessons)
            outcomes = [batch.add(lesson) for lesson in lessons]
            batch.write()
        return outcomes

    def forget(self, selection: Selection, *, at: float | None = None) -> list[Entry]:
        if selection == ALL:
            raise ValueError("forgetting everything must be asked for: select by source '*'")
        where, values = _where(selection)
        with self._writing() as connection:
            found = connection.execute(f"SELECT {_ENTRY} FROM lesson WHERE {where} ORDER BY id", values)
            gone = [_entry(columns) for columns in found]
            _end(connection, gone, time.time() if at is None else at)
        if gone:
            self._scrub()
        return gone

    def find(self, digest: bytes, user: str | None = None) -> list[Row]:
        where, values = _where(Selection(digests=(digest,), user=user))
        return self._rows(f"{_ROW} WHERE {where} ORDER BY id", values)

    def rows(self, after: int = 0) -> Iterator[Row]:
        while batch := self._rows(f"{_ROW} WHERE id > ? ORDER BY id LIMIT {_BATCH}", (after,)):
            yield from batch
            after = batch[-1].id

    def fetch(self, ids: Iterable[int]) -> Iterator[Row]:
        asked = map(int, ids)
        while batch := list(islice(asked, _BATCH)):
            rows = self._rows(f"{_ROW} WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(batch),))
            found = {row.id: row for row in rows}
            yield from (found[number] for number in batch if number in found)

    def entries(self, selection: Selection = ALL) -> Iterator[Entry]:
        where, values = _where(selection)
        statement = f"SELECT {_ENTRY} FROM lesson WHERE id > ? AND {where} ORDER BY id LIMIT {_BATCH}"
        after = 0
        while batch := [_entry(found) for found in self._read(statement, (after, *values))]:
            yield from batch
            after = batch[-1].id

    def ended(self, after: int = 0) -> Iterator[Ended]:
        statement = f"SELECT {_ENDED} FROM ended WHERE seq > ? ORDER BY seq LIMIT {_BATCH}"
        while batch := [_ended(found) for found in self._read(statement, (after,))]:
            yield from batch
            after = batch[-1].seq

    def labels(self) -> Labels:
        # One number a row, read without making a tuple of each into an object of ours: 0.3 s for a million rows.
        with self._reading() as connection:
            found = connection.execute("SELECT id * 2 + spam FROM lesson ORDER BY id")
            packed = np.fromiter(chain.from_iterable(found), np.int64)
        return Labels(packed >> 1, (packed & 1).astype(np.bool_))

    def counts(self) -> Counts:
        [(rows, spam)] = self._read("SELECT count(*), coalesce(sum(spam), 0) FROM lesson")
        return Counts(ham=rows - spam, spam=spam)

    def position(self) -> Position:
        [found] = self._read(_POSITION)
        return Position(*found)

    def generation(self) -> int:
        return self.position().generation

    def last_id(self) -> int:
        return self.position().last_id

    def data_version(self) -> int:
        [(version,)] = self._read("PRAGMA data_version")
        # SQLite counts anew for every connection.
        return int(version) + (self._opened << 32)

    def backup(self, file: Path) -> None:
        copy(self._file, file)

    def integrity_check(self) -> list[str]:
        with self._reading() as connection:
            return problems(connection)

    def close(self) -> None:
        with self._turn:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, statement: str, values: Sequence[object] = ()) -> list[_Columns]:
        with self._reading() as connection:
            return connection.execute(statement, values).fetchall()

    def _rows(self, statement: str, values: Sequence[object]) -> list[Row]:
        return [self._row(found) for found in self._read(statement, values)]

    def _row(self, columns: _Columns) -> Row:
        number, digest, spam, *rest, packed = columns
        try:
            stream = unpack(packed or b"")
        except ValueError as error:
            raise corrupt(self._file, f"lesson {number}: {error}") from error
        return Row(number, Lesson(digest, _LABELS[spam], stream, *rest))

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._turn, translated(self._file):
            yield self._live()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._reading() as connection:
            # There may be room by now, or the right to write.
            writable = connection if self._refusal is None else self._reopen()
            if self._refusal is not None:
                raise self._refusal
            with transaction(writable):
                yield writable

    def _live(self) -> sqlite3.Connection:
        """Give the connection to the file that now has the journal's name.

        Somebody may have put another there, or none: what is written to the old one would be lost when it is closed.
        """
        if self._connection is None:
            raise ValueError("the journal is closed")
        try:
            moved = inode(self._file) != self._inode
        except FileNotFoundError as error:
            raise JournalMissing(f"the journal {self._file} was removed while it was open") from error
        return self._reopen() if moved else self._connection

    def _reopen(self) -> sqlite3.Connection:
        if self._connection is not None:
            self._connection.close()
        return self._open()

    def _scrub(self) -> None:
        """Take what was forgotten out of the WAL too, where the pages it stood on are kept as they were."""
        with self._reading() as connection:
            connection.execute(f"PRAGMA busy_timeout = {_SCRUB_MS}")
            # The rows are gone already; the next checkpoint does this if a reader or a full disk is in the way now.
            with suppress(sqlite3.OperationalError):
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute(f"PRAGMA busy_timeout = {round(self._busy_timeout * 1000)}")


class _Batch:
    """The lessons of one transaction, each judged by what the ones before it left behind."""

    def __init__(self, connection: sqlite3.Connection, lessons: Sequence[Lesson]) -> None:
        self._connection = connection
        [(_, _, self._last_id)] = connection.execute(_POSITION)
        self._said = self._stored(lessons)
        self._new: dict[int, Lesson] = {}
        self._corrected: list[tuple[Entry, float]] = []

    def add(self, lesson: Lesson) -> Outcome:
        key = (lesson.digest, lesson.user)
        previous = self._said.get(key)
        if previous is not None and previous.label == lesson.label:
            return Outcome(Status.UNCHANGED, previous.id, previous)
        self._last_id += 1
        self._new[self._last_id] = lesson
        self._said[key] = Entry(self._last_id, *_columns(lesson))
        if previous is None:
            return Outcome(Status.LEARNED, self._last_id)
        # A row of this very batch need not be written to be deleted.
        self._new.pop(previous.id, None)
        self._corrected.append((previous, lesson.time))
        return Outcome(Status.CORRECTED, self._last_id, previous)

    def write(self) -> None:
        """Write what is left to write."""
        for previous, at in self._corrected:
            _end(self._connection, [previous], at, corrected=True)
        new = self._new.items()
        self._connection.executemany(_INSERT_LESSON, (_bound(number, lesson) for number, lesson in new))
        self._connection.executemany(_INSERT_STREAM, ((number, pack(lesson.stream)) for number, lesson in new))

    def _stored(self, lessons: Sequence[Lesson]) -> dict[tuple[bytes, str], Entry]:
        """Return what was said of these messages before, by whom: one statement, since one a lesson took 20 us."""
        where, values = _where(Selection(digests=tuple({lesson.digest for lesson in lessons})))
        found = self._connection.execute(f"SELECT {_ENTRY} FROM lesson WHERE {where}", values)
        return {(entry.digest, entry.user): entry for entry in map(_entry, found)}


def _end(connection: sqlite3.Connection, gone: Sequence[Entry], at: float, *, corrected: bool = False) -> None:
    """Delete rows and keep that they were there."""
    ended = ((e.id, e.digest, e.label == Label.SPAM, _bytes(e.user), e.time, at, corrected) for e in gone)
    connection.executemany(_INSERT_ENDED, ended)
    for table in ("lesson", "stream"):
        connection.executemany(f"DELETE FROM {table} WHERE id = ?", ((entry.id,) for entry in gone))


def _where(selection: Selection) -> tuple[str, tuple[object, ...]]:
    """Turn a selection into a condition and its values, both fit for the statements above."""
    conditions: list[str] = ["TRUE"]
    values: list[object] = []

    def demand(condition: str, *bound: object) -> None:
        conditions.append(condition)
        values.extend(bound)

    # One JSON list, since the number of values a statement may bind differs from build to build.
    if selection.ids is not None:
        demand("id IN (SELECT value FROM json_each(?))", json.dumps(selection.ids))
    if selection.digests is not None:
        asked = json.dumps([digest.hex() for digest in selection.digests])
        demand("digest IN (SELECT from_hex(value) FROM json_each(?))", asked)
    if selection.user is not None:
        demand("user = CAST(? AS TEXT)", _bytes(selection.user))
    if selection.source == "":
        demand("source = ''")
    elif selection.source is not None:
        source, folder = _bytes(selection.source), _bytes(selection.source.rstrip("/"))
        # '0' follows '/', and '$' follows '#': what lies between the two begins with this path and the mark.
        demand(
            """(source IN (CAST(? AS TEXT), CAST(? AS TEXT)) OR source GLOB CAST(? AS TEXT)
                OR source > CAST(? AS TEXT) || '/' AND source < CAST(? AS TEXT) || '0'
                OR source > CAST(? AS TEXT) || '#' AND source < CAST(? AS TEXT) || '$')""",
            *(source, folder or source, source, folder, folder, source, source),
        )
    if selection.since is not None:
        demand("time >= ?", selection.since)
    if selection.until is not None:
        demand("time < ?", selection.until)
    return " AND ".join(conditions), tuple(values)


def _check(lesson: Lesson) -> None:
    """Refuse what the journal could not give back as it was given."""
    Label(lesson.label)
    if len(lesson.digest) != _DIGEST_BYTES:
        raise ValueError(f"a digest has {_DIGEST_BYTES} bytes, not {len(lesson.digest)}")
    if not math.isfinite(lesson.time):
        raise ValueError(f"{lesson.time} is no time")
    if any(score is not None and math.isnan(score) for score in (lesson.score, lesson.after)):
        raise ValueError("a score of NaN is no score; say None")


def _columns(lesson: Lesson) -> tuple[bytes, Label, str, str, float, float | None, int, float | None]:
    named = lesson.digest, lesson.label, lesson.user, lesson.source, lesson.time
    return *named, lesson.score, lesson.tokenizer, lesson.after


def _bound(at: int, lesson: Lesson) -> tuple[object, ...]:
    digest, label, user, source, *rest = _columns(lesson)
    return at, digest, label == Label.SPAM, _bytes(user), _bytes(source), *rest


def _entry(columns: _Columns) -> Entry:
    number, digest, spam, *rest = columns
    return Entry(number, digest, _LABELS[spam], *rest)


def _ended(columns: _Columns) -> Ended:
    seq, number, digest, spam, user, learned, ended, corrected = columns
    return Ended(seq, number, digest, _LABELS[spam], user, learned, ended, bool(corrected))


def _bytes(text: str) -> bytes:
    # A path that is not UTF-8 comes as lone surrogates.
    return text.encode("utf-8", "surrogatepass")


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogatepass")
