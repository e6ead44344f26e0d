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
    private_file,
    progress,
    settings_for,
    write_lines,
)
from thresher.cli.labelled import Labelled, as_examples, in_order_of_time, labelled_messages, of_index

if TYPE_CHECKING:
    from thresher.choose.metrics import Report
    from thresher.choose.protocols import Examples
    from thresher.choose.resampling import Interval
    from thresher.config import Settings
    from thresher.learn.hashing import Ids

SHARES: Final = {"error_rate", "ham_lost", "spam_missed", "spam_missed_at_ham_lost", "expected_calibration_error"}
"""Figures that are told in percent."""
EPILOG: Final = """\
\b
Examples:
  thresher evaluate --index mail.index
  thresher evaluate --index mail.index --results scores.tsv --model multinomial
  thresher evaluate --journal --model scaled-logistic:alpha=0.4,rate=0.7,bits=18
  thresher evaluate --journal --folds 5 --intervals
  thresher evaluate --index mail.index --delay 500 --feedback 0.1
  thresher evaluate --index this-year.index --train last-year.index

\b
The index has a line for each message, paths relative to the index:
  spam archive/0001.eml
  ham  archive/0002.eml

Near duplicates (9 of 10 features shared) are kept on one side of a split: with --folds they go into one fold, with
--train those of the training mail are left out of the test. With --intervals they count as one piece of evidence.

\b
Exit codes: 0 done, 1 if something could not be read or written, 2 wrong usage.
"""


class Judged(NamedTuple):
    """What was said of each message by a filter that had not learned it."""

    is_spam: list[bool]
    shown: list[str]
    log_odds: list[float]
    probability: list[float]
    groups: "Ids | None" = None
    """Near duplicates have the same; None if nobody looked."""
    near_duplicates: int | None = None
    """How many messages were near duplicates of an earlier one, or were left out for being that of a training one."""


class Told(NamedTuple):
    """Everything this command tells."""

    learner: str
    judged: Judged
    seconds: float
    intervals: "dict[str, Interval]"


@click.command(epilog=EPILOG)
@click.option("--index", metavar="FILE", help="What to evaluate on: lines `spam|ham PATH`.")
@click.option("--journal", is_flag=True, help="Evaluate on the lessons given so far.")
@click.option("--by-date", is_flag=True, help="Take the messages in the order of their dates.")
@click.option(
    "--delay", type=click.IntRange(0), default=0, metavar="N", help="A label comes N messages late (default 0)."
)
@click.option(
    "--feedback", type=click.FloatRange(0, 1), default=1.0, metavar="SHARE", help="Labels come for this share only."
)
@click.option("--folds", type=click.IntRange(2), metavar="S", help="S-fold cross-validation instead of one by one.")
@click.option("--train", metavar="FILE", help="Learn the messages of this index, then judge those of --index.")
@click.option("--intervals", is_flag=True, help="Say between what each figure lies (bootstrap, 95 %).")
@click.option(
    "--results",
    type=click.Path(dir_okay=False),
    metavar="OUT",
    help="Write `label TAB probability TAB log-odds TAB PATH` for each message.",
)
@json_option
@click.option(
    "--model", "--learner", "learner", metavar="NAME", help="The candidate: a learner, or as `tune` names it."
)
@jobs_option
@home_option
def evaluate(
    index: str | None,
    train: str | None,
    results: str | None,
    home: str | None,
    learner: str | None,
    jobs: int | None,
    delay: int,
    feedback: float,
    folds: int | None,
    *,
    journal: bool,
    by_date: bool,
    intervals: bool,
    as_json: bool,
) -> None:
    """Measure the filter, starting from nothing: each message is scored before it is learned.

    What was learned so far is neither used, but for --journal, nor changed. Errors are counted at probability 0.5.
    """
    if (index is None) != journal:
        raise click.UsageError("say what to evaluate on: --index FILE or --journal")
    if (folds or train) and (delay or feedback < 1 or by_date):
        raise click.UsageError(
            "--delay, --feedback and --by-date belong to one-by-one evaluation, not --folds, --train"
        )
    if train and (folds or journal):
        raise click.UsageError("--train goes with --index alone")
    from thresher.learn.hashing import Hasher

    settings = settings_for(home, **_candidate(learner))
    failures = Failures()
    start = time.perf_counter()
    with labelled_messages(settings, index, Hasher(settings.bits), jobs, failures, dated=by_date) as messages:
        if folds:
            judged = _by_folds(settings, list(messages), folds, jobs)
        elif train:
            judged = _trained_on(settings, train, list(messages), jobs, failures)
        else:
            judged = _one_by_one(
                settings, in_order_of_time(messages) if by_date else messages, delay, feedback, grouped=intervals
            )
    seconds = time.perf_counter() - start
    if not judged.shown:
        raise click.ClickException(f"{index or 'the journal'}: none of the messages it lists could be read")
    with private_file(Path(results)) if results else nullcontext() as out:
        _write(judged, out)
    told = Told(settings.learner, judged, seconds, _intervals(judged) if intervals else {})
    write_lines([_as_json(told)] if as_json else _as_text(told))
    failures.exit()


def _candidate(name: str | None) -> dict[str, str]:
    """Return the settings of a candidate, named as `tune` names it, or by its learner alone."""
    if name is None:
        return {}
    from thresher.choose.candidates import settings_named

    try:
        return settings_named(name)
    except ValueError as error:
        raise click.UsageError(f"--model {name}: {error}") from error


def _one_by_one(
    settings: "Settings",
    messages: "Sequence[Labelled] | Iterator[Labelled]",
    delay: int,
    feedback: float,
    *,
    grouped: bool,
) -> Judged:
    from thresher.build import learner_of
    from thresher.choose.protocols import Prequential

    judged = Judged([], [], [], [])
    met: list[Labelled] = []
    stream = Prequential(learner_of(settings), delay=delay, feedback=feedback)
    for message in messages:
        scored = stream.meet(message.slots.astype("intp"), spam=message.is_spam)
        judged.is_spam.append(message.is_spam)
        judged.shown.append(message.shown)
        judged.log_odds.append(float(scored.log_odds[0]))
        judged.probability.append(float(scored.probability[0]))
        if grouped:
            met.append(message)
    return _grouped(judged, as_examples(met)) if met else judged


def _grouped(judged: Judged, examples: "Examples") -> Judged:
    from thresher.choose.duplicates import near_duplicates

    found = near_duplicates(examples.features)
    return judged._replace(groups=found.groups, near_duplicates=found.extra)


def _by_folds(settings: "Settings", messages: Sequence[Labelled], n_splits: int, jobs: int | None) -> Judged:
    import numpy as np

    from thresher.build import learner_of
    from thresher.choose.duplicates import near_duplicates
    from thresher.choose.protocols import folds, validate
    from thresher.prepare import jobs_for, over_cores

    make, examples = learner_of(settings), as_examples(messages)
    found = near_duplicates(examples.features)
    try:
        pairs = list(folds(examples, n_splits, found.groups))
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    log_odds, probability = np.zeros(len(messages)), np.zeros(len(messages))
    with progress("cross-validating", n_splits) as step:
        scored = over_cores(partial(validate, make, examples), pairs, jobs_for(len(messages), jobs))
        for (_, validation), one in zip(pairs, scored, strict=True):
            log_odds[validation], probability[validation] = one
            step(1)
    is_spam, shown = [message.is_spam for message in messages], [message.shown for message in messages]
    return Judged(is_spam, shown, log_odds.tolist(), probability.tolist(), found.groups, found.extra)


def _trained_on(
    settings: "Settings", train: str, messages: Sequence[Labelled], jobs: int | None, failures: Failures
) -> Judged:
    import numpy as np

    from thresher import boxes
    from thresher.build import learner_of
    from thresher.choose.duplicates import near_duplicates
    from thresher.choose.protocols import take, train_and_test
    from thresher.learn.hashing import Hasher

    make = learner_of(settings)
    training = list(of_index(boxes.read_index(train), Hasher(settings.bits), jobs, failures))
    everything = as_examples([*training, *messages])
    groups = near_duplicates(everything.features).groups
    known = np.isin(groups[len(training) :], groups[: len(training)])
    rows = np.flatnonzero(~known)
    scored = train_and_test(make, as_examples(training), take(everything.features, len(training) + rows))
    kept = [messages[row] for row in rows.tolist()]
    return Judged(
        [message.is_spam for message in kept],
        [message.shown for message in kept],
        scored.log_odds.tolist(),
        scored.probability.tolist(),
        groups[len(training) :][~known],
        int(known.sum()),
    )


def _write(judged: Judged, out: "IO[bytes] | None") -> None:
    """Write a line for each message; repr keeps every digit, so that the order survives saturation."""
    if out is None:
        return
    for is_spam, shown, log_odds, probability in zip(*judged[:4], strict=True):
        line = f"{'spam' if is_spam else 'ham'}\t{probability!r}\t{log_odds!r}\t{shown}\n"
        out.write(line.encode("utf-8", "surrogateescape"))


def _report(judged: Judged) -> "Report":
    from thresher.choose.metrics import evaluate_scores

    return evaluate_scores(judged.is_spam, judged.log_odds, judged.probability)


def _intervals(judged: Judged) -> "dict[str, Interval]":
    from thresher.choose.resampling import Interval, Run, intervals

    found = intervals(judged.is_spam, Run(judged.log_odds, judged.probability), groups=judged.groups)
    report = _report(judged)
    # Counts are shares of numbers that are known; the area below the curve is what is not above it.
    rates = (("errors", "error_rate", report.n), ("false_positives", "ham_lost", report.n_ham))
    for count, rate, n in (*rates, ("false_negatives", "spam_missed", report.n_spam)):
        found[count] = Interval(*(n * value for value in found[rate]))
    value, low, high = found["one_minus_auc_percent"]
    found["roc_auc"] = Interval(*(1 - percent / 100 for percent in (value, high, low)))
    return found


def _as_json(told: Told) -> str:
    import msgspec

    report = _report(told.judged)
    return json_line({
        **msgspec.to_builtins(report),
        "expected_calibration_error": _calibration_error(told.judged),
        "near_duplicates": told.judged.near_duplicates,
        "intervals": {name: {"low": found.low, "high": found.high} for name, found in told.intervals.items()},
        "learner": told.learner,
        "seconds": told.seconds,
        "messages_per_second": report.n / told.seconds,
    })  # fmt: skip


def _calibration_error(judged: Judged) -> float:
    from thresher.choose.calibration import expected_calibration_error

    return expected_calibration_error(judged.is_spam, judged.probability)


def _as_text(told: Told) -> Iterator[str]:
    judged, report = told.judged, _report(told.judged)
    rows = [
        ("messages", f"{report.n}  ({report.n_ham} ham, {report.n_spam} spam)", ""),
        ("learner", told.learner, ""),
        ("error", f"{report.error_rate:.2%}  ({report.errors} messages)", "error_rate"),
        ("false positives", f"{report.ham_lost:.2%}  ({report.false_positives} ham called spam)", "ham_lost"),
        ("false negatives", f"{report.spam_missed:.2%}  ({report.false_negatives} spam called ham)", "spam_missed"),
        ("1-AUC", f"{report.one_minus_auc_percent:.4f} %", "one_minus_auc_percent"),
        ("lam", f"{report.lam_percent:.3f} %", "lam_percent"),
        ("spam missed at 0.1 % ham lost", f"{report.spam_missed_at_ham_lost:.2%}", "spam_missed_at_ham_lost"),
        ("Brier score", f"{report.brier:.5f}", "brier"),
        ("log-loss", f"{report.log_loss:.5f}", "log_loss"),
        ("expected calibration error", f"{_calibration_error(judged):.2%}", "expected_calibration_error"),
        ("messages per second", f"{report.n / told.seconds:.0f}", ""),
    ]
    if judged.near_duplicates is not None:
        rows.insert(1, ("near duplicates", str(judged.near_duplicates), ""))
    for name, value, figure in rows:
        yield f"{name:<30} {value:<36}{_interval(told.intervals.get(figure), figure)}".rstrip()


def _interval(found: "Interval | None", figure: str) -> str:
    if found is None:
        return ""
    if figure in SHARES:
        return f"{found.low:.2%} to {found.high:.2%}"
    return f"{found.low:.4f} to {found.high:.4f}"
