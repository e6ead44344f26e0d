"""HTTP conversations: all protocols that use HTTP in one application, served by uvicorn on the daemon's connections.

A conversation begins as any other and is handed over to uvicorn with its first bytes, so that HTTP shares listeners and
graceful stop with the rest.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from thresher.serve import api, health, rspamd
from thresher.serve.access import Access
from thresher.serve.answers import failed
from thresher.serve.daemon import Conversation
from thresher.serve.scanner import Scanner

FIRST: Final = 1 << 20
"""Bytes read before a connection is handed over: more than asyncio keeps waiting, so that none stay behind."""
KEEP_ALIVE: Final = 5
"""Seconds a client may be silent between two requests; a graceful stop waits no longer for it."""


Routes = Callable[[Scanner, Access], Sequence[BaseRoute]]
"""What a protocol over HTTP is made of: its routes for one process's scanner."""

ROUTES: Final[tuple[Routes, ...]] = (rspamd.routes, api.routes, health.routes)
"""Of every listener of a protocol; the page has its own application, see `conversation`."""


def application(scanner: Scanner, access: Access) -> Starlette:
    """Return the application: the routes of every protocol."""
    routes = [route for make in ROUTES for route in make(scanner, access)]
    return Starlette(routes=routes, exception_handlers={HTTPException: _refused})


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - starlette's signature says less than it means
    return failed(error.detail, error.status_code)


class _Served(NamedTuple):
    config: Config
    state: ServerState


@lru_cache(maxsize=4)
def _scanning(scanner: Scanner, access: Access) -> _Served:
    """Make the application of a listener, for this process's one scanner."""
    return _served(application(scanner, access))


def _served(application: Starlette) -> _Served:
    config = Config(
        application,
        http=H11Protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE,
    )
    config.load()
    return _Served(config, ServerState())


class _Connection(H11Protocol):
    """uvicorn's protocol, on a connection that was another's."""

    def __init__(self, served: _Served, before: asyncio.BaseProtocol) -> None:
        super().__init__(served.config, served.state, {}, asyncio.get_running_loop())
        self.over = asyncio.Event()
        self._before = before

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._before.connection_lost(exc)
        self.over.set()


async def serve_http(
    scanner: Scanner,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    *,
    learning: bool = False,
    password: str = "",
) -> None:
    """Hold one connection of the protocols."""
    await _hold(_scanning(scanner, Access(learning, password)), reader, writer)


def conversation(make: Callable[[Scanner], Starlette]) -> Conversation:
    """Return the conversation of another application; it is made once for each scanner, in the process that serves."""

    @lru_cache(maxsize=1)
    def served(scanner: Scanner) -> _Served:
        return _served(make(scanner))

    async def converse(scanner: Scanner, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _hold(served(scanner), reader, writer)

    return converse


async def _hold(served: _Served, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Hold one connection: any number of requests."""
    first = await reader.read(FIRST)
    if not first:
        return
    transport = writer.transport
    connection = _Connection(served, transport.get_protocol())
    transport.set_protocol(connection)
    connection.connection_made(transport)  # type: ignore[arg-type] # a socket's transport is an asyncio.Transport
    connection.data_received(first)
    try:
        await connection.over.wait()
    except asyncio.CancelledError:
        transport.abort()
        raise
