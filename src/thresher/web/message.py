"""One message: its text with the telling words marked, the sum that made its score, what would change the verdict."""

from typing import Any, Final, NamedTuple

import numpy as np
from starlette.responses import Response

from thresher.engine import Engine
from thresher.judge import Explanation
from thresher.learn.hashing import Features
from thresher.learn.naming import Described, described
from thresher.mail.mime import parse
from thresher.report.explained import Line, printed, tabulate, told
from thresher.report.marking import Marker
from thresher.report.sections import Mark, Section, headers_of, marks_of, sections_of, strongest_of
from thresher.store.journal import Entry, Selection
from thresher.store.verdicts import TEXT_BYTES
from thresher.values import Judgement, Verdict
from thresher.web.figures import share_bar
from thresher.web.teaching import receipt
from thresher.web.visit import Refused, Visit

TOP: Final = 30
TURNED: Final = 40
"""Words taken away at most to see what would change the verdict."""
HEADER_BYTES: Final = 32 << 10
"""Of the header as it came, shown as text."""
PLAIN_LINES: Final = 400


class Turn(NamedTuple):
    """The fewest of the strongest words without which the verdict would be another."""

    words: list[str]
    judgement: Judgement


class Facts(NamedTuple):
    """What the engine knows of a message now."""

    explanation: Explanation
    lessons: list[Entry]
    turn: Turn | None
    line: float
    """Log-odds from which a message is spam."""


class Shown(NamedTuple):
    """A section, ready for the template."""

    title: str
    marks: list[Mark]
    cut_off: bool


def show(visit: Visit) -> Response:
    """Show one message."""
    site = visit.site
    row = site.verdicts.row(visit.number("number"), visit.account.sees)
    content = site.verdicts.content(row.id) if row else None
    if row is None or content is None:
        raise Refused("There is no such message, or it is not yours.", 404)
    facts = site.desk.keeper.ask(lambda engine: look(engine, content.stream, row.digest)).result()
    everything = visit.query("all") == "1"
    table = tabulate(facts.explanation, None if everything else TOP)
    longest = max((abs(line.units) for group in table.groups for line in group.lines), default=0)
    return visit.show(
        "message.html",
        row=row,
        now=facts.explanation.judgement,
        facts=facts,
        mine=next((e for e in facts.lessons if e.user == visit.account.person), None),
        others=[e for e in facts.lessons if visit.account.sees is None and e.user != visit.account.person],
        table=table,
        everything=everything,
        printed=printed,
        bar=lambda line: share_bar(line.units, longest),
        told=_told,
        receipt=receipt(visit),
        **_text_of(content.head, row.size, facts.explanation),
    )


def look(engine: Engine, stream: bytes, digest: bytes) -> Facts:
    """Ask the engine everything at once."""
    explanation = engine.explain(stream)
    lessons = list(engine.journal.entries(Selection(digests=(digest,))))
    return Facts(explanation, lessons, turn(engine, stream, explanation.judgement), engine.judges().line)


def turn(engine: Engine, stream: bytes, now: Judgement) -> Turn | None:
    """Take away the words that spoke loudest for the verdict, one more each time, and judge what is left."""
    judge = engine.judges()
    slots = engine.view.hasher.features([stream]).slots
    _, shares = judge.learner.shares(slots)
    for_spam = now.verdict is Verdict.SPAM or (now.verdict is Verdict.UNSURE and now.log_odds > 0)
    order = np.argsort(-shares if for_spam else shares, kind="stable")[:TURNED]
    order = order[shares[order] > 0] if for_spam else order[shares[order] < 0]
    if not len(order):
        return None
    kept = [np.delete(slots, order[: i + 1]) for i in range(len(order))]
    offsets = np.cumsum([0, *map(len, kept)])
    judged = judge.judge(Features(np.concatenate(kept), offsets))
    for i, judgement in enumerate(judged):
        if judgement.verdict is not now.verdict:
            names = described(stream, engine.view.hasher.bits, slots[order[: i + 1]])
            return Turn([_named(names[slot]) for slot in slots[order[: i + 1]].tolist()], judgement)
    return None


def _named(feature: Described) -> str:
    return f"{feature.field}: {told(feature)}"


def _told(line: Line) -> str:
    return told(line.evidence.feature)


def _text_of(head: bytes, size: int, explanation: Explanation) -> dict[str, Any]:
    """Return what of the message is shown, as text."""
    if not head:
        return {"headers": [], "sections": [], "source": "", "kept": False, "cut": False}
    message = parse(head)
    marker = Marker(explanation.evidence)
    headers, sections = list(headers_of(message, marker)), list(sections_of(message, marker))
    strongest = strongest_of([*headers, *sections])
    return {
        "headers": [_shown(section, strongest) for section in headers],
        "sections": [_shown(section, strongest) for section in sections],
        "source": _header_of(head),
        "kept": True,
        "cut": size > TEXT_BYTES,
    }


def _shown(section: Section, strongest: float) -> Shown:
    return Shown(section.title, marks_of(section.pieces, strongest), section.cut_off)


def _header_of(head: bytes) -> str:
    """Return the header as it came."""
    text = head.replace(b"\r\n", b"\n").partition(b"\n\n")[0][:HEADER_BYTES].decode("utf-8", "replace")
    return "\n".join(text.split("\n")[:PLAIN_LINES])
