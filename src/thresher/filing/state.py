"""What is remembered of mailboxes between runs: where each message lay, and every move, before it is made.

One SQLite file in the home, `mailboxes.sqlite`. Its law: what a call has written is on disk when it returns, so
whatever is killed, the next run knows which moves were under way. It holds no subject and no address: digests, folders,
times.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from thresher.store.files import private_folder
from thresher.store.sqlite_file import connect, migrate, transaction
from thresher.values import ThresherError

FILE: Final = "mailboxes.sqlite"
APPLICATION_ID: Final = 0x7468726D
"""``thrm``."""
EVERYWHERE: Final = ""
"""Stands for all folders where a mark is kept; no folder has no name."""
REMEMBERED: Final = 180 * 86400.0
"""Seconds for which it is remembered where a message lay that is nowhere to be seen."""

MIGRATIONS: Final = (
    (
        """CREATE TABLE place (
            account TEXT NOT NULL,
            folder TEXT NOT NULL,
            uid TEXT NOT NULL,
            digest BLOB NOT NULL,
            flags TEXT NOT NULL,
            had TEXT,
            since REAL NOT NULL,
            before TEXT,
            ours INTEGER NOT NULL,
            judged INTEGER NOT NULL,
            said TEXT NOT NULL,
            PRIMARY KEY (account, folder, uid)
        ) WITHOUT ROWID""",
        "CREATE INDEX place_digest ON place (account, digest)",
        "CREATE INDEX place_unsaid ON place (account, folder) WHERE said = ''",
        """CREATE TABLE mark (
            account TEXT NOT NULL,
            folder TEXT NOT NULL,
            mark TEXT NOT NULL,
            PRIMARY KEY (account, folder)
        )""",
        """CREATE TABLE was (
            account TEXT NOT NULL,
            digest BLOB NOT NULL,
            role TEXT NOT NULL,
            time REAL NOT NULL,
            PRIMARY KEY (account, digest)
        ) WITHOUT ROWID""",
        """CREATE TABLE move (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            account TEXT NOT NULL,
            digest BLOB NOT NULL,
            source TEXT NOT NULL,
            uid TEXT NOT NULL,
            target TEXT NOT NULL,
            stand TEXT NOT NULL,
            new_uid TEXT NOT NULL,
            time REAL NOT NULL,
            log_odds REAL NOT NULL,
            status TEXT NOT NULL
        )""",
        "CREATE INDEX move_digest ON move (account, digest)",
        "CREATE INDEX move_status ON move (account, status)",
    ),
    (
        "ALTER TABLE place ADD COLUMN due REAL",
        "CREATE INDEX place_due ON place (account, folder) WHERE due IS NOT NULL",
    ),
)


class Status(StrEnum):
    """How far a move is."""

    BEGUN = "begun"
    DONE = "done"
    UNDONE = "undone"
    """Its message was put back."""
    LEFT = "left"
    """Somebody has moved its message on."""
    VOID = "void"
    """It did not come about."""


class Place(NamedTuple):
    """A message in a folder."""

    folder: str
    uid: str
    digest: bytes
    flags: frozenset[str]
    had: frozenset[str] | None
    since: float
    before: str | None
    """The role of the folder in which it lay before."""
    ours: bool
    judged: bool
    said: str
    """The lesson given because of it: a label, or nothing yet."""
    due: float | None = None
    """The log-odds by which it is to be filed as spam, from the judgement until that is done; None if it is not."""


class Move(NamedTuple):
    """A move of ours."""

    id: int
    digest: bytes
    source: str
    uid: str
    target: str
    stand: str
    new_uid: str
    time: float
    log_odds: float
    status: Status


class StateError(ThresherError):
    """The file cannot be used; the message says why and what to do."""


class State:
    """What is remembered of one account."""

    def __init__(self, home: Path, account: str) -> None:
        self.account = account
        self._file = home / FILE
        private_folder(home)
        with self._translated():
            self._file.touch(0o600)
            self._connection = connect(self._file, "mode=rw")
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            migrate(self._connection, MIGRATIONS)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
                raise StateError(
                    f"{self._file} is damaged ({error}); rename it, and folders are looked at anew: no lesson is lost, "
                    "but moves made until now cannot be undone"
                ) from error
            raise StateError(f"{self._file}: {error}") from error
        except OSError as error:
            raise StateError(f"{self._file}: {(error.strerror or str(error)).lower()}") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._translated(), transaction(self._connection):
            yield self._connection

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self._translated():
            return self._connection.execute(statement, values).fetchall()

    # places -----------------------------------------------------------------------------------------------------------

    def mark(self, folder: str) -> str | None:
        """Return how far a folder was looked at; None if it never was."""
        found = self._read("SELECT mark FROM mark WHERE account = ? AND folder = ?", self.account, folder)
        return str(found[0][0]) if found else None

    def set_mark(self, folder: str, mark: str) -> None:
        """Remember how far a folder was looked at."""
        with self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO mark VALUES (?, ?, ?)", (self.account, folder, mark))

    def looked_at(self) -> bool:
        """Whether all folders were ever looked at to their end."""
        return self.mark(EVERYWHERE) is not None

    def set_looked_at(self) -> None:
        """Note that all folders were, even if a message could not be read."""
        self.set_mark(EVERYWHERE, "")

    def uids(self, folder: str) -> set[str]:
        """Return the messages known in a folder."""
        found = self._read("SELECT uid FROM place WHERE account = ? AND folder = ?", self.account, folder)
        return {uid for (uid,) in found}

    def folders(self) -> list[str]:
        """Return the folders in which messages are known."""
        found = self._read("SELECT DISTINCT folder FROM place WHERE account = ?", self.account)
        return [folder for (folder,) in found]

    def places(self, folder: str, uids: Iterable[str] | None = None) -> list[Place]:
        """Return the messages known in a folder, or some of them."""
        statement = f"SELECT {_PLACE} FROM place WHERE account = ? AND folder = ?"
        if uids is None:
            return [_place(found) for found in self._read(statement, self.account, folder)]
        found = (self._read(f"{statement} AND uid = ?", self.account, folder, uid) for uid in uids)
        return [_place(row) for rows in found for row in rows]

    def unsaid(self, folder: str, until: float | None = None) -> list[Place]:
        """Return the messages of a folder for which no lesson was given, or those of them that came before a time."""
        statement = f"SELECT {_PLACE} FROM place WHERE account = ? AND folder = ? AND said = '' AND since <= ?"
        found = self._read(statement, self.account, folder, float("inf") if until is None else until)
        return [_place(columns) for columns in found]

    def due(self, folder: str) -> list[Place]:
        """Return the messages of a folder that are to be filed as spam."""
        statement = f"SELECT {_PLACE} FROM place WHERE account = ? AND folder = ? AND due IS NOT NULL"
        return [_place(found) for found in self._read(statement, self.account, folder)]

    def of(self, digest: bytes) -> list[Place]:
        """Return all places of a message."""
        statement = f"SELECT {_PLACE} FROM place WHERE account = ? AND digest = ?"
        return [_place(found) for found in self._read(statement, self.account, digest)]

    def put(self, places: Sequence[Place]) -> None:
        """Remember places."""
        with self._writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(self.account, *_columns(place)) for place in places],
            )

    def gone(self, folder: str, uids: Sequence[str], role: str | None, now: float) -> list[tuple[str, str]]:
        """Messages are no longer in a folder; with a role, remember that they were in one of it.

        Return folder and uid of messages known elsewhere that turn out to have come from here.
        """
        came: list[tuple[str, str]] = []
        with self._writing() as connection:
            keys = [(self.account, folder, uid) for uid in uids]
            if role is not None:
                connection.executemany(_WAS, [(role, now, *key) for key in keys])
                for key in keys:
                    # Where a move is a copy and a removal, the copy may have been seen before.
                    came += connection.execute(_CAME_FROM, (role, *key)).fetchall()
            connection.executemany(_LEFT, keys)
            connection.executemany("DELETE FROM place WHERE account = ? AND folder = ? AND uid = ?", keys)
            connection.execute("DELETE FROM was WHERE time < ?", (now - REMEMBERED,))
        return came

    def was(self, digest: bytes) -> str | None:
        """Return the role of the folder in which a message that moved was seen last."""
        found = self._read("SELECT role FROM was WHERE account = ? AND digest = ?", self.account, digest)
        return found[0][0] if found else None

    # moves ------------------------------------------------------------------------------------------------------------

    def begin(self, moves: Sequence[Move]) -> list[int]:
        """Write down moves before they are made."""
        with self._writing() as connection:
            return [
                int(connection.execute(
                    "INSERT INTO move VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (self.account, *move[1:])
                ).lastrowid or 0)
                for move in moves
            ]  # fmt: skip

    def end(self, ended: Iterable[tuple[int, Status, str]]) -> None:
        """Write down how moves ended, and the messages' new uids."""
        with self._writing() as connection:
            connection.executemany(
                "UPDATE move SET status = ?, new_uid = ? WHERE id = ?",
                [(status, uid, number) for number, status, uid in ended],
            )

    def moves(self, *, status: Status | None = None, since: float | None = None) -> list[Move]:
        """Return moves, the oldest first."""
        found = self._read(
            f"SELECT {_MOVE} FROM move WHERE account = ? AND (? IS NULL OR status = ?) AND time >= ? ORDER BY id",
            self.account, status, status, float("-inf") if since is None else since,
        )  # fmt: skip
        return [_move(columns) for columns in found]

    def moves_of(self, digest: bytes) -> list[Move]:
        """Return what was done with a message, the oldest first."""
        statement = f"SELECT {_MOVE} FROM move WHERE account = ? AND digest = ? ORDER BY id"
        return [_move(columns) for columns in self._read(statement, self.account, digest)]

    def copied(self, folder: Path) -> "State":
        """Return a state of its own, in another folder, that begins as this one stands: for trying things out."""
        private_folder(folder)
        file = folder / FILE
        file.touch(0o600)
        with self._translated():
            copy = sqlite3.connect(file)
            self._connection.backup(copy)
            copy.close()
        return State(folder, self.account)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_WAS: Final = """
    INSERT OR REPLACE INTO was SELECT account, digest, ?, ? FROM place WHERE account = ? AND folder = ? AND uid = ?
"""
_CAME_FROM: Final = """
    UPDATE place SET before = ? FROM place AS left
    WHERE left.account = ? AND left.folder = ? AND left.uid = ? AND place.account = left.account
        AND place.digest = left.digest AND place.since > left.since
    RETURNING place.folder, place.uid
"""
_LEFT: Final = "UPDATE move SET status = 'left' WHERE account = ? AND target = ? AND new_uid = ? AND status = 'done'"
_PLACE: Final = "folder, uid, digest, flags, had, since, before, ours, judged, said, due"
_MOVE: Final = "id, digest, source, uid, target, stand, new_uid, time, log_odds, status"


def _joined(flags: frozenset[str]) -> str:
    # A flag holds no blank; a label of Gmail's may, and of these only Inbox matters.
    return " ".join(sorted(flag for flag in flags if " " not in flag))


def _place(columns: tuple[Any, ...]) -> Place:
    folder, uid, digest, flags, had, since, before, ours, judged, said, due = columns
    before_that = None if had is None else frozenset(had.split())
    known = (frozenset(flags.split()), before_that, since, before, bool(ours), bool(judged), said, due)
    return Place(folder, uid, digest, *known)


def _columns(place: Place) -> tuple[Any, ...]:
    had = None if place.had is None else _joined(place.had)
    return place.folder, place.uid, place.digest, _joined(place.flags), had, *place[5:]


def _move(columns: tuple[Any, ...]) -> Move:
    move = Move(*columns)
    return move._replace(status=Status(move.status))
