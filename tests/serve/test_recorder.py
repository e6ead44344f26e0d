"""What the daemon judged is written down, behind the back of whoever waits, and trouble with it is said once."""

import asyncio
import logging
from pathlib import Path

import msgspec
import pytest

from tests.cli.making import ham, spam
from tests.serve.making import taught_home, teach
from tests.serve.waiting import eventually
from thresher.build import build_verdicts
from thresher.config import Settings
from thresher.serve.scanner import Scanner
from thresher.store.verdict_query import Query, Row
from thresher.values import Label, Verdict


def rows_of(settings: Settings) -> list[Row]:
    with build_verdicts(settings) as verdicts:
        return verdicts.rows(Query())


def test_a_verdict_is_listed_with_whose_mail_it_is_and_who_asked(scanner: Scanner, settings: Settings) -> None:
    scan = asyncio.run(scanner.scan(spam(500), "ada", "spamd"))
    eventually(lambda: bool(rows_of(settings)))
    (row,) = rows_of(settings)
    assert (row.user, row.via, row.verdict) == ("ada", "spamd", scan.verdict)
    assert (row.sender, row.subject) == ("Winner Office <prize500@lottery.example>", "You WON $50000 !!!")
    assert row.digest.hex() == scan.digest


def test_a_message_of_nobody_is_the_owners(scanner: Scanner, settings: Settings) -> None:
    asyncio.run(scanner.scan(ham(1)))
    eventually(lambda: bool(rows_of(settings)))
    assert [row.user for row in rows_of(settings)] == [settings.user]


def test_a_lesson_given_by_another_process_labels_what_was_judged(scanner: Scanner, settings: Settings) -> None:
    asyncio.run(scanner.scan(ham(900)))
    eventually(lambda: bool(rows_of(settings)))
    teach(settings, [ham(900)], Label.HAM)
    eventually(lambda: rows_of(settings)[0].label is Label.HAM)


def test_where_nothing_is_to_be_remembered_nothing_is(tmp_path: Path) -> None:
    settings = taught_home(tmp_path / "home")
    forgetful = msgspec.structs.replace(settings, serve=msgspec.structs.replace(settings.serve, remember=0))
    scanner = Scanner(forgetful)
    asyncio.run(scanner.scan(ham(1)))
    scanner.close()
    assert not list(settings.home.glob("verdicts.sqlite*"))


def test_a_log_that_cannot_be_written_stops_no_verdict(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = taught_home(tmp_path / "home")
    (settings.home / "verdicts.sqlite").write_bytes(b"no database at all" * 100)
    with caplog.at_level(logging.WARNING, "thresher"):
        scanner = Scanner(settings)
    try:
        assert asyncio.run(scanner.scan(spam(500))).verdict is not Verdict.HAM
    finally:
        scanner.close()
    assert len([record for record in caplog.records if "will not be listed" in record.message]) == 1
