"""The parent of the workers: it holds the listening sockets, replaces who dies, stops and reloads without a gap.

Its law: it opens no journal and serves no connection, so that nothing it meets can kill it. Sockets stay open here from
start to stop: whatever happens to workers, a client that connects is served as soon as one is there.
"""

import gc
import logging
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from thresher.config import Settings
from thresher.serve.daemon import GRACE, Listener
from thresher.serve.logs import where
from thresher.serve.metrics import forget_worker
from thresher.serve.worker import NOT_STARTED, Place, run_worker
from thresher.store import tuned
from thresher.values import ThresherError

log = logging.getLogger(__name__)

WATCHED: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD)
PATIENCE: Final = 1.0
"""Seconds before one that failed at its start is tried again; one that had served is replaced at once."""


class WorkersFailed(ThresherError):
    """No worker could start; it has said why."""


class _Worker(NamedTuple):
    """A child."""

    slot: int
    generation: int
    ready: int
    """Its end of a pipe: a byte comes when it serves, the end of the file when it is gone."""


class Supervisor:
    """Runs `settings.serve.workers` workers until told to stop."""

    def __init__(self, read: Callable[[], Settings], listeners: Sequence[Listener]) -> None:
        self._read = read
        self._settings = read()
        self._listeners = listeners
        self._workers: dict[int, _Worker] = {}
        self._generation = 0
        self._serving: set[int] = set()
        """Workers that have said they are ready."""
        self._served = False
        """Whether any ever was."""
        self._stopping = False
        self._failed = False
        self._due: dict[int, float] = {}
        """When a slot's next worker is to be started."""
        self._deadline = float("inf")
        self._tuned = self._tuned_now()

    def run(self) -> None:
        """Serve until SIGTERM or SIGINT; SIGHUP reads the settings anew, and so does a switch made by `tune`."""
        # Workers share what is there now; a collection would write to those pages and copy them.
        gc.freeze()
        self._lifeline = os.pipe()
        awake, wake = os.pipe()
        for end in (awake, wake):
            os.set_blocking(end, False)
        before = {number: signal.signal(number, lambda *_: None) for number in WATCHED}
        previous = signal.set_wakeup_fd(wake)
        try:
            self._start_generation()
            while self._workers or self._due:
                self._step(awake)
        finally:
            signal.set_wakeup_fd(previous)
            for number, handler in before.items():
                signal.signal(number, handler)
            for end in (awake, wake, *self._lifeline):
                os.close(end)
        if self._failed:
            raise WorkersFailed("no worker could start")

    def _step(self, awake: int) -> None:
        pipes = {worker.ready: pid for pid, worker in self._workers.items() if pid not in self._serving}
        now = time.monotonic()
        until = min([self._deadline, *self._due.values()], default=now + PATIENCE)
        readable, _, _ = select.select([awake, *pipes], [], [], max(0.0, min(until - now, PATIENCE)))
        for end in readable:
            if end == awake:
                self._handle(os.read(awake, 512))
            elif os.read(end, 1):
                self._is_ready(pipes[end])
        if not self._stopping and self._tuned_now() != self._tuned:
            self._reload()
        self._bury()
        self._replace()
        if self._stopping and time.monotonic() > self._deadline:
            self._signal(signal.SIGKILL)

    def _handle(self, numbers: bytes) -> None:
        for number in numbers:
            if number in {signal.SIGTERM, signal.SIGINT}:
                self._stop()
            elif number == signal.SIGHUP and not self._stopping:
                self._reload()

    def _tuned_now(self) -> tuple[int, int] | None:
        """Name the choice of `tune` that is in force: a switch is a new file."""
        try:
            found = (self._settings.home / tuned.FILE).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    # beginning and end of workers -------------------------------------------------------------------------------------

    def _start_generation(self) -> None:
        self._generation += 1
        for slot in range(self._settings.serve.workers):
            self._start(slot)

    def _start(self, slot: int) -> None:
        ready, tell = os.pipe()
        place = Place(slot, tell, self._lifeline[0])
        # Until the child is itself it would take a signal for the parent's, and lose it.
        signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
        pid = os.fork()
        if pid == 0:
            self._become_worker(place, ready)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
        os.close(tell)
        self._workers[pid] = _Worker(slot, self._generation, ready)

    def _become_worker(self, place: Place, ready: int) -> None:
        """Never return: what the parent would do next is none of a worker's business."""
        code = NOT_STARTED
        try:
            signal.set_wakeup_fd(-1)
            os.close(ready)
            os.close(self._lifeline[1])
            for other in self._workers.values():
                os.close(other.ready)
            code = run_worker(self._settings, self._listeners, place)
        except BaseException as error:  # noqa: BLE001 - nothing may run on in the child as if it were the parent
            log.critical("worker %d failed: %s", place.slot, where(error))
        finally:
            os._exit(code)

    def _is_ready(self, pid: int) -> None:
        self._serving.add(pid)
        if not self._served:
            self._served = True
            notify("READY=1")
        old = {other for other, worker in self._workers.items() if worker.generation != self._generation}
        if self._serving.issuperset(self._workers.keys() - old):
            self._signal(signal.SIGTERM, old)

    def _bury(self) -> None:
        while self._workers:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            worker = self._workers.pop(pid)
            os.close(worker.ready)
            forget_worker(pid)
            started = pid in self._serving
            self._serving.discard(pid)
            if self._stopping or worker.generation != self._generation:
                continue
            code = os.waitstatus_to_exitcode(status)
            how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with {code}"
            log.error("worker %d %s and is replaced", worker.slot, how)
            if code == NOT_STARTED and not self._served:
                self._failed = True
                self._stop()
            else:
                self._due[worker.slot] = time.monotonic() + (0.0 if started else PATIENCE)

    def _replace(self) -> None:
        for slot in [slot for slot, due in self._due.items() if due <= time.monotonic()]:
            del self._due[slot]
            self._start(slot)

    def _stop(self) -> None:
        if not self._stopping:
            log.info("stopping")
            notify("STOPPING=1")
        self._stopping = True
        self._due.clear()
        # Beyond the grace workers give their conversations, they need a moment for lessons that wait.
        self._deadline = time.monotonic() + GRACE + PATIENCE * 10
        self._signal(signal.SIGTERM)

    def _signal(self, number: signal.Signals, workers: Iterable[int] | None = None) -> None:
        for pid in self._workers if workers is None else workers:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _reload(self) -> None:
        """Start workers with the settings as they are now; when they serve, the others come to their end."""
        self._tuned = self._tuned_now()
        try:
            self._settings = self._read()
        except ThresherError as error:
            log.error("not reloaded, all goes on as it was: %s", error)  # noqa: TRY400 - a sentence for a person
            return
        log.info("reloading")
        self._due.clear()
        self._start_generation()


def notify(state: str) -> None:
    """Tell systemd, if it asked to be told (sd_notify)."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.sendto(state.encode(), address.replace("@", "\0", 1) if address.startswith("@") else address)
