"""What Prometheus is told: verdicts, how long they took, what waits, lessons, the model's age, its promise, drift.

Its law: a figure is that of all workers together, whichever of them is asked, and a worker that was killed takes none
of what it had counted with it. For this prometheus-client writes figures to files that workers share, in a folder that
the parent names before any of this is imported (`shared_folder`). Without such a folder figures are this process's own.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from thresher.choose.promise import drift
from thresher.serve.scan import Scan

if TYPE_CHECKING:
    from thresher.serve.keeper import Keeper

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""prometheus-client's own name for it."""
MEMORY: Final = "/dev/shm"  # noqa: S108 - mkdtemp makes a folder there that only we may enter
BUCKETS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds: from a short message in an idle worker to the time-out."""
EVERY: Final = 1.0
"""Seconds between two looks at what changes slowly."""
NEWEST: Final = 4
"""The newest of so many parts of the held-out ham is held against the rest."""
MOST_NEWEST: Final = 1000
"""More would take longer to compute and say no more."""
DRIFT_EVERY: Final = 60.0


@contextmanager
def shared_folder() -> Iterator[None]:
    """Name a folder for the figures of all workers, for as long as the daemon runs."""
    # Memory, where there is any: writing to a file's pages on a full disk kills the process that does (SIGBUS).
    memory = MEMORY if os.access(MEMORY, os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="thresher-metrics-", dir=memory)
    os.environ[FOLDER] = folder
    try:
        yield
    finally:
        del os.environ[FOLDER]
        shutil.rmtree(folder, ignore_errors=True)


def forget_worker(pid: int) -> None:
    """Leave out what a worker that has ended said of itself; what it counted stays."""
    if FOLDER in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(pid)  # type: ignore[no-untyped-call] # the library's own


class Metrics:
    """One for a process."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._registry = own = CollectorRegistry()
        self.verdicts = Counter(
            "thresher_verdicts",
            "Messages, by verdict and by the protocol they came by.",
            ["verdict", "via"],
            registry=own,
        )
        self.seconds = Histogram(
            "thresher_scan_seconds", "Seconds from a message's arrival to its verdict.", buckets=BUCKETS, registry=own
        )
        self.taught = Counter("thresher_lessons_given", "Lessons, by what they changed.", ["change"], registry=own)

        def gauge(name: str, text: str, mode: str) -> Gauge:
            return Gauge(name, text, registry=own, multiprocess_mode=mode)  # type: ignore[arg-type] # one of a few words

        self.in_hand = gauge("thresher_in_hand", "Messages being judged or waiting for it.", "livesum")
        self.waiting = gauge("thresher_lessons_waiting", "Lessons and questions that wait for the journal.", "livesum")
        self.spooled = gauge("thresher_lessons_spooled", "Lessons that wait on disk for the journal.", "livemax")
        self.ham = gauge("thresher_lessons_ham", "Lessons of ham that the model stands on.", "livemax")
        self.spam = gauge("thresher_lessons_spam", "Lessons of spam that the model stands on.", "livemax")
        self.age = gauge("thresher_model_age_seconds", "Seconds since the model was saved.", "livemin")
        self.promised = gauge("thresher_promised_rate", "Share of ham that is called spam at most.", "livemax")
        self.drift = gauge(
            "thresher_drift_chance", "How probable the newest ham's scores are if nothing has changed.", "livemin"
        )
        self.trouble = gauge("thresher_trouble", "1 while the journal cannot be read or written.", "livemax")
        self._due = self._drift_due = 0.0
        self._rests_on = -1

    def judged(self, scan: Scan, via: str, seconds: float, in_hand: int) -> None:
        """Count a message."""
        self.verdicts.labels("unjudged" if scan.unjudged else scan.verdict.value, via or "other").inc()
        self.seconds.observe(seconds)
        self.in_hand.set(in_hand)

    def look(self, keeper: "Keeper", saved: float | None) -> None:
        """Note what changes slowly, if it is time; `saved` is when the model was, in seconds since 1970."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + EVERY
        judge = keeper.judge
        self.waiting.set(keeper.waiting)
        self.spooled.set(keeper.spooled)
        self.ham.set(judge.learner.n_ham)
        self.spam.set(judge.learner.n_spam)
        self.promised.set(judge.promise.rate)
        self.trouble.set(bool(keeper.trouble))
        if saved is not None:
            self.age.set(max(0.0, time.time() - saved))
        if now >= self._drift_due and judge.rests_on != self._rests_on:
            self._drift_due, self._rests_on = now + DRIFT_EVERY, judge.rests_on
            scores, is_spam = judge.calibration.held_out()
            ham = scores[~is_spam]
            newest = min(len(ham) // NEWEST, MOST_NEWEST)
            self.drift.set(drift(ham, newest, judge.policy.promise, judge.policy.confidence))

    def text(self) -> bytes:
        """Return the figures in Prometheus' format."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        if FOLDER not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call] # the library's own
        return generate_latest(together)


def saved_at(path: Path) -> float | None:
    """Say when a model was saved."""
    try:
        return path.stat().st_mtime
    except OSError:
        return None
