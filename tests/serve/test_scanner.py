"""The judging service: it always answers, in time, from memory; lessons are kept or refused with the reason."""

import asyncio
import logging
import shutil
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.making import ham, spam
from tests.serve.making import TAUGHT, settings_in, settle, teach
from tests.serve.waiting import eventually
from thresher.build import JOURNAL, build_engine
from thresher.choose.calibration import Calibration
from thresher.config import Serve, Settings
from thresher.decide import Policy, decide
from thresher.engine import Change, Receipt
from thresher.mail.digest import digest
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize
from thresher.serve.scan import THRESHOLD, points
from thresher.serve.scanner import Scanner
from thresher.store.journal import JournalMissing, Selection
from thresher.values import Label, Verdict

NEW = TAUGHT + 5


def test_a_message_is_judged_as_check_judges_it(scanner: Scanner, settings: Settings) -> None:
    engine = build_engine(settings)
    engine.load()
    for raw in (ham(NEW), spam(NEW), b"", b"\xff\x00"):
        scan = asyncio.run(scanner.scan(raw))
        assert scan.judgement == engine.check([tokenize(parse(raw))])[0]
        assert scan.digest == digest(raw).hex()
        assert scan.unjudged == ""
    engine.journal.close()


def test_three_reasons_are_told_the_strongest_first(scanner: Scanner) -> None:
    scan = asyncio.run(scanner.scan(spam(NEW)))
    shares = [abs(reason.share) for reason in scan.reasons]
    assert len(shares) == 3
    assert shares == sorted(shares, reverse=True)
    full = asyncio.run(scanner.explain(spam(NEW))).evidence
    assert shares == [abs(each.share) for each in full[:3]]


@given(st.floats(-800, 800), st.floats(0, 1), st.floats(0, 1), st.floats(-900, 900) | st.sampled_from([-inf, inf]))
def test_points_reach_the_threshold_exactly_where_the_verdict_is_spam(
    score: float, one: float, two: float, above: float
) -> None:
    calibration = Calibration()
    policy = Policy(max(one, two), min(one, two))
    judgement = decide(score, float(calibration.probabilities(np.array([score]))[0]), policy, above)
    line = max(above, calibration.score_of(policy.spam_from))
    assert (points(judgement, line) >= THRESHOLD) == (judgement.verdict is Verdict.SPAM)


def test_many_at_once_are_judged_each_as_if_alone(scanner: Scanner) -> None:
    """Threads share the model and nothing else."""
    raws = [make(number) for number in range(40) for make in (ham, spam)]

    async def together() -> list[float]:
        return [scan.judgement.log_odds for scan in await asyncio.gather(*map(scanner.scan, raws))]

    alone = [asyncio.run(scanner.scan(raw)).judgement.log_odds for raw in raws]
    assert asyncio.run(together()) == alone


@contextmanager
def occupied(scanner: Scanner, threads: int) -> Iterator[None]:
    """Keep some of the scanner's threads busy, as messages that take for ever would."""
    release = threading.Event()
    for _ in range(threads):
        scanner._threads.submit(release.wait)  # noqa: SLF001 - no message of ours takes for ever
    try:
        yield
    finally:
        release.set()


def test_one_slow_message_keeps_no_other_waiting(scanner: Scanner) -> None:
    with occupied(scanner, 3):
        assert asyncio.run(scanner.scan(spam(NEW))).verdict is Verdict.SPAM


def test_a_message_that_takes_too_long_goes_on_unjudged(settings: Settings) -> None:
    scanner = Scanner(msgspec.structs.replace(settings, serve=Serve(timeout=0.2)))
    with occupied(scanner, 4):
        start = time.monotonic()
        scan = asyncio.run(scanner.scan(spam(NEW)))
        assert time.monotonic() - start < 10
    assert (scan.verdict, scan.unjudged) == (Verdict.UNSURE, "no answer within 0.2 s")
    assert asyncio.run(scanner.scan(spam(NEW))).verdict is Verdict.SPAM
    scanner.close()


def test_more_messages_than_there_is_room_for_go_on_unjudged(settings: Settings) -> None:
    scanner = Scanner(msgspec.structs.replace(settings, serve=Serve(timeout=1.0, queue=5)))

    async def flood() -> list[str]:
        return [scan.unjudged for scan in await asyncio.gather(*(scanner.scan(spam(i)) for i in range(12)))]

    with occupied(scanner, 4):
        answers = asyncio.run(flood())
    assert answers == ["no answer within 1 s"] * 5 + ["5 messages are waiting"] * 7
    eventually(lambda: scanner.in_hand == 0)
    scanner.close()


def test_a_filter_that_fails_lets_mail_through_and_logs_no_word_of_it(
    scanner: Scanner, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(stream: bytes, *_: object) -> None:
        raise MemoryError(stream)

    monkeypatch.setattr("thresher.serve.scanner.tokenize", broken)
    scan = asyncio.run(scanner.scan(spam(NEW)))
    assert (scan.verdict, scan.unjudged) == (Verdict.UNSURE, "the filter failed: MemoryError")
    assert "MemoryError at " in caplog.text
    assert "prize" not in caplog.text.lower()


def test_a_lesson_is_used_at_once_and_answered_with_a_receipt(scanner: Scanner) -> None:
    before = asyncio.run(scanner.scan(spam(NEW))).judgement.log_odds
    receipt = asyncio.run(scanner.learn(spam(NEW), Label.HAM, "ada", "spamd"))
    assert (receipt.change, receipt.before) == (Change.LEARNED, before)
    assert asyncio.run(scanner.scan(spam(NEW))).judgement.log_odds == receipt.after < before
    again = asyncio.run(scanner.learn(spam(NEW), Label.HAM, "ada"))
    assert (again.change, again.reason) == (Change.UNCHANGED, "already learned as ham")
    corrected = asyncio.run(scanner.learn(spam(NEW), Label.SPAM, "ada"))
    assert corrected.change is Change.CORRECTED
    gone = asyncio.run(scanner.forget(spam(NEW), "ada"))
    assert [(entry.label, entry.user) for entry in gone] == [(Label.SPAM, "ada")]
    assert asyncio.run(scanner.forget(spam(NEW), "ada")) == []
    assert scanner.keeper.taught == 2


def test_two_people_may_say_different_things_of_one_message(scanner: Scanner) -> None:
    for user, label in (("ada", Label.HAM), ("ben", Label.SPAM)):
        assert asyncio.run(scanner.learn(spam(NEW), label, user)).change is Change.LEARNED
    assert [entry.user for entry in asyncio.run(scanner.forget(spam(NEW), "ben"))] == ["ben"]


def test_many_lessons_at_once_are_all_kept(scanner: Scanner) -> None:
    async def together() -> list[Change]:
        lessons = (scanner.learn(ham(number), Label.HAM, f"user{number % 3}") for number in range(100, 160))
        return [receipt.change for receipt in await asyncio.gather(*lessons)]

    assert asyncio.run(together()) == [Change.LEARNED] * 60
    assert asyncio.run(scanner.ask(lambda engine: engine.journal.counts())) == (TAUGHT + 60, TAUGHT)


def test_a_lesson_of_another_process_is_used_soon(scanner: Scanner, settings: Settings) -> None:
    before = asyncio.run(scanner.scan(spam(NEW))).judgement.log_odds
    teach(settings, [spam(NEW)], Label.HAM)
    eventually(lambda: asyncio.run(scanner.scan(spam(NEW))).judgement.log_odds < before)


def test_a_model_that_another_process_saved_is_taken(scanner: Scanner, settings: Settings) -> None:
    """After lessons of another, the model is the very one that process settled."""
    teach(settings, map(spam, range(NEW, NEW + 10)), Label.HAM)
    settle(settings)
    engine = build_engine(settings)
    engine.load()
    [settled] = engine.check([tokenize(parse(spam(3)))])
    engine.journal.close()
    eventually(lambda: asyncio.run(scanner.scan(spam(3))).judgement == settled)


def test_lessons_are_settled_once_they_pause(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model in use becomes, bit for bit, the fold of the journal."""
    monkeypatch.setattr("thresher.serve.keeper.QUIET", 0.1)
    scanner = Scanner(settings)
    asyncio.run(scanner.learn(spam(NEW), Label.HAM))
    engine = build_engine(settings)
    engine.view.settle()
    [settled] = engine.check([tokenize(parse(spam(3)))])
    engine.journal.close()
    eventually(lambda: asyncio.run(scanner.scan(spam(3))).judgement == settled)
    scanner.close()


def test_what_another_process_takes_back_leaves_the_model(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.serve.keeper.QUIET", 0.1)
    monkeypatch.setattr("thresher.serve.keeper.REST", 0)
    scanner = Scanner(settings)
    before = asyncio.run(scanner.scan(spam(3))).judgement
    receipts = teach(settings, [spam(NEW)], Label.HAM)
    eventually(lambda: asyncio.run(scanner.scan(spam(3))).judgement != before)
    with_journal = build_engine(settings)
    with_journal.load()
    [entry] = with_journal.forget(Selection(digests=(bytes.fromhex(receipts[0].digest),)))
    with_journal.journal.close()
    assert entry.label is Label.HAM
    eventually(lambda: asyncio.run(scanner.scan(spam(3))).judgement == before)
    scanner.close()


def test_judging_goes_on_from_memory_while_the_journal_is_gone(
    scanner: Scanner, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    before = asyncio.run(scanner.scan(spam(NEW)))
    aside = settings.home.with_name("aside")
    settings.home.rename(aside)
    eventually(lambda: scanner.keeper.trouble)
    assert "was removed" in scanner.keeper.trouble
    assert asyncio.run(scanner.scan(spam(NEW))) == before
    with pytest.raises(JournalMissing):
        asyncio.run(scanner.learn(spam(NEW), Label.HAM))
    assert asyncio.run(scanner.scan(spam(NEW))).verdict is Verdict.SPAM
    aside.rename(settings.home)
    eventually(lambda: not scanner.keeper._reading)  # noqa: SLF001 - the lesson's own trouble stays until one is kept
    assert asyncio.run(scanner.learn(spam(NEW), Label.HAM)).before == before.judgement.log_odds
    assert scanner.keeper.trouble == ""
    assert "judging goes on from memory" in caplog.text
    assert "the journal is in order again" in caplog.text


def test_while_another_holds_the_journal_judging_goes_on_and_the_lesson_waits_on_disk(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.serve.keeper.BUSY_TIMEOUT", 0.2)
    scanner = Scanner(settings)
    holder = sqlite3.connect(settings.home / JOURNAL, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")

    first = asyncio.run(scanner.scan(spam(NEW))).judgement.log_odds

    async def both() -> tuple[Verdict, Receipt]:
        lesson = asyncio.create_task(scanner.learn(spam(NEW), Label.HAM, "ada"))
        await asyncio.sleep(0)
        return (await scanner.scan(ham(NEW))).verdict, await lesson

    verdict, receipt = asyncio.run(both())
    assert verdict is Verdict.HAM
    assert (receipt.change, receipt.before) == (Change.SPOOLED, first)
    assert "is not in the journal" in scanner.keeper.trouble
    assert scanner.keeper.spooled == 1
    holder.execute("ROLLBACK")
    holder.close()
    eventually(lambda: scanner.keeper.spooled == 0 and not scanner.keeper.trouble)
    assert asyncio.run(scanner.scan(spam(NEW))).judgement.log_odds < first
    [entry] = asyncio.run(scanner.forget(spam(NEW)))
    assert (entry.label, entry.user) == (Label.HAM, "ada")
    scanner.close()


def test_a_journal_put_back_from_a_backup_is_followed(scanner: Scanner, settings: Settings, tmp_path: Path) -> None:
    """Another history under the same name: the model is that of the journal that is there now."""
    other = settings_in(tmp_path / "other")
    teach(other, [ham(1)], Label.HAM)
    teach(other, [spam(1)], Label.SPAM)
    for left in settings.home.glob(f"{JOURNAL}-*"):
        left.unlink()
    shutil.move(other.home / JOURNAL, settings.home / JOURNAL)
    eventually(lambda: scanner.keeper.judge.learner.n_ham == 1)
    assert scanner.keeper.judge.learner.n_spam == 1


def test_a_home_where_nothing_was_learned_finds_everything_unsure(tmp_path: Path) -> None:
    scanner = Scanner(settings_in(tmp_path / "new"))
    assert asyncio.run(scanner.scan(spam(1))).verdict is Verdict.UNSURE
    scanner.close()


def test_more_lessons_than_may_wait_in_memory_wait_on_disk(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.serve.keeper.MOST_WAITING", 3)
    scanner = Scanner(settings)
    release = threading.Event()

    async def flood() -> list[Receipt]:
        blocked = asyncio.create_task(scanner.ask(lambda _: release.wait()))
        await asyncio.sleep(0.2)
        lessons = [asyncio.create_task(scanner.learn(ham(number), Label.HAM)) for number in range(100, 108)]
        await asyncio.sleep(0.5)
        release.set()
        await blocked
        return await asyncio.gather(*lessons)

    answers = asyncio.run(flood())
    assert Counter(answer.change for answer in answers) == {Change.LEARNED: 3, Change.SPOOLED: 5}
    eventually(lambda: scanner.keeper.spooled == 0)
    assert asyncio.run(scanner.ask(lambda engine: engine.journal.counts())) == (TAUGHT + 8, TAUGHT)
    scanner.close()
