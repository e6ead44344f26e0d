"""``thresher learn``: lessons from messages somebody has sorted."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from thresher.cli.common import (
    Failures,
    MailPath,
    absolute,
    engine_for,
    home_option,
    jobs_option,
    json_line,
    json_option,
    learner_option,
    list_entries,
    progress,
    settings_for,
    settle,
    write_lines,
)
from thresher.values import Label

if TYPE_CHECKING:
    from thresher.boxes import BoxError, Entry
    from thresher.engine import Engine, Receipt, Teaching

TRANSACTION: Final = 512
"""Lessons written at once: what a crash in a bulk command can cost, and 30 ms of work for one wait for the disk."""
FEW: Final = 20
"""Up to so many lessons each gets its own line."""
EPILOG: Final = """\
\b
Examples:
  thresher learn --ham ~/Maildir --spam ~/Maildir/.Junk
  thresher learn --spam missed.eml          a correction, if it was learned as ham
  thresher learn --ham archive.mbox.xz --spam spam1 spam2
  thresher learn --spam - < message.eml

A lesson is on disk when the command returns. Learning a message again counts once; with the other label it corrects.

\b
Exit codes: 0 done, 1 if something could not be read or written, 2 wrong usage,
130 interrupted: what was reported until then is kept.
"""


class LearnCommand(click.Command):
    """Lets --ham and --spam take several paths each, so that a shell's wildcard can follow them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write the option before each of its paths, as click wants it."""
        return super().parse_args(ctx, list(_spread(args)))


def _spread(args: Sequence[str]) -> Iterator[str]:
    spreading = ""
    rest = iter(args)
    for arg in rest:
        if arg in {"--ham", "--spam"}:
            spreading = arg
            yield arg
            yield from [value for value in [next(rest, None)] if value is not None]
        elif arg in {"--home", "--learner", "--jobs", "--user"}:
            yield arg
            yield from [value for value in [next(rest, None)] if value is not None]
        elif spreading and (arg == "-" or not arg.startswith("-")):
            yield f"{spreading}={arg}"
        else:
            yield arg


@click.command(cls=LearnCommand, epilog=EPILOG)
@click.option("--ham", multiple=True, type=MailPath(), metavar="PATH...", help="Mail somebody wanted.")
@click.option("--spam", multiple=True, type=MailPath(), metavar="PATH...", help="Mail nobody wanted.")
@click.option("--user", metavar="NAME", help="Who says so; each person's word on a message counts once.")
@click.option("-v", "--verbose", is_flag=True, help="Print a receipt for each lesson, however many there are.")
@json_option
@learner_option
@jobs_option
@home_option
def learn(
    ham: tuple[str, ...],
    spam: tuple[str, ...],
    user: str | None,
    home: str | None,
    learner: str | None,
    jobs: int | None,
    *,
    verbose: bool,
    as_json: bool,
) -> None:
    """Learn which mail is ham and which is spam.

    PATH is a message, a folder of messages, an mbox (also .gz, .bz2, .xz, .zst), a Maildir, or - for standard input.
    """
    if not ham and not spam:
        raise click.UsageError("say what to learn: --ham PATH... or --spam PATH... or both")
    settings = settings_for(home, learner=learner, user=user)
    teachings = _mixed(list_entries(ham), list_entries(spam))
    failures = Failures()
    changes: Counter[tuple[str, str]] = Counter()
    with engine_for(settings) as engine:
        for receipts, errors in _learn_all(engine, teachings, jobs):
            failures.add(errors)
            changes.update((receipt.change, receipt.label) for receipt in receipts)
            if as_json:
                write_lines(map(json_line, receipts))
            elif verbose or len(teachings) <= FEW:
                write_lines(_receipt_line(receipt, engine) for receipt in receipts)
        _finish(engine, changes, as_json=as_json)
    failures.exit()


def _mixed(ham: "list[Entry]", spam: "list[Entry]") -> "list[tuple[Entry, Label]]":
    """Put both classes into the order in which they are best learned: then nothing need be folded again."""
    from thresher.learn.schedule import in_learning_order

    both = [(entry, Label.HAM) for entry in ham] + [(entry, Label.SPAM) for entry in spam]
    return in_learning_order(both, [label is Label.SPAM for _, label in both])


Learned = tuple[list["Receipt"], list["BoxError"]]


def _learn_all(engine: "Engine", teachings: "list[tuple[Entry, Label]]", jobs: int | None) -> "Iterator[Learned]":
    from thresher.engine import Teaching
    from thresher.prepare import chunks, jobs_for, over_cores

    pieces = chunks(teachings)
    waiting: list[Teaching] = []
    with progress("learning", len(teachings)) as step:
        work = partial(_prepare, engine)
        for piece, (prepared, errors) in zip(
            pieces, over_cores(work, pieces, jobs_for(len(teachings), jobs)), strict=True
        ):
            waiting += prepared
            if len(waiting) >= TRANSACTION or errors:
                yield engine.learn(waiting), errors
                waiting = []
            step(len(piece))
        yield engine.learn(waiting), []


def _prepare(engine: "Engine", piece: "Sequence[tuple[Entry, Label]]") -> "tuple[list[Teaching], list[BoxError]]":
    from thresher.engine import Teaching
    from thresher.prepare import prepare, read_chunk

    chunk = read_chunk([entry for entry, _ in piece])
    prepared = prepare(chunk.items, engine.view.hasher)
    labels = [piece[origin][1] for origin in chunk.origins]
    teachings = [
        Teaching(message, label, absolute(message.path)) for message, label in zip(prepared, labels, strict=True)
    ]
    return teachings, chunk.errors


def _finish(engine: "Engine", changes: "Counter[tuple[str, str]]", *, as_json: bool) -> None:
    from thresher.engine import Change

    counts = engine.journal.counts()
    total = counts.ham + counts.spam
    with progress("settling the model", total) as step:
        settled = settle(engine, step)
    summary = {
        "learned": {label: changes[Change.LEARNED, label] for label in Label},
        "corrected": {label: changes[Change.CORRECTED, label] for label in Label},
        "unchanged": sum(count for (change, _), count in changes.items() if change == Change.UNCHANGED),
        "lessons": {"ham": counts.ham, "spam": counts.spam},
        "model": settled,
    }
    if as_json:
        write_lines([json_line({"summary": summary})])
        return
    parts = [f"{changes[Change.LEARNED, label]} {label}" for label in Label]
    text = f"learned {parts[0]} and {parts[1]}"
    corrected = sum(changes[Change.CORRECTED, label] for label in Label)
    if corrected:
        text += f", {corrected} corrected"
    if summary["unchanged"]:
        text += f", {summary['unchanged']} already known"
    write_lines([f"{text}; {total} lessons in all, model {settled}"])


def _receipt_line(receipt: "Receipt", engine: "Engine") -> str:
    before = "new" if receipt.before is None else f"{engine.judges().probability(receipt.before):.4f}"
    after = f"{engine.judges().probability(receipt.after):.4f}"
    reason = f"  ({receipt.reason})" if receipt.reason else ""
    return f"{receipt.change:<9}  {receipt.label:<4}  {before} -> {after}  {receipt.path}{reason}"
