"""``thresher report``: how well the filter does on its owner's mail, and why, as a page with figures."""

import time
from collections.abc import Iterable
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
    private_file,
    progress,
    settings_for,
    write_lines,
)
from thresher.cli.labelled import Labelled, as_examples, labelled_messages
from thresher.values import ThresherError

if TYPE_CHECKING:
    from thresher.choose.duplicates import Ids
    from thresher.choose.metrics import Labels
    from thresher.config import Settings
    from thresher.report.measured import Mail, Measured
    from thresher.report.page import Subject

LAST: Final = 20_000
"""Messages looked at: of so many, every figure is known well, and their words fit into memory."""
LEAST: Final = 20
"""Different messages of each class below which curves and intervals say nothing."""
EPILOG: Final = """\
\b
Examples:
  thresher report
  thresher report --out ~/report.html
  thresher report --index mail.index --learner multinomial

The page has everything inside and runs nothing: any browser shows it, from a file. It quotes subjects and words of your
mail and is readable by you alone: mind whom you send it to. What it looks at are the lessons given so far, or the
messages of --index; what was learned is not changed.

\b
Exit codes: 0 done, 1 if it could not be done, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@click.option(
    "--out",
    type=click.Path(dir_okay=False),
    default="report.html",
    metavar="FILE",
    help="Where to write the page; report.html unless said otherwise.",
)
@click.option("--index", metavar="FILE", help="Look at these messages, lines `spam|ham PATH`, not the lessons.")
@click.option(
    "--last",
    type=click.IntRange(1),
    default=LAST,
    metavar="N",
    help=f"Look at the last N messages only; {LAST} unless said otherwise.",
)
@json_option
@learner_option
@jobs_option
@home_option
def report(
    out: str,
    index: str | None,
    last: int,
    learner: str | None,
    jobs: int | None,
    home: str | None,
    *,
    as_json: bool,
) -> None:
    """Write a page that shows how well the filter does, and why."""
    from thresher.report.page import write_page

    settings = settings_for(home, learner=learner)
    failures = Failures()
    start = time.perf_counter()
    mail = _mail(settings, index, last, jobs, failures)
    found = _measured(settings, mail, jobs)
    page = write_page(_subject(settings, index), mail, found)
    with private_file(Path(out)) as file:
        file.write(page.encode("utf-8", "replace"))
    seconds = time.perf_counter() - start
    if as_json:
        write_lines([_as_json(out, mail, found, seconds)])
    else:
        write_lines([f"{out}: {found.n:,} messages, in {seconds:.0f} seconds"])
    failures.exit()


def _mail(settings: "Settings", index: str | None, last: int, jobs: int | None, failures: Failures) -> "Mail":
    import numpy as np

    from thresher.choose.duplicates import near_duplicates
    from thresher.learn.hashing import Hasher
    from thresher.learn.schedule import interleaved
    from thresher.report.measured import Mail

    with labelled_messages(settings, index, Hasher(settings.bits), jobs, failures, streams=True) as read:
        messages = _newest(read, last)
    examples = as_examples(messages)
    near = near_duplicates(examples.features)
    _refuse_too_few(examples.is_spam, near.groups, index or settings.home)
    # Lessons are learned as the filter does, mixed; a list is taken as it stands.
    order = np.arange(len(messages)) if index else interleaved(examples.is_spam)
    times = np.array([np.nan if index or one.time is None else one.time for one in messages])
    streams = [one.stream for one in messages]
    return Mail(examples, [one.shown for one in messages], times, streams.__getitem__, order, near.groups, near.extra)


def _newest(read: Iterable[Labelled], last: int) -> list[Labelled]:
    from collections import deque

    return list(deque(read, maxlen=last))


def _refuse_too_few(is_spam: "Labels", groups: "Ids", where: object) -> None:
    import numpy as np

    for name, rows in (("ham", ~is_spam), ("spam", is_spam)):
        different = len(np.unique(groups[rows]))
        if different < LEAST:
            raise ThresherError(f"{where} has {different} different {name}; a report takes {LEAST} of each")


def _measured(settings: "Settings", mail: "Mail", jobs: int | None) -> "Measured":
    from thresher.build import learner_of
    from thresher.decide import Policy
    from thresher.learn.hashing import Hasher
    from thresher.prepare import jobs_for
    from thresher.report.measured import REPEATS, measure, pieces

    policy = Policy(settings.spam_from, settings.ham_to, settings.promise, settings.confidence)
    processes = jobs_for(len(mail.examples) * REPEATS, jobs)
    with progress("measuring", len(pieces())) as step:
        return measure(mail, learner_of(settings), policy, Hasher(settings.bits), processes, step)


def _subject(settings: "Settings", index: str | None) -> "Subject":
    import msgspec

    from thresher.choose.candidates import named, with_settings
    from thresher.report.page import Subject
    from thresher.store.tuned import read_tuned
    from thresher.view import LEARNERS

    model = with_settings(LEARNERS, msgspec.structs.asdict(settings))
    tuned = read_tuned(settings.home)
    chosen = "chosen by `thresher tune`" if tuned and tuned.values == model.values() else "not tuned to this mail"
    source = index or f"lessons in {settings.home}"
    return Subject(source, named(model.values()), chosen)


def _as_json(out: str, mail: "Mail", found: "Measured", seconds: float) -> str:
    return json_line({
        "page": out,
        "n": found.n,
        "near_duplicates": mail.near_duplicates,
        "figures": {
            name: {"value": one.value, "low": one.low, "high": one.high} for name, one in found.intervals.items()
        },
        "seconds": seconds,
    })  # fmt: skip
