"""The port of a mailbox: one person's folders, whatever they are kept in.

The law:

- A folder is named by its path, ``Junk/Old``, with ``INBOX`` for where mail arrives. A message is named by a uid that
  stays the same for as long as the message stays in its folder, and is never given to another.
- Reading changes nothing: not a flag, not a date, not a file.
- Nothing is ever deleted. A move keeps the message's bytes, flags and date. Whatever is killed meanwhile, the message
  is in one of the two folders or in both, never in none; `resume` then leaves it in one.
- What cannot be done is a `BoxError` that says why: `BoxReadOnly`, `BoxFull`, `BoxLost` (try again), or just that.

Back ends differ in nothing else: tests/conformance holds them to it.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from thresher.boxes.item import Entry

INBOX: Final = "INBOX"

# Flags by their names in IMAP (RFC 3501, RFC 5788), whatever a back end calls them.
SEEN: Final = "\\Seen"
ANSWERED: Final = "\\Answered"
FLAGGED: Final = "\\Flagged"
DELETED: Final = "\\Deleted"
DRAFT: Final = "\\Draft"
LABEL: Final = "label:"
"""Begins what stands for a label of Gmail's among the flags: ``label:\\Inbox``."""


class Folder(NamedTuple):
    """A folder that can hold messages."""

    name: str
    use: str = ""
    """Its special use as the server says it (RFC 6154): ``\\Junk``."""


class Sighting(NamedTuple):
    """A message as a listing shows it."""

    uid: str
    flags: frozenset[str] = frozenset()
    arrived: float = 0.0
    """When it came to this mailbox, seconds since 1970 UTC."""


class Scan(NamedTuple):
    """What is in a folder."""

    mark: str
    """To be given to the next scan, which then tells only what changed."""
    uids: Collection[str] | None = None
    """All there are; None if nothing has changed since the mark."""
    changed: Sequence[Sighting] = ()
    """Those that are new, or whose flags may have changed, since the mark; all if there was none."""


class Mailbox(Protocol):
    """What every back end does. One thread at a time."""

    @property
    def place(self) -> str:
        """Where this mailbox is, for people."""

    def folders(self) -> list[Folder]:
        """List the folders, by name; INBOX is always among them."""

    def scan(self, folder: str, mark: str = "") -> Scan:
        """List the messages of a folder; with the mark of an earlier scan, what changed since."""

    def entries(self, folder: str, uids: Sequence[str]) -> Iterator[tuple[str, Entry]]:
        """Yield what `boxes.load` reads each message from, in the order asked; a message that is gone is passed over.

        `load` may give no message for an entry either: gone since.
        """

    def move(self, folder: str, uids: Sequence[str], target: str) -> dict[str, str]:
        """Move messages and return each one's uid in the target, "" where that is not told; those gone are left out."""

    def stand(self, target: str) -> str:
        """Say how a folder stands before messages are moved there, for `resume`."""

    def resume(self, folder: str, uid: str, target: str, stand: str) -> str | None:
        """After a move that may have been cut short: finish it if it was begun.

        Return the uid in the target ("" if not known) of a message that is no longer in the folder, None if it still
        is, and nowhere else.
        """

    def append(self, folder: str, raw: bytes, flags: Collection[str] = (), arrived: float | None = None) -> str:
        """Store a message durably and return its uid; the folder is made if need be."""

    def create(self, folder: str) -> None:
        """Make a folder; one that is there already is no error."""

    def listen(self, folders: Sequence[str]) -> None:
        """From now on remember that something changed in these folders, until `wait` tells."""

    def wait(self, seconds: float) -> bool:
        """Return True as soon as something has changed since the last `wait`, False after so many seconds."""

    def close(self) -> None:
        """Let go of it. Closing twice is no error."""
