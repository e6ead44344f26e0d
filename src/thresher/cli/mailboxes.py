"""What the commands of ``thresher mailbox`` share."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import click

from thresher.cli.common import Failures, engine_for, progress, settings_for
from thresher.values import Label, ThresherError

if TYPE_CHECKING:
    from thresher.boxes.mailbox import Mailbox
    from thresher.config import Settings
    from thresher.engine import Engine, Receipt
    from thresher.filing.account import Account
    from thresher.filing.look import Looked, Progress
    from thresher.filing.policy import Saying
    from thresher.filing.session import Session

Command = TypeVar("Command", bound=Callable[..., Any])
WIDE: Final = 60
"""Columns for a subject."""
BATCH: Final = 100
"""Messages whose headers are fetched at once."""


def accounts_argument(command: Command) -> Command:
    """[ACCOUNT...]."""
    return click.argument("names", nargs=-1, metavar="[ACCOUNT...]")(command)


def accounts_named(settings: "Settings", names: Sequence[str]) -> "list[Account]":
    """Read the accounts of these names; of none, all there are."""
    from thresher.filing.account import account_names, read_account

    chosen = list(names) or account_names(settings.home)
    if not chosen:
        raise ThresherError(f"there is no account in {settings.home} yet; `thresher mailbox add NAME` makes one")
    return [read_account(settings.home, name) for name in chosen]


def account_named(settings: "Settings", name: str | None) -> "Account":
    """Read the account of a name; without one, the only one there is."""
    found = accounts_named(settings, [name] if name else [])
    if len(found) > 1:
        raise ThresherError(f"say which account: {', '.join(account.name for account in found)}")
    return found[0]


@contextmanager
def session_for(settings: "Settings", account: "Account", engine: "Engine") -> "Iterator[Session]":
    """Open an account, alone at it, with what an earlier command may have left half done made good."""
    from thresher.filing.session import opened, turn

    with turn(settings.home, account), opened(account, settings.home, engine) as session:
        session.filer.recover()
        yield session


@contextmanager
def sessions(
    home: str | None, learner: str | None, names: Sequence[str], failures: Failures
) -> "Iterator[tuple[Engine, Iterator[Session]]]":
    """Open the home, and its accounts one after the other; one that cannot be opened keeps no other from its turn."""
    from thresher.boxes import BoxError

    settings = settings_for(home, learner=learner)
    accounts = accounts_named(settings, names)

    def each() -> "Iterator[Session]":
        for account in accounts:
            try:
                with session_for(settings, account, engine) as session:
                    yield session
            except BoxError as error:
                failures.add([error])

    with engine_for(settings) as engine:
        yield engine, each()


Told = Callable[["Receipt", "Saying"], None]


def look(session: "Session", what: str, told: "Told" = lambda _, __: None, **how: Any) -> "Looked":  # noqa: ANN401
    """Look at an account with a bar on the terminal; `how` is handed on to `Look.look`."""
    with ExitStack() as stack:

        def begun(total: int) -> "Progress":
            return stack.enter_context(progress(f"{session.account.name}: {what}", total))

        return session.look.look(begun=begun, told=told, **how)


def taught(looked: "Looked") -> dict[str, dict[str, int]]:
    """Count lessons by what they changed."""
    from thresher.engine import Change

    return {
        change.value: {label.value: looked.changes[change, label] for label in Label}
        for change in (Change.LEARNED, Change.CORRECTED)
    }


class Shown(NamedTuple):
    """What a person knows a message by."""

    uid: str
    sender: str
    subject: str
    arrived: float = 0.0


def described(box: "Mailbox", folder: str, uids: Sequence[str]) -> "Iterator[Shown]":
    """Read what people know messages by; those gone meanwhile are left out."""
    from thresher.filing.reading import load_all
    from thresher.filing.showing import shown_headers

    for first in range(0, len(uids), BATCH):
        piece = [(folder, uid, entry) for uid, entry in box.entries(folder, uids[first : first + BATCH])]
        for _, uid, item in load_all(piece)[0]:
            yield Shown(uid, *shown_headers(item.raw))


def row(probability: float, sender: str, subject: str) -> str:
    """Return a message as a line of a table."""
    return f"{probability:.4f}  {cut(sender, 30):<30}  {cut(subject, WIDE)}".rstrip()


def cut(text: str, width: int) -> str:
    """Shorten a text to a width."""
    return text if len(text) <= width else text[: width - 1] + "…"
