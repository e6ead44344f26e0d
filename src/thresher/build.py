"""Settings -> Engine. The only place that picks a back end."""

from pathlib import Path

from thresher.config import ConfigError, Settings
from thresher.decide import Policy
from thresher.engine import Engine
from thresher.store.sqlite import SqliteJournal
from thresher.store.sqlite_copy import restore
from thresher.view import View

JOURNAL = "journal.sqlite"


def build_engine(settings: Settings) -> Engine:
    """Open the home's journal and the view of it; nothing is read of the model yet."""
    try:
        policy = Policy(settings.spam_from, settings.ham_to)
        journal = SqliteJournal(settings.home / JOURNAL)
        view = View(settings.home, journal, settings.learner, settings.bits, settings.settle_seconds)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    return Engine(journal, view, policy, settings.user)


def restore_journal(settings: Settings, backup: Path) -> Path | None:
    """Put a backup in the place of the home's journal; return where the former one is kept, if there was one."""
    return restore(backup, settings.home / JOURNAL)
