"""The back ends that the suites of this folder run on."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from thresher.store.journal import Journal
from thresher.store.sqlite import SqliteJournal

Opener = Callable[[], Journal]
"""Opens one and the same journal, as often as it is called, as another process would."""

NewJournal = Callable[[], Opener]
"""Makes a new journal."""


def sqlite(folder: Path, closing: ExitStack) -> NewJournal:
    """Keep each journal in a file of its own."""
    names = (folder / f"home-{number}" / "journal.sqlite3" for number in count())

    def new() -> Opener:
        file = next(names)
        return lambda: closing.enter_context(SqliteJournal(file, busy_timeout=10))

    return new


BACK_ENDS: dict[str, Callable[[Path, ExitStack], NewJournal]] = {"sqlite": sqlite}


@pytest.fixture(params=list(BACK_ENDS))
def new_journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NewJournal]:
    """Give each back end in turn; what a test opens is closed after it."""
    with ExitStack() as closing:
        yield BACK_ENDS[request.param](tmp_path, closing)


@pytest.fixture
def open_journal(new_journal: NewJournal) -> Opener:
    """Give the opener of one new journal."""
    return new_journal()


@pytest.fixture
def journal(open_journal: Opener) -> Journal:
    """Give a new journal."""
    return open_journal()
