"""``thresher mailbox learn``: what the folders say, as they are now."""

from typing import TYPE_CHECKING, Final

import click

from thresher.cli.common import (
    Failures,
    home_option,
    jobs_option,
    json_line,
    json_option,
    learner_option,
    progress,
    settle,
    write_lines,
)
from thresher.cli.mailboxes import accounts_argument, look, sessions, taught

if TYPE_CHECKING:
    from thresher.engine import Engine, Receipt
    from thresher.filing.look import Looked
    from thresher.filing.policy import Saying
    from thresher.filing.session import Session

EPILOG: Final = """\
\b
Examples:
  thresher mailbox learn                 every account
  thresher mailbox learn work -v         with a receipt for each lesson

Junk is spam. Sent, Archive, flagged and answered mail is ham, and so is mail in the inbox that was read and stayed
there for three days (stay_days in the account's file). Trash says nothing. Messages are read, never changed or moved.

Interrupted, or killed, it goes on where it was when called again, and no lesson counts twice.

\b
Exit codes: 0 done, 1 if something could not be read or written, 2 wrong usage,
130 interrupted: what was learned until then is kept.
"""


@click.command(epilog=EPILOG)
@accounts_argument
@click.option("-v", "--verbose", is_flag=True, help="Print a receipt for each lesson.")
@json_option
@learner_option
@jobs_option
@home_option
def learn(
    names: tuple[str, ...],
    home: str | None,
    learner: str | None,
    jobs: int | None,
    *,
    verbose: bool,
    as_json: bool,
) -> None:
    """Learn from the folders of mailboxes as they are now."""
    from thresher.boxes import BoxError

    failures = Failures()
    with sessions(home, learner, names, failures) as (engine, each):
        for session in each:

            def told(receipt: "Receipt", saying: "Saying") -> None:
                if verbose:
                    write_lines([receipt_line(engine, receipt, saying, as_json=as_json)])

            try:
                looked = look(session, "learning", told, everything=True, jobs=jobs)
            except BoxError as error:
                failures.add([error])
                continue
            failures.add(looked.errors)
            write_lines([summary(session, looked, as_json=as_json)])
        lessons = engine.journal.counts()
        with progress("settling the model", lessons.ham + lessons.spam) as step:
            state = settle(engine, step)
        if as_json:
            write_lines([json_line({"lessons": {"ham": lessons.ham, "spam": lessons.spam}, "model": state})])
        else:
            write_lines([f"{lessons.ham + lessons.spam:,} lessons in all, model {state}"])
    failures.exit()


def receipt_line(engine: "Engine", receipt: "Receipt", saying: "Saying", *, as_json: bool = False) -> str:
    """Say what a lesson changed, and why it was one."""
    probability = engine.judges().probability
    before = None if receipt.before is None else probability(receipt.before)
    after = probability(receipt.after)
    if as_json:
        return json_line({
            "digest": receipt.digest, "label": receipt.label, "change": receipt.change, "why": saying.why,
            "source": receipt.path, "before": before, "after": after,
        })  # fmt: skip
    was = "new" if before is None else f"{before:.4f}"
    return f"{receipt.change:<9}  {receipt.label:<4}  {was} -> {after:.4f}  {receipt.path}  ({saying.why})"


def summary(session: "Session", looked: "Looked", *, as_json: bool) -> str:
    """Say what a look taught."""
    counts = taught(looked)
    if as_json:
        return json_line({"account": session.account.name, "read": looked.new, **counts})
    learned, corrected = counts["learned"], sum(counts["corrected"].values())
    more = f", {corrected:,} corrected" if corrected else ""
    return (
        f"{session.account.name}: {looked.new:,} new messages, learned {learned['ham']:,} ham and "
        f"{learned['spam']:,} spam{more}"
    )
