"""`thresher doctor`: each thing that can be wrong is found, with its way out, and ends with 1."""

import os
from pathlib import Path

import msgspec
import pytest

from tests.cli.making import folder, ham, spam
from tests.cli.running import as_nobody, done, give_to_nobody, run
from thresher.store.sqlite import SqliteJournal

MODEL = "model-scaled-logistic.snapshot"


def findings(home: Path, *options: str) -> tuple[int, dict[str, tuple[str, str]]]:
    """Return the exit code, and of each check the level and text of its worst finding."""
    ran = run("doctor", "--json", *options, home=home)
    worst: dict[str, tuple[str, str]] = {}
    order = ["ok", "note", "warning", "problem"]
    for found in ran.objects:
        assert found.keys() == {"check", "level", "text", "way_out"}
        assert found["way_out"] or found["level"] == "ok" or "restore" in found["text"], found
        before = worst.get(found["check"], ("ok", ""))
        worst[found["check"]] = max(before, (found["level"], found["text"]), key=lambda each: order.index(each[0]))
        if found["level"] == "ok" and before == ("ok", ""):
            worst[found["check"]] = ("ok", found["text"])
    return ran.code, worst


def level(home: Path, check: str, *options: str) -> tuple[int, str]:
    code, found = findings(home, *options)
    return code, found[check][0]


@pytest.fixture
def sound(home: Path, tmp_path: Path) -> Path:
    """Give a home with nothing wrong."""
    done("learn", "--ham", folder(tmp_path / "h", map(ham, range(25))), home=home)
    done("learn", "--spam", folder(tmp_path / "s", map(spam, range(25))), home=home)
    return home


def test_of_a_sound_home_everything_is_ok(sound: Path) -> None:
    code, found = findings(sound)
    assert code == 0
    assert {check: level for check, (level, _) in found.items()} == {
        "versions": "ok",
        "home": "note",
        "rights": "ok",
        "disk": "ok",
        "journal": "ok",
        "balance": "ok",
        "tokenizer": "ok",
        "model": "ok",
    }


def test_a_line_has_level_check_and_text_and_the_way_out_below(taught: Path) -> None:
    lines = done("doctor", home=taught).lines
    assert any(line.split()[:2] == ["ok", "journal"] for line in lines)
    at = next(i for i, line in enumerate(lines) if line.startswith("note") and " balance " in line)
    assert lines[at + 1].strip().startswith("-> learn more")


def test_a_home_that_is_not_there_is_a_problem_and_not_made(tmp_path: Path) -> None:
    assert level(tmp_path / "fresh", "home") == (1, "problem")
    assert not (tmp_path / "fresh").exists()


def test_a_home_without_lessons_is_a_problem_and_gets_no_journal(home: Path) -> None:
    assert level(home, "journal") == (1, "problem")
    assert not (home / "journal.sqlite").exists()


@pytest.mark.parametrize(("name", "mode"), [("", 0o755), ("journal.sqlite", 0o644), (MODEL, 0o660)])
def test_what_others_may_read_is_a_problem(sound: Path, name: str, mode: int) -> None:
    (sound / name).chmod(mode)
    code, found = findings(sound)
    assert (code, found["rights"][0]) == (1, "problem")
    assert f"{sound / name} is open to others: {mode:o}" in found["rights"][1]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to give a file away")
def test_a_file_of_somebody_else_is_a_problem(sound: Path) -> None:
    give_to_nobody(sound / "journal.sqlite")
    code, found = findings(sound)
    assert code == 1
    assert "does not belong to" in found["rights"][1]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to give a home away")
def test_somebody_elses_home_is_a_warning(sound: Path) -> None:
    give_to_nobody(sound, *sound.iterdir())
    assert level(sound, "rights") == (0, "warning")


def test_a_home_that_cannot_be_written_is_a_problem(open_folder: Path, sound: Path) -> None:
    home = sound.rename(open_folder / "home")
    give_to_nobody(home, *home.iterdir())
    home.chmod(0o500)
    ran = as_nobody("doctor", home=home)
    assert ran.code == 1
    assert "cannot be written here" in ran.out


def test_damage_in_the_journal_is_a_problem(sound: Path) -> None:
    raw = bytearray((sound / "journal.sqlite").read_bytes())
    raw[-6000:-2000] = b"x" * 4000
    (sound / "journal.sqlite").write_bytes(raw)
    code, found = findings(sound)
    assert (code, found["journal"][0]) == (1, "problem")


def test_a_journal_that_is_none_is_a_problem(sound: Path) -> None:
    (sound / "journal.sqlite").write_bytes(b"no journal at all" * 1000)
    code, found = findings(sound)
    assert (code, found["journal"][0]) == (1, "problem")
    assert "thresher restore" in found["journal"][1]


def test_a_damaged_model_is_a_problem(sound: Path) -> None:
    with (sound / MODEL).open("r+b") as file:
        file.seek(3000)
        file.write(b"\xff\xfe")
    assert level(sound, "model") == (1, "problem")


def test_a_missing_model_is_only_worth_a_note(sound: Path) -> None:
    (sound / MODEL).unlink()
    assert level(sound, "model") == (0, "note")


def test_a_model_of_other_bits_is_a_warning(sound: Path) -> None:
    (sound / "config.toml").write_text("bits = 13\n")
    assert level(sound, "model") == (0, "warning")


def test_a_model_that_lacks_lessons_is_worth_a_note(sound: Path) -> None:
    with SqliteJournal(sound / "journal.sqlite") as journal:
        row = next(journal.rows())
        journal.append([msgspec.structs.replace(row.lesson, user="bob")])
    assert level(sound, "model") == (0, "note")


def test_lessons_of_another_tokenizer_are_a_warning(sound: Path) -> None:
    with SqliteJournal(sound / "journal.sqlite") as journal:
        row = next(journal.rows())
        journal.append([msgspec.structs.replace(row.lesson, user="bob", tokenizer=0)])
    code, found = findings(sound)
    assert (code, found["tokenizer"][0]) == (0, "warning")
    assert found["tokenizer"][1].startswith("1 lessons ")


def test_messages_that_people_disagree_about_are_a_warning(sound: Path, tmp_path: Path) -> None:
    done("learn", "--spam", tmp_path / "h" / "00001.eml", tmp_path / "h" / "00002.eml", "--user", "bob", home=sound)
    done("learn", "--ham", tmp_path / "h" / "00003.eml", "--user", "bob", home=sound)
    code, found = findings(sound)
    assert (code, found["agreement"][0]) == (0, "warning")
    assert found["agreement"][1].startswith("2 messages ")


def test_one_class_alone_is_a_problem(home: Path, tmp_path: Path) -> None:
    done("learn", "--ham", folder(tmp_path / "h", map(ham, range(3))), home=home)
    code, found = findings(home)
    assert (code, found["balance"]) == (1, ("problem", "3 ham and 0 spam: every message is unsure"))


def test_few_lessons_are_worth_a_note(taught: Path) -> None:
    assert level(taught, "balance") == (0, "note")


def test_settings_of_this_environment_only_are_a_warning(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THRESHER_SPAM_FROM", "0.95")
    code, found = findings(sound)
    assert (code, found["settings"][0]) == (0, "warning")
    assert "THRESHER_SPAM_FROM" in found["settings"][1]


def test_another_journal_where_one_looks_without_home_is_a_warning(sound: Path, tmp_path: Path) -> None:
    usual = tmp_path / "somebody" / ".local" / "share" / "thresher"
    assert level(sound, "home") == (0, "note")
    usual.mkdir(parents=True)
    (usual / "journal.sqlite").touch()
    code, found = findings(sound)
    assert (code, found["home"][0]) == (0, "warning")
    assert str(usual) in found["home"][1]


def test_the_usual_home_is_not_remarked_on(tmp_path: Path) -> None:
    usual = tmp_path / "somebody" / ".local" / "share" / "thresher"
    usual.mkdir(parents=True, mode=0o700)
    (usual / "config.toml").touch(mode=0o600)
    (usual / "config.toml").write_text("bits = 14\n")
    done("learn", "--ham", "-", stdin=ham(1))
    assert "without --home" not in run("doctor").out


def test_former_journals_are_mentioned(sound: Path, tmp_path: Path) -> None:
    done("backup", tmp_path / "b", home=sound)
    done("restore", tmp_path / "b", home=sound)
    code, found = findings(sound)
    assert (code, found["disk"][0]) == (0, "note")
    assert "former journals" in found["disk"][1]
