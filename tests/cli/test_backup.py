"""`thresher backup` and `thresher restore`: all lessons there and back, and nothing lost on the way."""

import stat
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.cli.running import done, run
from thresher.store.sqlite import SqliteJournal
from thresher.values import Lesson


def lessons(file: Path) -> list[Lesson]:
    with SqliteJournal(file) as journal:
        return [row.lesson for row in journal.rows()]


def test_a_backup_restores_all_lessons_into_another_home(taught: Path, tmp_path: Path) -> None:
    told = done("backup", tmp_path / "b", home=taught).out
    assert told.startswith("backed up 10 ham and 10 spam, ")
    (restored,) = done("restore", tmp_path / "b", "--json", home=tmp_path / "new").objects
    assert restored == {"lessons": {"ham": 10, "spam": 10}, "kept": None, "model": "settled"}
    assert lessons(tmp_path / "new" / "journal.sqlite") == lessons(taught / "journal.sqlite")


def test_after_a_restore_the_model_is_that_of_the_backup(taught: Path, tmp_path: Path) -> None:
    before = done("check", "-", "--json", home=taught, stdin=spam(90)).out
    done("backup", tmp_path / "b", home=taught)
    done("learn", "--ham", "-", home=taught, stdin=spam(90))
    assert done("check", "-", "--json", home=taught, stdin=spam(90)).out != before
    done("restore", tmp_path / "b", home=taught)
    assert done("check", "-", "--json", home=taught, stdin=spam(90)).out == before


def test_the_former_journal_is_kept_and_can_itself_be_restored(taught: Path, tmp_path: Path) -> None:
    done("backup", tmp_path / "b", home=taught)
    done("learn", "--ham", "-", home=taught, stdin=ham(90))
    ran = done("restore", tmp_path / "b", home=taught)
    kept = Path(ran.lines[-1].removeprefix("the former journal is kept as "))
    assert kept.parent == taught
    done("restore", kept, home=taught)
    assert len(lessons(taught / "journal.sqlite")) == 21


def test_a_restore_brings_back_a_damaged_journal(taught: Path, tmp_path: Path) -> None:
    done("backup", tmp_path / "b", home=taught)
    (taught / "journal.sqlite").write_bytes(b"damaged" * 2000)
    ran = run("check", "-", home=taught, stdin=ham(90))
    assert ran.code == 1
    assert "thresher restore FILE" in ran.err
    done("restore", tmp_path / "b", home=taught)
    assert done("check", "-", home=taught, stdin=ham(90)).out.startswith("ham")
    (kept,) = taught.glob("journal.sqlite.kept-*")
    assert kept.read_bytes() == b"damaged" * 2000


@pytest.mark.parametrize("damage", [b"", b"no backup", None])
def test_a_damaged_backup_is_refused_and_nothing_changes(taught: Path, tmp_path: Path, damage: bytes | None) -> None:
    file = tmp_path / "b"
    done("backup", file, home=taught)
    file.write_bytes(file.read_bytes()[:-9000] if damage is None else damage)
    before = lessons(taught / "journal.sqlite")
    ran = run("restore", file, home=taught)
    assert (ran.code, ran.out) == (1, "")
    assert "nothing was changed" in ran.err
    assert lessons(taught / "journal.sqlite") == before
    assert not list(taught.glob("*.kept-*"))


def test_a_backup_that_is_not_there_is_named(taught: Path, tmp_path: Path) -> None:
    ran = run("restore", tmp_path / "missing", home=taught)
    assert ran.code == 1
    assert str(tmp_path / "missing") in ran.err


def test_a_backup_is_for_its_owner_only_and_replaces_an_older_one(taught: Path, tmp_path: Path) -> None:
    done("backup", tmp_path / "b", home=taught)
    (tmp_path / "b").chmod(0o644)
    done("learn", "--ham", "-", home=taught, stdin=ham(90))
    (told,) = done("backup", tmp_path / "b", "--json", home=taught).objects
    assert told["lessons"] == {"ham": 11, "spam": 10}
    assert told["bytes"] == (tmp_path / "b").stat().st_size
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o600


def test_a_file_that_is_no_backup_is_not_overwritten(taught: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter.eml"
    letter.write_bytes(ham(1))
    ran = run("backup", letter, home=taught)
    assert ran.code == 1
    assert "is no backup" in ran.err
    assert letter.read_bytes() == ham(1)


@pytest.mark.parametrize("target", ["/dev/null", "nowhere/b", "journal.sqlite"])
def test_what_cannot_be_a_backup_is_refused(taught: Path, target: str) -> None:
    before = lessons(taught / "journal.sqlite")
    ran = run("backup", taught / target, home=taught)
    assert (ran.code, ran.out) == (1, "")
    assert lessons(taught / "journal.sqlite") == before
    assert Path("/dev/null").is_char_device()


def test_where_nothing_was_learned_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    ran = run("backup", tmp_path / "b", home=tmp_path / "fresh")
    assert ran.code == 1
    assert not (tmp_path / "b").exists()
    assert not (tmp_path / "fresh").exists()
