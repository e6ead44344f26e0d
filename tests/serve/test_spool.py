"""Lessons that wait on disk are kept, in order, and given to the journal once."""

import asyncio
import stat
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.serve.making import BITS, TAUGHT
from tests.serve.waiting import eventually
from thresher.boxes import Item
from thresher.config import Settings
from thresher.engine import Teaching
from thresher.learn.hashing import Hasher
from thresher.prepare import prepare
from thresher.serve import spool as module
from thresher.serve.scanner import Scanner
from thresher.serve.spool import Spool, SpoolFull
from thresher.values import Label

HASHER = Hasher(BITS)


def lesson(raw: bytes, label: Label) -> Teaching:
    [message] = prepare([Item("", raw)], HASHER)
    return Teaching(message, label, "tests")


def test_what_was_put_comes_back_in_order_and_goes_only_when_removed(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    given = [
        (lesson(spam(1), Label.SPAM), "ada"),
        (lesson(ham(1), Label.HAM), None),
        (lesson(spam(1), Label.HAM), "ada"),
    ]
    for teaching, user in given:
        spool.put(teaching, user)
    for _ in range(2):
        found = list(Spool(tmp_path).waiting(HASHER))
        assert [(teaching.label, kept.user) for _, teaching, kept in found] == [
            (teaching.label, user) for teaching, user in given
        ]
        assert all(
            teaching.message.slots.tolist() == before.message.slots.tolist()
            for (_, teaching, _), (before, _) in zip(found, given, strict=True)
        )
    spool.remove(found[0][0])
    assert len(spool) == 2


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.put(lesson(ham(1), Label.HAM), None)
    [file] = spool.folder.iterdir()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (spool.folder, file)] == [0o700, 0o600]


def test_a_damaged_file_is_put_aside_and_the_others_go_on(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.put(lesson(ham(1), Label.HAM), None)
    (spool.folder / "0-broken.lesson").write_bytes(b"\xff\x00")
    assert len(list(spool.waiting(HASHER))) == 1
    assert len(spool) == 1
    assert (spool.folder / "0-broken.lesson.damaged").exists()


def test_it_holds_no_more_than_it_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 1)
    spool = Spool(tmp_path)
    spool.put(lesson(ham(1), Label.HAM), None)
    with pytest.raises(SpoolFull, match="see why"):
        spool.put(lesson(ham(2), Label.HAM), None)


def test_a_home_that_is_gone_is_not_made_anew(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Spool(tmp_path / "gone").put(lesson(ham(1), Label.HAM), None)


def test_what_a_killed_daemon_left_is_learned_by_the_next(settings: Settings) -> None:
    spool = Spool(settings.home)
    spool.put(lesson(ham(500), Label.HAM), "ben")
    scanner = Scanner(settings)
    eventually(lambda: not len(spool))
    assert asyncio.run(scanner.ask(lambda engine: engine.journal.counts())) == (TAUGHT + 1, TAUGHT)
    [entry] = asyncio.run(scanner.forget(ham(500), "ben"))
    assert entry.source == "tests"
    scanner.close()
