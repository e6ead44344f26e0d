"""The filter behind one door: the daemon of the home if one runs, else this very process.

What commands that judge or teach single messages go through: a pipe, and the programs that scripts know by other names.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from thresher.cli.common import settle
from thresher.serve.client import Client, NoDaemon, socket_of

if TYPE_CHECKING:
    from thresher.config import Settings
    from thresher.engine import Engine
    from thresher.serve.protocol.api import Explained
    from thresher.serve.scan import Scan
    from thresher.values import Label

Answer = TypeVar("Answer")
MOST: Final = 10_000
"""Features told of one message: more than a message has."""
AT_ONCE: Final = 256
"""Lessons in one transaction."""


class Door(Protocol):
    """What can be asked."""

    def check(self, raw: bytes) -> "Scan":
        """Judge a message."""

    def explain(self, raw: bytes) -> "Explained":
        """Judge a message and say what each of its features had to do with it."""

    def learn(self, raws: "Sequence[bytes]", label: "Label", source: str) -> int:
        """Learn messages; return how many of the lessons changed something."""

    def forget(self, raw: bytes) -> int:
        """Take back what this user said of a message; return how many lessons that were."""

    def counts(self) -> tuple[int, int]:
        """Count the lessons of ham and of spam."""


class Alone:
    """Works with the home's own files."""

    def __init__(self, settings: "Settings") -> None:
        self._settings = settings
        self._engine: Engine | None = None
        self._changed = False

    @property
    def engine(self) -> "Engine":
        """The engine, made when it is first needed."""
        if self._engine is None:
            from thresher.build import build_engine

            self._engine = build_engine(self._settings)
            self._engine.load()
        return self._engine

    def check(self, raw: bytes) -> "Scan":
        """Judge a message."""
        from thresher.mail.digest import digest
        from thresher.mail.mime import parse
        from thresher.mail.stream import tokenize
        from thresher.serve.scan import REASONS, scan_of

        judge = self.engine.judges()
        explanation = judge.explain(tokenize(parse(raw)), self.engine.view.hasher, REASONS)
        return scan_of(explanation, judge.line, digest(raw).hex())

    def explain(self, raw: bytes) -> "Explained":
        """Judge a message and say what each of its features had to do with it."""
        from thresher.mail.mime import parse
        from thresher.mail.stream import tokenize
        from thresher.serve.protocol.api import explained

        return explained(self.engine.explain(tokenize(parse(raw))))

    def learn(self, raws: "Sequence[bytes]", label: "Label", source: str) -> int:
        """Learn messages."""
        from thresher.boxes import Item
        from thresher.engine import Change, Teaching
        from thresher.prepare import prepare

        changed = 0
        for first in range(0, len(raws), AT_ONCE):
            some = prepare([Item("", raw) for raw in raws[first : first + AT_ONCE]], self.engine.view.hasher)
            receipts = self.engine.learn([Teaching(message, label, source) for message in some])
            changed += sum(receipt.change is not Change.UNCHANGED for receipt in receipts)
        self._changed = self._changed or changed > 0
        return changed

    def forget(self, raw: bytes) -> int:
        """Take back what this user said of a message."""
        from thresher.mail.digest import digest
        from thresher.store.journal import Selection

        gone = len(self.engine.forget(Selection(digests=(digest(raw),), user=self._settings.user)))
        self._changed = self._changed or gone > 0
        return gone

    def counts(self) -> tuple[int, int]:
        """Count the lessons of ham and of spam."""
        counts = self.engine.journal.counts()
        return counts.ham, counts.spam

    def close(self) -> None:
        """Settle the model if it changed, and let go of the journal."""
        if self._engine is not None:
            try:
                if self._changed:
                    settle(self._engine)
            finally:
                self._engine.journal.close()


class Asking:
    """Asks the daemon, and works alone from the moment on that it does not answer."""

    def __init__(self, clients: "Sequence[Client]", settings: "Settings", *, only: bool = False) -> None:
        self._clients = list(clients)
        self._only = only
        self._settings = settings
        self.alone = Alone(settings)

    def check(self, raw: bytes) -> "Scan":
        """Judge a message; of a huge one the first part, as the daemon itself does."""
        first = raw[: self._settings.serve.max_size]
        return self._or_alone(lambda client: client.check(first), lambda: self.alone.check(first))

    def explain(self, raw: bytes) -> "Explained":
        """Judge a message and say what each of its features had to do with it."""
        first = raw[: self._settings.serve.max_size]
        return self._or_alone(lambda client: client.explain(first, MOST), lambda: self.alone.explain(first))

    def learn(self, raws: "Sequence[bytes]", label: "Label", source: str) -> int:
        """Learn messages."""
        user = self._settings.user

        def taught(client: Client) -> int:
            return sum(client.learn(raw, label, user, source).change != "unchanged" for raw in raws)

        return self._or_alone(taught, lambda: self.alone.learn(raws, label, source))

    def forget(self, raw: bytes) -> int:
        """Take back what this user said of a message."""
        user = self._settings.user
        return self._or_alone(lambda client: len(client.forget(raw, user).lessons), lambda: self.alone.forget(raw))

    def counts(self) -> tuple[int, int]:
        """Count the lessons of ham and of spam."""

        def told(client: Client) -> tuple[int, int]:
            status = client.status()
            return status.ham, status.spam

        return self._or_alone(told, self.alone.counts)

    def close(self) -> None:
        """Let go of both."""
        for client in self._clients:
            client.close()
        self.alone.close()

    def _or_alone(self, ask: "Callable[[Client], Answer]", alone: "Callable[[], Answer]") -> Answer:
        while self._clients:
            try:
                return ask(self._clients[0])
            except NoDaemon:
                if self._only:
                    raise
                self._clients.pop(0).close()
        return alone()


@contextmanager
def door(
    settings: "Settings", address: str | None = None, *, only: bool = False, token: str | None = None
) -> "Iterator[Asking]":
    """Open the way to the daemon at an address, or of the home; where none answers, this process judges.

    With `only` it does not: no daemon is an error then.
    """
    from thresher.serve.listening import read_address

    serve = settings.serve
    addresses = [read_address(address)] if address else [socket_of(settings.home)]
    if serve.http and not address:
        addresses.append(read_address(serve.http))
    shown = serve.token if token is None else token
    asking = Asking([Client(each, shown) for each in addresses], settings, only=only)
    try:
        yield asking
    finally:
        asking.close()
