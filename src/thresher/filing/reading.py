"""Messages of a mailbox read and prepared, in this process or in one of many."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from thresher.boxes import BoxError, Item, load
from thresher.boxes.item import Entry
from thresher.learn.hashing import Hasher
from thresher.prepare import Prepared, prepare

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
