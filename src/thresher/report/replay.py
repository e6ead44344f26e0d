"""What a replay came to, counted by weeks, and as a page of its own. Pure."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from thresher.filing.replay import Judged, Known, Outcome
from thresher.report.html import COLOURS, head, safe

DAY: Final = 86400
WRONG: Final = (Outcome.LOST, Outcome.MISSED)
_STYLE: Final = (
    COLOURS
    + """
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 64rem; background: var(--back); color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { margin: 0 0 .3rem; font-size: 1.6rem } h2 { margin: 2.2rem 0 .6rem; font-size: 1.1rem }
p { margin: .3rem 0 } .quiet { color: var(--quiet); font-size: .9rem }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem }
th { text-align: right; font-weight: 600; border-bottom: 1px solid var(--rule) }
th:first-child, td:first-child, .list th { text-align: left } .list td { text-align: left }
td, th { padding: .15rem .5rem; vertical-align: top; text-align: right }
tfoot td { border-top: 1px solid var(--rule); font-weight: 600 }
.bad { color: rgb(var(--spam)) } td bdi { unicode-bidi: isolate } .date, .list th { white-space: nowrap }
"""
)
COLUMNS: Final = {
    Outcome.MOVED: "spam moved",
    Outcome.MISSED: "spam missed",
    Outcome.LOST: "wanted moved",
    Outcome.LEFT: "wanted left",
    Outcome.UNKNOWN_MOVED: "not known, moved",
    Outcome.UNKNOWN_LEFT: "not known, left",
}


class Week(NamedTuple):
    """What would have become of the mail of a week."""

    monday: str
    counts: Counter[Outcome]


class Summary(NamedTuple):
    """Everything the table and the page tell."""

    account: str
    since: float
    known: Known
    weeks: list[Week]
    wrong: dict[Outcome, list[Judged]]
    """The messages that would have been got wrong, the worst first."""

    @property
    def counts(self) -> Counter[Outcome]:
        """All weeks together."""
        return sum((week.counts for week in self.weeks), Counter())


def summarized(account: str, since: float, known: Known, judged: Iterable[Judged]) -> Summary:
    """Count."""
    weeks: dict[str, Counter[Outcome]] = {}
    wrong: dict[Outcome, list[Judged]] = {outcome: [] for outcome in WRONG}
    for one in judged:
        weeks.setdefault(_monday(one.arrived), Counter())[one.outcome] += 1
        if one.outcome in wrong:
            wrong[one.outcome].append(one)
    wrong[Outcome.LOST].sort(key=lambda one: -one.probability)
    wrong[Outcome.MISSED].sort(key=lambda one: one.probability)
    return Summary(account, since, known, [Week(*each) for each in sorted(weeks.items())], wrong)


def _monday(moment: float) -> str:
    day = time.localtime(moment)
    # Noon, since a day is not always of 24 hours.
    noon = time.mktime((day.tm_year, day.tm_mon, day.tm_mday - day.tm_wday, 12, 0, 0, 0, 0, -1))
    return time.strftime("%Y-%m-%d", time.localtime(noon))


def in_words(summary: Summary) -> str:
    """Say what matters in a sentence."""
    counts = summary.counts
    spam, ham = counts[Outcome.MOVED] + counts[Outcome.MISSED], counts[Outcome.LOST] + counts[Outcome.LEFT]
    unknown = counts[Outcome.UNKNOWN_MOVED] + counts[Outcome.UNKNOWN_LEFT]
    return (
        f"Of {spam:,} spam messages {counts[Outcome.MOVED]:,} would have been moved, {counts[Outcome.MISSED]:,} left; "
        f"of {ham:,} wanted ones {counts[Outcome.LOST]:,} would have been moved by mistake. Of {unknown:,} more nobody "
        f"has said what they are; {counts[Outcome.UNKNOWN_MOVED]:,} of them would have been moved."
    )


def write_replay(summary: Summary) -> str:
    """Return the page."""
    since = time.strftime("%Y-%m-%d", time.localtime(summary.since))
    title = f"{summary.account}: had thresher been on since {since}"
    return "".join([
        *head(title, _STYLE),
        f"<h1>{safe(title)}</h1>\n<p>{in_words(summary)}</p>\n",
        f'<p class="quiet">It began with what lay in the folders before that day, {summary.known.ham:,} ham and ',
        f"{summary.known.spam:,} spam, and learned at the end of each day. Nothing was moved.</p>\n",
        *_table(summary),
        *_list("Wanted mail that would have been moved", summary.wrong[Outcome.LOST]),
        *_list("Spam that would have been left in the inbox", summary.wrong[Outcome.MISSED]),
        "</body></html>\n",
    ])  # fmt: skip


def _table(summary: Summary) -> Iterator[str]:
    yield "<h2>By weeks</h2>\n<table><thead><tr><th>week of</th><th>mail</th>"
    yield "".join(f"<th>{name}</th>" for name in COLUMNS.values()) + "</tr></thead>\n<tbody>\n"
    for week in summary.weeks:
        yield _row(week.monday, week.counts)
    yield f"</tbody><tfoot>{_row('together', summary.counts)}</tfoot></table>\n"


def _row(name: str, counts: Counter[Outcome]) -> str:
    cells = "".join(
        f'<td class="bad">{counts[outcome]:,}</td>' if outcome in WRONG and counts[outcome] else
        f"<td>{counts[outcome]:,}</td>"
        for outcome in COLUMNS
    )  # fmt: skip
    return f'<tr><td class="date">{name}</td><td>{counts.total():,}</td>{cells}</tr>\n'


def _list(title: str, judged: Sequence[Judged]) -> Iterator[str]:
    yield f"<h2>{title}: {len(judged):,}</h2>\n"
    if not judged:
        return
    yield '<table class="list"><thead><tr><th>came</th><th>probability</th><th>from</th><th>subject</th><th>folder</th>'
    yield "</tr></thead><tbody>\n"
    for one in judged:
        came = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.arrived))
        yield (
            f'<tr><td class="date">{came}</td><td>{one.probability:.4f}</td><td><bdi>{safe(one.sender)}</bdi></td>'
            f"<td><bdi>{safe(one.subject)}</bdi></td><td>{safe(one.folder)}</td></tr>\n"
        )
    yield "</tbody></table>\n"
