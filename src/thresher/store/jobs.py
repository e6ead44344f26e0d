"""Long work begun on the page: what it is, how far it is, whether somebody still does it.

Its law: how far a job is was written after its lessons were, so that one that was cut short is continued and nothing
of it is lost.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from thresher.store.people import People

ALIVE: Final = 15.0
"""Seconds of silence after which nobody does a job any more."""
KEPT: Final = 50
_COLUMNS: Final = "id, account, kind, title, what, state, done, total, note, made, alive"


class State(StrEnum):
    """How a job stands."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    UNDONE = "undone"
    """Its lessons were taken back."""
    INTERRUPTED = "interrupted"
    """Whoever did it is gone; it can be continued."""


class Job(NamedTuple):
    """One piece of work."""

    id: int
    account: str
    kind: str
    title: str
    what: bytes
    state: State
    done: int
    total: int
    note: str
    made: float
    alive: float


class Jobs:
    """The jobs of a page."""

    def __init__(self, people: People) -> None:
        self._people = people

    def begin(self, account: str, kind: str, title: str, what: bytes) -> int:
        """Write down a new job; return its number."""
        now = self._people.now()
        with self._people.writing() as connection:
            [(number,)] = connection.execute(
                "INSERT INTO job (account, kind, title, what, state, done, total, note, made, alive) "
                "VALUES (?, ?, ?, ?, ?, 0, 0, '', ?, ?) RETURNING id",
                (account, kind, title, what, State.RUNNING, now, now),
            ).fetchall()
            connection.execute("DELETE FROM job WHERE id <= ? AND state != ?", (number - KEPT, State.RUNNING))
        return int(number)

    def take_up(self, number: int) -> bool:
        """Take up a job that nobody does; False if somebody does, or it is over."""
        now = self._people.now()
        with self._people.writing() as connection:
            taken = connection.execute(
                "UPDATE job SET state = ?, alive = ?, note = '' "
                "WHERE id = ? AND (state = ? AND alive < ? OR state = ?)",
                (State.RUNNING, now, number, State.RUNNING, now - ALIVE, State.FAILED),
            )
            return taken.rowcount == 1

    def step(self, number: int, done: int, total: int) -> None:
        """Write down how far a job is."""
        with self._people.writing() as connection:
            connection.execute(
                "UPDATE job SET done = ?, total = ?, alive = ? WHERE id = ?", (done, total, self._people.now(), number)
            )

    def end(self, number: int, state: State, note: str) -> None:
        """Write down how a job ended."""
        with self._people.writing() as connection:
            connection.execute("UPDATE job SET state = ?, note = ? WHERE id = ?", (state, note, number))

    def leave(self, number: int) -> None:
        """Stop doing a job that is not over."""
        with self._people.writing() as connection:
            connection.execute("UPDATE job SET alive = 0 WHERE id = ?", (number,))

    def job(self, number: int, account: str | None) -> Job | None:
        """Return a job, if it is of this account; None is everybody's."""
        found = self._read("WHERE id = ? AND (? IS NULL OR account = ?)", (number, account, account))
        return found[0] if found else None

    def jobs(self, account: str | None, most: int = 20) -> list[Job]:
        """Return the newest jobs."""
        return self._read("WHERE ? IS NULL OR account = ? ORDER BY id DESC LIMIT ?", (account, account, most))

    def _read(self, where: str, values: Sequence[object]) -> list[Job]:
        return [self._job(found) for found in self._people.read(f"SELECT {_COLUMNS} FROM job {where}", values)]

    def _job(self, found: Sequence[Any]) -> Job:
        number, account, kind, title, what, state, *rest, alive = found
        silent = alive < self._people.now() - ALIVE
        known = State.INTERRUPTED if state == State.RUNNING and silent else State(state)
        done, total, note, made = rest
        return Job(number, account, kind, title, what, known, done, total, note, made, alive)
