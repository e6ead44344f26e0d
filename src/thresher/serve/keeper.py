"""The one thread that touches the journal: lessons in, lessons of other processes followed, models swapped.

Its law: the model it hands out is never half made, and stays in use whatever happens to the journal. Trouble with the
journal is kept as a sentence until it is over, and lessons given meanwhile wait on disk. The model is settled by a
process of its own, which serves all workers.
"""

import logging
import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from itertools import groupby
from typing import Final, NamedTuple, TypeVar

from thresher.build import build_engine, start_rebuild
from thresher.config import Settings
from thresher.engine import Change, Engine, Receipt, Teaching
from thresher.prepare import features_of
from thresher.serve.logs import where
from thresher.serve.metrics import Metrics, saved_at
from thresher.serve.spool import Spool
from thresher.store.files import locked
from thresher.store.journal import Entry, JournalError, Position, Selection
from thresher.values import ThresherError

log = logging.getLogger(__name__)

POLL: Final = 0.05
"""Seconds between two looks at the journal: a lesson given elsewhere is used within 100 ms."""
MOST_WAITING: Final = 256
"""Lessons that may wait for their turn; more are refused, with the request to try again."""
MOST_AT_ONCE: Final = 64
"""Lessons in one transaction: one wait for the disk for all that arrived meanwhile."""
BUSY_TIMEOUT: Final = 5.0
"""Seconds to wait for another writer; whoever teaches over a network does not wait much longer."""
SPOOL_POLL: Final = 1.0
"""Seconds between two tries to give the journal what waits on disk."""
QUIET: Final = 5.0
"""Seconds without a lesson before the model is settled: people teach several messages in a row."""
REST: Final = 10
"""Settling rests this many times as long as it took: under constant lessons it has a tenth of one core."""

Answer = TypeVar("Answer")


class LessonsWaiting(ThresherError):
    """Too many lessons wait for their turn."""


class _Job(NamedTuple):
    """Work for the thread: a lesson, or anything else that needs the journal."""

    answer: "Future[object]"
    work: Callable[[Engine], object] | None = None
    teaching: Teaching | None = None
    user: str | None = None


class Keeper:
    """Owns the engine. `judge` has the model in use: take it for one message, do not keep it."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._metrics = metrics
        self._engine = build_engine(settings, settle_seconds=0.0, busy_timeout=BUSY_TIMEOUT)
        self._snapshot = self._snapshot_now()
        self._engine.load()
        self.judge = self._engine.judges()
        self.taught = 0
        """Lessons that were given through this process and changed something."""
        self._reading = self._writing = ""
        self._spool = Spool(settings.home)
        self._spool.prepare()
        self.spooled = len(self._spool)
        """Lessons that wait on disk, as of the last look."""
        self._spool_due = 0.0
        self._stale = False
        """Whether the engine's own model must be read anew before it can learn again."""
        self._version = -1
        self._settler = Settler(settings)
        self._settler.changed(settled=self._engine.view.settled)
        self._jobs: queue.Queue[_Job | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._run, name="keeper", daemon=True)
        self._thread.start()

    @property
    def lessons(self) -> int:
        """How many lessons the model in use stands on."""
        return self.judge.learner.n_spam + self.judge.learner.n_ham

    @property
    def waiting(self) -> int:
        """How many lessons and questions wait for their turn."""
        return self._jobs.qsize()

    @property
    def trouble(self) -> str:
        """What is wrong with the journal; empty if nothing is."""
        return self._reading or self._writing

    def learn(self, teaching: Teaching, user: str | None = None) -> "Future[Receipt]":
        """Learn a lesson; answered when it is on disk."""
        answer: Future[Receipt] = Future()
        self._put(_Job(answer, teaching=teaching, user=user))  # type: ignore[arg-type] # Future is invariant
        return answer

    def spool(self, teaching: Teaching, user: str | None = None) -> Receipt:
        """Keep a lesson on disk for later; whoever calls waits for the disk."""
        self._spool.put(teaching, user)
        self.spooled += 1
        now = float(self.judge.learner.scores(features_of([teaching.message]))[0])
        message, label, _ = teaching
        reason = "it waits on disk until the journal can be written"
        return Receipt(message.path, message.digest.hex(), label, Change.SPOOLED, now, now, reason)

    def forget(self, selection: Selection) -> "Future[list[Entry]]":
        """Take lessons back."""
        return self.ask(lambda engine: self._forget(engine, selection))

    def ask(self, work: Callable[[Engine], Answer]) -> "Future[Answer]":
        """Do something with the journal, in its turn."""
        answer: Future[Answer] = Future()
        self._put(_Job(answer, work=work))  # type: ignore[arg-type] # Future is invariant
        return answer

    def close(self) -> None:
        """Finish what waits, then let go of the journal."""
        self._jobs.put(None)
        self._thread.join()
        self._settler.close()
        self._engine.journal.close()

    def _put(self, job: _Job) -> None:
        try:
            self._jobs.put_nowait(job)
        except queue.Full:
            raise LessonsWaiting(f"{MOST_WAITING} lessons wait for their turn; try again in a moment") from None

    # the thread -------------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        running = True
        while running:
            batch = list(self._take())
            running = None not in batch
            jobs = [job for job in batch if job and job.answer.set_running_or_notify_cancel()]
            for (is_lesson, user), group in groupby(jobs, lambda job: (job.teaching is not None, job.user)):
                together = list(group)
                if is_lesson:
                    self._learn(together, user)
                else:
                    self._do(together)
            self._look()
            if time.monotonic() >= self._spool_due:
                self._empty_spool()
            self._metrics.look(self, saved_at(self._engine.view.path))
            self._settler.step()

    def _take(self) -> Iterator[_Job | None]:
        try:
            yield self._jobs.get(timeout=POLL)
            for _ in range(MOST_AT_ONCE - 1):
                yield self._jobs.get_nowait()
        except queue.Empty:
            return

    def _learn(self, jobs: Sequence[_Job], user: str | None) -> None:
        try:
            self._refresh()
            receipts = self._engine.learn([job.teaching for job in jobs if job.teaching], user=user)
        except (JournalError, OSError) as error:
            self._writing = self._noted(self._writing, f"the last lesson is not in the journal: {error}")
            for job in jobs:
                self._spool_job(job, error)
            return
        except Exception as error:  # noqa: BLE001 - whoever asked gets it, whatever it is; this thread goes on
            self._writing = self._noted(self._writing, f"the last lesson was not kept: {where(error)}")
            for job in jobs:
                job.answer.set_exception(error)
            return
        self._writing = self._noted(self._writing, "")
        self.judge = self._engine.judges()
        changes = sum(receipt.change is not Change.UNCHANGED for receipt in receipts)
        self.taught += changes
        if changes:
            self._settler.changed()
        for job, receipt in zip(jobs, receipts, strict=True):
            job.answer.set_result(receipt)

    def _spool_job(self, job: _Job, why: Exception) -> None:
        """Keep on disk what the journal did not take; where that fails too, the answer is why the journal did not."""
        if job.teaching is None:
            return
        try:
            job.answer.set_result(self.spool(job.teaching, job.user))
        except (JournalError, OSError) as error:
            log.error("a lesson could not be spooled either: %s", error)  # noqa: TRY400 - a sentence for a person
            job.answer.set_exception(why)

    def _empty_spool(self) -> None:
        """Give the journal what waits on disk, if it takes it now."""
        self._spool_due = time.monotonic() + SPOOL_POLL
        self.spooled = len(self._spool)
        if not self.spooled or self._reading:
            return
        try:
            with locked(self._spool.folder, wait=False) as mine:
                for name, teaching, kept in self._spool.waiting(self._engine.view.hasher) if mine else ():
                    [receipt] = self._engine.learn([teaching], kept.at, kept.user)
                    self._spool.remove(name)
                    self.spooled -= 1
                    if receipt.change is not Change.UNCHANGED:
                        self.taught += 1
                        self._settler.changed()
                    self.judge = self._engine.judges()
            self._writing = self._noted(self._writing, "")
        except (JournalError, OSError) as error:
            self._writing = self._noted(self._writing, f"{self.spooled} lessons wait on disk: {error}")

    def _do(self, jobs: Sequence[_Job]) -> None:
        for job in jobs:
            try:
                result = job.work(self._engine) if job.work else None
            except Exception as error:  # noqa: BLE001 - whoever asked gets it, whatever it is; this thread goes on
                job.answer.set_exception(error)
            else:
                job.answer.set_result(result)

    def _forget(self, engine: Engine, selection: Selection) -> list[Entry]:
        self._refresh()
        gone = engine.forget(selection)
        if gone:
            self._settler.changed()
        return gone

    def _look(self) -> None:
        """Follow the journal and the snapshot."""
        try:
            self._refresh()
            version = self._engine.journal.data_version()
            if version != self._version:
                self._follow(self._engine.journal.position())
            self._version = version
        except (ThresherError, OSError) as error:
            self._reading = self._noted(self._reading, str(error))
        else:
            self._reading = self._noted(self._reading, "")

    def _refresh(self) -> None:
        """Read the model anew where another process has saved one, or reading it failed before."""
        snapshot = self._snapshot_now()
        if not self._stale and snapshot in {self._snapshot, None}:
            return
        self._stale = True  # until it is read
        self._engine.load()
        self._stale = False
        self._snapshot = snapshot
        self.judge = self._engine.judges()
        self._settler.changed(settled=self._engine.view.settled)

    def _follow(self, now: Position) -> None:
        view = self._engine.view
        was = view.position
        if was.identity != now.identity or was.last_id > now.last_id:
            self._stale = True
            self._refresh()
        elif view.follow() or was.generation != now.generation:
            # What was taken back elsewhere stays in this model until one is saved without it.
            self.judge = self._engine.judges()
            self._settler.changed()

    def _snapshot_now(self) -> tuple[int, int] | None:
        try:
            found = self._engine.view.path.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns

    def _noted(self, before: str, now: str) -> str:
        if now and now != before:
            log.warning("%s; judging goes on from memory", now)
        elif before and not now:
            log.info("the journal is in order again")
        return now


class Settler:
    """Has the model settled by a process of its own once lessons pause; all workers then read what it saves."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._due = float("inf")
        self._rested = 0.0
        self._started = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        # Workers hear of a lesson at the same time, and one process is enough.
        self._quiet = QUIET * (1 + os.getpid() % 8 / 8)

    def changed(self, *, settled: bool = False) -> None:
        """Note that the model has changed."""
        self._due = float("inf") if settled else time.monotonic() + self._quiet

    def step(self) -> None:
        """Start a process if it is time, and see whether it has ended."""
        now = time.monotonic()
        if self._process is not None:
            if self._process.poll() is not None:
                self._process = None
                self._rested = now + REST * (now - self._started)
        elif now >= max(self._due, self._rested):
            self._due = float("inf")
            self._started = now
            self._process = start_rebuild(self._settings.home, self._settings.learner, self._settings.bits)

    def close(self) -> None:
        """End a process that settles: what it has not saved by now, the next one will."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
