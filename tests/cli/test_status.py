"""`thresher status`: counts, the state of the model, and the errors that were made before each lesson."""

import json
import time
from pathlib import Path

import pytest

from tests.cli.making import folder, ham, mbox, spam
from tests.cli.running import done, run
from thresher.cli.rebuild import LOCK
from thresher.mail.mime import parse
from thresher.mail.stream import VERSION, tokenize
from thresher.store.files import locked
from thresher.store.sqlite import SqliteJournal
from thresher.values import Label, Lesson

DAY = 86400


def status(home: Path) -> dict[str, object]:
    (told,) = done("status", "--json", home=home).objects
    return told


def lesson(number: int, label: Label, score: float | None, days_ago: float) -> Lesson:
    return Lesson(
        number.to_bytes(16, "big"),
        label,
        b"body\tword%d\n" % number,
        "ada",
        f"/mail/{number}",
        time.time() - days_ago * DAY,
        score,
        1,
    )


def test_it_counts_lessons_by_label_user_and_source(taught: Path, tmp_path: Path) -> None:
    box = mbox(tmp_path / "box", map(spam, range(50, 53)))
    done("learn", "--spam", box, "--user", "bob", home=taught)
    told = status(taught)
    assert told["lessons"] == {"ham": 10, "spam": 13}
    assert told["users"] == {"local": 20, "bob": 3}
    assert told["sources"] == {str(tmp_path / "taught-ham"): 10, str(tmp_path / "taught-spam"): 10, str(box): 3}


def test_it_says_when_the_first_and_the_last_lesson_were_given(home: Path) -> None:
    with SqliteJournal(home / "journal.sqlite") as journal:
        journal.append([lesson(1, Label.HAM, None, 40), lesson(2, Label.SPAM, 1.0, 2)])
    told = status(home)
    assert isinstance(told["first"], float)
    assert isinstance(told["last"], float)
    assert told["last"] - told["first"] == pytest.approx(38 * DAY, abs=60)


def test_it_says_that_the_model_is_settled_and_rests_on_all_lessons(taught: Path) -> None:
    assert status(taught)["model"] == {"learner": "scaled-logistic", "bits": 14, "state": "settled", "lessons": 20}


def test_it_says_that_a_model_is_yet_to_be_settled(taught: Path) -> None:
    with SqliteJournal(taught / "journal.sqlite") as journal:
        journal.append([lesson(1, Label.SPAM, 1.0, 0)])
    assert "to be settled" in str(status(taught)["model"])


def test_it_says_that_a_model_is_being_built(taught: Path) -> None:
    with SqliteJournal(taught / "journal.sqlite") as journal:
        journal.append([lesson(1, Label.SPAM, 1.0, 0)])
    with locked(taught / LOCK.format("scaled-logistic")):
        assert "being built" in str(status(taught)["model"])
    assert "to be settled" in str(status(taught)["model"])


def test_it_says_that_there_is_no_model_yet(taught: Path) -> None:
    (taught / "model-scaled-logistic.snapshot").unlink()
    assert "not built yet" in str(status(taught)["model"])


def test_the_state_of_another_learner_is_its_own(taught: Path) -> None:
    (told,) = done("status", "--json", "--learner", "bernoulli", home=taught).objects
    assert told["model"]["learner"] == "bernoulli"
    assert "not built yet" in told["model"]["state"]


def test_it_measures_the_scores_taken_before_the_lessons(home: Path) -> None:
    ham_scores, spam_scores = [None, -2.0, -1.0, 0.5, -3.0], [2.0, -0.5, 0.7]
    given = [lesson(i, Label.HAM, score, 40) for i, score in enumerate(ham_scores)]
    given += [lesson(10 + i, Label.SPAM, score, 1) for i, score in enumerate(spam_scores)]
    with SqliteJournal(home / "journal.sqlite") as journal:
        journal.append(given)
    told = status(home)
    # One ham above 0, one spam below; of 4 x 3 pairs the ham at 0.5 outranks the spam at -0.5, no other pair is wrong.
    overall, recent = told["overall"], told["recent"]
    assert isinstance(overall, dict)
    assert isinstance(recent, dict)
    # One of four, one of three: Wilson's intervals.
    assert overall.pop("ham_lost") == pytest.approx({"share": 1 / 4, "low": 0.0456, "high": 0.6994}, abs=1e-4)
    assert overall.pop("spam_missed") == pytest.approx({"share": 1 / 3, "low": 0.0615, "high": 0.7923}, abs=1e-4)
    assert recent.pop("ham_lost") == {"share": None, "low": 0, "high": 1}
    assert recent.pop("spam_missed")["share"] == pytest.approx(1 / 3)
    assert overall == {
        "judged": 7,
        "error_rate": pytest.approx(2 / 7),
        "false_positives": 1,
        "false_negatives": 1,
        "one_minus_auc_percent": pytest.approx(100 / 12),
    }
    assert recent == {
        "judged": 3,
        "error_rate": pytest.approx(1 / 3),
        "false_positives": 0,
        "false_negatives": 1,
        "one_minus_auc_percent": None,
    }


def test_without_scores_there_is_nothing_to_measure(home: Path, tmp_path: Path) -> None:
    done("learn", "--ham", folder(tmp_path / "ham", [ham(1)]), home=home)
    told = status(home)["overall"]
    assert isinstance(told, dict)
    assert told["judged"] == 0
    assert told["error_rate"] is None
    assert "-" in done("status", home=home).lines[-1].split()


def test_it_says_how_large_the_files_are(taught: Path) -> None:
    model = (taught / "model-scaled-logistic.snapshot").stat().st_size
    told = status(taught)["bytes"]
    assert isinstance(told, dict)
    assert told["model"] == model
    assert told["journal"] >= (taught / "journal.sqlite").stat().st_size


def test_it_reads_well(taught: Path, tmp_path: Path) -> None:
    lines = done("status", home=taught).lines
    assert lines[0].startswith("lessons   20: 10 ham and 10 spam, ")
    assert f"       10  {tmp_path / 'taught-spam'}" in "\n".join(lines)
    assert "model     settled; rests on 20 lessons; scaled-logistic, 14 bits" in lines
    assert lines[-2].split()[:3] == ["all", "lessons", "19"]


def test_it_changes_nothing(taught: Path) -> None:
    before = sorted(path.name for path in taught.iterdir())
    status(taught)
    assert sorted(path.name for path in taught.iterdir() if path.suffix not in {".sqlite-wal", ".sqlite-shm"}) == before


def test_where_nothing_was_learned_it_says_so_and_makes_no_home(tmp_path: Path) -> None:
    ran = run("status", home=tmp_path / "fresh")
    assert (ran.code, ran.out) == (1, "")
    assert "nothing has been learned" in ran.err
    assert not (tmp_path / "fresh").exists()


def test_opposite_scores_are_the_worst_there_are(home: Path) -> None:
    with SqliteJournal(home / "journal.sqlite") as journal:
        journal.append([lesson(1, Label.HAM, 50.0, 0), lesson(2, Label.SPAM, -50.0, 0)])
    assert json.loads(done("status", "--json", home=home).out)["overall"]["one_minus_auc_percent"] == 100


def test_it_says_what_is_promised_and_from_how_much_ham(taught: Path) -> None:
    promised = status(taught)["promised"]
    assert isinstance(promised, dict)
    # Of twenty lessons the oldest five are left out; eight of the others are ham.
    assert promised["promise"]["n_ham"] in {7, 8}
    assert promised["promise"]["rate"] == pytest.approx(1 - 0.05 ** (1 / promised["promise"]["n_ham"]))
    assert promised["ham_needed"] == 2995
    assert promised["void"] is False
    (line,) = [line for line in done("status", home=taught).lines if line.startswith("promise")]
    assert f"at most {100 * promised['promise']['rate']:.3g} % of ham is called spam (95 % sure" in line


def test_a_promise_that_drift_broke_is_called_void(home: Path, tmp_path: Path) -> None:
    """Ham of two months ago like what is usual, ham of today like spam."""
    usual = [message_lesson(ham(i), Label.HAM, 60, i) for i in range(60)]
    junk = [message_lesson(spam(i), Label.SPAM, 60, 100 + i) for i in range(60)]
    odd = [message_lesson(spam(i), Label.HAM, 0, 200 + i) for i in range(100, 115)]
    with SqliteJournal(home / "journal.sqlite") as journal:
        journal.append([*usual, *junk, *odd])
    done("rebuild", home=home)
    promised = status(home)["promised"]
    assert isinstance(promised, dict)
    assert promised["void"] is True
    assert promised["drift"] < 0.01
    assert "WARNING: void" in done("status", home=home).out
    assert tmp_path != home


def message_lesson(raw: bytes, label: Label, days_ago: float, number: int) -> Lesson:
    """Teach a message with its own words, at a time of its own."""
    at = time.time() - days_ago * DAY
    return Lesson(number.to_bytes(16, "big"), label, tokenize(parse(raw)), "ada", "", at, None, VERSION)


def test_a_promise_that_was_switched_off_is_not_told(taught: Path) -> None:
    (taught / "config.toml").write_text("promise = 1.0\nbits = 14\n")
    assert not [line for line in done("status", home=taught).lines if line.startswith("promise")]
