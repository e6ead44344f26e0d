"""Copies of a journal's SQLite file: checked, backed up, restored.

Its law: no copy is trusted that was not read through, and no journal is overwritten that was not first kept aside, with
every lesson written up to that moment.
"""

import os
import sqlite3
import time
from contextlib import closing
from itertools import chain, count
from pathlib import Path

from thresher.store.codec import unpack
from thresher.store.files import locked, private_folder, replaced, sync, temporary
from thresher.store.journal import BackupUnsound, JournalCorrupt, JournalTooNew
from thresher.store.sqlite_file import (
    BUSY_TIMEOUT,
    MIGRATIONS,
    connect_unnamed,
    corrupt,
    migrate,
    open_file,
    open_to_read,
    rename_history,
    transaction,
    translated,
)

# What integrity_check cannot know: a lesson and its stream are written and deleted together.
_ORPHANS = """
    SELECT 'lesson ' || id || ' has no token stream' FROM lesson WHERE id NOT IN (SELECT id FROM stream)
    UNION ALL SELECT 'token stream ' || id || ' has no lesson' FROM stream WHERE id NOT IN (SELECT id FROM lesson)
"""

# All a journal holds. sqlite_sequence is where AUTOINCREMENT remembers which ids were given.
_TABLES = ("lesson", "stream", "ended", "journal", "sqlite_sequence")


def problems(connection: sqlite3.Connection) -> list[str]:
    """Read every page and every stream; say what is wrong."""
    found = [text for (text,) in connection.execute("PRAGMA integrity_check") if text != "ok"]
    if found:
        return found
    found = [text for (text,) in connection.execute(_ORPHANS)]
    for row, packed in connection.execute("SELECT id, packed FROM stream"):
        try:
            unpack(packed)
        except ValueError as error:
            found.append(f"lesson {row}: {error}")
    return found


def copy(source: Path, target: Path) -> None:
    """Write a verified copy of a journal, as it stands at one moment, in place of `target`: one file, no WAL."""
    if target.exists() and target.samefile(source):
        raise ValueError(f"{target} is the journal itself")
    with translated(target), replaced(target) as made:
        _copy_pages(source, made)
        with closing(open_to_read(made)) as connection:
            wrong = problems(connection)
        if wrong:
            raise corrupt(source, wrong[0])


def _copy_pages(source: Path, target: Path) -> None:
    with closing(connect_unnamed(target)) as to:
        with translated(source), closing(open_to_read(source)) as origin, translated(target):
            origin.backup(to)
        to.execute("PRAGMA journal_mode = DELETE")


def restore(backup: Path, file: Path, *, busy_timeout: float = BUSY_TIMEOUT, now: float | None = None) -> Path | None:
    """Put a backup in a journal's place; return where the journal that was there is kept, None if there was none.

    The backup is read through first; if it is unsound nothing changes. A sound journal is overwritten in one
    transaction and processes that have it open go on with what was restored. A damaged one is replaced: close it first.
    """
    verify(backup)
    with translated(file):
        private_folder(file.parent)
        with temporary(file) as staged:
            _stage(backup, staged)
            kept = _free_name(file, time.time() if now is None else now)
            if _is_sound(file):
                _overwrite(file, staged, kept, busy_timeout)
                return kept
            return kept if _replace(file, staged, kept) else None


def verify(backup: Path) -> None:
    """Raise unless a backup is a whole journal of a version known here."""
    if not backup.is_file():
        raise BackupUnsound(f"{backup} is no file; nothing was changed")
    try:
        with translated(backup), closing(open_to_read(backup)) as connection:
            wrong = problems(connection)
    except JournalCorrupt as error:
        raise BackupUnsound(f"{backup} is no sound backup ({error.__cause__ or error}); nothing was changed") from error
    if wrong:
        raise BackupUnsound(f"{backup} is no sound backup ({wrong[0]}); nothing was changed")


def _stage(backup: Path, staged: Path) -> None:
    """Make what will be the journal: of this version, and of a history of its own, since ids may now come again."""
    _copy_pages(backup, staged)
    with closing(connect_unnamed(staged)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection, MIGRATIONS)
        rename_history(connection)


def _free_name(file: Path, now: float) -> Path:
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
    suffixes = chain([""], map("-{}".format, count(2)))
    names = (file.with_name(f"{file.name}.kept-{stamp}{suffix}") for suffix in suffixes)
    return next(name for name in names if not name.exists())


def _is_sound(file: Path) -> bool:
    if not file.exists():
        return False
    try:
        with translated(file), closing(open_to_read(file)) as connection:
            return not problems(connection)
    except JournalTooNew:
        raise
    except JournalCorrupt:
        return False


def _overwrite(file: Path, staged: Path, kept: Path, busy_timeout: float) -> None:
    """Keep the journal aside and take over the staged rows while nobody else can write."""
    with closing(open_file(file, busy_timeout).connection) as connection:
        connection.execute("ATTACH ? AS staged", (staged.absolute().as_uri(),))
        with transaction(connection):
            copy(file, kept)
            for table in _TABLES:
                connection.execute(f"DELETE FROM main.{table}")
                connection.execute(f"INSERT INTO main.{table} SELECT * FROM staged.{table}")


def _replace(file: Path, staged: Path, kept: Path) -> bool:
    """Keep a damaged journal aside under a second name and put the staged file under its own; say if there was one."""
    with locked(file.parent):
        was_there = file.exists()
        if was_there:
            os.link(file, kept)
        wal = Path(f"{file}-wal")
        if wal.exists():
            # Before the new file has the name, or SQLite would apply the old one's pages to it.
            wal.rename(f"{kept}-wal")
            was_there = True
        Path(f"{file}-shm").unlink(missing_ok=True)
        sync(staged)
        sync(file.parent)
        staged.replace(file)
        sync(file.parent)
    return was_there
