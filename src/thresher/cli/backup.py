"""``thresher backup``: all lessons in one file."""

from pathlib import Path
from typing import Final

import click

from thresher.cli.common import (
    engine_for,
    home_option,
    json_line,
    json_option,
    require_lessons,
    settings_for,
    write_lines,
)
from thresher.values import ThresherError

EPILOG: Final = """\
\b
Examples:
  thresher backup ~/backups/thresher-$(date +%F).backup
  thresher restore ~/backups/thresher-2025-01-31.backup

The copy is of one moment, also while others learn, and is read through before it gets its name. It holds the words of
the messages learned: keep it as private as the mail itself. Lessons as text, to look at or to merge: `thresher export`.

\b
Exit codes: 0 done, 1 if it could not be written, 2 wrong usage.
"""
_SQLITE: Final = b"SQLite format 3\x00"


@click.command(epilog=EPILOG)
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False))
@json_option
@home_option
def backup(file: str, home: str | None, *, as_json: bool) -> None:
    """Write all lessons into one file, from which `thresher restore` takes them.

    FILE is made, readable by you only, or replaced if it is a backup.
    """
    settings = settings_for(home)
    require_lessons(settings)
    target = Path(file).expanduser()
    _refuse_others_files(target)
    with engine_for(settings, load=False) as engine:
        counts = engine.journal.counts()
        try:
            engine.journal.backup(target)
        except ValueError as error:
            raise ThresherError(str(error)) from error
    size = target.stat().st_size
    lessons = {"ham": counts.ham, "spam": counts.spam}
    text = f"backed up {counts.ham:,} ham and {counts.spam:,} spam, {size / 1e6:.1f} MB, to {file}"
    write_lines([json_line({"file": file, "bytes": size, "lessons": lessons})] if as_json else [text])


def _refuse_others_files(target: Path) -> None:
    """Refuse what nobody means to overwrite with a backup: a device, or a file that is none."""
    if not target.parent.is_dir():
        raise ThresherError(f"there is no folder {target.parent}; make it, or choose another file")
    if not target.exists():
        return
    if not target.is_file():
        raise ThresherError(f"{target} is no file; choose another name")
    with target.open("rb") as there:
        head = there.read(len(_SQLITE))
    if head not in {b"", _SQLITE}:
        raise ThresherError(f"{target} is there already and is no backup; choose another name")
