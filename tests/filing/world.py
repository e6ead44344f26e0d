"""A person with a mailbox and thresher, and a clock that can be set."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from imapclient import IMAPClient

from tests.cli.making import ham, spam
from tests.conformance.mailboxes import Kind
from tests.servers.dovecot import PASSWORD
from thresher.boxes import load
from thresher.boxes.imap_mailbox import ImapMailbox
from thresher.boxes.item import Item
from thresher.boxes.mailbox import INBOX, Mailbox, Sighting
from thresher.boxes.maildir_mailbox import KEYWORDS, LETTERS, MaildirMailbox
from thresher.build import build_engine
from thresher.config import Settings
from thresher.engine import Receipt, Teaching
from thresher.filing.account import DAY, Account
from thresher.filing.look import Look, Looked
from thresher.filing.moves import Filer
from thresher.filing.policy import Saying
from thresher.filing.state import State
from thresher.mail.digest import digest
from thresher.prepare import prepare
from thresher.values import Label

MARGIN: Final = 60.0


class World:
    """One person's mail: `person` is their mail program, the rest thresher."""

    def __init__(self, kind: Kind, home: Path, **changed: object) -> None:
        settings = Settings(home=home, bits=14, promise=1.0)
        self.now = time.time()
        self.kind = kind
        self.home = home
        self.engine = build_engine(settings)
        self.engine.load()
        self.person: Mailbox = kind.open()
        self.box: Mailbox = kind.open()
        self.account = Account("work", "maildir", **changed)  # type: ignore[arg-type]
        self.state = State(home, "work")
        self._look = Look(self.account, self.box, self.state, self.engine, lambda: self.now)
        self.filer = Filer(self.account, self.box, self.state, lambda: self.now)
        self.why: dict[bytes, list[str]] = {}

    def close(self) -> None:
        """Let go of everything."""
        for each in (self.person, self.box, self.state, self.engine.journal):
            each.close()

    # what the person does ---------------------------------------------------------------------------------------------

    def put(self, folder: str, raw: bytes, *flags: str, days_ago: float = 30.0) -> str:
        """Have a message in a folder."""
        return self.person.append(folder, raw, flags, self.now - days_ago * DAY)

    def move(self, raw: bytes, source: str, target: str) -> None:
        """Move a message."""
        assert self.person.move(source, [self.where(source, raw).uid], target)

    def where(self, folder: str, raw: bytes) -> Sighting:
        """Find a message in a folder."""
        scan = self.person.scan(folder)
        seen = {sighting.uid: sighting for sighting in scan.changed}
        for uid, entry in self.person.entries(folder, sorted(seen)):
            if any(digest(item.raw) == digest(raw) for item in load(entry)):
                return seen[uid]
        raise AssertionError(f"not in {folder}")

    def holds(self, folder: str) -> list[bytes]:
        """Return the messages of a folder, by their digests."""
        if folder not in {each.name for each in self.person.folders()}:
            return []
        uids = sorted(self.person.scan(folder).uids or ())
        return sorted(digest(item.raw) for _, entry in self.person.entries(folder, uids) for item in load(entry))

    def flag(self, folder: str, raw: bytes, *flags: str) -> None:
        """Set flags on a message."""
        uid = self.where(folder, raw).uid
        if isinstance(self.person, ImapMailbox):
            server = self.person.server
            with closing_client(server.host, server.port, server.user) as client:
                client.select_folder(folder)
                client.add_flags([int(uid.partition(".")[2])], flags)
        else:
            assert isinstance(self.person, MaildirMailbox)
            _flag_file(self.person, folder, uid, flags)

    # what thresher does -----------------------------------------------------------------------------------------------

    def look(self, *, everything: bool = True, judge: bool = False, teach: bool = True) -> Looked:
        """Look at the folders."""
        return self._look.look(teach=teach, judge=judge, everything=everything, jobs=1, told=self._told)

    def _told(self, receipt: Receipt, saying: Saying) -> None:
        self.why.setdefault(bytes.fromhex(receipt.digest), []).append(saying.why)

    def sort(self, *, teach: bool = False) -> int:
        """File the spam of the inbox."""
        return self.filer.file(self.look(judge=True, teach=teach).spam)

    def undo(self) -> int:
        """Put everything back."""
        return len(self.filer.undo(self.state.moves()))

    def pass_days(self, days: float) -> None:
        """Let time go by."""
        self.now += days * DAY + MARGIN

    # what came of it --------------------------------------------------------------------------------------------------

    def said(self, raw: bytes, user: str = "local") -> Label | None:
        """Return the lesson there is of a message."""
        rows = self.engine.journal.find(digest(raw), user)
        return rows[0].lesson.label if rows else None

    def lessons(self) -> int:
        """Count the lessons."""
        counts = self.engine.journal.counts()
        return counts.ham + counts.spam

    def teach(self, raw: bytes, label: Label) -> None:
        """Give a lesson by hand."""
        [message] = prepare([Item("by-hand.eml", raw)], self.engine.view.hasher)
        self.engine.learn([Teaching(message, label)])

    def school(self) -> None:
        """Teach enough to know spam when it comes, of messages numbered from 1000."""
        for number in range(1000, 1020):
            self.teach(ham(number), Label.HAM)
            self.teach(spam(number), Label.SPAM)


@contextmanager
def closing_client(host: str, port: int, user: str) -> Iterator[IMAPClient]:
    """Log in as another mail program does."""
    client = IMAPClient(host, port, ssl=False)
    client.login(user, PASSWORD)
    with closing(_Closing(client.logout)):
        yield client


class _Closing:
    def __init__(self, close: Callable[[], object]) -> None:
        self.close = close


def _flag_file(mailbox: MaildirMailbox, folder: str, uid: str, flags: tuple[str, ...]) -> None:
    mailbox.scan(folder)
    [(_, entry)] = mailbox.entries(folder, [uid])
    file = Path(entry.path)
    letters = {flag: letter for letter, flag in LETTERS.items()}
    keywords = [flag for flag in flags if flag not in letters]
    if keywords:
        box = file.parent.parent
        (box / KEYWORDS).write_text("".join(f"{n} {keyword}\n" for n, keyword in enumerate(keywords)))
    added = "".join(letters.get(flag) or chr(ord("a") + keywords.index(flag)) for flag in flags)
    unique, _, info = file.name.partition(":")
    name = f"{unique}:2,{''.join(sorted(set(re.sub('^2,', '', info)) | set(added)))}"
    file.rename(file.parent.with_name("cur") / name)


__all__ = ["INBOX", "World"]
