"""The few messages whose labels would teach most, and a random sample that keeps the error figure honest."""

from typing import Final

import numpy as np
from starlette.responses import Response

from thresher.engine import Engine
from thresher.store.verdict_query import Known, Query, Row, Sort
from thresher.store.verdicts import DAY, now
from thresher.web.teaching import receipt
from thresher.web.visit import Visit

NEAREST: Final = 8
"""Messages asked for because they lie close to even odds: answered in a minute."""
CANDIDATES: Final = 60
"""Those that were closest when they came; they are judged again."""
SAMPLED: Final = 5
"""Messages of the random sample that wait for an answer."""
DAYS: Final = 30


def show(visit: Visit) -> Response:
    """Show what is worth an answer."""
    site, sees = visit.site, visit.account.sees
    since = now() - DAYS * DAY
    site.verdicts.draw(sees, SAMPLED, since)
    drawn = site.verdicts.rows(
        Query(user=sees, sampled=True, known=Known.NOTHING, since=since, sort=Sort.TIME, limit=SAMPLED)
    )
    waiting = site.verdicts.rows(
        Query(user=sees, known=Known.NOTHING, since=since, sort=Sort.MISTAKES, limit=CANDIDATES)
    )
    taken = {row.id for row in drawn}
    nearest = _nearest(visit, [row for row in waiting if row.id not in taken])
    return visit.show(
        "review.html",
        nearest=nearest,
        drawn=drawn,
        receipt=receipt(visit),
        focus=visit.query("at"),
        sample=site.verdicts.sample(sees, now() - 180 * DAY),
        owner=site.settings.user,
    )


def _nearest(visit: Visit, rows: list[Row]) -> list[Row]:
    """Judge them again, since lessons may have settled them, and take the closest to even odds."""
    streams = [content.stream for content in (visit.site.verdicts.content(row.id) for row in rows) if content]
    if len(streams) != len(rows) or not rows:
        return rows[:NEAREST]

    def probabilities(engine: Engine) -> list[float]:
        return [judgement.probability for judgement in engine.check(streams)]

    odds = np.abs(np.array(visit.site.desk.keeper.ask(probabilities).result()) - 0.5)
    return [rows[i] for i in np.argsort(odds, kind="stable")[:NEAREST].tolist()]
