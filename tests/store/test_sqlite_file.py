"""A journal's file: private, whole, of one version, and never silently lost."""

import errno
import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest

from tests.store.conftest import answer, start
from tests.store.making import HAM, SPAM, content, digest, lesson, lessons
from thresher.store import sqlite_file
from thresher.store.files import locked
from thresher.store.journal import (
    JournalBusy,
    JournalCorrupt,
    JournalError,
    JournalFull,
    JournalMissing,
    JournalReadOnly,
    JournalTooNew,
    Selection,
)
from thresher.store.sqlite import SqliteJournal
from thresher.store.sqlite_file import MIGRATIONS, open_file, translated

# A version-1 journal as it was released, written out so that it stays what it was.
VERSION_1 = """
    PRAGMA application_id = 0x74687273;
    PRAGMA journal_mode = WAL;
    CREATE TABLE lesson (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        digest BLOB NOT NULL CHECK (length(digest) = 16),
        spam INTEGER NOT NULL CHECK (spam IN (0, 1)),
        user TEXT NOT NULL,
        source TEXT NOT NULL,
        time REAL NOT NULL,
        score REAL,
        tokenizer INTEGER NOT NULL,
        UNIQUE (digest, user)
    );
    CREATE TABLE stream (id INTEGER PRIMARY KEY, packed BLOB NOT NULL);
    CREATE TABLE ended (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id INTEGER NOT NULL,
        digest BLOB NOT NULL,
        spam INTEGER NOT NULL,
        user TEXT NOT NULL,
        learned REAL NOT NULL,
        ended REAL NOT NULL,
        corrected INTEGER NOT NULL
    );
    CREATE TABLE journal (identity TEXT NOT NULL);
    INSERT INTO journal VALUES ('0123456789abcdef');
    INSERT INTO lesson VALUES (2, x'00000000000000000000000000000002', 1, 'ada', '/old', 12.5, -0.25, 3);
    INSERT INTO lesson VALUES (7, x'00000000000000000000000000000007', 0, 'bob', '', 13.5, NULL, 3);
    INSERT INTO stream VALUES (2, x'0072617720776f726473');
    INSERT INTO stream VALUES (7, x'017801cb48cdc9c95748c9cf2f2ad651c8007100405d06bc');
    INSERT INTO ended VALUES (4, 1, x'00000000000000000000000000000001', 0, 'ada', 11.0, 12.0, 0);
    PRAGMA user_version = 1;
"""
OLD_LESSONS = {
    2: lesson(2, SPAM, stream=b"raw words", user="ada", source="/old", time=12.5, score=-0.25, tokenizer=3, after=None),
    7: lesson(
        7, HAM, stream=b"hello doors, hello", user="bob", source="", time=13.5, score=None, tokenizer=3, after=None
    ),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "home" / "journal.sqlite3"


@pytest.fixture
def old_file(file: Path) -> Path:
    """Give a journal as version 1 left it."""
    file.parent.mkdir()
    run_sql(file, VERSION_1)
    return file


def run_sql(file: Path, script: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_only_the_owner_can_read_anything_whatever_the_umask(file: Path) -> None:
    before = os.umask(0)
    try:
        with SqliteJournal(file) as journal:
            journal.append([lesson(1)])
            modes = {path.name: mode(path) for path in file.parent.iterdir()}
    finally:
        os.umask(before)
    assert modes == {file.name: 0o600, f"{file.name}-wal": 0o600, f"{file.name}-shm": 0o600}
    assert mode(file.parent) == 0o700


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    SqliteJournal(tmp_path / "journal.sqlite3").close()
    assert mode(tmp_path) == 0o750


def test_a_closed_journal_is_one_file(file: Path) -> None:
    with SqliteJournal(file) as journal:
        journal.append(lessons(range(10)))
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_commit_waits_for_the_disk(file: Path) -> None:
    with closing(open_file(file).connection) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize("name", ["a journal?mode=memory", "per%20cent #1", "täglich", "a'b", "\udcff"])
def test_a_home_may_have_any_name(tmp_path: Path, name: str) -> None:
    file = tmp_path / name / "journal.sqlite3"
    with SqliteJournal(file) as journal:
        journal.append([lesson(1)])
    assert file.stat().st_size > 0
    with SqliteJournal(file) as journal:
        assert content(journal) == {1: lesson(1)}


def test_a_relative_home_stays_where_it_was(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A daemon that changes its folder goes on writing to the same journal."""
    monkeypatch.chdir(tmp_path)
    with SqliteJournal(file.relative_to(tmp_path)) as journal:
        monkeypatch.chdir("/")
        journal.append([lesson(1)])
    with SqliteJournal(file) as journal:
        assert content(journal) == {1: lesson(1)}


def test_what_was_forgotten_is_nowhere_in_the_home(file: Path) -> None:
    """Neither in free pages nor in the WAL: streams and sources that would be seen there."""

    def mark(number: int) -> bytes:
        return b"MARK%04d" % number

    def marked(number: int) -> bytes:
        return mark(number) + os.urandom(1 + number * 37 % 5000)  # random: stored as it is

    with SqliteJournal(file) as journal:
        for start_at in range(0, 600, 50):
            numbers = range(start_at, start_at + 50)
            journal.append([lesson(n, stream=marked(n), source=f"MARK{n:04}" + "x" * (n % 90)) for n in numbers])
        for part in range(5):
            journal.forget(Selection(digests=tuple(digest(n) for n in range(part * 2, 600, 10))))
            journal.append([lesson(1000 + part, stream=os.urandom(3000), source="y" * 40)])
        found = b"".join(path.read_bytes() for path in file.parent.iterdir())
    assert [n for n in range(0, 600, 2) if mark(n) in found] == []
    assert [n for n in range(1, 600, 2) if mark(n) not in found] == []


def test_two_processes_may_learn_at_once(file: Path) -> None:
    """Both also find no journal at first, and both make one."""
    children = [start("learn", file, first, first + 60) for first in (0, 60, 120)]
    assert [answer(child) for child in children] == ["learned"] * 3
    with SqliteJournal(file) as journal:
        assert {row.lesson.digest for row in journal.rows()} == {digest(number) for number in range(180)}
        assert journal.position()[1:] == (0, 180)
        assert journal.integrity_check() == []


def test_whoever_is_second_to_make_a_journal_uses_the_first_ones(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first one's is put there between the second's looking and its taking the lock."""
    with SqliteJournal(tmp_path / "first") as journal:
        journal.append([lesson(1)])

    def after_another(folder: Path) -> AbstractContextManager[bool]:
        (tmp_path / "first").rename(file)
        return locked(folder)

    monkeypatch.setattr(sqlite_file, "locked", after_another)
    with SqliteJournal(file) as journal:
        assert content(journal) == {1: lesson(1)}


TROUBLES = [
    (errno.ENOSPC, JournalFull),
    (errno.EDQUOT, JournalFull),
    (errno.EROFS, JournalReadOnly),
    (errno.EACCES, JournalReadOnly),
    (errno.EIO, JournalError),
]


@pytest.mark.parametrize(("number", "expected"), TROUBLES)
def test_what_the_system_says_is_said_as_the_journals_trouble(
    file: Path, number: int, expected: type[JournalError]
) -> None:
    with pytest.raises(JournalError, match=os.strerror(number)) as caught, translated(file):
        raise OSError(number, os.strerror(number))
    assert caught.type is expected


def test_a_journal_held_by_another_process_says_so_in_time(file: Path) -> None:
    with SqliteJournal(file, busy_timeout=0.05) as journal, closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalBusy, match="try again"):
            journal.append([lesson(1)])
        assert content(journal) == {}
        other.rollback()
        journal.append([lesson(1)])
        assert content(journal) == {1: lesson(1)}


def test_a_journal_of_version_1_opens_with_all_its_lessons(old_file: Path) -> None:
    with SqliteJournal(old_file) as journal:
        assert content(journal) == OLD_LESSONS
        assert journal.position() == ("0123456789abcdef", 4, 7)
        assert [tuple(ended) for ended in journal.ended()] == [(4, 1, digest(1), HAM, "ada", 11.0, 12.0, False)]
        assert journal.append([lesson(8)])[0].id == 8
        assert journal.integrity_check() == []


def test_a_new_journal_is_what_the_released_steps_make(old_file: Path, tmp_path: Path) -> None:
    """An old journal and a new one have the same tables, to the letter."""
    new_file = tmp_path / "new"
    tables = []
    for file in (old_file, new_file):
        SqliteJournal(file).close()
        with closing(sqlite3.connect(file)) as connection:
            rows = connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()
        tables.append([(name, " ".join((sql or "").split())) for name, sql in rows])
    assert tables[0] == tables[1]


def version(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        number: int = connection.execute("PRAGMA user_version").fetchone()[0]
        return number


ONE_MORE = (*MIGRATIONS, ("CREATE TABLE note (text TEXT)", "INSERT INTO note SELECT source FROM lesson"))


def test_the_next_version_takes_the_step_once_and_keeps_every_lesson(
    old_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "MIGRATIONS", ONE_MORE)
    for _ in range(2):
        with SqliteJournal(old_file) as journal:
            assert content(journal) == OLD_LESSONS
    assert version(old_file) == len(ONE_MORE)
    with closing(sqlite3.connect(old_file)) as connection:
        assert connection.execute("SELECT text FROM note").fetchall() == [("/old",), ("",)]


def test_a_step_that_fails_leaves_the_journal_as_it_was(old_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(sqlite_file, "MIGRATIONS", (*ONE_MORE, ("DROP TABLE lesson", "INSERT INTO nowhere VALUES (1)")))
        with pytest.raises(JournalError, match="nowhere"):
            SqliteJournal(old_file)
    assert version(old_file) == 1
    with SqliteJournal(old_file) as journal:
        assert content(journal) == OLD_LESSONS


def test_a_later_version_is_refused_naming_both_and_the_way_out(
    old_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(sqlite_file, "MIGRATIONS", ONE_MORE)
        SqliteJournal(old_file).close()
    before = old_file.read_bytes()
    versions = f"version {len(ONE_MORE)}.*up to {len(MIGRATIONS)}"
    with pytest.raises(JournalTooNew, match=versions + ".*Update thresher, or choose another home"):
        SqliteJournal(old_file)
    assert old_file.read_bytes() == before


def scramble(file: Path) -> None:
    file.write_bytes(os.urandom(50_000))


def empty(file: Path) -> None:
    file.write_bytes(b"")


def break_header(file: Path) -> None:
    whole = file.read_bytes()
    file.write_bytes(b"SQLite formula 3" + whole[16:])


def cut(file: Path) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])


def cut_in_the_first_page(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:1000])


def put_another_database(file: Path) -> None:
    file.unlink()
    run_sql(file, "CREATE TABLE lesson (id INTEGER)")


def drop_a_table(file: Path) -> None:
    run_sql(file, "DROP TABLE stream")


def zero_the_middle(file: Path) -> None:
    whole = bytearray(file.read_bytes())
    whole[16384:-8192] = bytes(len(whole) - 16384 - 8192)
    file.write_bytes(whole)


DAMAGE = [
    scramble,
    empty,
    break_header,
    cut,
    cut_in_the_first_page,
    put_another_database,
    drop_a_table,
    zero_the_middle,
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_journal_is_refused_with_the_way_out(file: Path, damage: Callable[[Path], None]) -> None:
    """At the latest when the damaged part is read; and nobody makes a new one in its place."""
    with SqliteJournal(file) as journal:
        journal.append(lessons(range(400)))
    damage(file)
    damaged = file.read_bytes()
    with pytest.raises(JournalCorrupt, match="thresher restore FILE"), SqliteJournal(file) as journal:
        list(journal.rows())
    assert file.read_bytes() == damaged


def test_a_damaged_stream_is_noticed_named_and_can_be_forgotten(file: Path) -> None:
    with SqliteJournal(file) as journal:
        journal.append(lessons(range(1, 60)))
    with closing(sqlite3.connect(file)) as connection:
        packed = bytearray(connection.execute("SELECT packed FROM stream WHERE id = 49").fetchone()[0])
        packed[9] ^= 1
        connection.execute("UPDATE stream SET packed = ? WHERE id = 49", (packed,))
        connection.commit()
    with SqliteJournal(file) as journal:
        assert [problem.split(":")[0] for problem in journal.integrity_check()] == ["lesson 49"]
        with pytest.raises(JournalCorrupt, match="lesson 49"):
            list(journal.rows())
        assert len(list(journal.entries())) == 59
        journal.forget(Selection(ids=(49,)))
        assert len(content(journal)) == 58
        assert journal.integrity_check() == []


def test_half_a_lesson_is_noticed(file: Path) -> None:
    with SqliteJournal(file) as journal:
        journal.append(lessons(range(3)))
    run_sql(file, "DELETE FROM stream WHERE id = 2; INSERT INTO stream VALUES (9, x'00')")
    with SqliteJournal(file) as journal:
        assert journal.integrity_check() == ["lesson 2 has no token stream", "token stream 9 has no lesson"]
        with pytest.raises(JournalCorrupt, match="lesson 2"):
            list(journal.rows())


def test_a_journal_whose_file_is_gone_is_not_made_anew_over_its_wal(file: Path) -> None:
    """The WAL may hold lessons, and SQLite would bring its pages into a new file."""
    answer(start("crash", file))
    file.unlink()
    with pytest.raises(JournalCorrupt, match=r"only journal\.sqlite3-wal is left"):
        SqliteJournal(file)


def test_lessons_of_a_process_that_died_are_there(file: Path) -> None:
    answer(start("crash", file))
    with SqliteJournal(file) as journal:
        assert list(content(journal)) == [1, 2, 3]


def test_a_journal_that_is_removed_while_open_takes_no_more_lessons(file: Path) -> None:
    """They would go into a file without a name."""
    with SqliteJournal(file) as journal:
        journal.append([lesson(1)])
        file.rename(file.with_name("elsewhere"))
        with pytest.raises(JournalMissing, match="removed"):
            journal.append([lesson(2)])
        file.with_name("elsewhere").rename(file)
        journal.append([lesson(3)])
        assert [row.lesson.digest for row in journal.rows()] == [digest(1), digest(3)]


def test_a_journal_put_in_place_of_an_open_one_is_the_one_used(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    with SqliteJournal(other) as journal:
        journal.append(lessons(range(5)))
    with SqliteJournal(file) as journal:
        seen = journal.data_version()
        other.replace(file)
        assert journal.data_version() != seen
        journal.append([lesson(9)])
        assert len(content(journal)) == 6
    with SqliteJournal(file) as journal:
        assert len(content(journal)) == 6


def give_to_nobody_read_only(folder: Path) -> None:
    for path in [*folder.iterdir(), folder]:
        if os.geteuid() == 0:
            os.chown(path, 65534, 65534)
        path.chmod(0o500 if path.is_dir() else 0o400)


def test_a_home_that_may_not_be_written_can_be_read(open_folder: Path) -> None:
    file = open_folder / "home" / "journal.sqlite3"
    with SqliteJournal(file) as journal:
        journal.append(lessons(range(1, 4)))
        position = journal.position()
    give_to_nobody_read_only(file.parent)
    used = answer(start("use", file))
    file.parent.chmod(0o700)
    assert used == {
        "read_only": True,
        "rows": [1, 2, 3],
        "position": list(position),
        "versions": used["versions"],
        "problems": [],
        "append": "JournalReadOnly",
        "forget": "JournalReadOnly",
    }
    assert used["versions"][0] == used["versions"][1]


def test_a_home_left_by_a_crash_can_be_read_without_writing(open_folder: Path) -> None:
    """The lessons are in the WAL still."""
    file = open_folder / "home" / "journal.sqlite3"
    answer(start("crash", file))
    give_to_nobody_read_only(file.parent)
    used = answer(start("use", file))
    file.parent.chmod(0o700)
    assert (used["rows"], used["append"]) == ([1, 2, 3], "JournalReadOnly")


def test_lessons_that_only_a_writer_can_bring_in_are_not_passed_over(open_folder: Path) -> None:
    """Without its -shm file a WAL cannot be read in a home that may not be written."""
    file = open_folder / "home" / "journal.sqlite3"
    answer(start("crash", file))
    Path(f"{file}-shm").unlink()
    give_to_nobody_read_only(file.parent)
    used = answer(start("use", file))
    file.parent.chmod(0o700)
    assert used["error"] == "JournalReadOnly"
    assert "-wal holds lessons" in used["text"]


def test_a_home_that_may_not_be_written_gets_no_journal(open_folder: Path) -> None:
    home = open_folder / "home"
    home.mkdir()
    give_to_nobody_read_only(home)
    used = answer(start("use", home / "journal.sqlite3"))
    home.chmod(0o700)
    assert used["error"] == "JournalReadOnly"


def test_an_old_journal_that_cannot_be_brought_up_to_date_says_so(
    old_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "MIGRATIONS", ONE_MORE)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(JournalError, match=f"version 1 must be brought to {len(ONE_MORE)}"):
        SqliteJournal(old_file)
