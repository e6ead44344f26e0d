"""Writes what was judged to the verdict log, behind the back of whoever waits for a verdict.

Its law: recording keeps no mail waiting and fails no message. Where the disk does not keep up, or is full, what is not
recorded is counted and said once.
"""

import logging
import queue
import threading
from typing import Final

from thresher.build import build_verdicts, open_journal
from thresher.config import Settings
from thresher.history import judged
from thresher.serve.scan import Scan
from thresher.store.verdict_schema import Judged
from thresher.store.verdicts import now
from thresher.values import Message, ThresherError

log = logging.getLogger(__name__)

WAITING: Final = 1024
"""Messages that may wait to be written: a second's worth."""
EVERY: Final = 0.25
"""Seconds between two transactions: a message is on the page before its reader has looked."""


class Recorded:
    """A message and its verdict, as the scanner hands them over."""

    def __init__(self, raw: bytes, message: Message, stream: bytes, scan: Scan, user: str, via: str) -> None:
        self.raw, self.message, self.stream, self.scan, self.user, self.via = raw, message, stream, scan, user, via
        self.time = now()

    def row(self) -> Judged:
        """Return its row."""
        digest = bytes.fromhex(self.scan.digest)
        return judged(
            *(self.raw, self.message, self.stream, digest, self.scan.judgement),
            time=self.time,
            user=self.user,
            via=self.via,
        )


class Recorder:
    """One for a process: a thread, the log, and the journal whose lessons the log follows."""

    def __init__(self, settings: Settings) -> None:
        self.verdicts = build_verdicts(settings)
        self._journal = open_journal(settings)
        self._waiting: queue.Queue[Recorded | None] = queue.Queue(WAITING)
        self._missed = 0
        self._trouble = ""
        """What was said last of the disk: nobody is told the same four times a second."""
        self._version = -1
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def record(self, recorded: Recorded) -> None:
        """Have a message written; never waits."""
        try:
            self._waiting.put_nowait(recorded)
        except queue.Full:
            self._missed += 1

    def close(self) -> None:
        """Write what waits, and end."""
        self._waiting.put(None)
        self._thread.join()
        self._journal.close()
        self.verdicts.close()

    def _run(self) -> None:
        running = True
        while running:
            batch = self._take()
            running = None not in batch
            trouble = ""
            try:
                self.verdicts.add([each.row() for each in batch if each is not None])
                self._follow()
            except (ThresherError, OSError) as error:
                trouble = f"the list of judged messages is not whole: {error}"
            if self._missed and not trouble:
                trouble = "messages came faster than they could be listed; some are missing in the list"
                self._missed = 0
            if trouble and trouble != self._trouble:
                log.warning("%s", trouble)
            self._trouble = trouble

    def _take(self) -> list[Recorded | None]:
        batch: list[Recorded | None] = []
        try:
            batch.append(self._waiting.get(timeout=EVERY))
            while len(batch) < WAITING:
                batch.append(self._waiting.get_nowait())
        except queue.Empty:
            pass
        return batch

    def _follow(self) -> None:
        version = self._journal.data_version()
        if version != self._version:
            while self.verdicts.follow(self._journal):
                pass
            self._version = version
