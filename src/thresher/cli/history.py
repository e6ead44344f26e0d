"""``thresher history``: receipts of the lessons that were given, and of the moves that were made."""

from typing import TYPE_CHECKING, Final

import click

from thresher.cli.common import (
    engine_for,
    home_option,
    json_line,
    json_option,
    learner_option,
    local_time,
    require_lessons,
    settings_for,
    write_lines,
)
from thresher.cli.moments import moment

if TYPE_CHECKING:
    from thresher.config import Settings
    from thresher.engine import Engine
    from thresher.store.journal import Entry

LIMIT: Final = 30
"""Lessons shown unless asked for more: the newest, a screen of them."""
EPILOG: Final = """\
\b
Examples:
  thresher history --lessons                          the newest lessons
  thresher history --lessons --since "2 days" --all
  thresher history --lessons --source "work:Junk"     of a folder of the account work
  thresher history --moves                            what was filed as spam, and what became of it

A lesson's line: when, its number, ham or spam, the probability of spam before and after it, who gave it, where the
message was. Take lessons back singly with `thresher forget --id NUMBER`, by folder with --source, by period with
--since and --until.

\b
Exit codes: 0 done, 1 if there is nothing to tell about, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@click.option("--lessons", "what", flag_value="lessons", default="lessons", help="Lessons; this is the default.")
@click.option("--moves", "what", flag_value="moves", help="Messages that were moved, of all accounts.")
@click.option("--since", callback=moment, metavar="TIME", help="Then or later: 2025-01-31 or '2 days'.")
@click.option("--until", callback=moment, metavar="TIME", help="Before then.")
@click.option("--source", metavar="PATH", help="Lessons read from this file, mbox or folder, or that match this glob.")
@click.option("--user", metavar="NAME", help="Lessons given by this person.")
@click.option("--limit", type=click.IntRange(1), default=LIMIT, show_default=True, metavar="N", help="The newest N.")
@click.option("--all", "everything", is_flag=True, help="However many there are.")
@json_option
@learner_option
@home_option
def history(
    what: str,
    since: float | None,
    until: float | None,
    source: str | None,
    user: str | None,
    limit: int,
    home: str | None,
    learner: str | None,
    *,
    everything: bool,
    as_json: bool,
) -> None:
    """Show the lessons that were given, with the score before and after, or the moves that were made."""
    from thresher.cli.forget import selected
    from thresher.store.journal import Selection

    settings = settings_for(home, learner=learner)
    most = None if everything else limit
    if what == "moves":
        if source is not None or user is not None:
            raise click.UsageError("--source and --user select lessons, not moves")
        _moves(settings, since, until, most, as_json=as_json)
        return
    require_lessons(settings)
    with engine_for(settings, load=not as_json) as engine:
        selection = Selection(user=user, since=since, until=until)
        found = selected(engine.journal, selection, source)
        shown = found[-most:] if most else found
        write_lines(_as_json(entry) if as_json else _line(engine, entry) for entry in shown)
        if not as_json and len(found) > len(shown):
            write_lines([f"the newest {len(shown)} of {len(found):,} lessons; --all shows all"])


def _as_json(entry: "Entry") -> str:
    return json_line({
        "id": entry.id, "time": entry.time, "digest": entry.digest.hex(), "label": entry.label, "user": entry.user,
        "source": entry.source, "before": entry.score, "after": entry.after,
    })  # fmt: skip


def _line(engine: "Engine", entry: "Entry") -> str:
    """Write a receipt; probabilities are what these scores mean to the present model."""

    def shown(log_odds: float | None, otherwise: str) -> str:
        return otherwise if log_odds is None else f"{engine.judges().probability(log_odds):.4f}"

    scores = f"{shown(entry.score, 'new'):>6} -> {shown(entry.after, 'not noted')}"
    return f"{local_time(entry.time)}  {entry.id:>7}  {entry.label:<4}  {scores}  {entry.user}  {entry.source}"


def _moves(settings: "Settings", since: float | None, until: float | None, most: int | None, *, as_json: bool) -> None:
    from thresher.filing.account import account_names
    from thresher.filing.state import State

    found = []
    for name in account_names(settings.home):
        with State(settings.home, name) as state:
            found += [(move.time, name, move) for move in state.moves(since=since)]
    chosen = [each for each in sorted(found) if until is None or each[0] < until][-most if most else 0 :]
    for moved, name, move in chosen:
        told = {
            "time": moved, "account": name, "digest": move.digest.hex(), "from": move.source, "to": move.target,
            "log_odds": move.log_odds, "status": move.status,
        }  # fmt: skip
        line = f"{local_time(moved)}  {name}  {move.digest.hex()[:12]}  {move.source} -> {move.target}  {move.status}"
        write_lines([json_line(told) if as_json else line])
