"""Staying with an account: new spam is filed as it comes, and what people move is learned as they do.

The law: whatever goes wrong, the connection, the server, the disk, is said once and tried again, ever more rarely;
nothing here is held in memory only, so that a watch may be killed at any moment and another one goes on.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from thresher.boxes.item import BoxError, BoxLost
from thresher.boxes.mailbox import INBOX
from thresher.engine import Engine
from thresher.filing.account import Account
from thresher.filing.clock import SteadyClock
from thresher.filing.look import Candidate, Looked
from thresher.filing.session import Session, opened, turn
from thresher.values import Label, ThresherError

log = logging.getLogger(__name__)

SECONDS: Final = 600.0
"""After so long all folders are looked at although nothing was heard: for mail that was read and stayed."""
FIRST_PAUSE: Final = 1.0
"""Before a lost connection is made again; doubled each time, so that a server that is down is not beset."""
LONGEST_PAUSE: Final = 300.0
FIRST_RETRY: Final = 30.0
"""Before what could not be moved, for want of room or of the right, is tried again; doubled each time, too."""
LONGEST_RETRY: Final = 3600.0


class Waits:
    """How long to wait before what failed is tried again."""

    def __init__(self, first: float, longest: float) -> None:
        self._first = self._next = first
        self._longest = longest
        self.until = 0.0
        """When the last wait is over, on the monotonic clock."""

    def failed(self) -> float:
        """Return how long to wait."""
        seconds, self._next = self._next, min(self._next * 2, self._longest)
        self.until = time.monotonic() + seconds
        return seconds

    def worked(self) -> bool:
        """Begin anew; say if something had failed before."""
        had_failed = self._next != self._first
        self._next, self.until = self._first, 0.0
        return had_failed


class Watch:
    """One account, watched until told to stop."""

    def __init__(
        self, account: Account, engine: Engine, stop: threading.Event, taught: Callable[[], None] = lambda: None
    ) -> None:
        self.account = account
        self.engine = engine
        self.busy = threading.Lock()
        """Held while something is read, learned or moved."""
        self._home = engine.view.path.parent
        self._stop = stop
        self._taught = taught
        self._clock = SteadyClock()
        self._pauses = Waits(FIRST_PAUSE, LONGEST_PAUSE)
        self._retries = Waits(FIRST_RETRY, LONGEST_RETRY)
        self._version = -1
        self._snapshot: tuple[int, int] | None = None

    def run(self) -> None:
        """Watch, and begin again after whatever goes wrong."""
        while not self._stop.is_set():
            try:
                with opened(self.account, self._home, self.engine, self._clock) as session:
                    self._stay(session)
            except ThresherError as error:
                # The model may stand in the middle of lessons that were not kept.
                self._version = -1
                seconds = self._pauses.failed()
                log.warning("%s; trying again in %g s", said(error), seconds, extra={"account": self.account.name})
                self._stop.wait(seconds)

    def _stay(self, session: Session) -> None:
        listening: list[str] = []
        session_is_new = True
        while not self._stop.is_set():
            with self.busy, turn(self._home, self.account):
                self._follow()
                if session_is_new:
                    session.filer.recover()
                folders = [folder.name for folder in session.box.folders()]
                if folders != listening:
                    session.box.listen(folders)
                    listening = folders
                self._step(session)
            if session_is_new or self._pauses.worked():
                log.info("watching", extra={"account": self.account.name, "folders": len(folders)})
            self._pauses.worked()
            session_is_new = False
            session.box.wait(self._patience())

    def _patience(self) -> float:
        until_retry = self._retries.until - time.monotonic()
        return min(SECONDS, until_retry) if until_retry > 0 else SECONDS

    def _step(self, session: Session) -> None:
        """Look at the inbox first, since spam there is what somebody is waiting to see gone, and then everywhere."""
        if session.fresh():
            # What has lain there for long stays there: `thresher mailbox sort` is for that.
            log.info("a new account: learning from its folders first", extra={"account": self.account.name})
            self._note(session.look.look(jobs=1))
            return
        for only in ({INBOX}, None):
            looked = session.look.look(judge=True, only=only, jobs=1)
            self._file(session, looked.spam)
            self._note(looked)

    def _file(self, session: Session, spam: Sequence[Candidate]) -> None:
        if not spam or self._retries.until > time.monotonic():
            return
        try:
            session.filer.recover()
            count = session.filer.file(spam)
        except BoxLost:
            raise
        except BoxError as error:
            seconds = self._retries.failed()
            log.warning(
                "%s; spam stays in the inbox, trying again in %g s", said(error), seconds,
                extra={"account": self.account.name, "messages": len(spam)},
            )  # fmt: skip
            return
        self._retries.worked()
        log.info("filed as spam", extra={"account": self.account.name, "messages": count})

    def _note(self, looked: Looked) -> None:
        for error in looked.errors:
            log.warning("%s", said(error), extra={"account": self.account.name})
        if looked.taught:
            learned = {
                str(label): sum(n for (_, other), n in looked.changes.items() if other is label) for label in Label
            }
            log.info("learned from its folders", extra={"account": self.account.name, **learned})
            self._taught()

    def _follow(self) -> None:
        """Read the model anew if others have taught, or settled it."""
        version, snapshot = self.engine.journal.data_version(), self._snapshot_now()
        if (version, snapshot) == (self._version, self._snapshot):
            return
        self.engine.load()
        self._version, self._snapshot = self.engine.journal.data_version(), self._snapshot_now()

    def _snapshot_now(self) -> tuple[int, int] | None:
        try:
            found = self.engine.view.path.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns


def said(error: ThresherError) -> str:
    """Say what went wrong without the place: names of folders and people have no business in a log."""
    if isinstance(error, BoxError):
        return f"{error.reason}; {error.way_out}" if error.way_out else error.reason
    return str(error)
