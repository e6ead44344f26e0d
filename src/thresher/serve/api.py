"""Our own HTTP API: check, explain, learn, forget, status, history."""

import time
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from thresher.boxes import MAX_BYTES
from thresher.engine import Engine
from thresher.serve.access import Access
from thresher.serve.answers import Endpoint, answer, body, failed, guarded
from thresher.serve.protocol import api
from thresher.serve.scanner import Scanner
from thresher.store.journal import Entry, Selection
from thresher.values import Label

MOST_LESSONS: Final = 1000
"""Of a page of history; more would keep lessons waiting."""
USUAL_LESSONS: Final = 50
MOST_EVIDENCE: Final = 10_000
USUAL_EVIDENCE: Final = 50
WINDOW: Final = 500
"""Ids asked for at once, below the number of variables that any SQLite takes."""
WINDOWS: Final = 200
"""Looked through for one page, which may so have fewer lessons than asked for, but is never slow."""
ALLOWED: Final = "Bearer"


class BadRequest(ValueError):
    """A request that means nothing; the text says why."""


def routes(scanner: Scanner, access: Access) -> list[BaseRoute]:
    """Return the routes of one daemon."""
    served = _Api(scanner, access)

    def route(name: str, endpoint: Endpoint, method: str) -> Route:
        return Route(f"{api.PREFIX}/{name}", guarded(_understood(endpoint)), methods=[method])

    return [
        route("check", served.check, "POST"),
        route("explain", served.explain, "POST"),
        route("learn", served.permitted(served.learn), "POST"),
        route("forget", served.permitted(served.forget), "POST"),
        route("status", served.permitted(served.status), "GET"),
        route("history", served.permitted(served.history), "GET"),
    ]


def _understood(endpoint: Endpoint) -> Endpoint:
    async def understand(request: Request) -> Response:
        try:
            return await endpoint(request)
        except BadRequest as error:
            return failed(str(error), 400)

    return understand


class _Api:
    def __init__(self, scanner: Scanner, access: Access) -> None:
        self._scanner = scanner
        self._access = access
        self._begun = time.monotonic()

    def permitted(self, endpoint: Callable[[Request], Awaitable[Response]]) -> Endpoint:
        """Ask for the token."""

        async def permit(request: Request) -> Response:
            if self._access.opens(request):
                return await endpoint(request)
            refused = failed("the token is missing or wrong: Authorization: Bearer TOKEN", 401)
            refused.headers["WWW-Authenticate"] = ALLOWED
            return refused

        return permit

    async def check(self, request: Request) -> Response:
        return answer(api.checked(await self._scanner.scan(await _message(request), via="api")))

    async def explain(self, request: Request) -> Response:
        most = _number(request, "most", USUAL_EVIDENCE, MOST_EVIDENCE)
        return answer(api.explained(await self._scanner.explain(await _message(request)), most))

    async def learn(self, request: Request) -> Response:
        if not self._access.learning:
            return failed("learning is not switched on for this listener", 403)
        label = _label(request)
        source = request.query_params.get("source", "") or "api"
        receipt = await self._scanner.learn(await _message(request), label, _user(request), source)
        return answer(
            api.Learned(receipt.digest, label, str(receipt.change), receipt.before, receipt.after, receipt.reason)
        )

    async def forget(self, request: Request) -> Response:
        if not self._access.learning:
            return failed("learning is not switched on for this listener", 403)
        if identifier := request.query_params.get("id", ""):
            gone = await self._scanner.forget_digest(_digest(identifier), _user(request))
        else:
            gone = await self._scanner.forget(await _message(request), _user(request))
        return answer(api.Forgotten(tuple(map(_lesson, gone))))

    async def status(self, _: Request) -> Response:
        keeper = self._scanner.keeper
        judge = keeper.judge
        made = judge.promise
        stands = api.Status(
            version=version("thresher"),
            learner=judge.learner.name,
            ham=judge.learner.n_ham,
            spam=judge.learner.n_spam,
            promise=api.Promised(made.rate, made.asked, made.confidence, made.n_ham),
            waiting=keeper.waiting,
            spooled=keeper.spooled,
            in_hand=self._scanner.in_hand,
            uptime=time.monotonic() - self._begun,
            learning=self._access.learning,
            trouble=keeper.trouble,
        )
        return answer(stands)

    async def history(self, request: Request) -> Response:
        limit = _number(request, "limit", USUAL_LESSONS, MOST_LESSONS)
        before = _number(request, "before", 0, 1 << 62)
        user = _user(request)
        return answer(await self._scanner.ask(lambda engine: history(engine, limit, before, user)))


def history(engine: Engine, limit: int, before: int, user: str | None) -> api.History:
    """Return a page of lessons, those before a number, the newest first; before 0 is from the end."""
    found: list[Entry] = []
    below = before or engine.journal.last_id() + 1
    for _ in range(WINDOWS):
        if below <= 1 or len(found) > limit:
            break
        ids = tuple(range(max(1, below - WINDOW), below))
        found += reversed(list(engine.journal.entries(Selection(ids=ids, user=user))))
        below = ids[0]
    shown, more = found[:limit], len(found) > limit or below > 1
    oldest = shown[-1].id if len(found) > limit else below
    return api.History(tuple(map(_lesson, shown)), oldest if more else None)


def _lesson(entry: Entry) -> api.Lesson:
    return api.Lesson(entry.id, entry.digest.hex(), entry.label, entry.user, entry.source, entry.time, entry.score)


async def _message(request: Request) -> bytes:
    raw = await body(request, MAX_BYTES)
    if request.headers.get("content-encoding"):
        raise BadRequest("compressed messages are not read: send them as they are")
    if not raw:
        raise BadRequest("no message was sent: it is the body of the request")
    return raw


def _label(request: Request) -> Label:
    given = request.query_params.get("label", "")
    if given not in set(Label):
        raise BadRequest("say what the message is: ?label=spam or ?label=ham")
    return Label(given)


def _user(request: Request) -> str | None:
    return request.query_params.get("user") or None


def _digest(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise BadRequest("id is what a verdict or a receipt calls id, in hexadecimal") from None


def _number(request: Request, name: str, usual: int, most: int) -> int:
    given = request.query_params.get(name, "")
    if not given:
        return usual
    if not (given.isascii() and given.isdecimal()) or not 1 <= int(given) <= most:
        raise BadRequest(f"{name} is a number from 1 to {most}")
    return int(given)
