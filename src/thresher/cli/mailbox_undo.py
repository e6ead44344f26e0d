"""``thresher mailbox undo``: what was moved is put back."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from thresher.cli.common import (
    Failures,
    home_option,
    json_line,
    json_option,
    learner_option,
    local_time,
    write_lines,
)
from thresher.cli.mailboxes import accounts_argument, look, sessions
from thresher.cli.moments import moment

if TYPE_CHECKING:
    from thresher.filing.session import Session
    from thresher.filing.state import Move

_HEX: Final = re.compile(r"[0-9a-f]{8,32}")
EPILOG: Final = """\
\b
Examples:
  thresher mailbox undo --since "2 hours"
  thresher mailbox undo work --since 2025-01-31 --dry-run
  thresher mailbox undo --message 3f2a9c1e       by its digest, or the digest's beginning
  thresher mailbox undo --message lost.eml       a copy of the message

Puts messages back where they were taken from, flags and dates as they are. Only what thresher moved itself is moved,
and only if it still lies where it was put. What was put back is never filed again, and is no lesson: to teach that it
was no spam, `thresher learn --ham` it, or move it yourself.

\b
Exit codes: 0 done, also if there was nothing to put back, 1 if it could not be done, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@accounts_argument
@click.option("--since", callback=moment, metavar="TIME", help="What was moved then or later: 2025-01-31 or '2 days'.")
@click.option("--message", "messages", multiple=True, metavar="DIGEST|FILE", help="This message.")
@click.option("--all", "everything", is_flag=True, help="Everything that was ever moved.")
@click.option("--dry-run", is_flag=True, help="Say what would be put back, and move nothing.")
@json_option
@learner_option
@home_option
def undo(
    names: tuple[str, ...],
    since: float | None,
    messages: tuple[str, ...],
    home: str | None,
    learner: str | None,
    *,
    everything: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Put back what was moved."""
    if since is None and not messages and not everything:
        raise click.UsageError("say what to put back: --since TIME or --message DIGEST; or --all")
    digests = tuple(map(_digest, messages))
    failures = Failures()
    with sessions(home, learner, names, failures) as (_, each):
        for session in each:
            moves = _chosen(session, since, digests)
            if not dry_run and any(not move.new_uid for move in moves):
                # Where the server did not tell what a message is called now, looking finds it.
                look(session, "looking")
                moves = _chosen(session, since, digests)
            back = moves if dry_run else session.filer.undo(moves)
            _tell(session, back, len(moves), dry_run=dry_run, as_json=as_json)
    failures.exit()


def _digest(text: str) -> str:
    """Return the digest, or its beginning, of what a person names a message by."""
    from thresher.cli.common import load_one
    from thresher.mail.digest import digest

    if _HEX.fullmatch(text.lower()) and not Path(text).exists():
        return text.lower()
    return digest(load_one(text).raw).hex()


def _chosen(session: "Session", since: float | None, digests: tuple[str, ...]) -> "list[Move]":
    from thresher.boxes.mailbox import INBOX
    from thresher.filing.state import Status

    moves = [move for move in session.state.moves(status=Status.DONE, since=since) if move.source == INBOX]
    if not digests:
        return moves
    return [move for move in moves if move.digest.hex().startswith(digests)]


def _tell(session: "Session", back: "list[Move]", asked: int, *, dry_run: bool, as_json: bool) -> None:
    name = session.account.name
    for move in back:
        if as_json:
            write_lines([json_line({
                "account": name, "digest": move.digest.hex(), "moved": move.time, "from": move.target,
                "to": move.source, "dry_run": dry_run,
            })])  # fmt: skip
        else:
            write_lines([f"{move.digest.hex()[:12]}  moved {local_time(move.time)}  {move.target} -> {move.source}"])
    if as_json:
        return
    left = asked - len(back)
    more = f"; {left} lie no longer where they were put" if left else ""
    what = "would put back" if dry_run else "put back"
    write_lines([f"{name}: {what} {len(back)} messages{more}"])
