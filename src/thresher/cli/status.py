"""``thresher status``: what was learned, how the model stands, and what it got wrong."""

import math
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click
import msgspec

from thresher.build import JOURNAL
from thresher.choose.metrics import Rate
from thresher.choose.promise import DRIFT_LEVEL, Promise, drift, ham_needed, promise
from thresher.cli.common import (
    engine_for,
    home_option,
    json_line,
    json_option,
    learner_option,
    local_time,
    progress,
    require_lessons,
    settings_for,
    write_lines,
)
from thresher.values import Label

if TYPE_CHECKING:
    from thresher.config import Settings
    from thresher.engine import Engine

TOP: Final = 5
"""Users and sources named."""
RECENT_DAYS: Final = 30
DAY: Final = 86400
WIDTHS: Final = (10, 10, 25, 25, 10)
"""Of the columns of figures."""
UNKNOWN: Final = Rate(math.nan, 0.0, 1.0)
EPILOG: Final = """\
\b
Examples:
  thresher status
  thresher status --json | jq .recent.error_rate

Every lesson was judged before it was learned, so these judgements say how often the filter errs on its owner's mail:
taken at even odds, log-odds 0, with the interval that holds the true rate in 19 of 20 cases. A large folder taught at
once counts with each of its messages. The promise is the share of ham that is called spam at most; what would break it
is called unsure instead. Settings in config.toml: promise (0.001), confidence (0.95).

\b
Exit codes: 0 done, 1 if there is nothing to tell about, 2 wrong usage.
"""


class Model(msgspec.Struct, frozen=True):
    """The saved model, and how it stands to the journal."""

    learner: str
    bits: int
    state: str
    lessons: int = 0
    """On which it rests."""


class Chosen(msgspec.Struct, frozen=True):
    """What `tune` chose, if that is in force."""

    model: str
    at: float
    lessons: int
    """On which the choice rests."""


class Judged(msgspec.Struct, frozen=True):
    """What the scores that lessons had before they were learned say."""

    judged: int
    error_rate: float = math.nan
    false_positives: int = 0
    """Ham called spam."""
    false_negatives: int = 0
    """Spam called ham."""
    one_minus_auc_percent: float = math.nan
    ham_lost: Rate = UNKNOWN
    """Share of the ham that is called spam."""
    spam_missed: Rate = UNKNOWN
    """Share of the spam that is called ham."""


class Promised(msgspec.Struct, frozen=True):
    """What the saved model promises, and whether that still holds."""

    promise: Promise
    ham_needed: int
    """Held-out ham that the rate asked for takes."""
    calibration: str
    """How scores become probabilities."""
    drift: float
    """How probable it is that the newest ham is as the older was."""
    void: bool
    """Whether that is so improbable that nothing is promised any more."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything this command tells."""

    home: str
    lessons: dict[str, int]
    first: float | None
    last: float | None
    users: dict[str, int]
    sources: dict[str, int]
    model: Model
    tuned: Chosen | None
    promised: Promised | None
    """None if there is no saved model."""
    bytes: dict[str, int]
    overall: Judged
    recent: Judged


class Past(NamedTuple):
    """What the journal's rows say, as columns."""

    is_spam: list[bool]
    scores: list[float]
    times: list[float]
    users: Counter[str]
    sources: Counter[str]


@click.command(epilog=EPILOG)
@json_option
@learner_option
@home_option
def status(home: str | None, learner: str | None, *, as_json: bool) -> None:
    """Show what was learned, how the model stands, and what it got wrong."""
    settings = settings_for(home, learner=learner)
    require_lessons(settings)
    with engine_for(settings, load=False) as engine:
        counts = engine.journal.counts()
        past = _past(engine, counts.ham + counts.spam)
        report = Report(
            home=str(settings.home),
            lessons={"ham": counts.ham, "spam": counts.spam},
            first=min(past.times, default=None),
            last=max(past.times, default=None),
            users=dict(past.users.most_common(TOP)),
            sources=dict(past.sources.most_common(TOP)),
            model=_model(engine),
            tuned=_tuned(settings),
            promised=_promised(engine, past),
            bytes={
                "journal": sum(map(_size, settings.home.glob(f"{JOURNAL}*"))),
                "model": _size(engine.view.path),
            },
            overall=judged(past, since=-math.inf),
            recent=judged(past, since=time.time() - RECENT_DAYS * DAY),
        )
    write_lines([json_line(report)] if as_json else _lines(report))


def _past(engine: "Engine", total: int) -> Past:
    past = Past([], [], [], Counter(), Counter())
    with progress("reading the journal", total) as step:
        for entry in engine.journal.entries():
            past.is_spam.append(entry.label is Label.SPAM)
            past.scores.append(math.nan if entry.score is None else entry.score)
            past.times.append(entry.time)
            past.users[entry.user] += 1
            past.sources[_box(entry.source)] += 1
            step(1)
    return past


def _box(source: str) -> str:
    """Return the folder or mbox that a message was read from."""
    box, mark, number = source.rpartition("#")
    return box if mark and number.isdigit() else source.rpartition("/")[0] or source


def _model(engine: "Engine") -> Model:
    """Say how the saved model stands to the journal, without loading it."""
    from thresher.cli.rebuild import being_built
    from thresher.store.snapshot import SnapshotCorrupt
    from thresher.view import read_snapshot

    view = engine.view
    name, bits = view.learner.name, view.hasher.bits
    try:
        header, _ = read_snapshot(view.path, verify=False)
    except FileNotFoundError:
        return Model(name, bits, "not built yet: the next command does it")
    except (SnapshotCorrupt, OSError):
        return Model(name, bits, "not readable: the next command builds it again")
    if header.settled and header.position == engine.journal.position() and header.bits == bits:
        state = "settled"
    elif being_built(view.path.parent, name):
        state = "being built in the background"
    else:
        state = "to be settled: `thresher rebuild` does it at once"
    return Model(name, header.bits, state, int(header.numbers["n_ham"] + header.numbers["n_spam"]))


def _tuned(settings: "Settings") -> Chosen | None:
    """Say what was chosen, unless other settings have come before it."""
    from thresher.choose.candidates import named
    from thresher.store.tuned import read_tuned

    found = read_tuned(settings.home)
    if found is None or not found.values or any(getattr(settings, key) != found.values[key] for key in found.values):
        return None
    return Chosen(named(found.values), found.at, found.lessons)


def _promised(engine: "Engine", past: Past) -> Promised | None:
    """Say what the saved model promises."""
    from thresher.store.snapshot import SnapshotCorrupt
    from thresher.view import calibration_of, read_snapshot

    try:
        calibration = calibration_of(*read_snapshot(engine.view.path, verify=False))
    except (SnapshotCorrupt, OSError):
        return None
    scores, is_spam = calibration.held_out()
    ham, asked, confidence = scores[~is_spam], engine.policy.promise, engine.policy.confidence
    recently = time.time() - RECENT_DAYS * DAY
    newest = sum(at >= recently and not spam for at, spam in zip(past.times, past.is_spam, strict=True))
    chance = drift(ham, newest, asked, confidence)
    return Promised(
        promise(ham, asked, confidence),
        ham_needed(asked, 1.0 - confidence) if asked < 1 else 0,
        calibration.kind,
        chance,
        chance < DRIFT_LEVEL,
    )


def judged(past: Past, since: float) -> Judged:
    """Measure the scores of the lessons given since then."""
    import numpy as np

    from thresher.choose.metrics import errors_at, one_minus_auc_percent, rate

    scores = np.array(past.scores)
    counted = ~np.isnan(scores) & (np.array(past.times) >= since)
    if not counted.any():
        return Judged(0)
    is_spam, scores = np.array(past.is_spam)[counted], scores[counted]
    errors = errors_at(is_spam, scores, 0.0)
    return Judged(
        len(scores),
        errors.error_rate,
        errors.false_positives,
        errors.false_negatives,
        one_minus_auc_percent(is_spam, scores),
        rate(errors.false_positives, errors.n_ham),
        rate(errors.false_negatives, errors.n_spam),
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _lines(report: Report) -> Iterator[str]:
    ham, spam = report.lessons["ham"], report.lessons["spam"]
    model, size = report.model, report.bytes
    lessons = f"{ham + spam:,}: {ham:,} ham and {spam:,} spam"
    if report.first is not None and report.last is not None:
        lessons += f", {local_time(report.first)} to {local_time(report.last)}"
    yield f"lessons   {lessons}"
    yield from _counted("given by", report.users, ham + spam)
    yield from _counted("read from", report.sources, ham + spam)
    yield f"model     {model.state}; rests on {model.lessons:,} lessons; {model.learner}, {model.bits} bits"
    if report.tuned:
        chosen = report.tuned
        yield f"tuned     {chosen.model}, chosen {local_time(chosen.at)} from {chosen.lessons:,} lessons"
    yield from _promise_lines(report.promised)
    yield f"files     journal {_megabytes(size['journal'])}, model {_megabytes(size['model'])}, in {report.home}"
    yield "judged before it was learned:"
    titles = ("lessons", "error %", "ham called spam %", "spam called ham %", "1-AUC %")
    yield f"  {'':<14}" + "".join(f"{title:>{width}}" for title, width in zip(titles, WIDTHS, strict=True))
    yield _judged_line("all lessons", report.overall)
    yield _judged_line(f"last {RECENT_DAYS} days", report.recent)


def _counted(title: str, counts: dict[str, int], total: int) -> Iterator[str]:
    for name, count in counts.items():
        yield f"{title:<10}{count:>9,}  {name}"
        title = ""
    if others := total - sum(counts.values()):
        yield f"{'':<10}{others:>9,}  others"


def _judged_line(name: str, figures: Judged) -> str:
    cells = (
        f"{figures.judged:,}",
        _figure(100 * figures.error_rate, 2),
        _interval(figures.ham_lost),
        _interval(figures.spam_missed),
        _figure(figures.one_minus_auc_percent, 3),
    )
    return f"  {name:<14}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=True))


def _interval(rate: Rate) -> str:
    if math.isnan(rate.share):
        return "-"
    return f"{100 * rate.share:.2f} ({100 * rate.low:.2f} to {100 * rate.high:.2f})"


def _promise_lines(promised: Promised | None) -> Iterator[str]:
    if promised is None or promised.promise.asked == 1:
        return
    promise = promised.promise
    sure = f"{100 * promise.confidence:g} % sure, from {promise.n_ham:,} ham held out"
    yield f"promise   at most {100 * promise.rate:.3g} % of ham is called spam ({sure})"
    if promise.kept_short:
        asked = f"{100 * promise.asked:g} %"
        yield f"          {asked} takes {promised.ham_needed:,}; until then what is not clearly spam is called unsure"
    if promised.void:
        yield f"          WARNING: void. Ham of the last {RECENT_DAYS} days scores higher than the older did"
        yield f"          (chance {promised.drift:.1e}): teach it ham of these days until this goes away"


def _figure(value: float, digits: int) -> str:
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
