"""News as server-sent events: that there are new messages, how far a job is. Pages work without.

Its law: such an answer ends by itself, soon after the process is told to stop, and after a while in any case; browsers
ask again.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from thresher.web.site import Site
from thresher.web.visit import Visit

EVERY: Final = 0.5
"""Seconds between two looks: one look is one SQLite statement."""
LONGEST: Final = 60.0
"""Seconds of one answer; then the session is looked at anew."""
MOST: Final = 32
"""Answers of this kind at once in a process."""
_open: Final = "live"

Look = Callable[[], tuple[str, bool]]
"""What there is to say now, and whether that was the last."""


async def messages(request: Request) -> Response:
    """Tell of new messages."""
    site: Site = request.app.state.site
    visit = await run_in_threadpool(Visit, request, site)
    if not visit.known:
        return PlainTextResponse("Please log in.\n", 401)
    sees = visit.account.sees
    return stream(site, "news", lambda: (str(site.verdicts.newest(sees)), False), visit.query("last"))


def stream(site: Site, event: str, look: Look, said: str = "") -> Response:
    """Answer with events: one whenever what there is to say has changed."""
    if site.memory.get(_open, 0) >= MOST:
        return PlainTextResponse("Too many pages are open.\n", 503)
    return StreamingResponse(_events(site, event, look, said), media_type="text/event-stream")


async def _events(site: Site, event: str, look: Look, said: str) -> AsyncIterator[str]:
    site.memory[_open] = site.memory.get(_open, 0) + 1
    end = time.monotonic() + LONGEST
    try:
        yield "retry: 2000\n\n"
        last = False
        while not (last or site.desk.stopping or time.monotonic() > end):
            now, last = await run_in_threadpool(look)
            if now != said:
                yield f"event: {event}\ndata: {now}\n\n"
                said = now
            elif not last:
                await asyncio.sleep(EVERY)
    finally:
        site.memory[_open] -= 1
