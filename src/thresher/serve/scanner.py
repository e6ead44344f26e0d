"""The judging service that every protocol calls: scan, explain, learn, forget, from an event loop.

Its law: `scan` always answers, in time, and needs no disk. Messages are judged in threads, so that a slow one keeps
none waiting; what takes too long, finds too many before it or fails is let through: unsure, and why it was not judged.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from thresher.boxes import Item
from thresher.config import Settings
from thresher.engine import Engine, Receipt, Teaching
from thresher.judge import Explanation
from thresher.learn.hashing import Hasher
from thresher.mail.digest import digest
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize
from thresher.prepare import Prepared, prepare
from thresher.serve.keeper import Keeper, LessonsWaiting
from thresher.serve.logs import where
from thresher.serve.metrics import Metrics
from thresher.serve.recorder import Recorded, Recorder
from thresher.serve.scan import REASONS, Scan, scan_of, unjudged
from thresher.store.journal import Entry, Selection
from thresher.values import Label, ThresherError

log = logging.getLogger(__name__)

THREADS: Final = 4
"""Messages judged at once. More would not be faster: they share one core's worth of Python."""

PROBE: Final = b"Subject: ready?\n\nThis message asks whether messages are judged.\n"

Answer = TypeVar("Answer")


class Scanner:
    """One for a process. Made before the event loop runs, closed after it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.serve = settings.serve
        self.metrics = Metrics()
        self.keeper = Keeper(settings, self.metrics)
        self.recorder = _recorder(settings)
        """None where nothing is to be remembered, or can be."""
        self.stopping = False
        """Whether this process is coming to its end: who only waits for news need not be kept waiting."""
        self.in_hand = 0
        """Messages being judged or waiting for it."""
        self._bits = settings.bits
        self._own = threading.local()
        self._counting = threading.Lock()
        self._threads = ThreadPoolExecutor(THREADS, "scan")

    async def scan(self, raw: bytes, user: str | None = None, via: str = "") -> Scan:
        """Judge a message, for somebody if that is known; whatever happens, there is an answer."""
        begun = time.perf_counter()
        scan = await self._judged(raw, user, via)
        self.metrics.judged(scan, via, time.perf_counter() - begun, self.in_hand)
        return scan

    async def _judged(self, raw: bytes, user: str | None, via: str) -> Scan:
        if self.in_hand >= self.serve.queue:
            return unjudged(f"{self.in_hand} messages are waiting")
        try:
            return await asyncio.wait_for(self._in_thread(self._scan, raw, user, via), self.serve.timeout)
        except TimeoutError:
            return unjudged(f"no answer within {self.serve.timeout:g} s")
        except Exception as error:  # noqa: BLE001 - a filter that fails must not keep mail from its owner
            log.error("a message of %d bytes could not be judged: %s", len(raw), where(error))  # noqa: TRY400
            return unjudged(f"the filter failed: {type(error).__name__}")

    async def probe(self) -> str:
        """Judge a message of our own, and say why that cannot be done; empty if it can."""
        if self.in_hand >= self.serve.queue:
            return f"{self.in_hand} messages are waiting"
        try:
            await asyncio.wait_for(self._in_thread(self._explain, PROBE, REASONS), self.serve.timeout)
        except TimeoutError:
            return f"no answer within {self.serve.timeout:g} s"
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the answer
            return f"the filter failed: {type(error).__name__}"
        return ""

    async def explain(self, raw: bytes) -> Explanation:
        """Judge a message and take the score apart."""
        return await self._in_thread(self._explain, raw, None)

    async def learn(self, raw: bytes, label: Label, user: str | None = None, source: str = "") -> Receipt:
        """Learn that a message is ham or spam; answered when it is on disk, in the journal or waiting for it."""
        teaching = Teaching(await self._in_thread(self._prepare, raw), label, source)
        try:
            receipt = await asyncio.wrap_future(self.keeper.learn(teaching, user))
        except LessonsWaiting:
            receipt = await self._in_thread(self.keeper.spool, teaching, user)
        self.metrics.taught.labels(receipt.change.value).inc()
        return receipt

    async def forget(self, raw: bytes, user: str | None = None) -> list[Entry]:
        """Take back what a user, or anybody, said of a message; nothing if nobody had."""
        return await self.forget_digest(await self._in_thread(digest, raw), user)

    async def forget_digest(self, named: bytes, user: str | None = None) -> list[Entry]:
        """The same of a message that is named by its digest."""
        return await asyncio.wrap_future(self.keeper.forget(Selection(digests=(named,), user=user)))

    async def ask(self, work: Callable[[Engine], Answer]) -> Answer:
        """Ask the journal something."""
        return await asyncio.wrap_future(self.keeper.ask(work))

    def close(self) -> None:
        """End the threads once what they do is done."""
        self._threads.shutdown(cancel_futures=True)
        self.keeper.close()
        if self.recorder:
            self.recorder.close()

    def _in_thread(self, work: Callable[..., Answer], *arguments: object) -> "asyncio.Future[Answer]":
        future = self._threads.submit(work, *arguments)
        with self._counting:
            self.in_hand += 1
        future.add_done_callback(self._out_of_hand)
        return asyncio.wrap_future(future)

    def _out_of_hand(self, _: object) -> None:
        with self._counting:
            self.in_hand -= 1

    # in threads -------------------------------------------------------------------------------------------------------

    def _scan(self, raw: bytes, user: str | None, via: str) -> Scan:
        message = parse(raw)
        stream = tokenize(message)
        judge = self.keeper.judge
        scan = scan_of(judge.explain(stream, self._hasher(), REASONS), judge.line, digest(raw).hex())
        if self.recorder:
            self.recorder.record(Recorded(raw, message, stream, scan, user or self.settings.user, via))
        return scan

    def _explain(self, raw: bytes, most: int | None) -> Explanation:
        return self.keeper.judge.explain(tokenize(parse(raw)), self._hasher(), most)

    def _prepare(self, raw: bytes) -> Prepared:
        return prepare([Item("", raw)], self._hasher())[0]

    def _hasher(self) -> Hasher:
        """Return this thread's hasher: each holds scratch that two at once would spoil."""
        if not hasattr(self._own, "hasher"):
            self._own.hasher = Hasher(self._bits)
            self._own.hasher.take_memory()  # evidence/serving.md
        hasher: Hasher = self._own.hasher
        return hasher


def _recorder(settings: Settings) -> Recorder | None:
    if not settings.serve.remember:
        return None
    try:
        return Recorder(settings)
    except (ThresherError, OSError) as error:
        # Judging needs no disk.
        log.warning("what is judged will not be listed: %s", error)
        return None
