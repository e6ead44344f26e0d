"""`thresher evaluate`: what it measures is what a loop of check and learn would, and its results keep every digit."""

import math
from pathlib import Path

import numpy as np
import pytest

from tests.cli.making import demo_folders, ham, mbox, spam
from tests.cli.running import Ran, done, run
from thresher.choose.calibration import Calibration
from thresher.learn.hashing import Hasher
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize
from thresher.view import LEARNERS

MIXED = [("ham", ham(1)), ("spam", spam(1)), ("ham", ham(2)), ("ham", ham(3)), ("spam", spam(2)), ("spam", spam(3))]


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """Give an index of six messages, in folders beside it."""
    lines = []
    for number, (label, raw) in enumerate(MIXED):
        path = tmp_path / "mail" / label / f"{number}.eml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
        lines.append(f"{label} {path.relative_to(tmp_path)}\n")
    (tmp_path / "mail.index").write_text("".join(lines))
    return tmp_path / "mail.index"


@pytest.fixture
def demo_index(tmp_path: Path) -> Path:
    """Give an index of 300 made-up messages, both classes mixed."""
    places = demo_folders(tmp_path / "mail", 300, 11)
    paths = sorted(path for place in places for path in place.iterdir())
    paths.sort(key=lambda path: path.name)
    (tmp_path / "demo.index").write_text("".join(f"{path.parent.name} {path}\n" for path in paths))
    return tmp_path / "demo.index"


def results(out: Path) -> list[list[str]]:
    return [line.split("\t") for line in out.read_text().splitlines()]


def evaluated(index: Path, *options: object) -> Ran:
    return done("evaluate", "--index", index, *options)


@pytest.mark.parametrize("learner", sorted(LEARNERS))
def test_each_message_is_scored_before_it_is_learned_starting_from_nothing(
    index: Path, tmp_path: Path, learner: str
) -> None:
    evaluated(index, "--results", tmp_path / "out", "--learner", learner)
    hasher, model, calibration = Hasher(), LEARNERS[learner](20), Calibration()
    expected = []
    for label, raw in MIXED:
        score = model.learn(hasher.features([tokenize(parse(raw))]).of(0), spam=label == "spam")
        probability = float(calibration.probabilities(np.array([score]))[0])
        calibration.add(score, spam=label == "spam")
        expected.append([label, repr(probability), repr(score)])
    assert [line[:3] for line in results(tmp_path / "out")] == expected


def test_results_are_in_the_order_of_the_index_and_name_its_paths(index: Path, tmp_path: Path) -> None:
    evaluated(index, "--results", tmp_path / "out")
    written = [line.split(" ", 1) for line in index.read_text().splitlines()]
    assert [[line[0], line[3]] for line in results(tmp_path / "out")] == written


def test_log_odds_have_every_digit(demo_index: Path, tmp_path: Path) -> None:
    """So that the order survives where the probabilities are equal."""
    evaluated(demo_index, "--results", tmp_path / "out")
    scores = [float(line[2]) for line in results(tmp_path / "out")]
    assert [repr(score) for score in scores] == [line[2] for line in results(tmp_path / "out")]
    assert len(set(scores)) > 290


def test_what_is_printed_follows_from_the_results(demo_index: Path, tmp_path: Path) -> None:
    (told,) = evaluated(demo_index, "--results", tmp_path / "out", "--json").objects
    lines = results(tmp_path / "out")
    is_spam = [line[0] == "spam" for line in lines]
    p = [float(line[1]) for line in lines]
    scores = [float(line[2]) for line in lines]
    false_positives = sum(q >= 0.5 and not spam for q, spam in zip(p, is_spam, strict=True))
    false_negatives = sum(q < 0.5 and spam for q, spam in zip(p, is_spam, strict=True))
    pairs = [
        (score > other) + 0.5 * (score == other)
        for score, spam in zip(scores, is_spam, strict=True)
        for other, other_spam in zip(scores, is_spam, strict=True)
        if not spam and other_spam
    ]
    assert (told["n"], told["n_spam"]) == (300, sum(is_spam))
    assert abs(told["false_positives"] - false_positives) <= sum(q == 0.5 for q in p)
    assert abs(told["false_negatives"] - false_negatives) <= sum(q == 0.5 for q in p)
    assert told["error_rate"] == pytest.approx(told["errors"] / 300)
    assert told["one_minus_auc_percent"] == pytest.approx(100 * sum(pairs) / len(pairs))
    assert told["brier"] == pytest.approx(sum((q - spam) ** 2 for q, spam in zip(p, is_spam, strict=True)) / 300)
    assert told["messages_per_second"] == pytest.approx(300 / told["seconds"])


def test_all_figures_are_printed_for_people(index: Path) -> None:
    names = [line[:30].strip() for line in evaluated(index).lines]
    wanted = ["messages", "error", "false positives", "false negatives", "1-AUC", "lam"]
    wanted += ["spam missed at 0.1 % ham lost", "Brier score", "log-loss", "messages per second"]
    assert set(wanted) <= set(names)


def test_one_process_and_two_give_the_same(demo_index: Path, tmp_path: Path) -> None:
    for jobs in "12":
        evaluated(demo_index, "--results", tmp_path / jobs, "--jobs", jobs)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_made_up_mail_is_told_apart(demo_index: Path) -> None:
    (told,) = evaluated(demo_index, "--json").objects
    assert told["error_rate"] < 0.15
    assert told["one_minus_auc_percent"] < 5
    assert math.isfinite(told["log_loss"])


def test_what_was_learned_is_neither_used_nor_changed(taught: Path, index: Path) -> None:
    before = {path: path.read_bytes() for path in taught.iterdir() if path.suffix in {".sqlite", ".snapshot"}}
    with_home = done("evaluate", "--index", index, "--json", home=taught).objects[0]
    assert with_home["errors"] == evaluated(index, "--json").objects[0]["errors"]
    assert {path: path.read_bytes() for path in before} == before


def test_messages_of_an_mbox_are_each_named(tmp_path: Path) -> None:
    mbox(tmp_path / "ham.mbox", map(ham, range(3)))
    mbox(tmp_path / "spam.mbox", map(spam, range(2)))
    (tmp_path / "index").write_text("ham ham.mbox\nspam spam.mbox\n")
    evaluated(tmp_path / "index", "--results", tmp_path / "out")
    names = [line[3] for line in results(tmp_path / "out")]
    assert names == ["ham.mbox#1", "ham.mbox#2", "ham.mbox#3", "spam.mbox#1", "spam.mbox#2"]


def test_one_class_alone_is_measured_as_far_as_it_goes(tmp_path: Path) -> None:
    (tmp_path / "1.eml").write_bytes(ham(1))
    (tmp_path / "index").write_text("ham 1.eml\n")
    (told,) = evaluated(tmp_path / "index", "--json").objects
    assert (told["n"], told["n_spam"], told["one_minus_auc_percent"]) == (1, 0, None)


def test_a_message_that_is_not_there_is_named_and_the_rest_is_measured(index: Path) -> None:
    index.write_text(index.read_text() + "spam mail/missing.eml\n")
    ran = run("evaluate", "--index", index, "--json")
    assert ran.code == 1
    assert "missing.eml: no such file" in ran.err
    assert ran.objects[0]["n"] == 6


@pytest.mark.parametrize("text", ["spam\n", "dubious mail/1.eml\n", ""])
def test_an_index_that_says_nothing_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "index").write_text(text)
    ran = run("evaluate", "--index", tmp_path / "index")
    assert (ran.code, ran.out) == (1, "")
    assert str(tmp_path / "index") in ran.err


def test_an_index_that_is_not_there_is_named(tmp_path: Path) -> None:
    ran = run("evaluate", "--index", tmp_path / "missing")
    assert ran.code == 1
    assert str(tmp_path / "missing") in ran.err


def test_results_are_for_their_owner_only(index: Path, tmp_path: Path) -> None:
    evaluated(index, "--results", tmp_path / "out")
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o600
