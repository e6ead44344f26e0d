"""Messages of a mailbox read and prepared, in this process or in one of many."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from thresher.boxes import BoxError, Item, load
from thresher.boxes.item import Entry
from thresher.boxes.mailbox import Mailbox
from thresher.learn.hashing import Hasher
from thresher.prepare import Prepared, chunks, prepare

_OWN_VERDICT: Final = re.compile(rb"^x-thresher[^\n:]*:", re.IGNORECASE | re.MULTILINE)
_END_OF_HEADER: Final = re.compile(rb"\n\r?\n")

Piece = Sequence[tuple[str, str, Entry]]
"""Folder, uid and what to read the message from."""


class Read(NamedTuple):
    """A message that was read."""

    folder: str
    uid: str
    message: Prepared
    judged: bool
    """Its header carries a verdict of thresher's."""


class Asked(Protocol):
    """A message that is to be read."""

    @property
    def folder(self) -> str:
        """Where it lies."""

    @property
    def uid(self) -> str:
        """What it is called there."""


def pieces(box: Mailbox, wanted: Sequence[Asked], step: Callable[[int], None]) -> Iterator[Piece]:
    """Cut work into pieces, in the order asked; messages that are gone are left out."""
    for chunk in chunks(wanted):
        found = {
            (folder, uid): entry
            for folder in sorted({each.folder for each in chunk})
            for uid, entry in box.entries(folder, [each.uid for each in chunk if each.folder == folder])
        }
        step(len(chunk))
        keys = [(each.folder, each.uid) for each in chunk]
        yield [(*key, found[key]) for key in keys if key in found]


def load_all(piece: Piece) -> tuple[list[tuple[str, str, Item]], list[BoxError]]:
    """Read messages; what cannot be read is an error, not the end."""
    found: list[tuple[str, str, Item]] = []
    errors = []
    for folder, uid, entry in piece:
        try:
            found += [(folder, uid, item) for item in load(entry)]
        except BoxError as error:
            errors.append(error)
    return found, errors


def read_piece(hasher: Hasher, piece: Piece) -> tuple[list[Read], list[BoxError]]:
    """Read and prepare messages."""
    found, errors = load_all(piece)
    return prepared(hasher, found), errors


def prepared(hasher: Hasher, found: Sequence[tuple[str, str, Item]]) -> list[Read]:
    """Prepare messages."""
    messages = prepare([item for _, _, item in found], hasher)
    return [
        Read(folder, uid, message, _is_judged(item.raw))
        for (folder, uid, item), message in zip(found, messages, strict=True)
    ]


def _is_judged(raw: bytes) -> bool:
    end = _END_OF_HEADER.search(raw)
    return _OWN_VERDICT.search(raw, 0, end.start() if end else len(raw)) is not None
