"""``thresher rebuild``: the model folded anew from the journal."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from thresher.cli.common import (
    engine_for,
    home_option,
    json_line,
    json_option,
    learner_option,
    progress,
    require_lessons,
    settings_for,
    write_lines,
)

if TYPE_CHECKING:
    from thresher.config import Settings

LOCK: Final = "rebuild-{}.lock"
NICE: Final = 10
EPILOG: Final = """\
\b
Examples:
  thresher rebuild
  thresher rebuild --learner multinomial

Needed only to wait for what thresher does by itself: a model is built again when its file is damaged, and after
corrections and forgetting.

\b
Exit codes: 0 done, 1 if it could not be done, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@click.option("--background", is_flag=True, hidden=True, help="At low priority, and not if another waits for its turn.")
@json_option
@learner_option
@home_option
def rebuild(home: str | None, learner: str | None, *, background: bool, as_json: bool) -> None:
    """Build the model again from the journal."""
    settings = settings_for(home, learner=learner)
    require_lessons(settings)
    if background:
        os.nice(NICE)
    with _turn(settings, wait=not background) as mine:
        if mine:
            _rebuild(settings, as_json=as_json)


@contextmanager
def _turn(settings: "Settings", *, wait: bool) -> Iterator[bool]:
    """Wait until no other is at it; without `wait`, give False if another waits already: that one will see our rows."""
    from thresher.store.files import locked

    building = settings.home / LOCK.format(settings.learner)
    if wait:
        with locked(building):
            yield True
        return
    with ExitStack() as stack:
        with ExitStack() as queue:
            if not queue.enter_context(locked(building.with_suffix(".next"), wait=False)):
                yield False
                return
            stack.enter_context(locked(building))
        yield True


def being_built(home: Path, learner: str) -> bool:
    """Whether a process is building this model."""
    from thresher.store.files import locked

    building = home / LOCK.format(learner)
    if not (building.exists() and os.access(building, os.W_OK)):
        return False
    with locked(building, wait=False) as free:
        return not free


def _rebuild(settings: "Settings", *, as_json: bool) -> None:
    with engine_for(settings, load=False) as engine:
        counts = engine.journal.counts()
        total = counts.ham + counts.spam
        with progress("building the model", total) as step:
            state = engine.rebuild(step)
    summary = {"lessons": {"ham": counts.ham, "spam": counts.spam}, "learner": settings.learner, "model": state}
    text = f"built the {settings.learner} model from {total:,} lessons; {state}"
    write_lines([json_line(summary)] if as_json else [text])
