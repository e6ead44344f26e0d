"""`thresher evaluate` by other protocols than one by one, and `thresher compare`."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.making import ham, spam
from tests.cli.running import done, run


def index_of(folder: Path, messages: list[tuple[str, bytes]], name: str = "mail.index") -> Path:
    """Write messages and the list of them."""
    folder.mkdir(exist_ok=True)
    lines = []
    for number, (label, raw) in enumerate(messages):
        file = folder / f"{name}-{number:04}.eml"
        file.write_bytes(raw)
        lines.append(f"{label} {file.name}\n")
    (folder / name).write_text("".join(lines))
    return folder / name


def mixed(count: int, first: int = 0) -> list[tuple[str, bytes]]:
    return [(label, make(first + i)) for i in range(count) for label, make in (("ham", ham), ("spam", spam))]


def evaluated(*arguments: object, home: Path | None = None) -> dict[str, Any]:
    (told,) = done("evaluate", "--json", *arguments, home=home).objects
    return told


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    return index_of(tmp_path / "mail", mixed(40))


def test_a_late_label_costs_errors(mail: Path) -> None:
    at_once, late = evaluated("--index", mail), evaluated("--index", mail, "--delay", 60)
    assert at_once["n"] == late["n"] == 80
    assert late["log_loss"] > at_once["log_loss"]


def test_partial_feedback_costs_errors(mail: Path) -> None:
    assert evaluated("--index", mail, "--feedback", 0.1)["log_loss"] > evaluated("--index", mail)["log_loss"]


def test_folds_judge_every_message_once_and_say_how_many_were_near_duplicates(tmp_path: Path) -> None:
    messages = mixed(20)
    twice = [*messages, *messages[:6]]
    index = index_of(tmp_path / "mail", twice)
    out = tmp_path / "out.tsv"
    told = evaluated("--index", index, "--folds", 4, "--results", out)
    assert told["n"] == 46
    assert told["near_duplicates"] >= 6
    shown = [line.split("\t")[3] for line in out.read_text().splitlines()]
    assert shown == [f"mail.index-{number:04}.eml" for number in range(46)]


def test_folds_are_the_same_with_one_process_and_with_two(mail: Path, tmp_path: Path) -> None:
    files = [tmp_path / "one.tsv", tmp_path / "two.tsv"]
    for jobs, file in enumerate(files, 1):
        done("evaluate", "--index", mail, "--folds", 3, "--jobs", jobs, "--results", file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_one_corpus_trains_and_another_tests(mail: Path, tmp_path: Path) -> None:
    other = index_of(tmp_path / "other", [*mixed(10, first=500), *mixed(3)], "other.index")
    told = evaluated("--index", other, "--train", mail)
    # Those that the training mail holds too are left out.
    assert told["near_duplicates"] >= 6
    assert told["n"] == 26 - told["near_duplicates"]
    assert told["error_rate"] == 0


def test_by_date_takes_the_messages_in_the_order_of_their_dates(tmp_path: Path) -> None:
    messages = mixed(6)
    dated = [
        (label, f"Date: {20 - number} Jan 2026 10:00:00 +0000\n".encode() + raw)
        for number, (label, raw) in enumerate(messages)
    ]
    index = index_of(tmp_path / "mail", dated)
    out = tmp_path / "out.tsv"
    done("evaluate", "--index", index, "--by-date", "--results", out)
    shown = [line.split("\t")[3] for line in out.read_text().splitlines()]
    assert shown == [f"mail.index-{number:04}.eml" for number in reversed(range(12))]


def test_intervals_hold_their_figures(mail: Path) -> None:
    told = evaluated("--index", mail, "--intervals")
    counts = {"n", "n_ham", "n_spam", "near_duplicates", "seconds", "messages_per_second"}
    assert told["intervals"].keys() == {name for name in told if name not in {*counts, "learner", "intervals"}}
    for name, found in told["intervals"].items():
        assert found["low"] <= told[name] + 1e-12, name
        assert told[name] <= found["high"] + 1e-12, name
    text = done("evaluate", "--index", mail, "--intervals").out
    assert "near duplicates" in text
    assert " to " in next(line for line in text.splitlines() if line.startswith("Brier"))


def test_the_journal_is_evaluated_as_a_list_would_be(mail: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    for line in mail.read_text().splitlines():
        label, name = line.split()
        done("learn", f"--{label}", mail.parent / name, home=home)
    theirs, ours = evaluated("--index", mail), evaluated("--journal", home=home)
    assert {name: ours[name] for name in ("n", "errors", "log_loss")} == {
        name: theirs[name] for name in ("n", "errors", "log_loss")
    }


def test_an_empty_journal_is_said_to_be_so(tmp_path: Path) -> None:
    ran = run("evaluate", "--journal", home=tmp_path / "fresh")
    assert ran.code == 1
    assert "nothing has been learned" in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--index FILE or --journal"),
        (("--index", "x", "--journal"), "--index FILE or --journal"),
        (("--journal", "--train", "x"), "--train goes with --index"),
        (("--journal", "--folds", "3", "--delay", "5"), "one-by-one"),
        (("--journal", "--feedback", "2"), "range"),
        (("--journal", "--folds", "1"), "range"),
    ],
)
def test_protocols_that_do_not_go_together_are_refused(arguments: tuple[str, ...], said: str) -> None:
    ran = run("evaluate", *arguments)
    assert ran.code == 2
    assert said in ran.err


def test_more_folds_than_messages_are_refused_with_the_reason(tmp_path: Path) -> None:
    ran = run("evaluate", "--index", index_of(tmp_path / "mail", mixed(2)), "--folds", 9)
    assert ran.code == 1
    assert "n_splits=9" in ran.err


def test_a_run_compared_with_itself_differs_in_nothing(mail: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.tsv"
    done("evaluate", "--index", mail, "--results", out)
    (found,) = done("compare", "--json", out, out).objects
    for name, one in found.items():
        assert (one["difference"], one["low"], one["high"]) == (0, 0, 0), name
        assert one["p_value"] == 1


def test_the_worse_of_two_runs_is_told_with_its_interval(mail: Path, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.tsv", tmp_path / "bad.tsv"
    done("evaluate", "--index", mail, "--results", good)
    done("evaluate", "--index", mail, "--delay", 70, "--results", bad)
    (found,) = done("compare", "--json", good, bad).objects
    assert found["error_rate"]["low"] > 0
    assert found["error_rate"]["p_value"] < 0.05
    lines = done("compare", good, bad).lines
    assert lines[0].split() == ["A", "B", "B", "-", "A", "95", "%", "interval", "p"]
    assert any(line.startswith("1-AUC %") for line in lines)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ham\t0.5\n", "b.tsv:1"),
        ("egg\t0.5\t0.0\tx\n", "b.tsv:1"),
        ("ham\tmany\t0.0\tx\n", "b.tsv:1"),
        ("ham\t0.5\t0.0\tx\n", "the same messages"),
        ("spam\t0.5\t0.0\ta\nspam\t0.5\t0.0\tb\n", "do not agree on what a is"),
        ("ham\t0.5\t0.0\ta\nspam\t0.5\t0.0\tb\nspam\t0.5\t0.0\tb\n", "the same messages"),
    ],
)
def test_files_that_cannot_be_compared_are_refused_with_the_place(tmp_path: Path, text: str, said: str) -> None:
    a, b = tmp_path / "a.tsv", tmp_path / "b.tsv"
    a.write_text("ham\t0.5\t0.0\ta\nspam\t0.5\t0.0\tb\n")
    b.write_text(text)
    ran = run("compare", a, b)
    assert ran.code == 1
    assert said in ran.err


def test_one_class_alone_cannot_be_compared(tmp_path: Path) -> None:
    a = tmp_path / "a.tsv"
    a.write_text("ham\t0.5\t0.0\ta\nham\t0.5\t0.0\tb\n")
    assert "one class only" in run("compare", a, a).err
