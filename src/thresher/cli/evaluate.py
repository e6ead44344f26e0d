"""``thresher evaluate``: how good the filter is on messages whose labels are known."""

import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple

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

if TYPE_CHECKING:
    from thresher.boxes import BoxError, Entry, Listed
    from thresher.choose.metrics import Report
    from thresher.learn.hashing import Hasher
    from thresher.learn.running import RunningLearner
    from thresher.prepare import Prepared

EPILOG: Final = """\
\b
Examples:
  thresher evaluate --index mail.index
  thresher evaluate --index mail.index --results scores.tsv --learner multinomial

\b
The index has a line for each message, paths relative to the index:
  spam archive/0001.eml
  ham  archive/0002.eml

\b
Exit codes: 0 done, 1 if something could not be read or written, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@click.option("--index", "index", required=True, metavar="FILE", help="What to evaluate on: lines `spam|ham PATH`.")
@click.option(
    "--results",
    type=click.Path(dir_okay=False),
    metavar="OUT",
    help="Write `label TAB probability TAB log-odds TAB PATH` for each message.",
)
@json_option
@learner_option
@jobs_option
@home_option
def evaluate(
    index: str, results: str | None, home: str | None, learner: str | None, jobs: int | None, *, as_json: bool
) -> None:
    """Measure the filter, starting from nothing: each message is scored before it is learned.

    What was learned so far is neither used nor changed. Errors are counted at probability 0.5.
    """
    from thresher import boxes
    from thresher.choose.metrics import evaluate_scores
    from thresher.learn.hashing import Hasher
    from thresher.view import learner_named

    settings = settings_for(home, learner=learner)
    listed = boxes.read_index(index)
    hasher = Hasher(settings.bits)
    running = learner_named(settings.learner, settings.bits)
    failures = Failures()
    start = time.perf_counter()
    with private_file(Path(results)) if results else nullcontext() as out:
        judged = _run(listed, hasher, running, jobs, failures, out)
    seconds = time.perf_counter() - start
    if not judged.is_spam:
        raise click.ClickException(f"{index}: none of the messages it lists could be read")
    report = evaluate_scores(judged.is_spam, judged.log_odds, judged.probabilities)
    write_lines([_as_json(report, seconds)] if as_json else _as_text(report, seconds, running.name))
    failures.exit()


class Judged(NamedTuple):
    """What was said of each message before it was learned."""

    is_spam: list[bool]
    log_odds: list[float]
    probabilities: list[float]


Read = tuple[list[tuple[int, "Prepared"]], list["BoxError"]]


def _run(
    listed: "Sequence[Listed]",
    hasher: "Hasher",
    running: "RunningLearner",
    jobs: int | None,
    failures: Failures,
    out: "IO[bytes] | None",
) -> Judged:
    import numpy as np

    from thresher.choose.calibration import Calibration

    judged = Judged([], [], [])
    calibration = Calibration()
    for index, message in _messages(listed, hasher, jobs, failures):
        entry = listed[index]
        is_spam = entry.label == "spam"
        score = running.learn(message.slots.astype("intp"), spam=is_spam)
        probability = float(calibration.probabilities(np.array([score]))[0])
        calibration.add(score, spam=is_spam)
        judged.is_spam.append(is_spam)
        judged.log_odds.append(score)
        judged.probabilities.append(probability)
        if out:
            out.write(_result(entry, message.path, probability, score))
    return judged


def _messages(
    listed: "Sequence[Listed]", hasher: "Hasher", jobs: int | None, failures: Failures
) -> "Iterator[tuple[int, Prepared]]":
    from thresher.boxes import Entry
    from thresher.prepare import chunks, jobs_for, over_cores

    pieces = chunks([(index, Entry(entry.path)) for index, entry in enumerate(listed)])
    with progress("evaluating", len(listed)) as step:
        work = partial(_prepare, hasher)
        for piece, (messages, errors) in zip(
            pieces, over_cores(work, pieces, jobs_for(len(listed), jobs)), strict=True
        ):
            failures.add(errors)
            yield from messages
            step(len(piece))


def _prepare(hasher: "Hasher", piece: "Sequence[tuple[int, Entry]]") -> Read:
    from thresher.prepare import prepare, read_chunk

    chunk = read_chunk([entry for _, entry in piece])
    prepared = prepare(chunk.items, hasher)
    return [(piece[origin][0], message) for origin, message in zip(chunk.origins, prepared, strict=True)], chunk.errors


def _result(entry: "Listed", path: str, probability: float, score: float) -> bytes:
    """Return one line of results; repr keeps every digit, so that the order survives saturation."""
    # Where the index names an mbox, each of its messages has its number.
    shown = entry.written + path[len(entry.path) :]
    line = f"{entry.label}\t{probability!r}\t{score!r}\t{shown}\n"
    return line.encode("utf-8", "surrogateescape")


def _as_json(report: "Report", seconds: float) -> str:
    import msgspec

    return json_line({**msgspec.to_builtins(report), "seconds": seconds, "messages_per_second": report.n / seconds})


def _as_text(report: "Report", seconds: float, learner: str) -> list[str]:
    rows = [
        ("messages", f"{report.n}  ({report.n_ham} ham, {report.n_spam} spam)"),
        ("learner", learner),
        ("error", f"{report.error_rate:.2%}  ({report.errors} messages)"),
        ("false positives", f"{report.ham_lost:.2%}  ({report.false_positives} ham called spam)"),
        ("false negatives", f"{report.spam_missed:.2%}  ({report.false_negatives} spam called ham)"),
        ("1-AUC", f"{report.one_minus_auc_percent:.4f} %"),
        ("lam", f"{report.lam_percent:.3f} %"),
        ("spam missed at 0.1 % ham lost", f"{report.spam_missed_at_ham_lost:.2%}"),
        ("Brier score", f"{report.brier:.5f}"),
        ("log-loss", f"{report.log_loss:.5f}"),
        ("messages per second", f"{report.n / seconds:.0f}"),
    ]
    return [f"{name:<30} {value}" for name, value in rows]
