"""What happens when a home is damaged, of a later version, read-only or full: it is said, and no lesson is lost."""

import os
import resource
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.cli.making import folder, ham, spam
from tests.cli.running import ENVIRONMENT, as_nobody, done, give_to_nobody, line_of, run
from thresher.store.sqlite import SqliteJournal

MODEL = "model-scaled-logistic.snapshot"
COMMANDS = [["check", "-"], ["explain", "-"], ["learn", "--ham", "-"], ["forget", "-"], ["status"], ["rebuild"]]
each_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])


def judged(home: Path) -> str:
    return done("check", "-", "--json", home=home, stdin=spam(90)).out


def count(home: Path) -> int:
    with SqliteJournal(home / "journal.sqlite") as journal:
        return sum(journal.counts())


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "flipped bit": lambda raw: raw[:-5] + bytes([raw[-5] ^ 1]) + raw[-4:],
    "truncated": lambda raw: raw[: len(raw) // 2],
    "empty": lambda _: b"",
    "something else": lambda _: b"this is no model" * 100,
    "later layout": lambda raw: raw[:8] + b"\xff\0\0\0" + raw[12:],
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_model_is_built_again_and_that_is_said_once(taught: Path, damage: str) -> None:
    before = judged(taught)
    (taught / MODEL).write_bytes(DAMAGE[damage]((taught / MODEL).read_bytes()))
    ran = run("check", "-", "--json", home=taught, stdin=spam(90))
    assert (ran.code, ran.out) == (0, before)
    assert "built again from the journal" in ran.err
    assert judged(taught) == before


def test_a_model_that_is_gone_is_built_again(taught: Path) -> None:
    before = judged(taught)
    (taught / MODEL).unlink()
    assert judged(taught) == before
    assert (taught / MODEL).exists()


def test_a_journal_that_is_gone_takes_its_lessons_with_it(taught: Path) -> None:
    """The model is a view of the journal: it does not outlive it."""
    (taught / "journal.sqlite").unlink()
    ran = run("check", "-", home=taught, stdin=spam(90))
    assert ran.out.startswith("unsure\t0.500000")
    assert "nothing has been learned yet" in ran.err


@each_command
@pytest.mark.parametrize("damage", [b"", b"no journal" * 900])
def test_a_damaged_journal_is_an_error_with_its_way_out(taught: Path, command: list[str], damage: bytes) -> None:
    (taught / "journal.sqlite").write_bytes(damage)
    ran = run(*command, home=taught, stdin=ham(3))
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("Error: the journal ")
    assert "`thresher restore FILE`" in ran.err


@each_command
def test_a_home_of_a_later_version_is_refused_and_left_alone(taught: Path, command: list[str]) -> None:
    with closing(sqlite3.connect(taught / "journal.sqlite")) as connection:
        connection.execute("PRAGMA user_version = 999")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = (taught / "journal.sqlite").read_bytes()
    ran = run(*command, home=taught, stdin=ham(3))
    assert (ran.code, ran.out) == (1, "")
    assert "is of version 999" in ran.err
    assert "Update thresher" in ran.err
    assert (taught / "journal.sqlite").read_bytes() == before


@pytest.fixture
def locked_home(taught: Path, open_folder: Path) -> Path:
    """Give a taught home that nobody may write, nobody being who `as_nobody` runs as."""
    home = taught.rename(open_folder / "home")
    for path in home.iterdir():
        path.chmod(0o400)
    home.chmod(0o500)
    give_to_nobody(home, *home.iterdir())
    return home


@pytest.mark.parametrize("command", [["check", "-"], ["explain", "-"], ["status"]], ids=lambda command: command[0])
def test_a_read_only_home_can_be_asked(locked_home: Path, command: list[str]) -> None:
    ran = as_nobody(*command, home=locked_home, stdin=spam(90))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out


@pytest.mark.parametrize("command", [["learn", "--ham", "-"], ["forget", "-"]], ids=lambda command: command[0])
def test_a_read_only_home_learns_nothing_and_says_why(locked_home: Path, command: list[str]) -> None:
    ran = as_nobody(*command, home=locked_home, stdin=ham(3 if command[0] == "forget" else 99))
    assert (ran.code, ran.out) == (1, "")
    assert "cannot be written" in ran.err
    assert "must be yours to write" in ran.err


def test_a_damaged_model_in_a_read_only_home_is_built_for_the_moment(locked_home: Path) -> None:
    (locked_home / MODEL).chmod(0o600)
    (locked_home / MODEL).write_bytes(b"damaged")
    ran = as_nobody("check", "-", home=locked_home, stdin=spam(90))
    assert ran.code == 0
    assert ran.out.startswith("spam")
    assert "built again" in ran.err
    assert (locked_home / MODEL).read_bytes() == b"damaged"


@contextmanager
def little_room(size: int) -> Iterator[None]:
    """Let no file of this process and its children grow beyond a size: a full disk that needs no right to mount one."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def program_with_little_room(size: int, *arguments: object, home: Path) -> tuple[int, str, str]:
    with little_room(size):
        ran = subprocess.run(
            line_of(*arguments, home=home), env=ENVIRONMENT, capture_output=True, check=False, text=True
        )
    return ran.returncode, ran.stdout, ran.stderr


def test_on_a_full_disk_nothing_half_is_learned_and_with_room_it_works(home: Path, tmp_path: Path) -> None:
    hams = folder(tmp_path / "ham", (ham(number) + b"padding words here " * 400 for number in range(600)))
    code, _, err = program_with_little_room(200_000, "learn", "--ham", hams, home=home)
    assert code == 1
    assert "no room" in err
    assert "Free some space" in err
    kept = count(home)
    assert kept % 512 == 0
    assert kept < 600
    done("learn", "--ham", hams, "--jobs", "1", home=home)
    assert count(home) == 600


def test_without_room_for_the_model_the_lessons_are_kept_and_that_is_said(home: Path, tmp_path: Path) -> None:
    (home / "config.toml").write_text("bits = 20\n")
    spams = folder(tmp_path / "spam", map(spam, range(5)))
    code, out, err = program_with_little_room(2_000_000, "learn", "--spam", spams, home=home)
    assert (code, count(home)) == (0, 5)
    assert "could not be written" in err
    assert out.endswith("model not saved\n")
    code, out, _ = program_with_little_room(2_000_000, "check", spams, home=home)
    assert (code, len(out.splitlines())) == (0, 5)


def test_rebuild_without_room_is_an_error(taught: Path) -> None:
    (taught / "config.toml").write_text("bits = 20\n")
    code, _, err = program_with_little_room(2_000_000, "rebuild", home=taught)
    assert code == 1
    assert "could not be written" in err


def test_a_home_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = run("check", "-", home=tmp_path / "file", stdin=ham(1))
    assert ran.code == 1
    assert str(tmp_path / "file") in ran.err


def test_a_home_that_cannot_be_made_is_an_error(open_folder: Path) -> None:
    ran = as_nobody("learn", "--ham", "-", home=open_folder / "sub" / "home", stdin=ham(1))
    assert ran.code == 1
    assert "cannot be written" in ran.err
    assert not os.path.lexists(open_folder / "sub")
