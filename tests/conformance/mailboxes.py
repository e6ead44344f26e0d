"""The kinds of mailbox that the suite runs on."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.servers.dovecot import PASSWORD, Dovecot
from thresher.boxes.folder_mailbox import FolderMailbox
from thresher.boxes.imap_login import Server
from thresher.boxes.imap_mailbox import ImapMailbox
from thresher.boxes.mailbox import ANSWERED, FLAGGED, SEEN, Mailbox
from thresher.boxes.maildir_mailbox import MaildirMailbox
from thresher.boxes.mbox_mailbox import MboxMailbox
from thresher.boxes.mh_mailbox import MhMailbox

ALL_FLAGS = frozenset({SEEN, ANSWERED, FLAGGED})


class Kind(NamedTuple):
    """A new mailbox, and what its format can keep."""

    open: Callable[[], Mailbox]
    flags: frozenset[str] = ALL_FLAGS


def maildir(folder: Path) -> Kind:
    """Make a Maildir."""
    for part in ("cur", "new", "tmp"):
        (folder / "Maildir" / part).mkdir(parents=True)
    return Kind(lambda: MaildirMailbox(folder / "Maildir"))


def messages(folder: Path) -> Kind:
    """Make a folder of messages."""
    return Kind(lambda: FolderMailbox(folder), flags=frozenset())


def mh(folder: Path) -> Kind:
    """Make an MH mailbox."""
    return Kind(lambda: MhMailbox(folder))


def mbox(folder: Path) -> Kind:
    """Make a folder of mbox files."""
    return Kind(lambda: MboxMailbox(folder))


FILES: dict[str, Callable[[Path], Kind]] = {"maildir": maildir, "folder": messages, "mh": mh, "mbox": mbox}
SERVERS = {"imap": "imap_server", "imap-without-move": "strict_imap_server"}
KINDS = [*FILES, *(pytest.param(name, marks=pytest.mark.dovecot) for name in SERVERS)]
"""For a fixture's `params`."""
STEPWISE = ["mbox", pytest.param("imap-without-move", marks=pytest.mark.dovecot)]
"""Those whose moves are a copy and a removal, which something can come between."""


def kind_named(name: str, request: pytest.FixtureRequest, folder: Path) -> Kind:
    """Make a new mailbox of a kind."""
    if name in FILES:
        return FILES[name](folder)
    server: Dovecot = request.getfixturevalue(SERVERS[name])
    account: Server = request.getfixturevalue("new_user")(server)
    return Kind(lambda: ImapMailbox(account, PASSWORD))
