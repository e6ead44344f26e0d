"""`thresher forget`: lessons taken back by message, digest, source, time and person, and never more than was meant."""

import time
from pathlib import Path

import msgspec
import pytest

from tests.cli.making import folder, ham, mbox, spam
from tests.cli.running import done, run
from thresher.mail.digest import digest
from thresher.store.sqlite import SqliteJournal

DAY = 86400


def counts(home: Path) -> tuple[int, int]:
    with SqliteJournal(home / "journal.sqlite") as journal:
        found = journal.counts()
        return found.ham, found.spam


def sources(home: Path) -> list[str]:
    with SqliteJournal(home / "journal.sqlite") as journal:
        return [entry.source for entry in journal.entries()]


def age(home: Path, days: list[float]) -> None:
    """Say how many days ago the lessons were given, the first ones first."""
    with SqliteJournal(home / "journal.sqlite") as journal:
        lessons = [row.lesson for row in journal.rows()]
    (home / "journal.sqlite").unlink()
    with SqliteJournal(home / "journal.sqlite") as journal:
        now = time.time()
        journal.append(
            [msgspec.structs.replace(lesson, time=now - ago * DAY) for lesson, ago in zip(lessons, days, strict=True)]
        )


def test_a_message_is_forgotten_wherever_it_lies_now(taught: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved.eml"
    moved.write_bytes(ham(3).replace(b"\n", b"\r\n"))
    gone, summary = done("forget", moved, "--json", home=taught).objects
    assert gone["digest"] == digest(ham(3)).hex()
    assert gone.keys() == {"digest", "label", "user", "source", "time"}
    assert summary["summary"] == {
        "forgotten": {"ham": 1, "spam": 0},
        "dry_run": False,
        "lessons": {"ham": 9, "spam": 10},
        "model": "settled",
    }


def test_what_is_taken_back_is_shown(taught: Path, tmp_path: Path) -> None:
    told, summary = done("forget", tmp_path / "taught-ham" / "00003.eml", home=taught).lines
    assert told.startswith("ham ")
    assert told.endswith(f"local  {tmp_path / 'taught-ham' / '00003.eml'}")
    assert summary == "forgot 1 ham and 0 spam; 19 lessons left, model settled"


def test_a_folder_of_messages_is_forgotten_message_by_message(taught: Path, tmp_path: Path) -> None:
    done("forget", tmp_path / "taught-spam", home=taught)
    assert counts(taught) == (10, 0)


def test_a_message_from_standard_input_is_forgotten(taught: Path) -> None:
    done("forget", "-", home=taught, stdin=spam(1))
    assert counts(taught) == (10, 9)


def test_a_digest_names_a_message(taught: Path) -> None:
    done("forget", "--digest", digest(ham(1)).hex(), "--digest", digest(ham(2)).hex().upper(), home=taught)
    assert counts(taught) == (8, 10)


def test_a_source_may_be_a_folder(taught: Path, tmp_path: Path) -> None:
    done("forget", "--source", tmp_path / "taught-ham", home=taught)
    assert counts(taught) == (0, 10)


def test_a_source_may_be_relative(taught: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done("forget", "--source", "taught-ham/00004.eml", home=taught)
    assert counts(taught) == (9, 10)


def test_a_source_may_be_a_glob(taught: Path) -> None:
    done("forget", "--source", "*/0000[0-4].eml", home=taught)
    assert counts(taught) == (5, 5)


def test_a_source_may_be_an_mbox(taught: Path, tmp_path: Path) -> None:
    """Its messages are named after it, BOX#1; another whose name begins alike is left alone."""
    box, other = mbox(tmp_path / "box", map(ham, range(50, 53))), mbox(tmp_path / "box2", map(ham, range(60, 62)))
    done("learn", "--ham", box, other, home=taught)
    done("forget", "--source", box, home=taught)
    assert [source for source in sources(taught) if "#" in source] == [f"{other}#1", f"{other}#2"]


def test_a_source_whose_name_looks_like_a_glob_is_that_source(taught: Path, tmp_path: Path) -> None:
    odd = mbox(tmp_path / "[1]*", map(ham, range(50, 53)))
    done("learn", "--ham", odd, home=taught)
    done("forget", "--source", odd, home=taught)
    assert counts(taught) == (10, 10)


def test_what_a_person_said_is_forgotten(taught: Path, tmp_path: Path) -> None:
    done("learn", "--spam", tmp_path / "taught-ham", "--user", "bob", home=taught)
    done("forget", "--user", "bob", home=taught)
    assert counts(taught) == (10, 10)


def test_one_persons_word_on_a_message_is_forgotten(taught: Path, tmp_path: Path) -> None:
    path = tmp_path / "taught-ham" / "00001.eml"
    done("learn", "--spam", path, "--user", "bob", home=taught)
    (gone, _) = done("forget", path, "--user", "local", "--json", home=taught).objects
    assert gone["user"] == "local"
    assert counts(taught) == (9, 11)


@pytest.mark.parametrize(
    ("options", "left"),
    [
        (["--since", "2 days"], 3),
        (["--since", "36 hours ago"], 4),
        (["--until", "2 days"], 2),
        (["--since", "9 days", "--until", "2 days"], 3),
        (["--since", "1 week"], 2),
    ],
)
def test_lessons_of_a_time_are_forgotten(taught: Path, options: list[str], left: int) -> None:
    done("forget", "--source", "*/taught-spam/*", home=taught)
    done("forget", "--source", "*/0000[5-9].eml", home=taught)
    age(taught, [20, 8, 3, 1.8, 0.1])
    done("forget", *options, home=taught)
    assert counts(taught) == (left, 0)


def test_a_date_begins_at_midnight_here(taught: Path) -> None:
    done("forget", "--source", "*/taught-spam/*", home=taught)
    done("forget", "--source", "*/0000[3-9].eml", home=taught)
    now = time.time()
    midnight = time.mktime((2025, 3, 2, 0, 0, 0, 0, 0, -1))
    age(taught, [(now - midnight + 60) / DAY, (now - midnight - 60) / DAY, 0])
    done("forget", "--since", "2025-03-02", "--until", "2025-03-02 12:00", home=taught)
    assert [Path(source).name for source in sources(taught)] == ["00000.eml", "00002.eml"]


def test_a_dry_run_says_what_would_be_forgotten_and_changes_nothing(taught: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in taught.glob("model-*")}
    ran = done("forget", "--source", tmp_path / "taught-ham", "--dry-run", home=taught)
    assert ran.lines[-1] == "would forget 10 ham and 0 spam, of 20 lessons; nothing was changed"
    assert len(ran.lines) == 11
    assert counts(taught) == (10, 10)
    assert before == {path.name: path.read_bytes() for path in taught.glob("model-*")}


def test_many_lessons_are_summed_up(taught: Path, tmp_path: Path) -> None:
    done("learn", "--ham", folder(tmp_path / "more", map(ham, range(100, 130))), home=taught)
    lines = done("forget", "--source", tmp_path / "more", home=taught).lines
    assert lines[0].startswith("lessons of ")
    assert lines[1].split() == ["30", "given", "by", "local"]
    assert len(lines) == 3


@pytest.mark.parametrize("options", [["--source", "*"], ["--user", "local"], ["--since", "1970-01-02"]])
def test_everything_is_not_forgotten_by_the_way(taught: Path, options: list[str]) -> None:
    ran = run("forget", *options, home=taught)
    assert (ran.code, ran.out) == (1, "")
    assert "all 20 lessons" in ran.err
    assert "--all" in ran.err
    assert counts(taught) == (10, 10)


@pytest.mark.parametrize("options", [["--all"], ["--source", "*", "--all"]])
def test_everything_is_forgotten_when_that_is_said(taught: Path, options: list[str]) -> None:
    done("forget", *options, home=taught)
    assert counts(taught) == (0, 0)
    assert run("check", "-", home=taught, stdin=spam(1)).out.startswith("unsure\t0.500000")


def test_without_a_condition_it_is_wrong_usage(taught: Path) -> None:
    ran = run("forget", home=taught)
    assert ran.code == 2
    assert "--all" in ran.err


def test_nothing_to_forget_is_no_error(taught: Path) -> None:
    ran = done("forget", "-", home=taught, stdin=ham(99))
    assert ran.out == "nothing to forget: no lesson is of that kind; 20 lessons in all\n"


def test_a_message_that_is_gone_is_an_error_and_nothing_is_forgotten(taught: Path, tmp_path: Path) -> None:
    ran = run("forget", tmp_path / "taught-ham" / "00001.eml", tmp_path / "missing", home=taught)
    assert ran.code == 1
    assert counts(taught) == (10, 10)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--digest", "12ab"], "32 hexadecimal digits"),
        (["--digest", "z" * 32], "32 hexadecimal digits"),
        (["--since", "yesterday"], "2025-01-31"),
        (["--until", "2025-13-01"], "2025-01-31"),
    ],
)
def test_what_is_no_digest_or_time_is_wrong_usage(taught: Path, options: list[str], said: str) -> None:
    ran = run("forget", *options, home=taught)
    assert ran.code == 2
    assert said in ran.err


def test_where_nothing_was_learned_that_is_said_and_no_home_is_made(tmp_path: Path) -> None:
    ran = run("forget", "--all", home=tmp_path / "fresh")
    assert ran.code == 1
    assert "nothing has been learned" in ran.err
    assert not (tmp_path / "fresh").exists()
