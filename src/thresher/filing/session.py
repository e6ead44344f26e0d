"""One account, open: its mailbox, what is remembered of it, and whoever looks at it and files for it.

Its law: whoever looks or moves holds the account's lock, so that a command and a watch that runs beside it take turns.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from thresher.boxes.mailbox import Mailbox
from thresher.engine import Engine
from thresher.filing.account import FOLDER, Account
from thresher.filing.look import Look
from thresher.filing.moves import Filer
from thresher.filing.state import State
from thresher.store.files import locked, private_folder


class Session:
    """What is needed to work on an account."""

    def __init__(
        self, account: Account, box: Mailbox, state: State, engine: Engine, clock: Callable[[], float] = time.time
    ) -> None:
        self.account = account
        self.box = box
        self.state = state
        self.engine = engine
        self.look = Look(account, box, state, engine, clock)
        self.filer = Filer(account, box, state, clock)

    def fresh(self) -> bool:
        """Whether nobody has ever looked at the whole of this account."""
        return not self.state.looked_at()


@contextmanager
def opened(account: Account, home: Path, engine: Engine, clock: Callable[[], float] = time.time) -> Iterator[Session]:
    """Open an account for as long as the block lasts."""
    with State(home, account.name) as state:
        box = account.open()
        try:
            yield Session(account, box, state, engine, clock)
        finally:
            box.close()


@contextmanager
def turn(home: Path, account: Account) -> Iterator[None]:
    """Hold the account during the block: one command, or one step of a watch, at a time."""
    private_folder(home / FOLDER)
    with locked(home / FOLDER / f"{account.name}.lock"):
        yield
