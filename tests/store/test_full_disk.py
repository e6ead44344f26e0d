"""A full disk loses nothing: what was acknowledged stays, what failed left no trace, and with room it goes on."""

import random
from pathlib import Path

import numpy as np
import pytest

from tests.store.conftest import SmallDisk, files_no_larger_than
from tests.store.making import SPAM, content, lesson
from thresher.store.journal import JournalFull, Selection
from thresher.store.snapshot import load, save
from thresher.store.sqlite import SqliteJournal
from thresher.store.sqlite_copy import restore
from thresher.values import Lesson


def large(number: int) -> Lesson:
    """Make a lesson of 20 kB that does not compress."""
    return lesson(number, stream=random.Random(number).randbytes(20_000))


def fill(journal: SqliteJournal, first: int = 0) -> int:
    """Learn until the disk is full; give the number of the message that found no room."""
    for number in range(first, first + 1000):
        try:
            journal.append([large(number)])
        except JournalFull:
            return number
    pytest.fail("the disk took 20 MB")


def left_over(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


@pytest.fixture
def large_backup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a backup of 32 lessons; name it before the small disk, which would not take it."""
    folder = tmp_path_factory.mktemp("large")
    with SqliteJournal(folder / "journal.sqlite3") as journal:
        journal.append([large(number) for number in range(32)])
        journal.backup(folder / "backup")
    return folder / "backup"


def test_learning_keeps_what_was_acknowledged_and_goes_on_when_there_is_room(small_disk: SmallDisk) -> None:
    file = small_disk.folder / "journal.sqlite3"
    with SqliteJournal(file) as journal:
        refused = fill(journal)
        expected = {number + 1: large(number) for number in range(refused)}
        assert len(expected) > 3
        assert content(journal) == expected
        with pytest.raises(JournalFull, match=r"nothing was changed\. Free some space"):
            journal.append([large(number) for number in range(refused, refused + 50)])
        assert content(journal) == expected
        small_disk.make_room()
        assert journal.append([large(refused)])[0].id == refused + 1
        assert content(journal) == expected | {refused + 1: large(refused)}
        assert journal.integrity_check() == []


def test_a_process_that_ends_on_a_full_disk_loses_nothing(small_disk: SmallDisk) -> None:
    """Where closing cannot bring the WAL into the file, whoever opens next finds it."""
    file = small_disk.folder / "journal.sqlite3"
    refused = 0
    for _ in range(4):
        with SqliteJournal(file) as journal:
            assert len(content(journal)) == refused
            refused = fill(journal, refused)
    small_disk.make_room()
    with SqliteJournal(file) as journal:
        assert list(content(journal).values()) == [large(number) for number in range(refused)]
        assert journal.integrity_check() == []


def test_a_correction_is_whole_or_not_at_all(small_disk: SmallDisk) -> None:
    with SqliteJournal(small_disk.folder / "journal.sqlite3") as journal:
        refused = fill(journal)
        before = content(journal), journal.position()
        corrected = [lesson(number, SPAM, stream=large(number).stream) for number in range(refused)]
        with pytest.raises(JournalFull):
            journal.append(corrected)
        assert (content(journal), journal.position()) == before
        small_disk.make_room()
        journal.append(corrected)
        assert journal.position().generation == refused


def test_forgetting_is_whole_or_not_at_all(small_disk: SmallDisk) -> None:
    with SqliteJournal(small_disk.folder / "journal.sqlite3") as journal:
        refused = fill(journal)
        before = content(journal), journal.position()
        with pytest.raises(JournalFull):
            journal.forget(Selection(source="*"))
        assert (content(journal), journal.position()) == before
        small_disk.make_room()
        assert len(journal.forget(Selection(source="*"))) == refused
        assert content(journal) == {}


def test_a_new_journal_is_not_half_made(tmp_path: Path) -> None:
    file = tmp_path / "home" / "journal.sqlite3"
    with files_no_larger_than(20_000), pytest.raises(JournalFull):
        SqliteJournal(file)
    assert list(file.parent.iterdir()) == []
    with SqliteJournal(file) as journal:
        assert content(journal) == {}


def test_a_journal_opened_where_nothing_can_be_written_is_read_and_later_written(tmp_path: Path) -> None:
    """SQLite wants room merely to open one; filtering goes on without, and learning once there is some."""
    file = tmp_path / "journal.sqlite3"
    with SqliteJournal(file) as journal:
        journal.append([lesson(0)])
    with files_no_larger_than(10) as lift, SqliteJournal(file) as journal:
        read_only = [journal.read_only]
        assert content(journal) == {1: lesson(0)}
        with pytest.raises(JournalFull):
            journal.append([lesson(1)])
        lift()
        journal.append([lesson(1)])
        read_only.append(journal.read_only)
        assert read_only == [True, False]
        assert len(content(journal)) == 2


def test_a_backup_that_finds_no_room_leaves_the_older_one(small_disk: SmallDisk) -> None:
    folder = small_disk.folder
    with SqliteJournal(folder / "journal.sqlite3") as journal:
        journal.append([lesson(0)])
        journal.backup(folder / "backup")
    refused = 1
    for _ in range(4):  # the WAL fills before the file does
        with SqliteJournal(folder / "journal.sqlite3") as journal:
            refused = fill(journal, refused)
    with SqliteJournal(folder / "journal.sqlite3") as journal, pytest.raises(JournalFull, match="backup"):
        journal.backup(folder / "backup")
    assert left_over(folder) == []
    with SqliteJournal(folder / "backup") as backup:
        assert content(backup) == {1: lesson(0)}


def test_a_restore_that_finds_no_room_leaves_the_journal(large_backup: Path, small_disk: SmallDisk) -> None:
    file = small_disk.folder / "journal.sqlite3"
    with SqliteJournal(file) as journal:
        journal.append([lesson(0)])
        with pytest.raises(JournalFull):
            restore(large_backup, file)
        assert content(journal) == {1: lesson(0)}
        assert left_over(file.parent) == []
        small_disk.make_room()
        restore(large_backup, file)
        assert len(content(journal)) == 32


def test_a_snapshot_that_finds_no_room_leaves_the_older_one(small_disk: SmallDisk) -> None:
    path = small_disk.folder / "model.snapshot"
    small, big = {"weights": np.arange(10.0)}, {"weights": np.arange(300_000.0)}
    save(path, {"last": 1}, small)
    with pytest.raises(OSError, match=r"No space left|File too large"):
        save(path, {"last": 2}, big)
    assert left_over(small_disk.folder) == []
    header, arrays = load(path)
    assert header == {"last": 1}
    assert arrays["weights"].tolist() == small["weights"].tolist()
