"""What the page asks of the running filter. The daemon's scanner is one; the page knows no more of it."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol, TypeVar

from thresher.config import Settings
from thresher.engine import Engine, Receipt, Teaching
from thresher.judge import Judge
from thresher.store.journal import Entry, Selection

Answer = TypeVar("Answer")


class Keeper(Protocol):
    """Where the engine is, and its one thread."""

    @property
    def judge(self) -> Judge:
        """What judges now."""

    @property
    def trouble(self) -> str:
        """What is wrong with the journal; empty if nothing is."""

    def learn(self, teaching: Teaching, user: str | None = None) -> "Future[Receipt]":
        """Learn a lesson; answered when it is on disk."""

    def forget(self, selection: Selection) -> "Future[list[Entry]]":
        """Take lessons back."""

    def ask(self, work: Callable[[Engine], Answer]) -> "Future[Answer]":
        """Do something with the engine, in its turn."""


class Desk(Protocol):
    """The running filter."""

    @property
    def settings(self) -> Settings:
        """As they were read."""

    @property
    def stopping(self) -> bool:
        """Whether the process is coming to its end."""

    @property
    def keeper(self) -> Keeper:
        """Where the engine is."""
