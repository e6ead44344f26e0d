"""Teaching from the page, with receipts, and taking it back.

A message is taught by the token stream it was judged by, which the log keeps: the lesson is the one that the whole
message would give, however much of its text is kept to be looked at.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from itertools import islice
from typing import Final

import msgspec
import numpy as np

from thresher.engine import Change, Engine, Receipt, Teaching
from thresher.prepare import Prepared
from thresher.store.journal import Entry, Selection
from thresher.store.verdict_query import Row
from thresher.values import Label
from thresher.web.visit import Refused, Visit

AT_ONCE: Final = 64
"""Lessons handed over before their receipts are waited for: the daemon takes so many in one transaction."""
MOST: Final = 500
"""Messages of one act."""
FORGET: Final = "forget"
"""What a form says for taking a lesson back."""


class Taught(msgspec.Struct, frozen=True):
    """What was done with one message."""

    row: int
    subject: str
    previous: Label | None
    """What this person had said before."""
    change: str
    before: float
    """Probability of spam."""
    after: float


class Done(msgspec.Struct, frozen=True):
    """An act: what was said, and of what."""

    said: Label | None
    taught: list[Taught]


def said_before(engine: Engine, digest: bytes, person: str) -> Label | None:
    """Return what somebody says of a message now."""
    for entry in engine.journal.entries(Selection(digests=(digest,), user=person)):
        return entry.label
    return None


def teach(visit: Visit, rows: Sequence[Row], said: Label | None) -> int:
    """Say of messages that they are ham or spam, or take back what was said; return the act's number."""
    taught = [each for batch in _batches(rows, AT_ONCE) for each in _teach(visit, batch, said)]
    return visit.site.people.done(visit.account.name, msgspec.json.encode(Done(said, taught)))


def _teach(visit: Visit, rows: Sequence[Row], said: Label | None) -> list[Taught]:
    site, person = visit.site, visit.account.person
    keeper = site.desk.keeper
    prepared = [message for message in (_prepared(visit, row) for row in rows) if message]
    if len(prepared) != len(rows):
        raise Refused("One of these messages is no longer kept.", 404)
    before = keeper.ask(
        lambda engine: [(said_before(engine, m.digest, person), _p(engine, m)) for m in prepared]
    ).result()
    if said is None:
        changes = _take_back(visit, prepared)
    else:
        source = f"page:{visit.account.name}"
        futures: list[Future[Receipt]] = [
            keeper.learn(Teaching(message, said, row.folder or source), person)
            for message, row in zip(prepared, rows, strict=True)
        ]
        changes = [future.result().change.value for future in futures]
    after = keeper.ask(lambda engine: [_p(engine, message) for message in prepared]).result()
    for row in rows:
        site.verdicts.label(row.digest, person, said)
    return [
        Taught(row.id, row.subject, previous, change, p, q)
        for row, (previous, p), change, q in zip(rows, before, changes, after, strict=True)
    ]


def _take_back(visit: Visit, prepared: Sequence[Prepared]) -> list[str]:
    selection = Selection(digests=tuple(message.digest for message in prepared), user=visit.account.person)
    gone: list[Entry] = visit.site.desk.keeper.forget(selection).result()
    digests = {entry.digest for entry in gone}
    return ["forgotten" if message.digest in digests else Change.UNCHANGED.value for message in prepared]


def undo(visit: Visit, number: int) -> int:
    """Say again what was said before an act; return the number of the new one."""
    act = visit.site.people.act(number, visit.account.name)
    if act is None:
        raise Refused("There is no such act of yours.", 404)
    if not visit.site.people.undone(number, visit.account.name):
        raise Refused("This was undone before.")
    done = msgspec.json.decode(act.what, type=Done)
    undone: list[Taught] = []
    for previous in (None, Label.HAM, Label.SPAM):
        numbers = [each.row for each in done.taught if each.previous is previous]
        rows = [row for row in (visit.site.verdicts.row(n, visit.account.sees) for n in numbers) if row]
        for batch in _batches(rows, AT_ONCE):
            undone += _teach(visit, batch, previous)
    return visit.site.people.done(visit.account.name, msgspec.json.encode(Done(None, undone)))


def receipt(visit: Visit) -> dict[str, object] | None:
    """Return what the act named in the address came to, for the page to show."""
    asked = visit.query("act")
    act = visit.site.people.act(int(asked), visit.account.name) if asked.isdecimal() and len(asked) < 16 else None  # noqa: PLR2004 - digits of an SQLite id
    if act is None:
        return None
    return {"id": act.id, "undone": act.undone, "done": msgspec.json.decode(act.what, type=Done)}


def label_of(text: str) -> Label | None:
    """Read what a form says of a message."""
    if text == FORGET:
        return None
    try:
        return Label(text)
    except ValueError:
        raise Refused("Say ham or spam, or take back.") from None


def _prepared(visit: Visit, row: Row) -> Prepared | None:
    content = visit.site.verdicts.content(row.id)
    if content is None:
        return None
    stream = content.stream
    slots = visit.site.desk.keeper.ask(lambda engine: engine.view.hasher.features([stream]).slots).result()
    return Prepared(row.folder, row.digest, stream, slots.astype(np.int32))


def _p(engine: Engine, message: Prepared) -> float:
    (judgement,) = engine.check([message.stream])
    return judgement.probability


def _batches(rows: Sequence[Row], size: int) -> Iterator[list[Row]]:
    left = iter(rows)
    while batch := list(islice(left, size)):
        yield batch
