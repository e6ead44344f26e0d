"""Which files of a folder are messages, in an order that is always the same.

The law:

- A folder with ``cur`` and ``new`` in it is a Maildir: its messages are the files of these two, ordered by name as one
  list, which is the order of delivery. ``tmp`` holds what is still being delivered. Its sub-folders (``.Junk``) are
  other mailboxes, to be named if they are meant. A Maildir without messages is empty, not wrong.
- Any other folder is read with its sub-folders, by name, bytewise; a Maildir among them as a Maildir. Links to files
  are followed, links to folders are not, for they may lead back. A folder without messages is an error: it is hardly
  what was meant.
- Names with a leading dot are skipped, and so are the few names in `NOT_MAIL`. Nothing is left out for what is in it.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from thresher.boxes.item import BoxError, Entry, box_error

NOT_MAIL: Final = frozenset({
    "cmds",  # the SpamAssassin corpora list their renamings in each folder
    "index",  # the TREC corpora and our own `evaluate` say in it which message is spam
    "maildirfolder", "subscriptions", "courierimapuiddb", "courierimapsubscribed",  # Maildir++, by Courier and Dovecot
    "dovecot-uidlist", "dovecot-uidvalidity", "dovecot-keywords",
    "dovecot.index", "dovecot.index.log", "dovecot.index.cache",
})  # fmt: skip
NOT_MAIL_ENDINGS: Final = (".msf",)
"""Thunderbird keeps an index by this name beside each mbox."""
MAILDIR: Final = ("cur", "new")


def is_maildir(folder: str) -> bool:
    """Tell whether a folder is a Maildir. ``tmp`` may be missing: tools that copy leave empty folders out."""
    return all(Path(folder, part).is_dir() for part in MAILDIR)


def messages(folder: str) -> Iterator[Entry | BoxError]:
    """Find the messages of a folder, and what of it could not be read."""
    empty = True
    waiting = [(folder, True)]
    while waiting:
        path, is_folder = waiting.pop()
        try:
            if not is_folder:
                empty = False
                yield Entry(path)
            elif is_maildir(path):
                empty = False
                yield from _delivered(path)
            else:
                waiting.extend(reversed(_listed(path)))
        except OSError as error:
            empty = False
            yield box_error(path, error)
    if empty:
        yield BoxError(folder, "a folder without messages", "what begins with a dot is read only if it is named itself")


def renamed(path: str) -> str | None:
    """Find a message of a Maildir whose reader has renamed it: only what follows the colon changes."""
    file = Path(path)
    unique = file.name.partition(":")[0]
    delivered = (entry.path for entry in _delivered(str(file.parent.parent)))
    return next((path for path in delivered if Path(path).name.partition(":")[0] == unique), None)


def _listed(folder: str) -> list[tuple[str, bool]]:
    """List what may be mail, in order: path, and whether it is a folder."""
    with os.scandir(folder) as listing:
        found = [
            (os.fsencode(entry.name), entry.path, is_folder)
            for entry in listing
            if _may_be_mail(entry.name) and ((is_folder := entry.is_dir(follow_symlinks=False)) or entry.is_file())
        ]
    found.sort()
    return [(path, is_folder) for _, path, is_folder in found]


def _may_be_mail(name: str) -> bool:
    return not (name[0] == "." or name in NOT_MAIL or name.endswith(NOT_MAIL_ENDINGS))


def _delivered(maildir: str) -> list[Entry]:
    found = [(name, entry_path) for part in MAILDIR for name, entry_path in _files(f"{maildir}/{part}")]
    found.sort()
    return [Entry(path, delivered=True) for _, path in found]


def _files(folder: str) -> list[tuple[bytes, str]]:
    with os.scandir(folder) as listing:
        return [(os.fsencode(entry.name), entry.path) for entry in listing if entry.name[0] != "." and entry.is_file()]
