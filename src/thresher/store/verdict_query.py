"""One page of the verdict log: filters, orders, and the key from which the next page goes on. Pure.

Pages are found by key, not by counting rows off: page 2,000 takes as long as page 1.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec

from thresher.values import Label, Verdict

COLUMNS: Final = (
    "id, time, digest, user, via, folder, sender, subject, verdict, log_odds, probability, doubt, label, sampled, size"
)
_VERDICTS: Final = (Verdict.HAM, Verdict.UNSURE, Verdict.SPAM)
_LABELS: Final = (Label.HAM, Label.SPAM)


class Sort(StrEnum):
    """Orders of the list; each is a column with an index."""

    TIME = "time"
    SCORE = "log_odds"
    SENDER = "sender"
    SUBJECT = "subject"
    MISTAKES = "doubt"


class Known(StrEnum):
    """What its owner says of a message."""

    HAM = "ham"
    SPAM = "spam"
    NOTHING = "nothing"


class Row(NamedTuple):
    """A message of the log."""

    id: int
    time: float
    digest: bytes
    user: str
    via: str
    folder: str
    sender: str
    subject: str
    verdict: Verdict
    log_odds: float
    probability: float
    doubt: float
    label: Label | None
    sampled: bool
    size: int


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """Which messages, in which order, from where on."""

    user: str | None = None
    """Whose; None is everybody's."""
    verdict: Verdict | None = None
    known: Known | None = None
    folder: str | None = None
    sender: str | None = None
    text: str = ""
    """What stands in sender or subject, case aside."""
    least: float | None = None
    """Bounds of the probability of spam."""
    most: float | None = None
    since: float | None = None
    until: float | None = None
    sampled: bool = False
    sort: Sort = Sort.TIME
    ascending: bool = False
    after: tuple[float | str, int] | None = None
    """Key and id of the row after which to go on."""
    limit: int = 50


def statement_of(query: Query) -> tuple[str, list[object]]:
    """Return the statement and its values."""
    demanded = [(condition, bound) for condition, bound in _conditions(query) if bound is not None]
    values: list[object] = [bound for _, bound in demanded]
    key, direction = query.sort.value, "ASC" if query.ascending else "DESC"
    conditions = ["TRUE", *(condition for condition, _ in demanded)]
    if query.known is Known.NOTHING:
        conditions.append("label IS NULL")
    if query.sampled:
        conditions.append("sampled = 1")
    if query.after is not None:
        conditions.append(f"({key}, id) {'>' if query.ascending else '<'} (?, ?)")
        values += query.after
    where = " AND ".join(conditions)
    order = f"ORDER BY {key} {direction}, id {direction} LIMIT ?"
    return f"SELECT {COLUMNS} FROM verdict WHERE {where} {order}", [*values, query.limit]


def _conditions(query: Query) -> list[tuple[str, object]]:
    """Name every condition with what it compares to, None where it is not asked for."""
    label = None if query.known in {None, Known.NOTHING} else _LABELS.index(Label(str(query.known)))
    return [
        ("user = ?", query.user),
        ("verdict = ?", None if query.verdict is None else _VERDICTS.index(query.verdict)),
        ("label = ?", label),
        ("folder = ?", query.folder),
        ("sender = ?", query.sender),
        ("instr(search, ?) > 0", query.text.casefold() or None),
        ("probability >= ?", query.least),
        ("probability <= ?", query.most),
        ("time >= ?", query.since),
        ("time < ?", query.until),
    ]


def key_of(row: Row, sort: Sort) -> tuple[float | str, int]:
    """Return where a row stands in an order."""
    keys: dict[Sort, float | str] = {
        Sort.TIME: row.time,
        Sort.SCORE: row.log_odds,
        Sort.SENDER: row.sender,
        Sort.SUBJECT: row.subject,
        Sort.MISTAKES: row.doubt,
    }
    return keys[sort], row.id


def rows_of(found: Iterable[tuple[Any, ...]]) -> list[Row]:
    """Make rows of what SQLite returned."""
    return [
        Row(*before, _VERDICTS[verdict], *scores, None if label is None else _LABELS[label], bool(sampled), size)  # type: ignore[call-arg] # mypy cannot count what is unpacked
        for *before, verdict, a, b, c, label, sampled, size in found
        for scores in [(a, b, c)]
    ]
