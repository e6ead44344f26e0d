"""What the benchmark of speed runs really runs, and is measured as it says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.peers import (
    Filter,
    Mail,
    ProgramFailed,
    Step,
    bogofilter,
    bogofilter_scores,
    on_cores,
    read_mail,
    run,
    scikit_learn,
    thresher,
)
from bench.run import BARS, as_json, figures, index_of, tables
from bench.speed import COLD_CHECK, IMPORT_NUMPY, PEAK, Findings, Run, can_pin, heavy_imports
from thresher.boxes import read_index

MESSAGES = 60
MILLION = 1_000_000


@pytest.fixture
def mail(tmp_path: Path) -> Mail:
    """Demo mail as `make bench` makes it, only less."""
    return read_mail(index_of(None, MESSAGES, tmp_path))


def verdicts(one: Filter, mail: Mail, home: Path) -> list[str]:
    """Learn and check; of each line, what it says and of which message."""
    home.mkdir()
    run(one.learn(mail, home))
    return run(one.check(mail, home)).output.decode().splitlines()


def test_demo_mail_is_listed_in_full_and_in_its_order(mail: Mail) -> None:
    listed = read_index(mail.listed_in)
    assert [one.path for one in listed] == mail.paths
    assert len(mail.paths) == MESSAGES
    assert sorted(mail.ham + mail.spam) == sorted(mail.paths)
    assert min(len(mail.ham), len(mail.spam)) > 10


def test_thresher_and_scikit_learn_judge_what_they_have_learned(mail: Mail, tmp_path: Path) -> None:
    """A line a message in the order asked, and most of what was taught is known again."""
    spam = set(mail.spam)
    for one in (thresher(), scikit_learn()):
        rows = [line.split("\t") for line in verdicts(one, mail, tmp_path / one.name)]
        assert [row[2] for row in rows] == mail.paths
        assert sum((row[0] == "spam") == (row[2] in spam) for row in rows) > 0.8 * MESSAGES


@pytest.mark.bogofilter
def test_bogofilter_judges_what_it_has_learned(mail: Mail, tmp_path: Path) -> None:
    one = bogofilter()
    assert one is not None
    rows = [line.rsplit(" ", 2) for line in verdicts(one, mail, tmp_path / "home")]
    assert [row[0] for row in rows] == mail.paths
    spam = set(mail.spam)
    assert all(row[1] != "H" for row in rows if row[0] in spam)
    assert all(row[1] != "S" for row in rows if row[0] not in spam)


@pytest.mark.bogofilter
def test_bogofilter_scores_each_message_before_it_learns_it(mail: Mail, tmp_path: Path) -> None:
    """The first is not known at all; the same message again, once learned, is."""
    home = tmp_path / "home"
    home.mkdir()
    listed = read_index(mail.listed_in)[:20]
    scores = bogofilter_scores(listed + listed, home)
    assert scores[0] == 0.5
    again = [(score > 0.5) == (one.label == "spam") for score, one in zip(scores[20:], listed, strict=True)]
    assert sum(again) > sum((score > 0.5) == (one.label == "spam") for score, one in zip(scores, listed, strict=False))


def test_a_program_that_fails_ends_the_run_and_is_quoted() -> None:
    with pytest.raises(ProgramFailed, match="ended with 3: no such luck"):
        run([Step([sys.executable, "-c", "import sys; print('no such luck', file=sys.stderr); sys.exit(3)"])])


def test_an_exit_code_that_is_a_verdict_is_no_failure() -> None:
    assert run([Step([sys.executable, "-c", "print('ham'); raise SystemExit(1)"], fine=(0, 1))]).output == b"ham\n"


@pytest.mark.skipif(not can_pin(), reason="this system cannot hold a process to one core")
def test_a_run_on_one_core_sees_one_core_and_nothing_stays_held() -> None:
    before = os.sched_getaffinity(0)
    asked = Step([sys.executable, "-c", "import os; print(len(os.sched_getaffinity(0)))"])
    with on_cores(frozenset({max(before)})):
        assert run([asked]).output == b"1\n"
    assert os.sched_getaffinity(0) == before


def test_processor_time_is_that_of_the_run_and_of_what_it_starts() -> None:
    work = "import time\nwhile time.process_time() < 0.2: pass"
    two = f"import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {work!r}]); exec({work!r})"
    assert run([Step([sys.executable, "-S", "-c", two])]).busy >= 0.39


def test_waiting_takes_no_processor_time() -> None:
    ran = run([Step([sys.executable, "-S", "-c", "import time; time.sleep(0.3)"])])
    assert ran.busy <= ran.seconds - 0.25


def peak_of(program: str) -> dict[str, float]:
    """Look at a Python program's memory."""
    command = [sys.executable, "-S", str(PEAK), sys.executable, "-S", "-c", program]
    looked: dict[str, float] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return looked


def test_peak_memory_is_that_of_the_command_however_large_the_one_that_asks() -> None:
    """A process inherits its starter's peak; here the starter holds 150 MB and the command next to nothing."""
    ballast = bytearray(b"x") * (150 * MILLION)
    assert peak_of("pass")["largest"] < 100 * MILLION
    assert len(ballast) == 150 * MILLION


def test_peak_memory_includes_processes_the_command_starts() -> None:
    hold = "import time; held = bytearray(b'x') * 60_000_000; time.sleep(0.5)"
    two = f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-S', '-c', {hold!r}]); {hold}; p.wait()"
    looked = peak_of(two)
    assert 60 * MILLION < looked["largest"] < 115 * MILLION
    assert 120 * MILLION < looked["together"] < 230 * MILLION


def test_heavy_imports_are_found_by_their_package() -> None:
    said = """\
import time: self [us] | cumulative | imported package
import time:       110 |        110 |   rich.console
import time:       110 |        110 | thresher.enriched
import time:       110 |        110 |     scipy
thresher: import time of sklearn
"""
    assert heavy_imports(said) == ["scipy", "rich"]


def findings() -> Findings:
    """Two rounds, without scikit-learn, on all cores only."""
    seconds = {
        Run("learn", "all cores", "thresher"): [1.0, 2.0],
        Run("learn", "all cores", "bogofilter"): [3.0, 4.0],
        Run("check", "all cores", "thresher"): [1.0, 1.0],
        Run("check", "all cores", "bogofilter"): [1.0, 1.5],
        Run("evaluate", "all cores", "thresher"): [0.5, 1.0],
    }
    peaks: dict[tuple[str, str], dict[str, float | None]] = {
        ("learn", "thresher"): {"largest": 90.0 * MILLION, "together": 201.0 * MILLION},
        ("check", "thresher"): {"largest": 90.0 * MILLION, "together": None},
    }
    return Findings(seconds, seconds, {COLD_CHECK: [0.3, 0.2], IMPORT_NUMPY: [0.1, 0.1]}, ["rich"], peaks)


def test_figures_of_speed_are_ratios_and_rates() -> None:
    named = {name: value.median for name, value in figures(findings(), 100).items()}
    assert named == {
        "learn, all cores: times as fast as bogofilter": 2.5,
        "check, all cores: times as fast as bogofilter": 1.25,
        "cold check of one message: times as long as import numpy": pytest.approx(2.5),
        "cold check of one message: imports of sklearn, scipy, matplotlib, rich": 1,
        "evaluate, all cores: messages/s": 150.0,
        "learn: peak memory of all processes, MB": 201.0,
    }


def test_every_bar_has_its_row_measured_or_not() -> None:
    """Ratios come first; what could not be measured says so."""
    lines = list(tables(findings(), 100))
    assert lines[3].startswith("| learn, all cores: times as fast as bogofilter")
    for bar in BARS:
        (row,) = [line for line in lines if line.startswith(f"| {bar.figure} ")]
        assert str(bar) in row
    (row,) = [line for line in lines if line.startswith("| check, all cores: times as fast as bogofilter")]
    assert row.endswith("|  NO |")
    assert sum("not measured" in line for line in lines) == len(BARS) - 4


def test_json_has_every_round_and_every_bar() -> None:
    printed = json.loads(as_json(["here"], findings(), 100))
    by_name = {row["figure"]: row for row in printed["figures"]}
    assert {bar.figure for bar in BARS} <= by_name.keys()
    assert by_name["learn: peak memory of all processes, MB"]["met"] is False
    assert by_name["check: peak memory of all processes, MB"]["met"] is None
    run_of_ours = {"command": "learn", "cores": "all cores", "filter": "thresher"}
    assert printed["runs"][0] == {**run_of_ours, "seconds": [1.0, 2.0], "processor_seconds": [1.0, 2.0]}
