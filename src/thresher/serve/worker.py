"""A worker: one scanner, one event loop, until it is told to stop or its parent is gone."""

import asyncio
import logging
import os
import signal
from collections.abc import Sequence
from typing import Final, NamedTuple

from thresher.config import Settings
from thresher.serve.daemon import Daemon, Listener
from thresher.serve.scanner import Scanner
from thresher.values import ThresherError

log = logging.getLogger(__name__)

M_ARENA_MAX: Final = -8
"""Of glibc's malloc.h."""
NOT_STARTED: Final = 3
"""Exit code of a worker that could not begin to serve."""


class Place(NamedTuple):
    """A worker's place among its like."""

    slot: int
    ready: int
    """Where it says that it serves."""
    lifeline: int
    """A pipe that ends with the parent, however that ends."""


def run_worker(settings: Settings, listeners: Sequence[Listener], place: Place) -> int:
    """Serve until told to stop; return the exit code."""
    # Ctrl-C reaches the whole group; the parent says what follows from it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    _share_memory_among_threads()
    try:
        scanner = Scanner(settings)
    except (ThresherError, OSError) as error:
        log.critical("worker %d cannot start: %s", place.slot, error)
        return NOT_STARTED
    try:
        asyncio.run(_serve(scanner, listeners, place))
    finally:
        scanner.close()
    return 0


def _share_memory_among_threads() -> None:
    """Have glibc keep one arena for all threads: with one each a worker held 40 % more (evidence/serving.md)."""
    import ctypes

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:  # other C libraries have no arenas
        mallopt(M_ARENA_MAX, 1)


async def _serve(scanner: Scanner, listeners: Sequence[Listener], place: Place) -> None:
    daemon = Daemon(scanner, listeners)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, daemon.stop)

    def parent_is_gone() -> None:
        loop.remove_reader(place.lifeline)
        daemon.stop()

    loop.add_reader(place.lifeline, parent_is_gone)
    running = asyncio.create_task(daemon.run())
    await daemon.started.wait()
    os.write(place.ready, b".")
    log.info("worker %d serves; the model stands on %d lessons", place.slot, scanner.keeper.lessons)
    await running
    loop.remove_reader(place.lifeline)
