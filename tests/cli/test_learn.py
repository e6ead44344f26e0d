"""`thresher learn`: lessons, receipts, and what is said when something cannot be learned."""

import gzip
import math
from pathlib import Path

import pytest

from tests.cli.making import folder, ham, maildir, mbox, spam
from tests.cli.running import done, run
from thresher.store.sqlite import SqliteJournal
from thresher.values import Label


def write(path: Path, raw: bytes) -> Path:
    path.write_bytes(raw)
    return path


def test_a_first_lesson_has_a_receipt_without_a_score_before(home: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "one.eml", ham(1))
    receipt, summary = done("learn", "--ham", path, "--json", home=home).objects
    assert receipt.keys() == {"path", "digest", "label", "change", "before", "after", "reason"}
    assert (receipt["path"], receipt["label"], receipt["change"]) == (str(path), "ham", "learned")
    assert receipt["before"] is None
    assert summary["summary"]["lessons"] == {"ham": 1, "spam": 0}


def test_a_lesson_moves_the_score_its_way(taught: Path, tmp_path: Path) -> None:
    new = b"From: new@new.example\nSubject: something else\n\nWords of no other message: quince, lagoon.\n"
    receipt, _ = done("learn", "--spam", write(tmp_path / "new.eml", new), "--json", home=taught).objects
    assert receipt["change"] == "learned"
    assert receipt["after"] > receipt["before"]


def test_the_score_before_is_what_check_said(taught: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "new.eml", spam(77))
    (checked,) = done("check", path, "--json", home=taught).objects
    receipt, _ = done("learn", "--spam", path, "--json", home=taught).objects
    assert math.isclose(receipt["before"], checked["log_odds"], rel_tol=1e-9)


def test_the_score_after_is_what_check_says_next(taught: Path, tmp_path: Path) -> None:
    """Of a single lesson; the model is settled afterwards, which may move it by a little."""
    path = write(tmp_path / "new.eml", spam(77))
    receipt, summary = done("learn", "--spam", path, "--json", "--learner", "multinomial", home=taught).objects
    (checked,) = done("check", path, "--json", "--learner", "multinomial", home=taught).objects
    assert summary["summary"]["model"] == "settled"
    assert receipt["after"] == checked["log_odds"]


def test_learning_a_message_again_counts_once_and_says_so(taught: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "again.eml", ham(3))
    receipt, summary = done("learn", "--ham", path, "--json", home=taught).objects
    assert (receipt["change"], receipt["reason"]) == ("unchanged", "already learned as ham")
    assert receipt["before"] == receipt["after"]
    assert summary["summary"]["lessons"] == {"ham": 10, "spam": 10}


def test_the_other_label_corrects(taught: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "wrong.eml", ham(3))
    receipt, summary = done("learn", "--spam", path, "--json", home=taught).objects
    assert receipt["change"] == "corrected"
    assert summary["summary"]["corrected"] == {"ham": 0, "spam": 1}
    assert summary["summary"]["lessons"] == {"ham": 9, "spam": 11}


def test_each_person_has_a_word_of_their_own(taught: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "disputed.eml", ham(3))
    receipt, summary = done("learn", "--spam", path, "--user", "bob", "--json", home=taught).objects
    assert receipt["change"] == "learned"
    assert summary["summary"]["lessons"] == {"ham": 10, "spam": 11}


def test_the_same_message_twice_in_one_command_counts_once(home: Path, tmp_path: Path) -> None:
    one, two = write(tmp_path / "one.eml", ham(1)), write(tmp_path / "two.eml", ham(1).replace(b"\n", b"\r\n"))
    first, second, summary = done("learn", "--ham", one, two, "--json", home=home).objects
    assert (first["change"], second["change"]) == ("learned", "unchanged")
    assert summary["summary"]["lessons"]["ham"] == 1


def test_several_paths_follow_one_option(home: Path, tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{number}.eml", ham(number)) for number in range(3)]
    others = [write(tmp_path / f"spam{number}.eml", spam(number)) for number in range(2)]
    done("learn", "--ham", *paths, "--spam", *others, home=home)
    with SqliteJournal(home / "journal.sqlite") as journal:
        assert journal.counts() == (3, 2)


def test_few_lessons_each_have_a_line(home: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "one.eml", ham(1))
    receipt, summary = done("learn", "--ham", path, home=home).lines
    assert receipt == f"learned    ham   new -> 0.5000  {path}"
    assert summary == "learned 1 ham and 0 spam; 1 lessons in all, model settled"


@pytest.mark.parametrize(("options", "lines"), [((), 1), (("--verbose",), 31)])
def test_many_lessons_have_one_line_unless_asked(
    home: Path, tmp_path: Path, options: tuple[str, ...], lines: int
) -> None:
    hams = folder(tmp_path / "ham", map(ham, range(30)))
    assert len(done("learn", "--ham", hams, *options, home=home).lines) == lines


def test_learning_from_every_kind_of_path_gives_the_same_lessons(home: Path, tmp_path: Path) -> None:
    made = [ham(number) for number in range(3)]
    packed = tmp_path / "packed.mbox.gz"
    packed.write_bytes(gzip.compress(mbox(tmp_path / "plain.mbox", made).read_bytes()))
    places = [maildir(tmp_path / "Maildir", made), tmp_path / "plain.mbox", packed, folder(tmp_path / "files", made)]
    _, *_, summary = done("learn", *(f"--ham={place}" for place in places), "--json", home=home).objects
    assert summary["summary"]["learned"]["ham"] == 3
    assert summary["summary"]["unchanged"] == 9


def test_a_message_from_standard_input_is_learned(home: Path) -> None:
    receipt, _ = done("learn", "--spam", "-", "--json", home=home, stdin=spam(1)).objects
    assert (receipt["path"], receipt["change"]) == ("-", "learned")


def test_the_journal_names_the_full_path(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "one.eml", ham(1))
    monkeypatch.chdir(tmp_path)
    done("learn", "--ham", "one.eml", home=home)
    done("learn", "--spam", "-", home=home, stdin=spam(1))
    with SqliteJournal(home / "journal.sqlite") as journal:
        assert [entry.source for entry in journal.entries()] == [str(tmp_path / "one.eml"), "-"]


def test_the_journal_says_who_when_and_with_which_score(home: Path, tmp_path: Path) -> None:
    hams, spams = folder(tmp_path / "ham", map(ham, range(3))), folder(tmp_path / "spam", map(spam, range(3)))
    done("learn", "--ham", hams, "--spam", spams, "--user", "carol", home=home)
    with SqliteJournal(home / "journal.sqlite") as journal:
        entries = list(journal.entries())
    assert {entry.user for entry in entries} == {"carol"}
    assert [entry.score is None for entry in entries] == [True] + [False] * 5
    assert {entry.label for entry in entries} == set(Label)


def test_a_path_that_is_not_there_ends_the_command_before_anything_is_learned(home: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "one.eml", ham(1))
    ran = run("learn", "--ham", path, tmp_path / "missing.eml", home=home)
    assert (ran.code, ran.out) == (1, "")
    assert "missing.eml: no such file or folder" in ran.err
    assert not (home / "journal.sqlite").exists()


def test_learn_without_a_path_is_wrong_usage(home: Path) -> None:
    ran = run("learn", home=home)
    assert ran.code == 2
    assert "--ham PATH" in ran.err


def test_an_unknown_learner_is_named_with_those_there_are(home: Path, tmp_path: Path) -> None:
    ran = run("learn", "--ham", write(tmp_path / "one.eml", ham(1)), "--learner", "guesswork", home=home)
    assert ran.code == 1
    assert all(name in ran.err for name in ("guesswork", "bernoulli", "multinomial", "scaled-logistic"))
