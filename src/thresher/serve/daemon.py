"""One process of the daemon: an event loop that drives the protocols' conversations and stops without dropping one.

Its law: a connection once accepted is served to its end, unless that takes longer than the grace given at the stop; one
that fails hurts no other.
"""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from thresher.serve.listening import BACKLOG
from thresher.serve.logs import where
from thresher.serve.scanner import Scanner

log = logging.getLogger(__name__)

GRACE: Final = 30.0
"""Seconds that conversations have to come to their end when the daemon stops."""

Conversation = Callable[[Scanner, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
"""One connection, from its first byte to its last; see the package's docstring."""


class Listener(NamedTuple):
    """A protocol and the socket, bound by whoever started this process, at which it is spoken."""

    protocol: str
    converse: Conversation
    socket: socket.socket


class Daemon:
    """Serves listeners until stopped."""

    def __init__(self, scanner: Scanner, listeners: Sequence[Listener]) -> None:
        self._scanner = scanner
        self._listeners = listeners
        self._conversations: set[asyncio.Task[None]] = set()
        self._stop = asyncio.Event()
        self.started = asyncio.Event()
        """Set once connections are accepted."""

    def stop(self) -> None:
        """Ask the daemon to end: no new connections, those there are come to their end."""
        self._scanner.stopping = True
        self._stop.set()

    async def run(self, grace: float = GRACE) -> None:
        """Serve until `stop` is called and the conversations are over."""
        servers = [await self._listen(listener) for listener in self._listeners]
        self.started.set()
        await self._stop.wait()
        for server in servers:
            server.close()
        if self._conversations:
            log.info("stopping; %d conversations go on to their end", len(self._conversations))
            _, left = await asyncio.wait(self._conversations, timeout=grace)
            for task in left:
                task.cancel()
            if left:
                log.warning("%d conversations did not end within %g s and were cut off", len(left), grace)
                await asyncio.wait(left)

    async def _listen(self, listener: Listener) -> asyncio.Server:
        async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            if task is not None:  # asyncio starts a task for each connection; the type allows for none
                self._conversations.add(task)
                task.add_done_callback(self._conversations.discard)
            _answer_at_once(writer.get_extra_info("socket"))
            await self._converse(listener, reader, writer)

        # start_server takes Unix sockets too, and leaves their names alone, as start_unix_server does not.
        # A backlog of one makes it take one connection at a time, so that workers share them; the system's is the old.
        server = await asyncio.start_server(accepted, sock=listener.socket, backlog=1)
        listener.socket.listen(BACKLOG)
        return server

    async def _converse(self, listener: Listener, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await listener.converse(self._scanner, reader, writer)
        except ConnectionError:
            log.debug("%s: the client went away", listener.protocol)
        except Exception as error:  # noqa: BLE001 - whatever it is, the other conversations go on
            log.error("%s: a conversation failed: %s", listener.protocol, where(error))  # noqa: TRY400 - see logs.py
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


def _answer_at_once(connection: socket.socket) -> None:
    """Switch Nagle's algorithm off: with it a milter conversation over TCP takes some 48 ms longer."""
    if connection.family != socket.AF_UNIX:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
