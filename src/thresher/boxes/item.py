"""What reading a path gives: messages, references to them that can be opened later, errors that name the way out."""

import errno
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec

from thresher.values import ThresherError

MAX_BYTES: Final = 32 << 20
"""Of a longer message only this much is kept. Servers commonly refuse mail above 25 to 50 MB, and the filter reads only
the first kilobytes of each part."""
STDIN: Final = "-"


class Kind(StrEnum):
    """What a path turned out to be."""

    MESSAGE = "message"
    FOLDER = "folder"
    MBOX = "mbox"
    MAILDIR = "Maildir"


class Item(msgspec.Struct, frozen=True, gc=False):
    """One message as it was stored."""

    path: str
    """For people and for output: the file, or the mbox and the message's place in it: ``inbox.mbox#7``."""
    raw: bytes
    truncated: bool = False
    """It was longer than the limit, or its file ended too early: ``raw`` is only its beginning."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """What `load` needs to read one message or one small file, in this process or another."""

    path: str
    """The file to open."""
    number: int = 0
    """The message's place in its mbox, from 1; 0: the file is yet to be looked at."""
    offset: int = 0
    """Where the message's From line begins in its mbox."""
    length: int = 0
    """From there to the end of the message."""
    delivered: bool = False
    """A file of a Maildir: one message whatever it looks like, and its mail reader may rename it at any time."""
    item: Item | None = None
    """The message itself, if it was read from what cannot be opened twice: standard input, a compressed mbox."""


class BoxError(ThresherError):
    """A path that could not be read, why, and what to do about it."""

    def __init__(self, path: str, reason: str, way_out: str = "") -> None:
        super().__init__(path, reason, way_out)
        self.path = path
        self.reason = reason
        self.way_out = way_out
        self.others: tuple[BoxError, ...] = ()
        """What else went wrong while the rest of the folder, or the other paths, were read."""

    def __str__(self) -> str:
        way_out = f"; {self.way_out}" if self.way_out else ""
        others = f" (and {len(self.others)} more)" if self.others else ""
        # A file name may hold any byte; a text that cannot be printed would hide the error.
        return f"{self.path}: {self.reason}{way_out}{others}".encode("utf-8", "replace").decode()


def together(errors: Iterable[BoxError]) -> BoxError:
    """Return the first of several errors, carrying the others."""
    first, *others = errors
    first.others = (*first.others, *others)
    return first


def box_error(path: str, error: OSError) -> BoxError:
    """Say what the system's error means to the person who named the path."""
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return BoxError(path, "no such file or folder", "check the spelling (within quotes * and ~ mean themselves)")
    if error.errno in {errno.EACCES, errno.EPERM}:
        return BoxError(path, "permission denied", "run as the owner of the mail, or have read permission given")
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return BoxFull(path, "there is no room (disk full or over quota)", "nothing was moved; make room and try again")
    if error.errno == errno.EROFS:
        return BoxReadOnly(path, "on a read-only file system", "nothing was moved")
    if error.errno in {errno.EMFILE, errno.ENFILE}:
        return BoxError(path, "too many files are open", "raise the limit with `ulimit -n`")
    return BoxError(path, (error.strerror or str(error)).lower())


class BoxLost(BoxError):
    """The connection to a mail server broke; the same call on a new connection may succeed."""


class BoxFull(BoxError):
    """There is no room where a message was to go; it is still where it was."""


class BoxReadOnly(BoxError):
    """Messages can be read here and not moved; they are all still where they were."""
