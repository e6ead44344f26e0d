"""``thresher mailbox replay``: what thresher would have done had it been on since a day, and got wrong."""

import tempfile
import textwrap
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from thresher.cli.common import (
    Failures,
    home_option,
    jobs_option,
    json_line,
    json_option,
    learner_option,
    local_time,
    private_file,
    progress,
    settings_for,
    write_lines,
)
from thresher.cli.mailboxes import account_named, cut, row
from thresher.cli.moments import moment
from thresher.values import ThresherError

if TYPE_CHECKING:
    from thresher.config import Settings
    from thresher.filing.account import Account
    from thresher.filing.look import Progress
    from thresher.report.replay import Summary

WIDTH: Final = 100
"""Columns of running text: as wide as the table."""
SHOWN: Final = 20
"""Messages got wrong that are listed, of each kind; the page has all."""
EPILOG: Final = """\
\b
Examples:
  thresher mailbox replay work --since 2025-01-01
  thresher mailbox replay work --since "8 weeks" --html replay.html

Starts from what lay in the folders before that day, and goes through the mail that came since, day by day: each day's
mail is judged by what was known the day before, and what its owner made of it is learned at the day's end. Nothing is
moved, marked or learned: the mailbox and the journal are only read. What a message is, its owner's lessons say, or else
the folder it lies in by now.

\b
Exit codes: 0 done, 1 if something could not be read, 2 wrong usage, 130 interrupted.
"""


@click.command(epilog=EPILOG)
@click.argument("name", required=False, metavar="[ACCOUNT]")
@click.option("--since", required=True, callback=moment, metavar="DATE", help="From then on: 2025-01-31 or '8 weeks'.")
@click.option("--html", "page", type=click.Path(path_type=Path), metavar="FILE", help="Also write a page.")
@json_option
@learner_option
@jobs_option
@home_option
def replay(
    name: str | None,
    since: float,
    page: Path | None,
    home: str | None,
    learner: str | None,
    jobs: int | None,
    *,
    as_json: bool,
) -> None:
    """Say what would have been moved since a day, and what wrongly; move nothing."""
    from thresher.report.replay import write_replay

    settings = settings_for(home, learner=learner)
    failures = Failures()
    summary = _replayed(settings, account_named(settings, name), since, jobs, failures)
    if not summary.weeks:
        raise ThresherError(f"no mail has come to {summary.account} since {local_time(since)}")
    if page is not None:
        with private_file(page) as file:
            file.write(write_replay(summary).encode())
    write_lines([_as_json(summary)] if as_json else _told(summary))
    failures.exit()


def _replayed(
    settings: "Settings", account: "Account", since: float, jobs: int | None, failures: Failures
) -> "Summary":
    import msgspec

    from thresher.build import build_engine
    from thresher.filing.replay import Replay
    from thresher.filing.session import opened, turn
    from thresher.report.replay import summarized

    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="thresher-")))
        engine = build_engine(settings)
        stack.callback(engine.journal.close)
        # Not even what an earlier command left half done is finished now.
        stack.enter_context(turn(settings.home, account))
        session = stack.enter_context(opened(account, settings.home, engine))
        trial = build_engine(msgspec.structs.replace(settings, home=scratch / "home"))
        stack.callback(trial.journal.close)

        def begun(total: int) -> "Progress":
            return stack.enter_context(progress(f"{account.name}: going through", total))

        replayed = Replay(session, trial, since, jobs=jobs).run(begun)
        summary = summarized(account.name, since, replayed.known, replayed.judged)
        failures.add(replayed.errors)
        return summary


def _told(summary: "Summary") -> list[str]:
    from thresher.filing.replay import Outcome
    from thresher.report.replay import COLUMNS, in_words

    known = f"{summary.known.ham:,} ham and {summary.known.spam:,} spam"
    lines = [
        f"{summary.account} since {local_time(summary.since)}; known by then: {known}",
        "",
        f"{'week of':<10}  {'mail':>6}" + "".join(f"  {column:>{max(len(column), 6)}}" for column in COLUMNS.values()),
    ]
    for monday, counts in [*summary.weeks, ("together", summary.counts)]:
        cells = "".join(f"  {counts[outcome]:>{max(len(column), 6)},}" for outcome, column in COLUMNS.items())
        lines.append(f"{monday:<10}  {counts.total():>6,}{cells}")
    lines += ["", *textwrap.wrap(in_words(summary), WIDTH), "Nothing was moved."]
    for outcome, title in ((Outcome.LOST, "Wanted mail that would have been moved"),
                           (Outcome.MISSED, "Spam that would have been left in the inbox")):  # fmt: skip
        wrong = summary.wrong[outcome]
        if wrong:
            more = f", of {len(wrong):,} the first {SHOWN}; --html writes all" if len(wrong) > SHOWN else ""
            lines += ["", f"{title}{more}:"]
            lines += [
                f"  {local_time(one.arrived)}  {row(one.probability, one.sender, cut(one.subject, 48))}"
                for one in wrong[:SHOWN]
            ]
    return lines


def _as_json(summary: "Summary") -> str:
    return json_line({
        "account": summary.account,
        "since": summary.since,
        "known": summary.known._asdict(),
        "together": {outcome.name.lower(): count for outcome, count in summary.counts.items()},
        "weeks": [
            {"monday": week.monday, **{outcome.name.lower(): count for outcome, count in week.counts.items()}}
            for week in summary.weeks
        ],
        "wrong": [one._asdict() for wrong in summary.wrong.values() for one in wrong],
    })  # fmt: skip
