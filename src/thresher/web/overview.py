"""The front page: what was judged, how often wrongly, what is promised, where mail comes from, what was learned."""

import time
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from starlette.responses import Response

from thresher.choose.metrics import Rate, rate
from thresher.choose.promise import DRIFT_LEVEL, Promise, drift
from thresher.engine import Engine
from thresher.judge import Judge
from thresher.store.journal import Row as LessonRow
from thresher.store.verdict_query import Row
from thresher.store.verdicts import DAY, Source, now
from thresher.web.figures import Day, bars
from thresher.web.memo import memo
from thresher.web.site import Site
from thresher.web.visit import Visit

DAYS: Final = 30
LATELY: Final = 8
"""Lessons shown."""
LOOKED_THROUGH: Final = 60
"""Newest lessons among which those are found that somebody may see."""
SILENT: Final = 7
"""Days without a message after which a source is said to be silent."""
SAMPLE_DAYS: Final = 180


class Measured(NamedTuple):
    """Errors on messages that were judged before they were taught."""

    ham_called_spam: Rate
    spam_called_ham: Rate
    unsure: Rate
    n_ham: int
    n_spam: int


class Learned(NamedTuple):
    """A lesson given lately."""

    lesson: LessonRow
    row: Row | None
    """The message, where the log has it."""


def show(visit: Visit) -> Response:
    """Show the front page; with nothing learned and nothing judged, the way in."""
    site, sees = visit.site, visit.account.sees
    judge = site.desk.keeper.judge
    days = _days(site, sees)
    lessons = judge.learner.n_ham + judge.learner.n_spam
    judged = sum(day.total for day in days)
    if sees is None and not lessons and not judged:
        return visit.go("/start")
    sample = site.verdicts.sample(sees, now() - SAMPLE_DAYS * DAY)
    return visit.show(
        "overview.html",
        days=days,
        judged=judged,
        totals={kind: sum(getattr(day, kind) for day in days) for kind in ("ham", "unsure", "spam")},
        figure=bars(days, f"Messages judged a day, {days[0].label} to {days[-1].label}: ham, unsure and spam, stacked"),
        most=max(day.total for day in days),
        measured=memo(site, "measured", (id(judge), judge.rests_on, lessons), lambda: measured(judge)),
        sample=sample,
        sample_ham=rate(sample.ham_called_spam, sample.ham),
        sample_spam=rate(sample.spam_called_ham, sample.spam),
        promise=judge.promise,
        drift=_drift(site, judge.promise),
        drift_level=DRIFT_LEVEL,
        lessons=(judge.learner.n_ham, judge.learner.n_spam),
        sources=[(source, _silent(source)) for source in site.verdicts.sources(sees)[:12]],
        trouble=site.desk.keeper.trouble,
        lately=_lately(site, sees),
        span=DAYS,
    )


def _days(site: Site, sees: str | None) -> list[Day]:
    today = int(now() // DAY)
    counts = site.verdicts.daily(sees, (today - DAYS + 1) * DAY)
    return [
        Day(time.strftime("%-d %b", time.gmtime(day * DAY)), ham, unsure, spam, float(day * DAY))
        for day in range(today - DAYS + 1, today + 1)
        for ham, unsure, spam in [counts.get(day, [0, 0, 0])]
    ]


def measured(judge: Judge) -> Measured:
    """Say how the present verdicts would have been on messages held out from what judged them."""
    scores, is_spam = judge.calibration.held_out()
    probability = judge.calibration.probabilities(scores)
    spam = (probability >= judge.policy.spam_from) & (scores > judge.promise.above)
    ham = probability < judge.policy.ham_to
    n_spam = int(np.count_nonzero(is_spam))
    n_ham = len(scores) - n_spam
    return Measured(
        rate(int(np.count_nonzero(spam & ~is_spam)), n_ham),
        rate(int(np.count_nonzero(ham & is_spam)), n_spam),
        rate(int(np.count_nonzero(~spam & ~ham)), len(scores)),
        n_ham,
        n_spam,
    )


def _drift(site: Site, promised: Promise) -> float:
    """Return how probable it is that the newest ham is as the older was."""
    position = site.desk.keeper.ask(lambda engine: engine.journal.position()).result()

    def compute() -> float:
        judge = site.desk.keeper.judge
        scores, is_spam = judge.calibration.held_out()
        count = site.desk.keeper.ask(lambda engine: newest_ham(engine, now() - DAYS * DAY)).result()
        return drift(scores[~is_spam], min(count, int(np.count_nonzero(~is_spam))), promised.asked, promised.confidence)

    return memo(site, "drift", (position, int(now() // DAY)), compute)


def newest_ham(engine: Engine, since: float) -> int:
    """Count the ham taught since then. Ids grow with time, so the first of them is found by halving."""
    labels = engine.journal.labels()
    low, high = 0, len(labels.ids)
    while low < high:
        middle = (low + high) // 2
        found = next(engine.journal.fetch([int(labels.ids[middle])]), None)
        if found is not None and found.lesson.time < since:
            low = middle + 1
        else:
            high = middle
    return int(np.count_nonzero(~labels.is_spam[low:]))


def _silent(source: Source) -> bool:
    return now() - source.last > SILENT * DAY


def _lately(site: Site, sees: str | None) -> list[Learned]:
    most = LATELY if sees is None else LOOKED_THROUGH
    lessons = site.desk.keeper.ask(lambda engine: _newest(engine, most)).result()
    mine = [row for row in lessons if sees is None or row.lesson.user == sees][:LATELY]
    return [Learned(row, site.verdicts.by_digest(row.lesson.digest, sees)) for row in mine]


def _newest(engine: Engine, most: int) -> Sequence[LessonRow]:
    last = engine.journal.last_id()
    return list(engine.journal.fetch(range(last, max(last - most, 0), -1)))
