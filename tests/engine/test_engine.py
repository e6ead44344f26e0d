"""The line: receipts that say what a lesson changed, lessons taken back without a trace, explanations that add up."""

import math
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.engine.folding import DEFAULT, bits_of, fold, saved, whole_state
from tests.engine.making import BITS, HAM, SPAM, message, opened, stream, teachings
from thresher.boxes import Item
from thresher.choose.calibration import Calibration
from thresher.engine import MANY, Change, Engine, ModelNotSaved, Settled, Teaching
from thresher.learn.running import Arrays
from thresher.prepare import prepare
from thresher.store.journal import JournalError, Selection
from thresher.values import Label, Lesson, Verdict


@contextmanager
def taught(home: Path, learner: str = DEFAULT, *, count: int = 10, settle_seconds: float = 60.0) -> Iterator[Engine]:
    """Give an engine that has learned some messages of each kind."""
    with closing_engine(opened(home, learner)) as engine:
        engine.learn(teachings(range(count), HAM) + teachings(range(count), SPAM))
        engine.finish()
        engine.view.settle_seconds = settle_seconds
        yield engine


@contextmanager
def closing_engine(engine: Engine) -> Iterator[Engine]:
    with closing(engine.journal):
        yield engine


def state_of(engine: Engine) -> object:
    return whole_state(engine.view.learner, engine.view.calibration)


def counts_of(engine: Engine) -> object:
    learner = engine.view.learner
    arrays: Arrays = {"spam": learner.spam, "ham": learner.ham}
    return bits_of({"n_spam": learner.n_spam, "n_ham": learner.n_ham}, arrays)


def in_order(engine: Engine) -> object:
    return fold(engine.journal, engine.view.kind.name, BITS)


# receipts -------------------------------------------------------------------------------------------------------------


def test_the_first_lesson_has_no_score_before(home: Path, learner: str) -> None:
    with closing_engine(opened(home, learner)) as engine:
        first, second = engine.learn(teachings([1], HAM) + teachings([1], SPAM))
    assert (first.change, first.before) == (Change.LEARNED, None)
    assert second.change is Change.LEARNED
    assert second.before is not None


def test_a_receipt_has_the_scores_that_check_gives_before_and_after(home: Path, learner: str) -> None:
    with taught(home, learner) as engine:
        (before,) = engine.check([stream(50, SPAM)])
        (receipt,) = engine.learn(teachings([50], SPAM))
        (after,) = engine.check([stream(50, SPAM)])
    assert receipt.before == pytest.approx(before.log_odds, rel=1e-9)
    assert receipt.after == after.log_odds


def test_a_lesson_twice_counts_once_and_says_why(home: Path, learner: str) -> None:
    with taught(home, learner) as engine:
        state, journal = state_of(engine), list(engine.journal.rows())
        (receipt,) = engine.learn(teachings([3], HAM))
        assert (receipt.change, receipt.reason) == (Change.UNCHANGED, "already learned as ham")
        assert receipt.before == receipt.after == engine.check([stream(3, HAM)])[0].log_odds
        assert (state_of(engine), list(engine.journal.rows())) == (state, journal)


def test_the_other_label_corrects_and_is_never_refused(home: Path, learner: str) -> None:
    with taught(home, learner) as engine:
        (receipt,) = engine.learn([Teaching(message(3, HAM), SPAM)])
        assert receipt.change is Change.CORRECTED
        assert receipt.before is not None
        assert receipt.after > receipt.before
        assert engine.journal.counts() == (9, 11)
        (back,) = engine.learn([Teaching(message(3, HAM), HAM)])
        assert back.change is Change.CORRECTED
        assert engine.journal.counts() == (10, 10)


def test_lessons_on_one_message_in_one_call_follow_one_another(home: Path, learner: str) -> None:
    said = [HAM, HAM, SPAM, HAM]
    with taught(home, learner) as engine:
        receipts = engine.learn([Teaching(message(50), label) for label in said])
        assert [receipt.change for receipt in receipts] == [
            Change.LEARNED,
            Change.UNCHANGED,
            Change.CORRECTED,
            Change.CORRECTED,
        ]
        assert [receipt.label for receipt in receipts] == said
        assert engine.journal.counts() == (11, 10)
        assert engine.finish() is Settled.YES
        assert state_of(engine) == in_order(engine)


def test_receipts_name_the_messages_in_the_order_given(home: Path) -> None:
    given = [message(number) for number in (4, 2, 9, 2)]
    with closing_engine(opened(home, DEFAULT)) as engine:
        receipts = engine.learn([Teaching(one, HAM) for one in given])
    assert [(receipt.path, receipt.digest) for receipt in receipts] == [(one.path, one.digest.hex()) for one in given]


def test_no_lessons_have_no_receipts_and_change_nothing(home: Path, learner: str) -> None:
    with taught(home, learner) as engine:
        before = state_of(engine), engine.journal.position()
        assert engine.learn([]) == []
        assert engine.finish() is Settled.YES
        assert (state_of(engine), engine.journal.position()) == before


def test_the_journal_keeps_who_said_it_when_of_what_and_the_scores_before_and_after(home: Path) -> None:
    with taught(home) as engine:
        one = message(50, SPAM)
        (receipt,) = engine.learn([Teaching(one, SPAM, "/elsewhere")], at=1234.5)
        *_, row = engine.journal.rows()
    lesson = row.lesson
    assert lesson == Lesson(
        one.digest, SPAM, stream(50, SPAM), "ada", "/elsewhere", 1234.5, receipt.before, lesson.tokenizer, receipt.after
    )
    assert receipt.before is not None
    assert receipt.before < receipt.after
    assert lesson.tokenizer > 0


def test_two_people_may_differ_and_both_count(home: Path, learner: str) -> None:
    with taught(home, learner) as engine:
        engine.user = "bob"
        (receipt,) = engine.learn([Teaching(message(3, HAM), SPAM)])
        assert receipt.change is Change.LEARNED
        assert engine.journal.counts() == (10, 11)
        engine.finish()
        assert state_of(engine) == in_order(engine)


# what cannot be written -----------------------------------------------------------------------------------------------


def refuse_spam(home: Path) -> None:
    """Let the journal's database refuse spam, as a disk that fails would."""
    with closing(sqlite3.connect(home / "journal.sqlite")) as connection:
        connection.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON lesson WHEN NEW.spam BEGIN SELECT RAISE(ABORT, 'broken'); END"
        )


def test_lessons_that_could_not_be_written_are_not_in_the_model_either(home: Path, learner: str) -> None:
    """Not even those that came before the one that failed."""
    with taught(home, learner) as engine:
        state, rows = state_of(engine), list(engine.journal.rows())
        refuse_spam(home)
        with pytest.raises((JournalError, sqlite3.Error)):
            engine.learn(teachings([60, 61], HAM) + teachings([60], SPAM))
        assert (state_of(engine), list(engine.journal.rows())) == (state, rows)
        assert engine.finish() is Settled.YES
    assert saved(home, learner) == state


def test_a_model_that_cannot_be_saved_is_said_and_the_lessons_stay(home: Path) -> None:
    with taught(home) as engine:
        engine.view.path = home / "no such folder" / "model"
        engine.learn(teachings([60], SPAM))
        with pytest.raises(ModelNotSaved, match="the next command builds it again"):
            engine.finish()
    with closing_engine(opened(home, DEFAULT)) as again:
        assert again.journal.counts() == (10, 11)
        assert state_of(again) == in_order(again)


# forgetting -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", [HAM, SPAM])
def test_learn_then_forget_leaves_the_counts_bit_for_bit_as_before(home: Path, learner: str, label: Label) -> None:
    with taught(home, learner) as engine:
        before = counts_of(engine)
        lessons = teachings(range(60, 65), label)
        engine.learn(lessons)
        assert counts_of(engine) != before
        gone = engine.forget(Selection(digests=tuple(lesson.message.digest for lesson in lessons)))
        assert [entry.digest for entry in gone] == [lesson.message.digest for lesson in lessons]
        assert counts_of(engine) == before


def test_learn_then_forget_then_settle_leaves_the_whole_model_as_before(home: Path, learner: str) -> None:
    with taught(home, learner) as engine:
        before = state_of(engine)
        engine.learn(teachings([60], SPAM))
        engine.forget(Selection(digests=(message(60, SPAM).digest,)))
        assert engine.finish() is Settled.YES
        assert state_of(engine) == before
    assert saved(home, learner) == before


def test_a_correction_corrected_leaves_the_counts_as_before(home: Path, learner: str) -> None:
    with taught(home, learner) as engine:
        before = counts_of(engine)
        engine.learn([Teaching(message(3), SPAM)])
        assert counts_of(engine) != before
        engine.learn([Teaching(message(3), HAM)])
        assert counts_of(engine) == before


def test_what_nothing_is_known_of_is_forgotten_without_a_change(home: Path, learner: str) -> None:
    with taught(home, learner) as engine:
        before = state_of(engine), engine.journal.position()
        assert engine.forget(Selection(digests=(message(99).digest,))) == []
        assert (state_of(engine), engine.journal.position()) == before


def test_forgetting_everything_leaves_a_model_of_nothing(home: Path, learner: str) -> None:
    with taught(home, learner) as engine:
        assert len(engine.forget(Selection(since=0.0))) == 20
        assert engine.finish() is Settled.YES
        assert state_of(engine) == in_order(engine) == whole_state(engine.view.kind(BITS), Calibration())
        assert engine.check([stream(3, SPAM)])[0].verdict is Verdict.UNSURE


def test_more_than_are_held_in_memory_are_forgotten_by_folding_what_is_left(home: Path, learner: str) -> None:
    raws = [f"Subject: number {number}\n\nword{number % 7}\n".encode() for number in range(MANY + 1)]
    with taught(home, learner) as engine:
        prepared = prepare([Item(f"/many/{i}", raw) for i, raw in enumerate(raws)], engine.view.hasher)
        engine.learn([Teaching(one, HAM) for one in prepared])
        assert len(engine.forget(Selection(source="/many"))) == MANY + 1
        assert engine.finish() is Settled.YES
        assert state_of(engine) == in_order(engine)
        assert engine.journal.counts() == (10, 10)


# others at the same journal -------------------------------------------------------------------------------------------


def test_lessons_that_others_gave_meanwhile_are_in_the_model_once(home: Path, learner: str) -> None:
    with taught(home, learner) as engine, closing_engine(opened(home, learner, user="bob")) as other:
        engine.learn(teachings([60], SPAM))
        other.learn(teachings([61], SPAM))
        engine.learn(teachings([62], HAM))
        assert engine.finish() is Settled.YES
        assert other.finish() is Settled.YES
        assert state_of(engine) == state_of(other) == in_order(engine)
    assert saved(home, learner) == state_of(engine)


def test_what_others_took_back_meanwhile_is_no_longer_in_the_model(home: Path, learner: str) -> None:
    with taught(home, learner) as engine, closing_engine(opened(home, learner)) as other:
        engine.learn(teachings([60], SPAM))
        other.forget(Selection(digests=(message(3).digest, message(60, SPAM).digest)))
        other.learn([Teaching(message(4), SPAM)])
        assert engine.finish() is Settled.YES
        assert engine.journal.counts() == (8, 11)
        assert state_of(engine) == in_order(engine)


def test_what_others_taught_and_this_engine_has_not_seen_can_be_forgotten_here(home: Path, learner: str) -> None:
    with taught(home, learner) as engine, closing_engine(opened(home, learner)) as other:
        other.learn(teachings([60], SPAM))
        assert len(engine.forget(Selection(digests=(message(60, SPAM).digest,)))) == 1
        assert engine.finish() is Settled.YES
        assert engine.journal.counts() == (10, 10)
        assert state_of(engine) == in_order(engine)


# settling -------------------------------------------------------------------------------------------------------------


def test_what_would_take_long_to_settle_is_left_to_the_background_and_saved_meanwhile(home: Path) -> None:
    with taught(home, settle_seconds=0.0) as engine:
        engine.learn(teachings([60, 61], SPAM))
        assert engine.finish() is Settled.NOT_YET
        now = state_of(engine)
    with closing_engine(opened(home, DEFAULT, settle_seconds=0.0)) as later:
        assert state_of(later) == now != in_order(later)
        assert later.rebuild() is Settled.YES
        assert state_of(later) == in_order(later)
    assert saved(home) == state_of(later)


def test_lessons_in_the_order_of_the_fold_need_no_second_one(home: Path) -> None:
    """So a first bulk lesson, which is mixed before it is learned, is settled however large it is."""
    mixed = [one for pair in zip(teachings(range(9), HAM), teachings(range(9), SPAM), strict=True) for one in pair]
    with closing_engine(opened(home, DEFAULT, settle_seconds=0.0)) as engine:
        engine.learn(mixed)
        assert engine.finish() is Settled.YES
        assert state_of(engine) == in_order(engine)


# explaining -----------------------------------------------------------------------------------------------------------


def test_an_explanation_has_the_judgement_of_check_and_adds_up_to_it(home: Path, learner: str) -> None:
    with taught(home, learner) as engine:
        explanation = engine.explain(stream(50, SPAM))
        assert [explanation.judgement] == engine.check([stream(50, SPAM)])
    total = math.fsum([explanation.base, *(each.share for each in explanation.evidence)])
    assert total == pytest.approx(explanation.judgement.log_odds, rel=1e-12)
    assert explanation.judgement.verdict is Verdict.SPAM


def test_evidence_has_each_feature_once_the_strongest_first(home: Path, learner: str) -> None:
    with taught(home, learner) as engine:
        explanation = engine.explain(stream(50, SPAM))
        assert len(explanation.evidence) == len(engine.view.hasher.features([stream(50, SPAM)]).slots)
    strengths = [abs(each.share) for each in explanation.evidence]
    assert strengths == sorted(strengths, reverse=True)


def test_a_message_without_features_is_explained_by_the_base_alone(home: Path, learner: str) -> None:
    with taught(home, learner) as engine:
        explanation = engine.explain(b"")
        assert explanation.evidence == []
        assert explanation.base == engine.check([b""])[0].log_odds


def test_many_are_judged_as_each_alone(home: Path, learner: str) -> None:
    with taught(home, learner) as engine:
        streams = [b"", *(stream(number, label) for number in range(40, 44) for label in (HAM, SPAM)), b""]
        assert engine.check(streams) == [engine.check([one])[0] for one in streams]
        assert engine.check([]) == []
