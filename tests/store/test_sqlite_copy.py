"""A backup is a whole journal; restoring one loses nothing of what it replaces."""

import sqlite3
import stat
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.conftest import answer, start
from tests.store.making import HAM, SPAM, content, digest, lesson, lessons
from tests.store.test_sqlite_file import DAMAGE, OLD_LESSONS, ONE_MORE, VERSION_1, run_sql
from thresher.store import sqlite_copy, sqlite_file
from thresher.store.journal import (
    BackupUnsound,
    JournalBusy,
    JournalCorrupt,
    JournalError,
    JournalTooNew,
    Selection,
)
from thresher.store.sqlite import SqliteJournal
from thresher.store.sqlite_copy import restore


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "home" / "journal.sqlite3"


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """Give a backup of messages 0 to 9."""
    source, made = tmp_path / "source" / "journal.sqlite3", tmp_path / "backup"
    with SqliteJournal(source) as journal:
        journal.append(lessons(range(10)))
        journal.backup(made)
    return made


def read(file: Path) -> list[bytes]:
    with SqliteJournal(file) as journal:
        return [row.lesson.digest for row in journal.rows()]


def digests(numbers: range) -> list[bytes]:
    return [digest(number) for number in numbers]


def test_a_backup_holds_every_lesson_in_one_private_file(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "safe" / "backup"
    target.parent.mkdir()
    with SqliteJournal(file) as journal:
        journal.append(lessons(range(300)))
        journal.append([lesson(1, SPAM)])
        journal.backup(target)
        expected = content(journal), journal.position(), list(journal.ended())
    assert [path.name for path in target.parent.iterdir()] == ["backup"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with SqliteJournal(target) as copied:
        assert (content(copied), copied.position(), list(copied.ended())) == expected


def test_a_backup_can_be_made_while_others_learn(file: Path, tmp_path: Path) -> None:
    """It holds the journal as it stood at one moment."""
    with SqliteJournal(file) as journal:
        journal.append(lessons(range(200)))
        stop = threading.Event()

        def learn() -> None:
            with SqliteJournal(file) as other:
                for number in range(200, 100_000):
                    if stop.is_set():
                        return
                    other.append([lesson(number)])

        learner = threading.Thread(target=learn)
        learner.start()
        for attempt in range(5):
            journal.backup(tmp_path / f"backup-{attempt}")
        stop.set()
        learner.join()
    for attempt in range(5):
        found = read(tmp_path / f"backup-{attempt}")
        assert len(found) >= 200
        assert found == digests(range(len(found)))


def test_a_backup_takes_the_place_of_an_older_one(file: Path, backup: Path) -> None:
    with SqliteJournal(file) as journal:
        journal.append([lesson(77)])
        journal.backup(backup)
    assert read(backup) == [digest(77)]


def test_a_journal_is_not_backed_up_onto_itself(file: Path) -> None:
    with SqliteJournal(file) as journal:
        journal.append([lesson(1)])
        with pytest.raises(ValueError, match="itself"):
            journal.backup(file)
        assert len(content(journal)) == 1


def test_a_backup_that_cannot_be_written_leaves_the_older_one(file: Path, tmp_path: Path) -> None:
    with SqliteJournal(file) as journal, pytest.raises(JournalError, match="nowhere"):
        journal.backup(tmp_path / "nowhere" / "backup")


def test_a_damaged_journal_gives_no_backup(file: Path, backup: Path) -> None:
    """The sound one of yesterday is worth more."""
    with SqliteJournal(file) as journal:
        journal.append(lessons(range(50)))
    run_sql(file, "DELETE FROM stream WHERE id = 2")
    before = backup.read_bytes()
    with SqliteJournal(file) as journal, pytest.raises(JournalCorrupt, match="lesson 2"):
        journal.backup(backup)
    assert backup.read_bytes() == before
    assert not list(backup.parent.glob(".*"))


def test_a_restored_journal_holds_what_the_backup_held(file: Path, backup: Path) -> None:
    assert restore(backup, file) is None
    assert read(file) == digests(range(10))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_the_journal_that_was_there_is_kept_under_a_dated_name(file: Path, backup: Path) -> None:
    with SqliteJournal(file) as journal:
        journal.append(lessons(range(20, 25)))
    kept = [restore(backup, file, now=0.0) for _ in range(3)]
    assert [path and path.name for path in kept] == [
        "journal.sqlite3.kept-19700101T000000Z",
        "journal.sqlite3.kept-19700101T000000Z-2",
        "journal.sqlite3.kept-19700101T000000Z-3",
    ]
    assert kept[0]
    assert stat.S_IMODE(kept[0].stat().st_mode) == 0o600
    assert read(kept[0]) == digests(range(20, 25))
    assert read(file) == digests(range(10))


def test_whoever_has_the_journal_open_goes_on_with_the_restored_one(file: Path, backup: Path) -> None:
    """And can tell, even from the journal's own backup: ids given since may be given again."""
    restore(backup, file)
    with SqliteJournal(file) as journal:
        journal.backup(backup)
        journal.append(lessons(range(20, 60)))
        version, position = journal.data_version(), journal.position()
        rows = journal.rows()
        next(rows)
        restore(backup, file)
        assert journal.data_version() != version
        assert journal.position().identity != position.identity
        assert journal.append([lesson(60, HAM)])[0].id == 11
        assert len(content(journal)) == 11
    assert read(file) == [*digests(range(10)), digest(60)]


def test_what_was_forgotten_since_the_backup_is_back_and_what_ended_before_is_known(file: Path, tmp_path: Path) -> None:
    with SqliteJournal(file) as journal:
        journal.append(lessons(range(5)))
        journal.forget(Selection(ids=(5,)), at=7.0)
        journal.backup(tmp_path / "backup")
        journal.forget(Selection(source="*"))
    restore(tmp_path / "backup", file)
    with SqliteJournal(file) as journal:
        assert list(content(journal)) == [1, 2, 3, 4]
        assert [(ended.id, ended.ended) for ended in journal.ended()] == [(5, 7.0)]
        assert journal.append([lesson(4)])[0].id == 6
        assert journal.integrity_check() == []


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_journal_is_kept_as_it_is_and_replaced(
    file: Path, backup: Path, damage: Callable[[Path], None]
) -> None:
    with SqliteJournal(file) as journal:
        journal.append(lessons(range(400)))
    damage(file)
    damaged = file.read_bytes()
    kept = restore(backup, file)
    assert kept
    assert kept.read_bytes() == damaged
    assert read(file) == digests(range(10))


def test_a_wal_whose_journal_is_gone_is_kept_and_not_applied(file: Path, backup: Path) -> None:
    answer(start("crash", file))
    file.unlink()
    wal = Path(f"{file}-wal").read_bytes()
    kept = restore(backup, file)
    assert Path(f"{kept}-wal").read_bytes() == wal
    assert read(file) == digests(range(10))


def test_lessons_still_in_the_wal_are_kept_aside_too(file: Path, backup: Path) -> None:
    answer(start("crash", file))
    kept = restore(backup, file)
    assert kept
    assert read(kept) == digests(range(3))


@pytest.mark.parametrize("damage", DAMAGE)
def test_an_unsound_backup_changes_nothing(file: Path, backup: Path, damage: Callable[[Path], None]) -> None:
    with SqliteJournal(backup) as journal:
        journal.append(lessons(range(10, 400)))
    damage(backup)
    with SqliteJournal(file) as journal:
        journal.append([lesson(1)])
        before = journal.position()
        with pytest.raises(BackupUnsound, match="nothing was changed"):
            restore(backup, file)
        assert journal.position() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_backup_that_is_not_there_says_so(file: Path, tmp_path: Path) -> None:
    for no_backup in (tmp_path / "nothing", tmp_path):
        with pytest.raises(BackupUnsound, match="is no file"):
            restore(no_backup, file)


def later(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (sqlite_file, sqlite_copy):
        monkeypatch.setattr(module, "MIGRATIONS", ONE_MORE)


def test_a_backup_of_an_older_version_is_brought_up_to_date(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old"
    run_sql(old, VERSION_1)
    later(monkeypatch)
    with SqliteJournal(file) as journal:
        restore(old, file)
        assert content(journal) == OLD_LESSONS
        assert journal.position().last_id == 7
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


def test_a_backup_of_a_later_version_is_refused(file: Path, backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        later(patched)
        SqliteJournal(backup).close()
    with pytest.raises(JournalTooNew, match=f"version {len(ONE_MORE)}"):
        restore(backup, file)
    assert not file.exists()


def test_a_journal_of_a_later_version_is_not_overwritten(
    file: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        later(patched)
        SqliteJournal(file).close()
    before = file.read_bytes()
    with pytest.raises(JournalTooNew, match=f"version {len(ONE_MORE)}"):
        restore(backup, file)
    assert file.read_bytes() == before


def test_a_journal_somebody_is_writing_to_is_not_overwritten(file: Path, backup: Path) -> None:
    SqliteJournal(file).close()
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalBusy):
            restore(backup, file, busy_timeout=0.05)
    assert read(file) == []
