"""Who may see the page: accounts, sessions, failed attempts, and what was last done, to be undone.

One SQLite file, readable by its owner only. Its law: no password and no session's secret stands in it, only what
proves one: argon2's hash of a password, BLAKE2's of a session's 256 random bits.
"""

import hashlib
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from thresher.store.files import private_folder
from thresher.store.sqlite_file import connect, migrate, transaction
from thresher.values import ThresherError

FILE: Final = "page.sqlite"
APPLICATION_ID: Final = 0x74687277
"""``thrw``."""
IDLE: Final = 12 * 3600.0
"""Seconds after which a session that nobody uses ends."""
LONGEST: Final = 30 * 86400.0
TOUCHED: Final = 60.0
"""A session's last use is written no more often."""
ATTEMPTS: Final = 8
"""Failed attempts on one account, within WINDOW, after which nobody may try: 770 guesses a day."""
ADDRESS_ATTEMPTS: Final = 40
WINDOW: Final = 900.0
ACTS_KEPT: Final = 200
BUSY_TIMEOUT: Final = 5.0

MIGRATIONS: Final = (
    (
        """CREATE TABLE account (
            name TEXT PRIMARY KEY, role TEXT NOT NULL, hash TEXT NOT NULL, person TEXT NOT NULL, made REAL NOT NULL
        )""",
        """CREATE TABLE session (
            secret BLOB PRIMARY KEY, account TEXT NOT NULL REFERENCES account (name) ON DELETE CASCADE,
            made REAL NOT NULL, seen REAL NOT NULL
        )""",
        "CREATE TABLE attempt (who TEXT NOT NULL, time REAL NOT NULL)",
        "CREATE INDEX attempt_who ON attempt (who, time)",
        """CREATE TABLE act (
            id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, time REAL NOT NULL, what BLOB NOT NULL,
            undone INTEGER NOT NULL DEFAULT 0
        )""",
        """CREATE TABLE job (
            id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL,
            what BLOB NOT NULL, state TEXT NOT NULL, done INTEGER NOT NULL, total INTEGER NOT NULL,
            note TEXT NOT NULL, made REAL NOT NULL, alive REAL NOT NULL
        )""",
    ),
)


class Role(StrEnum):
    """What an account may do."""

    ADMINISTRATOR = "administrator"
    USER = "user"
    """Sees and teaches only its own person's mail."""


class Account(NamedTuple):
    """Somebody who may see the page."""

    name: str
    role: Role
    hash: str
    person: str
    """Whose mail: the name that lessons and judged messages carry."""

    @property
    def sees(self) -> str | None:
        """Whose mail it sees; None is everybody's."""
        return None if self.role is Role.ADMINISTRATOR else self.person


class Act(NamedTuple):
    """Something done that can be undone."""

    id: int
    what: bytes
    undone: bool


class PeopleError(ThresherError):
    """The file cannot be used; the message says why and what to do."""


class People:
    """The page's own file in a home. Safe to use from several threads and processes."""

    def __init__(self, home: Path, clock: Callable[[], float] = time.time) -> None:
        self.file = home / FILE
        self._clock = clock
        self._turn = threading.Lock()
        private_folder(home)
        with self._translated():
            self.file.touch(0o600)
            self._connection = connect(self.file, "mode=rw", BUSY_TIMEOUT)
            for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON", "secure_delete = ON"):
                self._connection.execute(f"PRAGMA {pragma}")
            self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            migrate(self._connection, MIGRATIONS)

    # accounts ---------------------------------------------------------------------------------------------------------

    def accounts(self) -> list[Account]:
        """Return all accounts."""
        return [_account(found) for found in self.read("SELECT name, role, hash, person FROM account ORDER BY name")]

    def account(self, name: str) -> Account | None:
        """Return an account by its name."""
        found = self.read("SELECT name, role, hash, person FROM account WHERE name = ?", (name,))
        return _account(found[0]) if found else None

    def put(self, account: Account, *, first: bool = False) -> bool:
        """Make an account or give it another password, role or person; `first` only where there is none yet.

        Its sessions end: whoever changes a password wants others out.
        """
        with self.writing() as connection:
            if first and connection.execute("SELECT 1 FROM account LIMIT 1").fetchone():
                return False
            connection.execute(
                "INSERT INTO account VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
                "SET role = excluded.role, hash = excluded.hash, person = excluded.person",
                (account.name, account.role, account.hash, account.person, self._clock()),
            )
            connection.execute("DELETE FROM session WHERE account = ?", (account.name,))
        return True

    def remove(self, name: str) -> None:
        """Delete an account and its sessions."""
        with self.writing() as connection:
            connection.execute("DELETE FROM account WHERE name = ?", (name,))

    # sessions ---------------------------------------------------------------------------------------------------------

    def begin(self, name: str) -> str:
        """Begin a session; return its secret, which is kept nowhere here."""
        secret = secrets.token_urlsafe(32)
        now = self._clock()
        with self.writing() as connection:
            connection.execute("DELETE FROM session WHERE seen < ? OR made < ?", (now - IDLE, now - LONGEST))
            connection.execute("INSERT INTO session VALUES (?, ?, ?, ?)", (_proof(secret), name, now, now))
        return secret

    def whose(self, secret: str) -> Account | None:
        """Return whose session it is, if it has not ended."""
        now = self._clock()
        found = self.read(
            "SELECT name, role, hash, person, seen FROM session JOIN account ON account = name "
            "WHERE secret = ? AND seen >= ? AND session.made >= ?",
            (_proof(secret), now - IDLE, now - LONGEST),
        )
        if not found:
            return None
        *account, seen = found[0]
        if seen < now - TOUCHED:
            with self.writing() as connection:
                connection.execute("UPDATE session SET seen = ? WHERE secret = ?", (now, _proof(secret)))
        return _account(tuple(account))

    def end(self, secret: str) -> None:
        """End a session."""
        with self.writing() as connection:
            connection.execute("DELETE FROM session WHERE secret = ?", (_proof(secret),))

    # attempts ---------------------------------------------------------------------------------------------------------

    def failed(self, name: str, address: str) -> None:
        """Note a failed attempt."""
        now = self._clock()
        with self.writing() as connection:
            connection.execute("DELETE FROM attempt WHERE time < ?", (now - WINDOW,))
            connection.executemany("INSERT INTO attempt VALUES (?, ?)", ((_who(name), now), (f"@{address}", now)))

    def wait(self, name: str, address: str) -> float:
        """Return the seconds until somebody may try again; 0 if now."""
        now = self._clock()
        waits = [0.0]
        for who, most in ((_who(name), ATTEMPTS), (f"@{address}", ADDRESS_ATTEMPTS)):
            times = self.read(
                "SELECT time FROM attempt WHERE who = ? AND time >= ? ORDER BY time DESC LIMIT ?",
                (who, now - WINDOW, most),
            )
            if len(times) == most:
                waits.append(times[-1][0] + WINDOW - now)
        return max(waits)

    def forgive(self, name: str) -> None:
        """Forget an account's failed attempts: its owner has come in."""
        with self.writing() as connection:
            connection.execute("DELETE FROM attempt WHERE who = ?", (_who(name),))

    # acts -------------------------------------------------------------------------------------------------------------

    def done(self, name: str, what: bytes) -> int:
        """Note something that was done."""
        with self.writing() as connection:
            [(number,)] = connection.execute(
                "INSERT INTO act (account, time, what) VALUES (?, ?, ?) RETURNING id", (name, self._clock(), what)
            ).fetchall()
            connection.execute("DELETE FROM act WHERE id <= ?", (number - ACTS_KEPT,))
        return int(number)

    def act(self, number: int, name: str) -> Act | None:
        """Return something that this account did."""
        found = self.read("SELECT id, what, undone FROM act WHERE id = ? AND account = ?", (number, name))
        return Act(found[0][0], found[0][1], bool(found[0][2])) if found else None

    def undone(self, number: int, name: str) -> bool:
        """Note that an act was undone; False if it was before, or is another's."""
        with self.writing() as connection:
            changed = connection.execute(
                "UPDATE act SET undone = 1 WHERE id = ? AND account = ? AND undone = 0", (number, name)
            )
            return changed.rowcount == 1

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
            raise PeopleError(
                f"{self.file}: {error}; if that does not pass, rename it: accounts of the page are then made anew"
            ) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give the connection within a transaction."""
        with self._turn, self._translated(), transaction(self._connection):
            yield self._connection

    def read(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Read."""
        with self._turn, self._translated():
            return self._connection.execute(statement, values).fetchall()

    def now(self) -> float:
        """Return the time."""
        return self._clock()


def _account(found: Sequence[Any]) -> Account:
    name, role, hashed, person = found
    return Account(name, Role(role), hashed, person)


def _proof(secret: str) -> bytes:
    return hashlib.blake2b(secret.encode("utf-8", "replace"), digest_size=32).digest()


def _who(name: str) -> str:
    """Name an account among attempts; hashed, since people type passwords into the wrong field."""
    return hashlib.blake2b(name.casefold().encode("utf-8", "replace"), digest_size=16).hexdigest()
