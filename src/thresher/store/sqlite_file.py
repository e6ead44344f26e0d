"""A journal's SQLite file: made, opened, brought up to date, its troubles named.

Its law: at every moment, whatever is killed, the file in place is a whole journal of one version. What the rows mean is
sqlite.py's affair, copies are sqlite_copy.py's.
"""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from thresher.store.files import locked, private_folder, replaced
from thresher.store.journal import (
    JournalBusy,
    JournalCorrupt,
    JournalError,
    JournalFull,
    JournalReadOnly,
    JournalTooNew,
)

APPLICATION_ID = 0x74687273
"""``thrs``, at byte 68 of the file: `file` and we know a journal from any other SQLite file."""

# Step n brings version n to n + 1; PRAGMA user_version counts the steps taken. A step that was released never changes.
# - Streams lie apart from lessons, or every listing would read the 1.5 KB a row that only a replay needs.
# - AUTOINCREMENT: an id once given never names another lesson, even when the newest was deleted.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE lesson (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            digest BLOB NOT NULL CHECK (length(digest) = 16),
            spam INTEGER NOT NULL CHECK (spam IN (0, 1)),
            user TEXT NOT NULL,
            source TEXT NOT NULL,
            time REAL NOT NULL,
            score REAL,
            tokenizer INTEGER NOT NULL,
            UNIQUE (digest, user)
        )""",
        "CREATE TABLE stream (id INTEGER PRIMARY KEY, packed BLOB NOT NULL)",
        """CREATE TABLE ended (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            id INTEGER NOT NULL,
            digest BLOB NOT NULL,
            spam INTEGER NOT NULL,
            user TEXT NOT NULL,
            learned REAL NOT NULL,
            ended REAL NOT NULL,
            corrected INTEGER NOT NULL
        )""",
        "CREATE TABLE journal (identity TEXT NOT NULL)",
        "INSERT INTO journal (identity) VALUES ('')",
    ),
    ("ALTER TABLE lesson ADD COLUMN after REAL",),
)

# Set, not left to the library's build: a journal moves between machines, and a restore copies page for page.
_PAGE_SIZE = 8192

BUSY_TIMEOUT = 30.0
"""Seconds to wait for another process. A bulk lesson holds the journal for well under one, a restore for a few."""

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NO_RIGHT = {errno.EROFS, errno.EACCES, errno.EPERM}


@contextmanager
def translated(file: Path) -> Iterator[None]:
    """Raise what SQLite and the system say about a journal as the port's errors."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) is None:
            raise  # a misuse that sqlite3 itself found, not something that happened to the file
        raise _from_sqlite(file, error) from error
    except UnicodeDecodeError as error:
        raise corrupt(file, f"a name in it is no text ({error.reason})") from error
    except OSError as error:
        raise _from_system(file, error) from error


def corrupt(file: Path, reason: str) -> JournalCorrupt:
    """Say that a journal is damaged, and the way out."""
    return JournalCorrupt(
        f"the journal {file} is damaged: {reason}. `thresher restore FILE` puts a backup in its place and keeps the "
        f"damaged one aside"
    )


def _from_sqlite(file: Path, error: sqlite3.Error) -> JournalError:
    code = error.sqlite_errorcode
    # A full disk shows as FULL, a quota or a limit on file sizes as a write that failed.
    if code in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE}:
        return _full(file, error)
    # A table that is not there is damage: our statements name what every journal has.
    if code & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB} or str(error).startswith("no such "):
        return corrupt(file, str(error))
    match code & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return JournalBusy(f"another process is writing to the journal {file} and did not finish; try again")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return read_only(file, str(error))
        case sqlite3.SQLITE_CANTOPEN:
            return JournalReadOnly(f"{file} cannot be opened; it and its folder must be yours to read and write")
    return JournalError(f"the journal {file}: {error}")


def _from_system(file: Path, error: OSError) -> JournalError:
    if error.errno in _NO_ROOM:
        return _full(file, error)
    if error.errno in _NO_RIGHT:
        return read_only(file, str(error))
    return JournalError(f"the journal {file}: {error}")


def _full(file: Path, error: Exception) -> JournalFull:
    return JournalFull(f"no room to write {file} ({error}); nothing was changed. Free some space and try again")


def read_only(file: Path, reason: str) -> JournalReadOnly:
    """Say that a journal may not be written, and what it needs."""
    return JournalReadOnly(f"{file} cannot be written ({reason}); it and its folder must be yours to write")


class Opened(NamedTuple):
    """A connection, why it can only read if so, and the file it leads to whatever happens to the name."""

    connection: sqlite3.Connection
    refusal: JournalError | None
    inode: tuple[int, int]


def inode(file: Path) -> tuple[int, int]:
    """Name the file itself that has this name now."""
    there = file.stat()
    return there.st_dev, there.st_ino


def open_file(file: Path, busy_timeout: float = BUSY_TIMEOUT) -> Opened:
    """Open a journal, making or migrating it first if need be; where it cannot be written, open it to be read."""
    with translated(file):
        if not file.exists():
            _create(file)
        opened = inode(file)  # first: if the name changes hands meanwhile, that shows as a difference later
        try:
            return Opened(_open_to_write(file, busy_timeout), None, opened)
        except (JournalReadOnly, JournalFull) as error:
            refusal = error
        connection = open_to_read(file, busy_timeout)
        version = _pragma(connection, "user_version")
        if version < len(MIGRATIONS):
            connection.close()
            raise read_only(file, f"and version {version} must be brought to {len(MIGRATIONS)} first") from refusal
        return Opened(connection, refusal, opened)


def _open_to_write(file: Path, busy_timeout: float) -> sqlite3.Connection:
    # Asked first, since SQLite opens what it cannot write and says so only when it writes.
    if not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)):
        raise read_only(file, "its mode or its folder's forbids it")
    with translated(file):
        connection = connect(file, "mode=rw", busy_timeout)
        try:
            _examine(file, connection)
            _prepare(connection)
            migrate(connection, MIGRATIONS)
        except BaseException:
            connection.close()
            raise
        return connection


def open_to_read(file: Path, busy_timeout: float = BUSY_TIMEOUT) -> sqlite3.Connection:
    """Open a journal or a backup where nothing can be written."""
    try:
        return _open_checked(file, "mode=ro", busy_timeout)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            raise
        # A journal in WAL mode needs its -shm file, which cannot be made here. Nobody else has it open then, or the
        # file would be there, so reading it as a file that does not change is right, unless a crash left lessons in
        # the -wal file: those would be passed over.
        wal = Path(f"{file}-wal")
        if wal.exists() and wal.stat().st_size:
            raise read_only(file, f"and {wal.name} holds lessons that only a writer can bring in") from error
        return _open_checked(file, "immutable=1", busy_timeout)


def _open_checked(file: Path, mode: str, busy_timeout: float) -> sqlite3.Connection:
    connection = connect(file, mode, busy_timeout)
    try:
        _examine(file, connection)
    except BaseException:
        connection.close()
        raise
    return connection


def connect(file: Path, mode: str, busy_timeout: float = BUSY_TIMEOUT) -> sqlite3.Connection:
    """Connect in autocommit, so that every BEGIN is ours. Threads take turns in sqlite.py."""
    return sqlite3.connect(
        f"{file.absolute().as_uri()}?{mode}",
        uri=True,
        timeout=busy_timeout,
        isolation_level=None,
        check_same_thread=False,
    )


def connect_unnamed(file: Path) -> sqlite3.Connection:
    """Connect to a file that is brought to disk whole before it gets its name: until then nothing needs to last."""
    connection = connect(file, "mode=rw")
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def _examine(file: Path, connection: sqlite3.Connection) -> None:
    """Refuse what is no journal, and one from a later version."""
    application_id = _pragma(connection, "application_id")
    version = _pragma(connection, "user_version")
    if application_id != APPLICATION_ID:
        raise corrupt(file, "it is no journal of thresher" if file.stat().st_size else "it is empty")
    if version > len(MIGRATIONS):
        raise JournalTooNew(
            f"the journal {file} is of version {version}, this thresher knows versions up to {len(MIGRATIONS)}: it was "
            f"written by a later thresher. Update thresher, or choose another home"
        )


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


def _prepare(connection: sqlite3.Connection) -> None:
    """Set what a writer promises: durable when COMMIT returns, gone when deleted."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: its fsync stops at the drive's cache
    connection.execute("PRAGMA checkpoint_fullfsync = ON")
    connection.execute("PRAGMA secure_delete = ON")


def _create(file: Path) -> None:
    """Make a new journal beside its name and put it there whole: nobody ever sees half a schema."""
    private_folder(file.parent)
    with locked(file.parent):
        if file.exists():
            return  # another process was faster
        wal = Path(f"{file}-wal")
        if wal.exists():
            # SQLite would apply it to the new file.
            raise corrupt(file, f"the file is gone, only {wal.name} is left")
        with replaced(file) as temporary, closing(connect_unnamed(temporary)) as connection:
            connection.execute(f"PRAGMA page_size = {_PAGE_SIZE}")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute("PRAGMA journal_mode = WAL")
            migrate(connection, MIGRATIONS)
            rename_history(connection)


def migrate(connection: sqlite3.Connection, migrations: tuple[tuple[str, ...], ...]) -> None:
    """Take the steps a journal has not taken yet, all of them in one transaction."""
    if _pragma(connection, "user_version") >= len(migrations):
        return
    with transaction(connection):
        # Asked again: another process may have migrated while this one waited.
        for step in migrations[_pragma(connection, "user_version") :]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(migrations)}")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do the block wholly and durably, or not at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk has rolled back already
            connection.execute("ROLLBACK")
        raise


def rename_history(connection: sqlite3.Connection) -> None:
    """Begin a new line of history: what was folded from this journal before is of another."""
    connection.execute("UPDATE journal SET identity = ?", (os.urandom(8).hex(),))
