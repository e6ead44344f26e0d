"""``thresher mailbox sort``: the spam of the inbox into its folder, once."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
    progress,
    settle,
    warn,
    write_lines,
)
from thresher.cli.mailboxes import accounts_argument, described, look, row, sessions, taught

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thresher.filing.look import Candidate
    from thresher.filing.session import Session

EPILOG: Final = """\
\b
Examples:
  thresher mailbox sort work --dry-run     what would be moved; nothing is
  thresher mailbox sort                    every account

First it learns what the folders say by now, unless --no-learn. Then it judges what lies in the inbox, except what its
owner answered, flagged, marked, kept, or took out of the folder for spam, and moves what is spam. `thresher mailbox
undo` puts it back. Killed at any moment, it leaves every message in one of the two folders, and the next run goes on.

\b
Exit codes: 0 done, 1 if something could not be read or moved, 2 wrong usage, 130 interrupted.
"""


@click.command(epilog=EPILOG)
@accounts_argument
@click.option("--dry-run", is_flag=True, help="Say what would be moved, and move and learn nothing.")
@click.option("--no-learn", is_flag=True, help="Do not learn from the folders first.")
@json_option
@learner_option
@jobs_option
@home_option
def sort(
    names: tuple[str, ...],
    home: str | None,
    learner: str | None,
    jobs: int | None,
    *,
    dry_run: bool,
    no_learn: bool,
    as_json: bool,
) -> None:
    """Move the spam that lies in the inbox into its folder, once."""
    from thresher.boxes import BoxError

    failures = Failures()
    with sessions(home, learner, names, failures) as (engine, each):
        lessons = 0
        for session in each:
            try:
                lessons += _sort(session, jobs, failures, dry_run=dry_run, learn=not no_learn, as_json=as_json)
            except BoxError as error:
                failures.add([error])
        if lessons:
            settle(engine)
    failures.exit()


def _sort(
    session: "Session", jobs: int | None, failures: Failures, *, dry_run: bool, learn: bool, as_json: bool
) -> int:
    """Sort one account, or say what that would do; return how many lessons it gave."""
    if dry_run:
        with pretending(session) as pretended:
            _tell(pretended, _spam(pretended, jobs, failures), as_json=as_json)
        return 0
    name = session.account.name
    looked = look(session, "learning", jobs=jobs) if learn else None
    failures.add(looked.errors if looked else [])
    count = _file(session, _spam(session, jobs, failures), failures)
    if as_json:
        write_lines([json_line({"account": name, "moved": count, **(taught(looked) if looked else {})})])
    else:
        write_lines([f"{name}: moved {count:,} messages to {session.filer.junk()}"])
    return looked.taught if looked else 0


def _spam(session: "Session", jobs: int | None, failures: Failures) -> "Sequence[Candidate]":
    from thresher.boxes.mailbox import INBOX

    looked = look(session, "judging", teach=False, judge=True, everything=True, only={INBOX}, jobs=jobs)
    failures.add(looked.errors)
    return looked.spam


def _file(session: "Session", spam: "Sequence[Candidate]", failures: Failures) -> int:
    from thresher.boxes.item import BoxError

    count = 0

    def moved(some: "Sequence[Candidate]") -> None:
        nonlocal count
        count += len(some)
        step(len(some))

    with progress(f"{session.account.name}: moving", len(spam)) as step:
        try:
            session.filer.file(spam, moved)
        except BoxError as error:
            failures.add([error])
            warn(f"{session.account.name}: {count} of {len(spam)} messages were moved, the others are where they were")
    return count


@contextmanager
def pretending(session: "Session") -> "Iterator[Session]":
    """Give a session whose memory is a copy, so that what is only tried out is forgotten again."""
    from thresher.filing.session import Session

    with (
        tempfile.TemporaryDirectory(prefix="thresher-") as folder,
        session.state.copied(Path(folder) / "home") as state,
    ):
        yield Session(session.account, session.box, state, session.engine)


def _tell(session: "Session", spam: "Sequence[Candidate]", *, as_json: bool) -> None:
    from thresher.boxes.mailbox import INBOX

    name, target = session.account.name, session.filer.junk()
    found = {each.uid: each for each in described(session.box, INBOX, [candidate.uid for candidate in spam])}
    for candidate in sorted(spam, key=lambda each: -each.log_odds):
        if (told := found.get(candidate.uid)) is None:
            continue
        if as_json:
            write_lines([json_line({
                "account": name, "uid": candidate.uid, "digest": candidate.digest.hex(), "to": target,
                "probability": candidate.probability, "from": told.sender, "subject": told.subject,
            })])  # fmt: skip
        else:
            write_lines([row(candidate.probability, told.sender, told.subject)])
    if not as_json:
        write_lines([f"{name}: would move {len(spam):,} messages to {target}; nothing was moved"])
