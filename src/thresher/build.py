"""Settings -> Engine. The only place that picks a back end."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from thresher.config import ConfigError, Settings
from thresher.decide import Policy
from thresher.engine import Engine
from thresher.learn.running import RunningLearner
from thresher.store.sqlite import SqliteJournal
from thresher.store.sqlite_copy import restore
from thresher.store.sqlite_file import BUSY_TIMEOUT
from thresher.store.tuned import Tuned, write_tuned
from thresher.store.verdicts import VerdictLog
from thresher.view import View, learner_named

if TYPE_CHECKING:
    import subprocess

JOURNAL = "journal.sqlite"
TUNED = "--"
"""In the name of a tuned model's file, between the learner and what was chosen for it."""
VERDICTS = "verdicts.sqlite"


def build_engine(
    settings: Settings, *, settle_seconds: float | None = None, busy_timeout: float = BUSY_TIMEOUT
) -> Engine:
    """Open the home's journal and the view of it; nothing is read of the model yet."""
    settle = settings.settle_seconds if settle_seconds is None else settle_seconds
    try:
        policy = Policy(settings.spam_from, settings.ham_to, settings.promise, settings.confidence)
        journal = SqliteJournal(settings.home / JOURNAL, busy_timeout=busy_timeout)
        view = View(settings.home, journal, learner_of(settings), settle)
        view.path = settings.home / model_file(settings)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    return Engine(journal, view, policy, settings.user)


def open_journal(settings: Settings) -> SqliteJournal:
    """Open the home's journal, to be read beside an engine."""
    return SqliteJournal(settings.home / JOURNAL)


def build_verdicts(settings: Settings) -> VerdictLog:
    """Open the home's log of what was judged."""
    return VerdictLog(settings.home / VERDICTS, settings.user, kept=settings.serve.remember)


def learner_of(settings: Settings) -> Callable[[], RunningLearner]:
    """Return what makes the learner that was chosen; an unknown name fails here."""
    make = partial(learner_named, settings.learner, settings.bits, alpha=settings.alpha, rate=settings.rate)
    make()
    return make


def model_file(settings: Settings) -> str:
    """Name the file of the saved model. A tuned one has its own: until the switch and after it, each is used whole."""
    chosen = {"alpha": settings.alpha, "rate": settings.rate}
    said = [f"{name}-{value:g}" for name, value in chosen.items() if value is not None]
    if not said:
        return f"model-{settings.learner}.snapshot"
    return f"model-{settings.learner}{TUNED}{'-'.join([*said, f'bits-{settings.bits}'])}.snapshot"


def switch(settings: Settings, choice: Tuned) -> None:
    """Put a choice in force, and delete the models of choices that neither it nor the way back names."""
    write_tuned(settings.home, choice)
    keep = {model_file(_with(settings, values)) for values in (choice.values, choice.before)}
    for model in settings.home.glob(f"model-*{TUNED}*.snapshot"):
        if model.name not in keep:
            model.unlink(missing_ok=True)


def _with(settings: Settings, values: Mapping[str, object]) -> Settings:
    free = {"alpha": None, "rate": None}
    return msgspec.structs.replace(settings, **{**free, **values})


def start_command(home: Path, arguments: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start one of our commands on a home, its output and errors to be read."""
    import subprocess

    command = [sys.executable, "-m", "thresher", "--home", os.path.abspath(home)]  # noqa: PTH100 - links stay
    return subprocess.Popen(  # noqa: S603 - our own program, and a list of arguments
        [*command, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        cwd="/",
    )


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
