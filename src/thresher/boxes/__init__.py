"""Where mail comes from and goes: files, folders, mbox, Maildir, standard input."""

from thresher.boxes.index import Listed, read_index
from thresher.boxes.item import MAX_BYTES, STDIN, BoxError, Entry, Item, Kind
from thresher.boxes.maildir import deliver, move
from thresher.boxes.reader import entries, kind, load, read

__all__ = [
    "MAX_BYTES",
    "STDIN",
    "BoxError",
    "Entry",
    "Item",
    "Kind",
    "Listed",
    "deliver",
    "entries",
    "kind",
    "load",
    "move",
    "read",
    "read_index",
]
