"""Many messages, read and prepared over all cores, in the order asked: the same result with one core and with many.

Work goes out in chunks of entries (references that can be opened anywhere) and comes back in order. At most a bounded
number of chunks is under way, so a mailbox of any size goes through in constant memory.
"""

import gc
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt

from thresher import boxes
from thresher.learn.hashing import Features, Hasher
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize

if TYPE_CHECKING:
    from multiprocessing.pool import Pool

CHUNK: Final = 64
"""Entries that go to a process at once: 10 ms of work, against 0.2 ms for sending them."""
AHEAD: Final = 8
"""Chunks under way for each process."""
WORTH_FORKING: Final = 4 * CHUNK
"""Below this many messages starting processes costs more than it saves."""

SELDOM: Final = 50_000
"""Objects between two searches for cycles, of which reading mail makes none: 700 of them took 5 % of `check`."""

_SET_PARENT_DEATH_SIGNAL: Final = 1
"""linux/prctl.h."""

Item = TypeVar("Item")
Result = TypeVar("Result")


class Prepared(NamedTuple):
    """A message, ready to be judged or learned."""

    path: str
    digest: bytes
    stream: bytes
    slots: npt.NDArray[np.int32]


class Chunk(NamedTuple):
    """The messages of some entries."""

    items: list[boxes.Item]
    origins: list[int]
    """For each message, the index of its entry: an entry may hold several messages, or none."""
    errors: list[boxes.BoxError]


def read_chunk(entries: Sequence[boxes.Entry]) -> Chunk:
    """Read the messages of some entries; what cannot be read is an error, not the end."""
    chunk = Chunk([], [], [])
    for index, entry in enumerate(entries):
        try:
            for item in boxes.load(entry):
                chunk.items.append(item)
                chunk.origins.append(index)
        except boxes.BoxError as error:
            chunk.errors.append(error)
    return chunk


def streams_of(items: Sequence[boxes.Item]) -> list[bytes]:
    """Return the token streams of some messages."""
    return [tokenize(parse(item.raw)) for item in items]


def prepare(items: Sequence[boxes.Item], hasher: Hasher) -> list[Prepared]:
    """Make lessons' material of some messages."""
    # Only lessons need it, and hashlib takes 5 ms to import.
    from thresher.mail.digest import digest

    streams = streams_of(items)
    features = hasher.features(streams)
    slots = features.slots.astype(np.int32)
    bounds = features.offsets
    return [
        Prepared(item.path, digest(item.raw), stream, slots[bounds[i] : bounds[i + 1]])
        for i, (item, stream) in enumerate(zip(items, streams, strict=True))
    ]


def features_of(prepared: Sequence[Prepared]) -> Features:
    """Put messages' slots together again."""
    offsets = np.cumsum([0, *(len(one.slots) for one in prepared)])
    slots = np.concatenate([one.slots for one in prepared]) if prepared else np.zeros(0, np.int32)
    return Features(slots.astype(np.intp), offsets)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def jobs_for(messages: int, wanted: int | None) -> int:
    """Return how many processes to use: as many as wanted, else all cores where that is worth starting them."""
    if wanted is not None:
        return min(wanted, max(messages // CHUNK, 1))
    return cores() if messages >= WORTH_FORKING else 1


def chunks(items: Sequence[Item]) -> list[Sequence[Item]]:
    """Cut work into chunks."""
    return [items[first : first + CHUNK] for first in range(0, len(items), CHUNK)]


def over_cores(work: Callable[[Item], Result], pieces: Iterable[Item], jobs: int) -> Iterator[Result]:
    """Do the work for each piece, in order; with several jobs in processes that inherit what the work needs."""
    with Cores(work, jobs) as cores_of_work:
        yield from cores_of_work.each(pieces)


class Cores(Generic[Item, Result]):
    """Processes for some work, started before there are pieces of it.

    A process that is forked shares its parent's memory until one of the two writes, and Python writes to whatever it
    looks at: so fork first, and list a million messages then.
    """

    def __init__(self, work: Callable[[Item], Result], jobs: int) -> None:
        self._work = work
        self._jobs = jobs
        self._pool: Pool | None = None
        self._room = threading.Semaphore(AHEAD * jobs)
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        if self._jobs > 1:
            import multiprocessing

            # fork: the model is shared, not copied. Nothing here has started a thread before.
            self._pool = multiprocessing.get_context("fork").Pool(self._jobs, _inherit, (self._work,))
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            # The pool's end waits for its thread that hands out work, and that one may be waiting for room.
            self._ended.set()
            self._room.release()
            self._pool.terminate()

    def each(self, pieces: Iterable[Item]) -> Iterator[Result]:
        """Do the work for each piece, in order."""
        thresholds = gc.get_threshold()
        gc.set_threshold(SELDOM, *thresholds[1:])
        try:
            yield from map(self._work, pieces) if self._pool is None else self._elsewhere(self._pool, pieces)
        finally:
            gc.set_threshold(*thresholds)

    def _elsewhere(self, pool: "Pool", pieces: Iterable[Item]) -> Iterator[Result]:
        def as_room_allows() -> Iterator[Item]:
            for piece in pieces:
                self._room.acquire()
                if self._ended.is_set():
                    return
                yield piece

        for result in pool.imap(_do, as_room_allows()):
            self._room.release()
            yield cast(Result, result)


_inherited: list[Callable[[object], object]] = []
"""In a worker process, its work. fork hands it over without pickling; a pool has no other place for it."""


def _inherit(work: Callable[[object], object]) -> None:
    # What is shared with the parent stays shared: collecting garbage would write to every object there is.
    gc.freeze()
    _end_with_parent()
    _inherited[:] = [work]


def _end_with_parent() -> None:
    """Where the system can, end when the parent is killed, instead of finding out by a broken pipe and saying so."""
    if sys.platform == "linux":
        import ctypes
        import signal

        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def _do(piece: object) -> object:
    return _inherited[0](piece)
