"""Mail to be learned at once: where it is, what is said of it, in which order it is best learned.

Its law: the same work lists the same messages in the same order, so that it can be continued where it was left.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from thresher import boxes
from thresher.boxes import Item
from thresher.boxes.imap_login import Security
from thresher.boxes.item import Entry
from thresher.boxes.mailbox import SEEN, Mailbox, Sighting
from thresher.demo import messages
from thresher.filing.account import Account
from thresher.filing.roles import Role, roles_of
from thresher.learn.schedule import in_learning_order
from thresher.values import Label

DEMO: Final = "demo"
"""The folder that made-up mail is said to lie in."""
DEMO_TAUGHT: Final = 400
DEMO_JUDGED: Final = 100
DEMO_APART: Final = 1800.0
"""Seconds between two messages of the demonstration: ten days in all."""
MOST_OF_A_FOLDER: Final = 1000
"""Of a mail account's folder, the newest: a minute's worth over the network. `thresher mailbox` learns the rest."""


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be learned. No password stands in it."""

    kind: str
    ham: list[str] = []
    """Paths."""
    spam: list[str] = []
    maildir: str = ""
    host: str = ""
    login: str = ""
    port: int = 0
    security: str = Security.TLS.value
    seed: int = 1


class Wanted(NamedTuple):
    """One message, or one file that may hold several."""

    folder: str
    reference: Entry | Item | str
    label: Label | None
    """None: only to be judged."""
    at: float | None = None


Load = Callable[[Sequence[Wanted]], Iterator[tuple[Item, Wanted]]]


class Lot(NamedTuple):
    """What there is, and how it is read."""

    wanted: list[Wanted]
    load: Load
    close: Callable[[], None] = lambda: None
    """Lets go of where it came from."""


def lot_of(work: Work, secret: str, now: float) -> Lot:
    """List what a piece of work takes."""
    match work.kind:
        case "demo":
            return _demo(work.seed, now)
        case "imap":
            account = Account("page", "imap", host=work.host, login=work.login, port=work.port,
                              security=Security(work.security))  # fmt: skip
            return _mailbox(account.open(secret), work.host)
        case "maildir":
            return _mailbox(Account("page", "maildir", path=work.maildir).open(), Path(work.maildir).name)
        case _:
            return _paths(work)


def _demo(seed: int, now: float) -> Lot:
    total = DEMO_TAUGHT + DEMO_JUDGED
    wanted = []
    for number, made in zip(range(total), messages(total, seed), strict=False):
        label = made.label if number < DEMO_TAUGHT else None
        at = now - DEMO_APART * (total - number)
        wanted.append(Wanted(DEMO, Item(f"demo#{number + 1}", made.raw), label, at))
    return Lot(wanted, _load)


def _paths(work: Work) -> Lot:
    both = [
        Wanted(Path(entry.path).parent.name, entry, label)
        for paths, label in ((work.ham, Label.HAM), (work.spam, Label.SPAM))
        for entry in boxes.entries(paths)
    ]
    return Lot(_ordered(both), _load)


def _load(chunk: Sequence[Wanted]) -> Iterator[tuple[Item, Wanted]]:
    for wanted in chunk:
        if isinstance(wanted.reference, Item):
            yield wanted.reference, wanted
        elif isinstance(wanted.reference, Entry):
            for item in boxes.load(wanted.reference):
                yield item, wanted


def _mailbox(box: Mailbox, name: str) -> Lot:
    """Take junk for spam, and what was read, sent or put away for ham; what nobody has read is only judged."""
    try:
        wanted = list(_listed(box))
    except BaseException:
        box.close()
        raise

    def load(chunk: Sequence[Wanted]) -> Iterator[tuple[Item, Wanted]]:
        for folder in sorted({each.folder for each in chunk}):
            asked = {str(each.reference): each for each in chunk if each.folder == folder}
            for uid, entry in box.entries(folder, list(asked)):
                for item in boxes.load(entry):
                    yield item, asked[uid]._replace(folder=f"{name}/{folder}")

    return Lot(_ordered(wanted), load, box.close)


def _listed(box: Mailbox) -> Iterator[Wanted]:
    for folder, role in roles_of(box.folders(), {}).items():
        if role in {Role.TRASH, Role.DRAFTS, Role.ALL}:
            continue
        newest = sorted(box.scan(folder).changed, key=lambda seen: (seen.arrived, seen.uid))[-MOST_OF_A_FOLDER:]
        yield from (Wanted(folder, seen.uid, _said(role, seen), seen.arrived or None) for seen in newest)


def _said(role: Role, seen: Sighting) -> Label | None:
    if role is Role.JUNK:
        return Label.SPAM
    return None if role is Role.INBOX and SEEN not in seen.flags else Label.HAM


def _ordered(wanted: list[Wanted]) -> list[Wanted]:
    """Put what is taught first, both classes mixed, and what is only judged last."""
    taught = [each for each in wanted if each.label is not None]
    return [
        *in_learning_order(taught, [each.label is Label.SPAM for each in taught]),
        *(each for each in wanted if each.label is None),
    ]
