"""The verdict log: what was judged, when and how, for its owner to look at.

One SQLite file, readable by its owner only. Its law: it is bounded, and no truth: losing it loses no lesson. A message
that is judged again (a mail server tried twice, a mailbox was read after delivery) has one row, with the last verdict.
Times, people and words come from messages: they are values here and never part of a statement.
"""

import random
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from thresher.store.codec import pack, unpack
from thresher.store.files import private_folder
from thresher.store.journal import Journal
from thresher.store.sqlite_file import connect, migrate, transaction
from thresher.store.verdict_query import COLUMNS, Query, Row, rows_of, statement_of
from thresher.store.verdict_schema import APPLICATION_ID, MIGRATIONS, Judged, doubt
from thresher.values import Label, ThresherError, Verdict

KEPT: Final = 100_000
"""Messages remembered unless told otherwise: a year of a busy person's mail, 150 MB."""
TEXTS_KEPT: Final = 20_000
"""Of so many, the newest, the text is kept too: 80 MB of ordinary mail."""
TEXT_BYTES: Final = 64 << 10
"""Bytes of a message that are kept to be looked at: more than the filter reads of it."""
PRUNED_AT_ONCE: Final = 1000
PROBES: Final = 400
"""Ids drawn blindly before all that fit are listed: enough where one in fifty fits."""
BUSY_TIMEOUT: Final = 5.0
DAY: Final = 86400
_LEVEL: Final = 1

VERDICTS: Final = (Verdict.HAM, Verdict.UNSURE, Verdict.SPAM)
LABELS: Final = (Label.HAM, Label.SPAM)

_ADD: Final = """
    INSERT INTO verdict (time, digest, user, via, folder, sender, subject, verdict, log_odds, probability, doubt, size,
        search, label) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (digest, user) DO UPDATE SET via = excluded.via, folder = excluded.folder,
        verdict = excluded.verdict, log_odds = excluded.log_odds, probability = excluded.probability
    RETURNING id
"""


_KNOWN: Final = "CASE WHEN verdict = 1 THEN 0.5 WHEN (verdict = 2) = (? = 1) THEN 0.0 ELSE 2.0 END"
_UNKNOWN: Final = (
    "CASE verdict WHEN 1 THEN min(probability, 1 - probability) WHEN 2 THEN 1 - probability ELSE probability END"
)


class Content(NamedTuple):
    """What is kept of a message itself."""

    stream: bytes
    head: bytes
    """Empty if it is kept no longer."""


class Source(NamedTuple):
    """Where messages come from."""

    via: str
    folder: str
    last: float
    messages: int


class Sampled(NamedTuple):
    """What the random sample says: of those drawn, how many have an answer, and which errors they show."""

    drawn: int
    ham: int
    spam: int
    ham_called_spam: int
    spam_called_ham: int


class VerdictLogError(ThresherError):
    """The log cannot be used; the message says why and what to do."""


class VerdictLog:
    """The log of one home. Safe to use from several threads and processes."""

    def __init__(self, file: Path, owner: str, *, kept: int = KEPT, texts_kept: int = TEXTS_KEPT) -> None:
        self._file = file
        self._owner = owner
        """Whose word counts for everybody's mail."""
        self._kept = kept
        self._texts_kept = texts_kept
        self._turn = threading.Lock()
        private_folder(file.parent)
        with self._translated():
            file.touch(0o600)
            self._connection = connect(file, "mode=rw", BUSY_TIMEOUT)
            self._connection.execute("PRAGMA journal_mode = WAL")
            # What a power cut takes are the last verdicts, no lessons.
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self._connection.execute("PRAGMA secure_delete = ON")
            migrate(self._connection, MIGRATIONS)

    # writing ----------------------------------------------------------------------------------------------------------

    def add(self, judged: Sequence[Judged]) -> list[int]:
        """Write what was judged; return the rows' ids."""
        if not judged:
            return []
        with self._writing() as connection:
            [(highest,)] = connection.execute("SELECT coalesce(max(id), 0) FROM verdict")
            ids = []
            for each in judged:
                number = _add(connection, each, highest)
                highest = max(highest, number)
                ids.append(number)
            self._prune(connection)
        return ids

    def label(self, digest: bytes, user: str, label: Label | None) -> None:
        """Note what a person says of a message, or no longer says."""
        with self._writing() as connection:
            self._label(connection, digest, user, label)

    def follow(self, journal: Journal, most: int = 2000) -> int:
        """Note the lessons that the journal has got since, up to so many; return how many were read."""
        position = journal.position()
        [(identity, last_id, last_seq)] = self._read("SELECT identity, last_id, last_seq FROM followed")
        if identity != position.identity or last_id > position.last_id:
            last_id = last_seq = 0
        ended = _first(journal.ended(last_seq), most)
        rows = _first(journal.rows(last_id), most)
        if not (ended or rows or identity != position.identity):
            return 0
        with self._writing() as connection:
            for gone in ended:
                self._label(connection, gone.digest, gone.user, None)
            for row in rows:
                self._label(connection, row.lesson.digest, row.lesson.user, row.lesson.label)
            for gone in ended:
                # Who took one lesson back may have given another since.
                for said in journal.find(gone.digest, gone.user):
                    self._label(connection, gone.digest, gone.user, said.lesson.label)
            connection.execute(
                "UPDATE followed SET identity = ?, last_id = ?, last_seq = ?",
                (position.identity, rows[-1].id if rows else last_id, ended[-1].seq if ended else last_seq),
            )
        return len(ended) + len(rows)

    def draw(self, user: str | None, open_: int, since: float) -> None:
        """Draw messages at random, whatever is known of them, until so many of the drawn wait for an answer."""
        who, values = _whose(user)
        with self._writing() as connection:
            while (missing := open_ - _waiting(connection, who, values)) > 0:
                drawn = _drawn(connection, who, values, since, missing)
                if not drawn:
                    return
                connection.executemany("UPDATE verdict SET sampled = 1 WHERE id = ?", ((n,) for n in drawn))

    def drop(self, folder: str) -> None:
        """Take the messages of a folder out of the log, and out of what was counted."""
        with self._writing() as connection:
            for day, user, verdict, count in connection.execute(
                f"SELECT CAST(time / {DAY} AS INTEGER), user, verdict, count(*) FROM verdict WHERE folder = ? "
                "GROUP BY 1, 2, 3",
                (folder,),
            ).fetchall():
                connection.execute(
                    "UPDATE tally SET count = max(count - ?, 0) WHERE day = ? AND user = ? AND verdict = ?",
                    (count, day, user, verdict),
                )
            connection.execute("DELETE FROM content WHERE id IN (SELECT id FROM verdict WHERE folder = ?)", (folder,))
            connection.execute("DELETE FROM verdict WHERE folder = ?", (folder,))
            connection.execute("DELETE FROM source WHERE folder = ?", (folder,))

    def _label(self, connection: sqlite3.Connection, digest: bytes, user: str, label: Label | None) -> None:
        """Note a label. A verdict known to be wrong is beyond doubt a mistake, one known to be right none."""
        value = None if label is None else LABELS.index(label)
        change, values = (_UNKNOWN, (value,)) if value is None else (_KNOWN, (value, value))
        connection.execute(
            f"UPDATE verdict SET label = ?, doubt = {change} WHERE digest = ? AND (user = ? OR ? = ?)",
            (*values, digest, user, user, self._owner),
        )

    def _prune(self, connection: sqlite3.Connection) -> None:
        """Let go of the oldest, a bounded number at a time."""
        [(highest,)] = connection.execute("SELECT coalesce(max(id), 0) FROM verdict")
        for condition in (
            f"DELETE FROM verdict WHERE id IN (SELECT id FROM verdict WHERE id <= ? LIMIT {PRUNED_AT_ONCE})",
            f"DELETE FROM content WHERE id IN (SELECT id FROM content WHERE id <= ? LIMIT {PRUNED_AT_ONCE})",
        ):
            connection.execute(condition, (highest - self._kept,))
        connection.execute(
            "UPDATE content SET head = NULL WHERE id IN (SELECT id FROM content WHERE id BETWEEN ? AND ?)"
            " AND head IS NOT NULL",
            (highest - self._texts_kept - PRUNED_AT_ONCE, highest - self._texts_kept),
        )

    # reading ----------------------------------------------------------------------------------------------------------

    def rows(self, query: Query) -> list[Row]:
        """Return one page of the list."""
        return rows_of(self._read(*statement_of(query)))

    def row(self, number: int, user: str | None) -> Row | None:
        """Return one row, if this person may see it."""
        who, values = _whose(user)
        found = rows_of(self._read(f"SELECT {COLUMNS} FROM verdict WHERE id = ? AND {who}", (number, *values)))
        return found[0] if found else None

    def by_digest(self, digest: bytes, user: str | None) -> Row | None:
        """Return the row of a message."""
        who, values = _whose(user)
        found = rows_of(self._read(f"SELECT {COLUMNS} FROM verdict WHERE digest = ? AND {who}", (digest, *values)))
        return found[0] if found else None

    def content(self, number: int) -> Content | None:
        """Return what is kept of a row's message."""
        for stream, head in self._read("SELECT stream, head FROM content WHERE id = ?", (number,)):
            return Content(unpack(stream), zlib.decompress(head) if head else b"")
        return None

    def newest(self, user: str | None) -> int:
        """Return the highest id of a message."""
        who, values = _whose(user)
        [(number,)] = self._read(f"SELECT coalesce(max(id), 0) FROM verdict WHERE {who}", values)
        return int(number)

    def daily(self, user: str | None, since: float) -> dict[int, list[int]]:
        """Count ham, unsure and spam by day, days counted from 1970 in UTC."""
        who, values = _whose(user)
        days: dict[int, list[int]] = {}
        for day, verdict, count in self._read(
            f"SELECT day, verdict, sum(count) FROM tally WHERE day >= ? AND {who} GROUP BY day, verdict ORDER BY day",
            (int(since // DAY), *values),
        ):
            days.setdefault(day, [0, 0, 0])[verdict] = count
        return days

    def sources(self, user: str | None) -> list[Source]:
        """Say where messages came from, the latest first."""
        who, values = _whose(user)
        return [
            Source(*found)
            for found in self._read(
                "SELECT via, folder, max(last), sum(count) FROM source "
                f"WHERE {who} GROUP BY via, folder ORDER BY max(last) DESC",
                values,
            )
        ]

    def folders(self, user: str | None, most: int = 100) -> list[str]:
        """Name the folders there are."""
        return sorted({source.folder for source in self.sources(user) if source.folder})[:most]

    def sample(self, user: str | None, since: float) -> Sampled:
        """Say what the random sample shows."""
        who, values = _whose(user)
        counts: dict[tuple[int | None, int], int] = {}
        for label, verdict, count in self._read(
            f"SELECT label, verdict, count(*) FROM verdict WHERE sampled = 1 AND time >= ? AND {who} "
            "GROUP BY label, verdict",
            (since, *values),
        ):
            counts[label, verdict] = count
        ham, spam = (sum(n for (label, _), n in counts.items() if label == wanted) for wanted in (0, 1))
        return Sampled(sum(counts.values()), ham, spam, counts.get((0, 2), 0), counts.get((1, 0), 0))

    def close(self) -> None:
        """Let go of the file."""
        with self._turn:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise VerdictLogError(
                f"{self._file}: {error}; if that does not pass, rename it: only the list of judged messages is lost"
            ) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._turn, self._translated(), transaction(self._connection):
            yield self._connection

    def _read(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._turn, self._translated():
            return self._connection.execute(statement, values).fetchall()


def _whose(user: str | None) -> tuple[str, tuple[object, ...]]:
    """Limit to one person's mail; None is everybody's."""
    return ("TRUE", ()) if user is None else ("user = ?", (user,))


def _first(things: Iterable[Any], most: int) -> list[Any]:
    return [thing for _, thing in zip(range(most), things, strict=False)]


def _add(connection: sqlite3.Connection, judged: Judged, highest: int) -> int:
    """Write a message; it is new if its id is above the highest before."""
    verdict, probability, log_odds = judged.judgement.verdict, judged.judgement.probability, judged.judgement.log_odds
    sender, subject, user, folder = (_clean(t) for t in (judged.sender, judged.subject, judged.user, judged.folder))
    kind = VERDICTS.index(verdict)
    label = None if judged.label is None else LABELS.index(judged.label)
    values = (
        *(judged.time, judged.digest, user, judged.via, folder, sender, subject, kind, log_odds, probability),
        *(doubt(verdict, probability, judged.label), judged.size, f"{sender}\n{subject}".casefold(), label),
    )
    [(number,)] = connection.execute(_ADD, values).fetchall()
    if number > highest:
        connection.execute(
            "INSERT INTO tally VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1",
            (int(judged.time // DAY), user, kind),
        )
        connection.execute(
            "INSERT OR REPLACE INTO content VALUES (?, ?, ?)",
            (number, pack(judged.stream), zlib.compress(judged.head[:TEXT_BYTES], _LEVEL)),
        )
    connection.execute(
        "INSERT INTO source VALUES (?, ?, ?, ?, 1) "
        "ON CONFLICT DO UPDATE SET last = max(last, excluded.last), count = count + 1",
        (user, judged.via, folder, judged.time),
    )
    return int(number)


def _waiting(connection: sqlite3.Connection, who: str, values: tuple[object, ...]) -> int:
    [(count,)] = connection.execute(
        f"SELECT count(*) FROM verdict WHERE sampled = 1 AND label IS NULL AND {who}", values
    ).fetchall()
    return int(count)


def _drawn(connection: sqlite3.Connection, who: str, values: tuple[object, ...], since: float, count: int) -> list[int]:
    """Draw so many messages at random. Drawing needs no secret; it must only not depend on the messages."""
    fits = f"sampled = 0 AND time >= ? AND {who}"
    [(low, high)] = connection.execute("SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM verdict").fetchall()
    drawn: set[int] = set()
    # Ids drawn blindly until one fits are as random as a list of all that fit, and no list is made.
    for _ in range(PROBES):
        number = random.randint(low, high)  # noqa: S311
        if connection.execute(f"SELECT 1 FROM verdict WHERE id = ? AND {fits}", (number, since, *values)).fetchone():
            drawn.add(number)
        if len(drawn) == count:
            return sorted(drawn)
    left = [n for (n,) in connection.execute(f"SELECT id FROM verdict WHERE {fits}", (since, *values))]
    return random.sample(left, min(count, len(left)))


def _clean(text: str) -> str:
    """Return text that SQLite takes: what is no character becomes one that says so."""
    return text.encode("utf-8", "replace").decode()


def now() -> float:
    """Return the time as the log counts it."""
    return time.time()
