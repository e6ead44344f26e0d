"""``thresher check``: verdicts on messages."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from thresher.cli.common import (
    VERDICT_COLOURS,
    Failures,
    MailPath,
    engine_for,
    home_option,
    jobs_option,
    json_line,
    json_option,
    learner_option,
    list_entries,
    progress,
    settings_for,
    warn,
    write_lines,
)

if TYPE_CHECKING:
    from thresher.boxes import BoxError, Entry
    from thresher.engine import Engine
    from thresher.values import Judgement

VERDICT_CODES: Final = {"ham": 0, "spam": 10, "unsure": 11}
EPILOG: Final = """\
\b
Examples:
  thresher check message.eml
  thresher check ~/Maildir/new inbox.mbox.gz
  thresher check --json ~/Maildir | jq 'select(.verdict == "spam").path'
  thresher check --exit-code - < message.eml

\b
Exit codes: 0 whatever the verdicts, 1 if something could not be read, 2 wrong usage.
With --exit-code, of one message: 0 ham, 10 spam, 11 unsure.
"""


@click.command(epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=MailPath())
@click.option("--exit-code", is_flag=True, help="Tell the verdict of one message by the exit code too.")
@json_option
@learner_option
@jobs_option
@home_option
@click.pass_context
def check(
    ctx: click.Context,
    paths: tuple[str, ...],
    home: str | None,
    learner: str | None,
    jobs: int | None,
    *,
    exit_code: bool,
    as_json: bool,
) -> None:
    """Judge messages.

    PATH is a message, a folder of messages, an mbox (also .gz, .bz2, .xz, .zst), a Maildir, or - for standard input.
    Prints a line for each message: verdict, probability of spam, path.
    """
    settings = settings_for(home, learner=learner)
    entries = list_entries(paths)
    failures = Failures()
    verdicts: list[str] = []
    with engine_for(settings) as engine:
        if not engine.view.lessons:
            warn("nothing has been learned yet, so every message is unsure; begin with `thresher learn`")
        for judged in _judge_all(engine, entries, jobs):
            failures.add(judged[1])
            if exit_code:
                verdicts += [judgement.verdict for _, judgement in judged[0]]
            _print(judged[0], as_json=as_json)
    failures.exit()
    if exit_code:
        if len(verdicts) != 1:
            raise click.UsageError(f"--exit-code tells the verdict of one message, and there were {len(verdicts)}", ctx)
        ctx.exit(VERDICT_CODES[verdicts[0]])


Judged = tuple[list[tuple[str, "Judgement"]], list["BoxError"]]


def _judge_all(engine: "Engine", entries: "Sequence[Entry]", jobs: int | None) -> "Iterator[Judged]":
    from thresher.prepare import chunks, jobs_for, over_cores

    pieces = chunks(entries)
    with progress("checking", len(entries)) as step:
        results = over_cores(partial(_judge, engine), pieces, jobs_for(len(entries), jobs))
        for piece, result in zip(pieces, results, strict=True):
            step(len(piece))
            yield result


def _judge(engine: "Engine", entries: "Sequence[Entry]") -> Judged:
    from thresher.prepare import read_chunk, streams_of

    chunk = read_chunk(entries)
    judgements = engine.check(streams_of(chunk.items))
    return [(item.path, judgement) for item, judgement in zip(chunk.items, judgements, strict=True)], chunk.errors


def _print(judged: "list[tuple[str, Judgement]]", *, as_json: bool) -> None:
    if as_json:
        write_lines(
            json_line(
                {
                    "verdict": judgement.verdict,
                    "probability": judgement.probability,
                    "log_odds": judgement.log_odds,
                    "path": path,
                }
            )
            for path, judgement in judged
        )
    elif sys.stdout.isatty():
        for path, judgement in judged:
            verdict = click.style(f"{judgement.verdict:<6}", fg=VERDICT_COLOURS[judgement.verdict])
            write_lines([f"{verdict}\t{judgement.probability:.6f}\t{path}"])
    else:
        write_lines(f"{judgement.verdict}\t{judgement.probability:.6f}\t{path}" for path, judgement in judged)
