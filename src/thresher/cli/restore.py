"""``thresher restore``: the lessons of a backup in place of the present ones."""

from pathlib import Path
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
    warn,
    write_lines,
)

EPILOG: Final = """\
\b
Examples:
  thresher restore ~/backups/thresher-2025-01-31.backup

The backup is read through first; if it is damaged, nothing changes. The journal that was there, damaged or sound, is
kept beside the new one under another name, so a restore can itself be undone with `thresher restore`. To add lessons
rather than replace them: `thresher import`.

\b
Exit codes: 0 done, 1 if it could not be done; then nothing has changed, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False))
@json_option
@learner_option
@home_option
def restore(file: str, home: str | None, learner: str | None, *, as_json: bool) -> None:
    """Put the lessons of a backup in place of the present ones, and build the model from them."""
    from thresher.build import restore_journal
    from thresher.engine import ModelNotSaved

    settings = settings_for(home, learner=learner)
    kept = restore_journal(settings, Path(file).expanduser())
    with engine_for(settings, load=False) as engine:
        counts = engine.journal.counts()
        with progress("building the model", counts.ham + counts.spam) as step:
            try:
                state: str = engine.rebuild(step)
            except ModelNotSaved as error:
                warn(str(error))
                state = "not saved"
    summary = {
        "lessons": {"ham": counts.ham, "spam": counts.spam},
        "kept": str(kept) if kept else None,
        "model": state,
    }
    if as_json:
        write_lines([json_line(summary)])
        return
    write_lines([f"restored {counts.ham:,} ham and {counts.spam:,} spam from {file}; model {state}"])
    if kept:
        write_lines([f"the former journal is kept as {kept}"])
