"""An explanation as a page of its own: the message's text with its telling words marked, and the table.

Its law: nothing in the page is fetched or run, and every character of the message is escaped (report.html).
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from thresher.judge import Explanation
from thresher.report.explained import DIGITS, Line, Table, printed, told
from thresher.report.html import COLOURS, head, safe
from thresher.report.marking import Marker, Piece
from thresher.report.sections import STEPS, Mark, Section, headers_of, marks_of, sections_of, strongest_of
from thresher.values import Message

_WIDTHS: Final = 20
"""Lengths of a bar: classes, since the page's policy allows no style attributes."""

_STYLE: Final = (
    COLOURS
    + """\
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 64rem; background: var(--back); color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { margin: 0 0 .3rem; font-size: 1.6rem }
h2 { margin: 2.2rem 0 .6rem; font-size: 1.1rem }
h1 .spam { color: rgb(var(--spam)) } h1 .ham { color: rgb(var(--ham)) } h1 .unsure { color: var(--unsure) }
p { margin: .3rem 0 } .quiet, figcaption { color: var(--quiet); font-size: .9rem }
figure { margin: 0 0 1rem; padding: .8rem 1rem; background: var(--panel); border: 1px solid var(--rule);
  border-radius: .4rem }
figcaption { margin-bottom: .4rem }
pre { margin: 0; white-space: pre-wrap; font: inherit; unicode-bidi: plaintext }
dl { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem } dt { color: var(--quiet) }
dd { margin: 0; unicode-bidi: isolate }
mark { padding: .05em .1em; border-radius: .2em; color: inherit }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem }
th { text-align: left; font-weight: 600 } td, th { padding: .12rem .5rem; vertical-align: top }
tbody th { padding-top: .7rem; border-bottom: 1px solid var(--rule) } tfoot td { border-top: 1px solid var(--rule) }
.number { text-align: right; white-space: nowrap } td bdi { unicode-bidi: isolate }
.bar { width: 22% } .bar div { display: flex } .bar i { height: .8em; margin-top: .35em; border-radius: .15em }
.bar div::before { content: ""; flex: 0 0 50% } .bar .h::before { flex: 1 0 0; max-width: 50% }
i.s { background: rgb(var(--spam)) } i.h { background: rgb(var(--ham)) }
.bar div.h { width: 50%; justify-content: flex-end } .bar div.h::before { display: none }
"""
    + "".join(f"mark.{side}{step} {{ background: rgb(var(--{name}) / {0.13 * step:.2f}) }}\n"
              for side, name in (("s", "spam"), ("h", "ham")) for step in range(1, STEPS + 1))
    + "".join(f".w{width} {{ width: {50 * width / _WIDTHS:g}% }} .h .w{width} {{ width: {100 * width / _WIDTHS:g}% }}\n"
              for width in range(_WIDTHS + 1))
)  # fmt: skip
_LEGEND: Final = (
    '<p class="quiet">Words that spoke for <mark class="s3">spam</mark> or for <mark class="h3">ham</mark>, the deeper '
    "the more; rest on one to see its share. A pair of words counts half to each, and what stands there several times "
    "counts once.</p>\n"
)


class Subject(NamedTuple):
    """What an explanation is about, and on how many lessons it rests."""

    path: str
    message: Message
    ham: int
    spam: int


def write_page(subject: Subject, explanation: Explanation, table: Table) -> str:
    """Return the page."""
    marker = Marker(explanation.evidence)
    headers = list(headers_of(subject.message, marker))
    sections = list(sections_of(subject.message, marker))
    strongest = strongest_of([*headers, *sections])
    return "".join([
        *_head(subject, explanation),
        f"<h2>The message</h2>\n{_LEGEND}<figure><dl>",
        *(f"<dt>{safe(header.title)}</dt><dd>{_marked(header.pieces, strongest)}</dd>" for header in headers),
        "</dl></figure>\n",
        *(_figure(section, strongest) for section in sections),
        *_table(table),
        "</body></html>\n",
    ])  # fmt: skip


def _head(subject: Subject, explanation: Explanation) -> Iterator[str]:
    judgement = explanation.judgement
    yield from head(f"Why {judgement.verdict}: {subject.path}", _STYLE)
    yield f'<h1><span class="{judgement.verdict}">{judgement.verdict}</span></h1>\n'
    yield (
        f"<p>Probability of spam {judgement.probability:.6f}, log-odds {judgement.log_odds:+.{DIGITS}f}. This rests on "
        f"{subject.ham + subject.spam:,} lessons: {subject.ham:,} ham and {subject.spam:,} spam.</p>\n"
    )
    yield f'<p class="quiet">{safe(subject.path)}</p>\n'


def _figure(section: Section, strongest: float) -> str:
    more = '<p class="quiet">The filter reads no further.</p>' if section.cut_off else ""
    return (
        f"<figure><figcaption>{safe(section.title)}</figcaption>"
        f"<pre>{_marked(section.pieces, strongest)}</pre>{more}</figure>\n"
    )


def _marked(pieces: Iterable[Piece], strongest: float) -> str:
    return "".join(_mark(mark) for mark in marks_of(pieces, strongest))


def _mark(mark: Mark) -> str:
    text = safe(mark.text)
    return f'<mark class="{mark.style}" title="{safe(mark.title)}">{text}</mark>' if mark.style else text


def _table(table: Table) -> Iterator[str]:
    longest = max((abs(line.units) for group in table.groups for line in group.lines), default=0) or 1
    yield "<h2>The features</h2>\n"
    yield '<table><thead><tr><th class="number">share</th><th>ham | spam</th><th class="number">seen in spam</th>'
    yield '<th class="number">in ham</th><th>feature</th></tr></thead>\n'
    for group in table.groups:
        yield f'<tbody><tr><th class="number">{printed(group.units)}</th>'
        yield f'<th colspan="4">{safe(group.field)}</th></tr>\n'
        for line in group.lines:
            yield _row(line, longest)
        yield "</tbody>\n"
    yield "<tfoot>"
    if table.others_count:
        yield _total(table.others, f"all others: {table.others_count:,} features")
    yield _total(table.base, "base: before any feature is looked at")
    yield _total(table.total, "total: the log-odds of spam")
    yield "</tfoot></table>\n"


def _row(line: Line, longest: int) -> str:
    evidence = line.evidence
    side = "h" if line.units < 0 else "s"
    width = round(_WIDTHS * abs(line.units) / longest)
    return (
        f'<tr><td class="number">{printed(line.units)}</td>'
        f'<td class="bar"><div class="{side}"><i class="{side} w{width}"></i></div></td>'
        f'<td class="number">{evidence.spam:,}</td><td class="number">{evidence.ham:,}</td>'
        f"<td><bdi>{safe(told(evidence.feature))}</bdi></td></tr>\n"
    )


def _total(units: int, what: str) -> str:
    return f'<tr><td class="number">{printed(units)}</td><td colspan="4">{what}</td></tr>\n'
