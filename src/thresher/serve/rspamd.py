"""rspamd's HTTP interface: what rspamc, mail servers' plug-ins, and pipes that teach call.

Judging is open to whoever reaches the listener. Teaching and statistics need the password, or, where none is set, a
client on this machine; teaching must be switched on, too.
"""

import time
from collections import Counter
from importlib.metadata import version

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from thresher.boxes import MAX_BYTES
from thresher.engine import Change
from thresher.serve.access import Access, is_local
from thresher.serve.answers import answer, body, failed, guarded
from thresher.serve.protocol.rspamd import (
    ALREADY_LEARNED,
    Statistics,
    already_learned,
    checked,
    message_id,
    opens,
    refusal,
    statistics,
    user_of,
)
from thresher.serve.rspamd_answers import ACTIONS, result
from thresher.serve.scanner import Scanner
from thresher.values import Label


def routes(scanner: Scanner, access: Access) -> list[BaseRoute]:
    """Return the routes of one daemon."""
    served = _Rspamd(scanner, learning=access.learning, password=access.token)
    # rspamc sends GET where there is no body: what is missing then is the message.
    either = ["GET", "POST"]
    return [
        Route("/checkv2", guarded(served.check), methods=either),
        Route("/learnspam", guarded(served.learn_spam), methods=either),
        Route("/learnham", guarded(served.learn_ham), methods=either),
        Route("/stat", guarded(served.stat), methods=["GET"]),
        Route("/auth", guarded(served.stat), methods=["GET"]),
        Route("/ping", guarded(served.ping), methods=["GET"]),
    ]


class _Rspamd:
    def __init__(self, scanner: Scanner, *, learning: bool, password: str) -> None:
        self._scanner = scanner
        self._learning = learning
        self._password = password
        self._begun = time.monotonic()
        self._actions: Counter[str] = Counter()

    async def check(self, request: Request) -> Response:
        begun = time.perf_counter()
        raw = await body(request, MAX_BYTES)
        if refused := refusal(request.headers, raw):
            return failed(refused, 400)
        scan = await self._scanner.scan(raw, user_of(request.headers), "rspamd")
        self._actions[ACTIONS[scan.verdict]] += 1
        return answer(checked(result(scan, message_id(raw), time.perf_counter() - begun)))

    async def learn_spam(self, request: Request) -> Response:
        return await self._learn(request, Label.SPAM)

    async def learn_ham(self, request: Request) -> Response:
        return await self._learn(request, Label.HAM)

    async def _learn(self, request: Request, label: Label) -> Response:
        if not self._opens(request):
            return failed("Unauthorized", 401)
        if not self._learning:
            return failed("learning is not switched on for this listener", 403)
        raw = await body(request, MAX_BYTES)
        if refused := refusal(request.headers, raw):
            return failed(refused, 400)
        receipt = await self._scanner.learn(raw, label, user_of(request.headers), "rspamd")
        if receipt.change is Change.UNCHANGED:
            return answer(already_learned(message_id(raw), label), ALREADY_LEARNED)
        return answer({"success": True})

    async def stat(self, request: Request) -> Response:
        if not self._opens(request):
            return failed("Unauthorized", 401)
        counts = await self._scanner.ask(lambda engine: engine.journal.counts())
        scanned = self._actions.total()
        uptime = int(time.monotonic() - self._begun)
        said = Statistics(version("thresher"), uptime, scanned, self._actions, counts.ham, counts.spam, scanned)
        return answer(statistics(said))

    async def ping(self, _: Request) -> Response:
        return PlainTextResponse("pong\r\n")

    def _opens(self, request: Request) -> bool:
        return opens(request.headers, self._password, local=is_local(request))
