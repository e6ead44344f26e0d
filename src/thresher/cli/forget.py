"""``thresher forget``: lessons taken back."""

import glob
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click

from thresher.cli.common import (
    MailPath,
    absolute,
    engine_for,
    home_option,
    json_line,
    json_option,
    learner_option,
    local_time,
    progress,
    require_lessons,
    settings_for,
    settle,
    write_lines,
)
from thresher.cli.moments import moment
from thresher.values import Label, ThresherError

if TYPE_CHECKING:
    from thresher.engine import Engine
    from thresher.store.journal import Entry, Journal, Selection

FEW: Final = 20
"""Up to so many lessons each gets its own line."""
_DIGEST: Final = re.compile(r"[0-9a-fA-F]{32}")
EPILOG: Final = """\
\b
Examples:
  thresher forget message.eml                  what was said of this message
  thresher forget --id 4711                    the lesson of this number, as `thresher history` shows it
  thresher forget --source ~/Maildir/.Junk     every lesson read from this folder
  thresher forget --source work:Junk           every lesson that this folder of the account work taught
  thresher forget --since "2 days" --dry-run   what the last two days taught; nothing is changed
  thresher forget --user bob --until 2025-01-01
  thresher forget --all                        everything

Several conditions together select the lessons that meet all of them. Afterwards the model is the one that would have
been learned without these lessons.

\b
Exit codes: 0 done, also if there was nothing to forget, 1 if it could not be done, 2 wrong usage.
"""


def _digests(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[bytes, ...]:
    """Read what names messages in receipts and exports."""
    if any(not _DIGEST.fullmatch(value) for value in values):
        raise click.BadParameter("a digest is 32 hexadecimal digits, as receipts show it")
    return tuple(map(bytes.fromhex, values))


@click.command(epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=MailPath())
@click.option("--digest", "digests", multiple=True, callback=_digests, metavar="HEX", help="A message by its digest.")
@click.option("--id", "ids", multiple=True, type=click.IntRange(1), metavar="NUMBER", help="A lesson by its number.")
@click.option("--source", metavar="PATH", help="Lessons read from this file, mbox or folder, or that match this glob.")
@click.option("--since", callback=moment, metavar="TIME", help="Lessons given then or later: 2025-01-31 or '2 days'.")
@click.option("--until", callback=moment, metavar="TIME", help="Lessons given before then.")
@click.option("--user", metavar="NAME", help="Lessons given by this person.")
@click.option("--all", "everything", is_flag=True, help="Allow every lesson there is to be forgotten.")
@click.option("--dry-run", is_flag=True, help="Say what would be forgotten, and change nothing.")
@json_option
@learner_option
@home_option
def forget(
    paths: tuple[str, ...],
    digests: tuple[bytes, ...],
    ids: tuple[int, ...],
    source: str | None,
    since: float | None,
    until: float | None,
    user: str | None,
    home: str | None,
    learner: str | None,
    *,
    everything: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Take lessons back.

    PATH is a message, or a folder, an mbox or a Maildir of them, or - for standard input: the messages as they are now,
    wherever they lay when they were learned. For messages that are gone, name their --source.
    """
    from thresher.store.journal import Selection

    named = bool(paths or digests or ids)
    if not (named or everything or any(each is not None for each in (source, since, until, user))):
        raise click.UsageError(
            "say what to forget: PATH, --digest, --id, --source, --since, --until or --user; or --all"
        )
    settings = settings_for(home, learner=learner)
    wanted = (*digests, *_digests_of(paths)) if paths or digests else None
    conditions = Selection(ids=ids or None, digests=wanted, since=since, until=until, user=user)
    require_lessons(settings)
    with engine_for(settings, load=not dry_run) as engine:
        found = selected(engine.journal, conditions, source)
        if not everything and not named:
            _refuse_everything(engine, len(found))
        gone = found if dry_run else engine.forget(Selection(ids=tuple(entry.id for entry in found)))
        left = engine.journal.counts()
        state = None
        if gone and not dry_run:
            with progress("settling the model", left.ham + left.spam) as step:
                state = settle(engine, step)
    summary = {
        "forgotten": {label: sum(entry.label is label for entry in gone) for label in Label},
        "dry_run": dry_run,
        "lessons": {"ham": left.ham, "spam": left.spam},
        "model": state or "unchanged",
    }
    if as_json:
        write_lines(map(json_line, map(_as_json, gone)))
        write_lines([json_line({"summary": summary})])
    else:
        write_lines(_told(gone))
        write_lines([_summed_up(gone, left.ham + left.spam, state, dry_run=dry_run)])


def _digests_of(paths: Sequence[str]) -> Iterator[bytes]:
    from thresher import boxes
    from thresher.mail.digest import digest

    for path in paths:
        yield from (digest(item.raw) for item in boxes.read(path))


def selected(journal: "Journal", conditions: "Selection", source: str | None) -> "list[Entry]":
    """Find the lessons; a source is matched as it was given, as a full path, and as the mbox around a message."""
    import msgspec

    if source is None:
        return list(journal.entries(conditions))
    names = dict.fromkeys([source, absolute(source)])
    names.update(dict.fromkeys(f"{glob.escape(name)}#[0-9]*" for name in list(names)))
    found = {
        entry.id: entry for name in names for entry in journal.entries(msgspec.structs.replace(conditions, source=name))
    }
    return [found[number] for number in sorted(found)]


def _refuse_everything(engine: "Engine", found: int) -> None:
    counts = engine.journal.counts()
    if found and found == counts.ham + counts.spam:
        raise ThresherError(f"this would forget all {found} lessons, everything learned so far; if so meant, add --all")


def _as_json(entry: "Entry") -> dict[str, object]:
    return {
        "digest": entry.digest.hex(),
        "label": entry.label,
        "user": entry.user,
        "source": entry.source,
        "time": entry.time,
    }


def _told(gone: "Sequence[Entry]") -> Iterator[str]:
    if len(gone) <= FEW:
        for entry in gone:
            yield f"{entry.label:<4}  {local_time(entry.time)}  {entry.user}  {entry.source}"
        return
    yield f"lessons of {local_time(min(e.time for e in gone))} to {local_time(max(e.time for e in gone))}"
    for user, count in Counter(entry.user for entry in gone).most_common():
        yield f"  {count:>7,}  given by {user}"


def _summed_up(gone: "Sequence[Entry]", left: int, state: str | None, *, dry_run: bool) -> str:
    ham = sum(entry.label is Label.HAM for entry in gone)
    counted = f"{ham:,} ham and {len(gone) - ham:,} spam"
    if dry_run:
        return f"would forget {counted}, of {left:,} lessons; nothing was changed"
    if not gone:
        return f"nothing to forget: no lesson is of that kind; {left:,} lessons in all"
    return f"forgot {counted}; {left:,} lessons left, model {state}"
