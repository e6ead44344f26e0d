"""The list of what was judged: filtered, ordered, found, taught."""

import base64
import binascii
import math
from enum import StrEnum
from typing import Final, TypeVar
from urllib.parse import urlencode

import msgspec
from starlette.responses import Response

from thresher.store.verdict_query import Known, Query, Row, Sort, key_of
from thresher.store.verdicts import now
from thresher.values import Verdict
from thresher.web.teaching import MOST, label_of, receipt, teach, undo
from thresher.web.visit import Refused, Visit, ours

ON_A_PAGE: Final = 50
DAY: Final = 86400
MAX_TEXT: Final = 200
FILTERS: Final = ("q", "verdict", "known", "folder", "sender", "least", "most", "days", "sampled")
"""What the address may ask for beside the order."""
BOUNDS: Final = frozenset({"least", "most", "days"})
"""Those of them that are numbers."""

Choice = TypeVar("Choice", bound=StrEnum)


def show(visit: Visit) -> Response:
    """Show one page of the list."""
    query = query_of(visit)
    rows = visit.site.verdicts.rows(query)
    more = len(rows) > ON_A_PAGE
    rows = rows[:ON_A_PAGE]
    chosen = chosen_of(visit)
    return visit.show(
        "messages.html",
        rows=rows,
        chosen=chosen,
        sort=query.sort.value,
        ascending=query.ascending,
        next=_address(chosen, query, key_of(rows[-1], query.sort)) if more else "",
        first=_address(chosen, query),
        after=query.after is not None,
        orders={sort.value: _order(chosen, query, sort) for sort in Sort},
        folders=visit.site.verdicts.folders(visit.account.sees),
        receipt=receipt(visit),
        focus=visit.query("at"),
        last=visit.site.verdicts.newest(visit.account.sees),
        owner=visit.site.settings.user,
    )


def change(visit: Visit) -> Response:
    """Teach the messages chosen, or take back what was said of them."""
    numbers = list(dict.fromkeys(int(text) for text in visit.texts("id") if text.isdecimal() and len(text) < 16))  # noqa: PLR2004 - digits of an SQLite id
    back = ours(visit.text("back") or "/messages")
    if not numbers:
        raise Refused("Choose at least one message first.")
    if len(numbers) > MOST:
        raise Refused(f"At most {MOST} messages at once.")
    act = teach(visit, _rows(visit, numbers), label_of(visit.text("say")))
    return visit.go(with_act(back, act, numbers[0]))


def take_back(visit: Visit) -> Response:
    """Undo an act."""
    asked = visit.text("act")
    if not asked.isdecimal() or len(asked) > 15:  # noqa: PLR2004 - digits of an SQLite id
        raise Refused("There is nothing to undo.")
    return visit.go(with_act(ours(visit.text("back") or "/messages"), undo(visit, int(asked))))


def with_act(address: str, act: int, at: int | None = None) -> str:
    """Return an address that also names an act, so that its receipt is shown there."""
    from urllib.parse import parse_qsl, urlsplit

    path, asked = urlsplit(address).path, parse_qsl(urlsplit(address).query)
    kept = [(key, value) for key, value in asked if key not in {"act", "at"}]
    named = [*kept, ("act", str(act)), *([("at", str(at))] if at else [])]
    return f"{path}?{urlencode(named)}"


def _rows(visit: Visit, numbers: list[int]) -> list[Row]:
    rows = [visit.site.verdicts.row(number, visit.account.sees) for number in numbers]
    found = [row for row in rows if row is not None]
    if len(found) != len(numbers):
        raise Refused("There is no such message, or it is not yours.", 404)
    return found


def chosen_of(visit: Visit) -> dict[str, str]:
    """Return the filters that are set."""
    chosen = {name: visit.query(name)[:MAX_TEXT] for name in FILTERS if visit.query(name)}
    return {name: text for name, text in chosen.items() if name not in BOUNDS or _bound(text) is not None}


def query_of(visit: Visit) -> Query:
    """Read the address."""
    days = _bound(visit.query("days"))
    return Query(
        user=visit.account.sees,
        verdict=_one_of(Verdict, visit.query("verdict")),
        known=_one_of(Known, visit.query("known")),
        folder=visit.query("folder")[:MAX_TEXT] or None,
        sender=visit.query("sender")[:MAX_TEXT] or None,
        text=visit.query("q")[:MAX_TEXT],
        least=_bound(visit.query("least")),
        most=_bound(visit.query("most")),
        since=None if days is None else now() - days * DAY,
        sampled=bool(visit.query("sampled")),
        sort=_one_of(Sort, visit.query("sort")) or Sort.TIME,
        ascending=visit.query("dir") == "up",
        after=_key(visit.query("after")),
        limit=ON_A_PAGE + 1,
    )


def _one_of(kind: type[Choice], text: str) -> Choice | None:
    return next((each for each in kind if each.value == text), None)


def _bound(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _key(text: str) -> tuple[float | str, int] | None:
    """Read where to go on; a key that somebody changed begins anew."""
    if not text:
        return None
    try:
        return msgspec.json.decode(base64.urlsafe_b64decode(text.encode()), type=tuple[float | str, int])
    except (ValueError, binascii.Error, msgspec.DecodeError):
        return None


def _address(chosen: dict[str, str], query: Query, after: tuple[float | str, int] | None = None) -> str:
    asked = dict(chosen)
    if query.sort is not Sort.TIME or query.ascending:
        asked |= {"sort": query.sort.value, "dir": "up" if query.ascending else "down"}
    if after is not None:
        asked["after"] = base64.urlsafe_b64encode(msgspec.json.encode(after)).decode()
    return "/messages" + (f"?{urlencode(asked)}" if asked else "")


def _order(chosen: dict[str, str], query: Query, sort: Sort) -> str:
    """Return the address of the list in another order; the present order's, turned round."""
    turned = not query.ascending if sort is query.sort else sort in {Sort.SENDER, Sort.SUBJECT}
    return "/messages?" + urlencode({**chosen, "sort": sort.value, "dir": "up" if turned else "down"})
