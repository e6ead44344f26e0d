"""``thresher rebuild``: the model folded anew from the journal."""

import os
from typing import Final

import click

from thresher.cli.common import (
    engine_for,
    home_option,
    json_line,
    json_option,
    learner_option,
    progress,
    settings_for,
    write_lines,
)

LOCK: Final = "rebuild.lock"
NICE: Final = 10
EPILOG: Final = """\
\b
Examples:
  thresher rebuild
  thresher rebuild --learner multinomial

Needed only to wait for what thresher does by itself: a model is built again when its file is damaged, and after
corrections and forgetting.
"""


@click.command(epilog=EPILOG)
@click.option("--background", is_flag=True, hidden=True, help="At low priority, and not if another is at it.")
@json_option
@learner_option
@home_option
def rebuild(home: str | None, learner: str | None, *, background: bool, as_json: bool) -> None:
    """Build the model again from the journal."""
    from thresher.store.files import locked

    settings = settings_for(home, learner=learner)
    if background:
        os.nice(NICE)
    with engine_for(settings, load=False) as engine, locked(settings.home / LOCK, wait=not background) as mine:
        if not mine:
            return
        counts = engine.journal.counts()
        total = counts.ham + counts.spam
        with progress("building the model", total) as step:
            engine.rebuild(step)
    summary = {"lessons": {"ham": counts.ham, "spam": counts.spam}, "learner": settings.learner}
    write_lines([json_line(summary)] if as_json else [f"built the {settings.learner} model from {total} lessons"])
