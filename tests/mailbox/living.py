"""A person with a mailbox and thresher as a program beside it."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.cli.making import ham, spam
from tests.cli.running import ENVIRONMENT, line_of
from tests.filing.world import closing_client
from tests.serve.making import BITS, settings_in, taught_home
from tests.serve.waiting import eventually
from tests.servers.dovecot import PASSWORD
from thresher.boxes import load
from thresher.boxes.imap_login import Security, Server
from thresher.boxes.imap_mailbox import ImapMailbox
from thresher.boxes.mailbox import INBOX, Mailbox
from thresher.boxes.maildir_mailbox import MaildirMailbox
from thresher.build import build_engine
from thresher.filing.account import Account, write_account
from thresher.filing.state import State
from thresher.mail.digest import digest
from thresher.values import Label

NAME: Final = "work"
NEW: Final = 500
"""Messages of this number and above nobody has taught."""


class Living:
    """Somebody's mailbox: `person` is their mail program."""

    def __init__(self, account: Account, folder: Path) -> None:
        self.settings = taught_home(folder / f"home-{account.name}")
        self.home = self.settings.home
        (self.home / "config.toml").write_text(f"bits = {BITS}\n")
        self.account = account
        write_account(self.home, account)
        self.person: Mailbox = account.open()
        self.log_file = folder / f"watch-{account.name}.log"

    @property
    def log(self) -> str:
        """What the watch wrote."""
        return self.log_file.read_text() if self.log_file.exists() else ""

    def deliver(self, raw: bytes, *flags: str) -> str:
        """Have a message come."""
        return self.person.append(INBOX, raw, flags)

    def holds(self, folder: str) -> list[bytes]:
        """Return the messages of a folder, by their digests."""
        with_it = {each.name for each in self.person.folders()}
        if folder not in with_it:
            return []
        uids = sorted(self.person.scan(folder).uids or ())
        return sorted(digest(item.raw) for _, entry in self.person.entries(folder, uids) for item in load(entry))

    def move(self, raw: bytes, source: str, target: str) -> None:
        """Move a message, as its owner."""
        uids = sorted(self.person.scan(source).uids or ())
        found = [
            uid
            for uid, entry in self.person.entries(source, uids)
            for item in load(entry)
            if digest(item.raw) == digest(raw)
        ]
        assert self.person.move(source, found, target)

    def said(self, raw: bytes) -> Label | None:
        """Return the lesson there is of a message."""
        engine = build_engine(settings_in(self.home))
        try:
            rows = engine.journal.find(digest(raw))
            return rows[0].lesson.label if rows else None
        finally:
            engine.journal.close()

    def state(self) -> State:
        """Open what is remembered of the mailbox."""
        return State(self.home, self.account.name)

    @contextmanager
    def watched(self) -> Iterator[subprocess.Popen[bytes]]:
        """Run `thresher mailbox watch` while the block lasts."""
        with watching(self.home, self.log_file) as process:
            eventually(lambda: " watching " in self.log or process.poll() is not None)
            assert process.poll() is None, self.log
            yield process


@contextmanager
def watching(home: Path, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run `thresher mailbox watch` on a home."""
    with log.open("ab") as written, subprocess.Popen(
        line_of("mailbox", "watch", home=home), env=ENVIRONMENT, stderr=written
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(60)


def maildir_account(folder: Path, name: str = NAME) -> Account:
    """Make a Maildir with the folders people have."""
    root = folder / f"Maildir-{name}"
    for part in ("cur", "new", "tmp"):
        (root / part).mkdir(parents=True)
    box = MaildirMailbox(root)
    for each in ("Junk", "Archive", "Trash"):
        box.create(each)
    return Account(name, "maildir", str(root))


def imap_account(server: Server, name: str = NAME) -> Account:
    """Use an account of a test's server; its password comes from a command."""
    return Account(
        name, "imap", host=server.host, login=server.user, port=server.port, security=Security.NONE,
        secret=f"command:echo {PASSWORD}",
    )  # fmt: skip


__all__ = ["INBOX", "ImapMailbox", "Living", "closing_client", "ham", "imap_account", "maildir_account", "spam"]
