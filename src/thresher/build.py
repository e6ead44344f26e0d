"""Settings -> Engine. The only place that picks a back end."""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from thresher.config import ConfigError, Settings
from thresher.decide import Policy
from thresher.engine import Engine
from thresher.learn.running import RunningLearner
from thresher.store.sqlite import SqliteJournal
from thresher.store.sqlite_copy import restore
from thresher.store.sqlite_file import BUSY_TIMEOUT
from thresher.view import View, learner_named

if TYPE_CHECKING:
    import subprocess

JOURNAL = "journal.sqlite"


def build_engine(
    settings: Settings, *, settle_seconds: float | None = None, busy_timeout: float = BUSY_TIMEOUT
) -> Engine:
    """Open the home's journal and the view of it; nothing is read of the model yet."""
    settle = settings.settle_seconds if settle_seconds is None else settle_seconds
    try:
        policy = Policy(settings.spam_from, settings.ham_to, settings.promise, settings.confidence)
        journal = SqliteJournal(settings.home / JOURNAL, busy_timeout=busy_timeout)
        view = View(settings.home, journal, learner_of(settings), settle)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    return Engine(journal, view, policy, settings.user)


def learner_of(settings: Settings) -> Callable[[], RunningLearner]:
    """Return what makes the learner that was chosen; an unknown name fails here."""
    make = partial(learner_named, settings.learner, settings.bits, alpha=settings.alpha, rate=settings.rate)
    make()
    return make


def start_rebuild(home: Path, learner: str, bits: int) -> "subprocess.Popen[bytes]":
    """Start `thresher rebuild` in the background, at low priority."""
    import subprocess

    command = [sys.executable, "-m", "thresher", "rebuild", "--home", os.path.abspath(home)]  # noqa: PTH100 - links stay
    return subprocess.Popen(  # noqa: S603 - our own program, and a list of arguments
        [*command, "--learner", learner, "--background"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd="/",
        env={**os.environ, "THRESHER_BITS": str(bits)},
    )


def restore_journal(settings: Settings, backup: Path) -> Path | None:
    """Put a backup in the place of the home's journal; return where the former one is kept, if there was one."""
    return restore(backup, settings.home / JOURNAL)
