"""What takes more than one process: two at once, killed ones, the model built in the background, a cold start."""

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.making import demo_folders, folder, ham, spam
from tests.cli.running import ENVIRONMENT, done, line_of, program, run, start
from tests.engine.folding import folded, saved
from thresher.mail.digest import digest
from thresher.store.sqlite import SqliteJournal
from thresher.view import LEARNERS

KILLS = 30
HEAVY = ("scipy", "sklearn", "joblib", "matplotlib", "rich", "pandas")


def digests(home: Path) -> list[str]:
    with SqliteJournal(home / "journal.sqlite") as journal:
        assert journal.integrity_check() == []
        return [row.lesson.digest.hex() for row in journal.rows()]


@pytest.mark.parametrize("learner", sorted(LEARNERS))
def test_two_that_learn_at_once_are_both_kept_and_the_model_is_that_of_both(
    home: Path, tmp_path: Path, learner: str
) -> None:
    hams = folder(tmp_path / "ham", map(ham, range(150)))
    spams = folder(tmp_path / "spam", map(spam, range(150)))
    both = [
        start("learn", "--ham", hams, "--learner", learner, home=home),
        start("learn", "--spam", spams, "--learner", learner, home=home),
    ]
    for process in both:
        _, err = process.communicate()
        assert (process.returncode, err) == (0, "")
    assert sorted(digests(home)) == sorted(digest(make(number)).hex() for make in (ham, spam) for number in range(150))
    assert saved(home, learner) == folded(home, learner)


def test_four_that_learn_and_forget_at_once_leave_the_model_of_what_is_left(home: Path, tmp_path: Path) -> None:
    folders = [folder(tmp_path / f"ham{i}", map(ham, range(40 * i, 40 * i + 40))) for i in range(3)]
    spams = folder(tmp_path / "spam", map(spam, range(40)))
    done("learn", "--ham", folders[0], "--spam", spams, home=home)
    running = [
        start("learn", "--ham", folders[1], home=home),
        start("learn", "--ham", folders[2], home=home),
        start("forget", folders[0], home=home),
        start("learn", "--ham", spams, home=home),
    ]
    for process in running:
        _, err = process.communicate()
        assert (process.returncode, err) == (0, "")
    with SqliteJournal(home / "journal.sqlite") as journal:
        assert journal.counts() == (120, 0)
    assert saved(home) == folded(home)


def test_killed_at_any_moment_it_has_learned_what_it_said_and_no_half_lesson(home: Path, tmp_path: Path) -> None:
    """What receipts said stands in the journal after kill -9, each lesson once, and the next command has its model."""
    numbers = range(3 * KILLS)
    files = []
    for number in numbers:
        make = (ham, spam)[number % 2]
        path = tmp_path / f"{number}.eml"
        path.write_bytes(make(number))
        files.append((f"--{make.__name__}", path))
    dice = random.Random(20261118)
    acknowledged: set[str] = set()
    for kill in range(KILLS):
        arguments = [word for option, path in files[3 * kill : 3 * kill + 3] for word in (option, path)]
        process = start("learn", "--json", *arguments, home=home)
        time.sleep(dice.uniform(0.05, 0.6))
        process.send_signal(signal.SIGKILL)
        out, _ = process.communicate()
        lines = [json.loads(line) for line in out.splitlines() if line.endswith("}")]
        acknowledged.update(line["digest"] for line in lines if "digest" in line)
    kept = digests(home) if (home / "journal.sqlite").exists() else []
    given = {digest(path.read_bytes()).hex() for _, path in files}
    assert acknowledged <= set(kept) <= given
    assert len(kept) == len(set(kept))
    ran = run("check", "-", home=home, stdin=spam(1))
    assert ran.code == 0
    if kept:
        assert saved(home) == folded(home)


def test_killed_while_it_forgets_it_has_forgotten_all_it_said_or_nothing(home: Path, tmp_path: Path) -> None:
    hams = folder(tmp_path / "ham", map(ham, range(60)))
    done("learn", "--ham", hams, "--spam", folder(tmp_path / "spam", map(spam, range(5))), home=home)
    dice = random.Random(7)
    for _ in range(KILLS // 3):
        process = start("forget", "--source", hams, home=home)
        time.sleep(dice.uniform(0.1, 0.5))
        process.kill()
        process.communicate()
        with SqliteJournal(home / "journal.sqlite") as journal:
            assert journal.integrity_check() == []
            assert journal.counts() in {(60, 5), (0, 5)}
        done("check", "-", home=home, stdin=spam(1))
        assert saved(home) == folded(home)
        done("learn", "--ham", hams, home=home)


def slow(*arguments: object, home: Path) -> str:
    """Run a command for which folding the journal counts as slow, however short it is."""
    environment = {**ENVIRONMENT, "THRESHER_SETTLE_SECONDS": "0"}
    return subprocess.run(
        line_of(*arguments, home=home), env=environment, capture_output=True, check=True, text=True
    ).stdout


def wait_until_settled(home: Path) -> list[str]:
    """Ask for the status until the model is settled; return the states met on the way."""
    states: list[str] = []
    while not states or states[-1] != "settled":
        (told,) = done("status", "--json", home=home).objects
        if not states or states[-1] != told["model"]["state"]:
            states.append(told["model"]["state"])
        time.sleep(0.01)
    return states


def test_what_is_slow_to_settle_is_settled_in_the_background_and_status_says_so(home: Path, tmp_path: Path) -> None:
    hams, spams = demo_folders(tmp_path / "mail", 250, 3)
    assert "model settled" in slow("learn", "--ham", hams, home=home)
    out = slow("learn", "--spam", spams, home=home)
    assert out.endswith("model to be settled in the background\n")
    states = wait_until_settled(home)
    assert len(states) > 1
    assert all("to be settled" in state or "being built" in state for state in states[:-1])
    assert saved(home) == folded(home)


def test_a_model_yet_to_be_settled_already_knows_the_lessons(home: Path, tmp_path: Path) -> None:
    done("learn", "--ham", folder(tmp_path / "h", map(ham, range(20))), home=home)
    slow("learn", "--spam", folder(tmp_path / "s", map(spam, range(20))), home=home)
    assert done("check", "-", home=home, stdin=spam(90)).out.startswith("spam")
    wait_until_settled(home)


def test_a_relative_home_is_found_by_the_background_too(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done("learn", "--ham", folder(tmp_path / "h", map(ham, range(20))), home=home)
    spams = folder(tmp_path / "s", map(spam, range(20)))
    assert "in the background" in slow("learn", "--spam", spams, home=Path("home"))
    wait_until_settled(home)
    assert saved(home) == folded(home)


def test_while_one_builds_another_waits_and_no_third(home: Path, tmp_path: Path) -> None:
    """Whoever comes while one waits can leave: the one that waits will see its lessons."""
    from thresher.cli.rebuild import LOCK
    from thresher.store.files import locked

    done("learn", "--ham", folder(tmp_path / "h", map(ham, range(20))), home=home)
    with locked(home / LOCK.format("scaled-logistic")):
        waiting = start("rebuild", "--background", home=home)
        third = start("rebuild", "--background", home=home)
        # One of the two returns at once, without having built anything.
        while waiting.poll() is None and third.poll() is None:
            time.sleep(0.01)
        assert [process.poll() for process in (waiting, third)].count(None) == 1
    outs = [process.communicate()[0] for process in (waiting, third)]
    assert sorted(outs) == ["", "built the scaled-logistic model from 20 lessons; settled\n"]


@pytest.mark.parametrize("learner", sorted(LEARNERS))
def test_many_processes_learn_the_same_model_as_one(tmp_path: Path, learner: str) -> None:
    hams, spams = demo_folders(tmp_path / "mail", 400, 5)
    for jobs in ("1", "2"):
        options = ["--jobs", jobs, "--learner", learner]
        ran = program("learn", "--ham", hams, "--spam", spams, *options, home=tmp_path / jobs)
        assert (ran.code, ran.err) == (0, "")
    assert saved(tmp_path / "1", learner) == saved(tmp_path / "2", learner)
    assert digests(tmp_path / "1") == digests(tmp_path / "2")


def test_many_processes_check_as_one_does(tmp_path: Path) -> None:
    hams, spams = demo_folders(tmp_path / "mail", 400, 5)
    home = tmp_path / "home"
    assert program("learn", "--ham", hams, "--spam", spams, home=home).code == 0
    one, two = (program("check", "--json", hams, spams, "--jobs", jobs, home=home) for jobs in "12")
    assert len(one.lines) == 400
    assert one == two


@pytest.mark.parametrize("command", [["check", "-"], ["status"]], ids=lambda command: command[0])
def test_a_cold_start_imports_nothing_heavy(taught: Path, command: list[str]) -> None:
    line = line_of(*command, home=taught, options=("-X", "importtime"))
    ran = subprocess.run(line, env=ENVIRONMENT, input=spam(1), capture_output=True, check=True)
    imported = {row.rpartition(b"|")[2].strip().split(b".")[0].decode() for row in ran.stderr.splitlines()}
    assert {"numpy", "thresher"} <= imported
    assert imported.isdisjoint(HEAVY)


def test_interrupted_it_keeps_what_it_reported_and_ends_with_130(home: Path, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    first = folder(tmp_path / "h", map(ham, range(3)))
    done("learn", "--ham", first, home=home)
    process = start("learn", "--ham", fifo, home=home)
    with fifo.open("wb"):
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert (process.returncode, err.strip()) == (130, "interrupted")
    assert len(digests(home)) == 3


SECRET = "quincelagoon"
PRIVATE = (
    f"From: Secret Sender <{SECRET}@{SECRET}.example>\nTo: {SECRET}@home.example\nSubject: about {SECRET}\n"
    f"Content-Type: multipart/mixed; boundary={SECRET}\n\n--{SECRET}\nContent-Type: text/html; charset={SECRET}\n"
    f"Content-Transfer-Encoding: base64\n\n!!{SECRET}!!\n--{SECRET}\n"
).encode()


@pytest.mark.parametrize(
    "command",
    [
        ["learn", "--ham", "-"],
        ["learn", "--spam", "-"],
        ["check", "-"],
        ["check", "--exit-code", "-"],
        ["explain", "-"],
        ["explain", "-", "--html", "/nowhere/page"],
        ["forget", "-"],
        ["import", "-"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("damaged", [False, True], ids=["sound", "damaged"])
def test_nothing_of_a_message_stands_on_standard_error(taught: Path, command: list[str], *, damaged: bool) -> None:
    if damaged:
        (taught / "journal.sqlite").write_bytes(PRIVATE * 30)
        (taught / "model-scaled-logistic.snapshot").write_bytes(PRIVATE * 30)
    ran = run(*command, home=taught, stdin=PRIVATE)
    assert SECRET not in ran.err
    assert damaged <= (ran.code == 1)


def test_nothing_of_an_mbox_or_archive_stands_on_standard_error(taught: Path, tmp_path: Path) -> None:
    for name, raw in {
        "cut.gz": b"\x1f\x8b\x08\0" + PRIVATE,
        "cut.xz": b"\xfd7zXZ\0" + PRIVATE,
        "archive.zip": b"PK\x03\x04" + PRIVATE,
        "box": b"From nobody\n" + PRIVATE * 2,
    }.items():
        path = tmp_path / name
        path.write_bytes(raw)
        for command in (["check", path], ["learn", "--spam", path], ["explain", path], ["restore", path]):
            assert SECRET not in run(*command, home=taught).err


def test_status_while_others_learn_never_fails(home: Path, tmp_path: Path) -> None:
    hams = folder(tmp_path / "h", map(ham, range(200)))
    done("learn", "--spam", "-", home=home, stdin=spam(1))
    process = start("learn", "--ham", hams, home=home)
    while process.poll() is None:
        (told,) = done("status", "--json", home=home).objects
        assert told["lessons"]["ham"] in {0, 200}
    process.communicate()
    assert process.returncode == 0
