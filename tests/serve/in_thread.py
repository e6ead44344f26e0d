"""A daemon that runs beside a test, for clients that are programs."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from thresher.serve.daemon import Conversation, Daemon, Listener
from thresher.serve.scanner import Scanner

GRACE = 10.0


@contextmanager
def serving(scanner: Scanner, converse: Conversation, listening: socket.socket | None = None) -> Iterator[int]:
    """Run a daemon of one listener in a thread; give the port, if it has one."""
    bound = listening or socket.create_server(("127.0.0.1", 0))
    started = threading.Event()
    loops: list[tuple[asyncio.AbstractEventLoop, Daemon]] = []

    async def run() -> None:
        daemon = Daemon(scanner, [Listener("test", converse, bound)])
        loops.append((asyncio.get_running_loop(), daemon))
        started.set()
        await daemon.run(GRACE)

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    started.wait()
    [(loop, daemon)] = loops
    try:
        yield bound.getsockname()[1] if bound.family != socket.AF_UNIX else 0
    finally:
        loop.call_soon_threadsafe(daemon.stop)
        thread.join()


def said(port: int, data: bytes, *, half_close: bool = True) -> bytes:
    """Say something to a server of this machine, and return everything it says until it closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(data)
        if half_close:
            connection.shutdown(socket.SHUT_WR)
        received = b""
        while data := connection.recv(1 << 16):
            received += data
    return received
