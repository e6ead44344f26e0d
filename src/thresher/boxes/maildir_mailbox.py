"""A Maildir with its sub-folders (Maildir++) as a mailbox.

The message's uid is its file's name up to the colon, which no reader changes. Flags are the letters behind it; small
letters are keywords, which Dovecot names in ``dovecot-keywords``.
"""

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from thresher.boxes.directories import DirectoryMailbox, files
from thresher.boxes.folders import is_maildir
from thresher.boxes.item import BoxError, box_error
from thresher.boxes.mailbox import ANSWERED, DELETED, DRAFT, FLAGGED, INBOX, SEEN, Folder, Sighting
from thresher.boxes.maildir import deliver, make, move

LETTERS: Final = {"S": SEEN, "R": ANSWERED, "F": FLAGGED, "T": DELETED, "D": DRAFT}
KEYWORDS: Final = "dovecot-keywords"


class MaildirMailbox(DirectoryMailbox):
    """A Maildir."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        if not is_maildir(str(root)):
            raise BoxError(str(root), "not a Maildir", "name the folder that has cur, new and tmp in it")

    def folders(self) -> list[Folder]:
        try:
            inside = [path.name for path in self.root.iterdir() if path.name[0] == "." and is_maildir(str(path))]
        except OSError as error:
            raise box_error(str(self.root), error) from error
        return [Folder(INBOX), *(Folder(_folder(name)) for name in sorted(inside))]

    def _directory(self, folder: str) -> Path:
        return self.root / f".{_name(folder)}" if _name(folder) else self.root

    def _parts(self, folder: str) -> list[Path]:
        return [self._directory(folder) / part for part in ("cur", "new")]

    def _watched(self, folder: str) -> list[Path]:
        return [part for part in self._parts(folder) if part.is_dir()]

    def _sightings(self, folder: str) -> Iterator[tuple[Sighting, str]]:
        keywords = self._keywords(folder)
        known: dict[str, frozenset[str]] = {}
        for part in self._parts(folder):
            for file in files(part):
                try:
                    arrived = file.stat().st_mtime
                except FileNotFoundError:
                    continue
                unique, _, info = file.name.partition(":")
                if (flags := known.get(info)) is None:
                    named = (LETTERS.get(letter) or keywords.get(letter) for letter in info.partition(",")[2])
                    # The same set for all that have the same flags: each takes 216 bytes.
                    flags = known[info] = frozenset(filter(None, named))
                yield Sighting(unique, flags, arrived), file.path

    def _keywords(self, folder: str) -> dict[str, str]:
        """Read which letter stands for which keyword: ``0 $Junk`` is the letter a."""
        try:
            lines = (self._directory(folder) / KEYWORDS).read_text("utf-8", "replace").splitlines()
        except FileNotFoundError:
            return {}
        found = {}
        for line in lines:
            number, _, keyword = line.partition(" ")
            if number.isdigit() and int(number) < 26:  # noqa: PLR2004 - the letters of the alphabet
                found[chr(ord("a") + int(number))] = keyword
        return found

    def _move(self, path: Path, folder: str, target: str) -> str:
        _, colon, info = path.name.partition(":")
        if colon:
            info = colon + self._translated(info, folder, target)
        return _unique(move(path, self.root, _name(target), info=info))

    def _translated(self, info: str, folder: str, target: str) -> str:
        """Write keywords in the target's letters; one that has no letter there yet is left out."""
        if not any("a" <= letter <= "z" for letter in info):
            return info
        named = self._keywords(folder)
        letters = {keyword: letter for letter, keyword in self._keywords(target).items()}
        kept = {letters.get(named.get(letter, ""), "") if "a" <= letter <= "z" else letter for letter in info[2:]}
        return info[:2] + "".join(sorted(kept))

    def append(self, folder: str, raw: bytes, flags: Collection[str] = (), arrived: float | None = None) -> str:
        letters = "".join(letter for letter, flag in LETTERS.items() if flag in flags)
        path = deliver(self.root, raw, folder=_name(folder), flags=letters)
        if arrived is not None:
            os.utime(path, (arrived, arrived))
        return _unique(path)

    def create(self, folder: str) -> None:
        make(self.root, _name(folder))


def _name(folder: str) -> str:
    """Name a folder as Maildir++ does: ``Junk.Old``, and nothing for INBOX."""
    return "" if folder == INBOX else folder.removeprefix(f"{INBOX}/").replace("/", ".")


def _folder(name: str) -> str:
    return name.removeprefix(".").replace(".", "/")


def _unique(path: str) -> str:
    return Path(path).name.partition(":")[0]
