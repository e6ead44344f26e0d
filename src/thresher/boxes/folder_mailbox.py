"""A folder of folders of messages as a mailbox: each message a file, no flags, no index.

A message's uid is its file's name. A folder is any directory below the root that is no Maildir; what begins with a dot
is skipped. ``INBOX`` is the directory of that name in any case, ``inbox``, or else the root itself.
"""

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from thresher.boxes.directories import DirectoryMailbox, below, files, reserved, stored
from thresher.boxes.folders import NOT_MAIL, NOT_MAIL_ENDINGS, is_maildir
from thresher.boxes.item import box_error
from thresher.boxes.mailbox import INBOX, Folder, Sighting
from thresher.boxes.maildir import sync, unique_name


class FolderMailbox(DirectoryMailbox):
    """A directory whose sub-directories are folders of messages."""

    def folders(self) -> list[Folder]:
        found = {INBOX: Folder(INBOX)}
        for path, inside, _ in os.walk(self.root):
            inside[:] = sorted(name for name in inside if name[0] != "." and not is_maildir(f"{path}/{name}"))
            for name in inside:
                folder = self._name(Path(path, name))
                found[folder] = Folder(folder)
        return list(found.values())

    def _name(self, directory: Path) -> str:
        first, *rest = below(self.root, directory).split("/")
        return "/".join([INBOX if first.upper() == INBOX else first, *rest])

    def _directory(self, folder: str) -> Path:
        first, *rest = folder.split("/")
        if first != INBOX:
            return self.root / folder
        spelt = (path for path in sorted(self.root.iterdir()) if path.name.upper() == INBOX and path.is_dir())
        inbox = next(spelt, self.root / INBOX if rest else self.root)
        return inbox.joinpath(*rest)

    def _parts(self, folder: str) -> list[Path]:
        return [self._directory(folder)]

    def _sightings(self, folder: str) -> Iterator[tuple[Sighting, str]]:
        for file in files(self._directory(folder)):
            if file.name in NOT_MAIL or file.name.endswith(NOT_MAIL_ENDINGS):
                continue
            try:
                status = file.stat()
            except FileNotFoundError:
                continue
            # An empty file is a name somebody has reserved for a message to come.
            if status.st_size:
                yield Sighting(file.name, frozenset(), status.st_mtime), file.path

    def _move(self, path: Path, folder: str, target: str) -> str:
        del folder
        place = self._reserve(self._directory(target), path.name)
        try:
            path.rename(place)
        except OSError:
            place.unlink()
            raise
        sync(place.parent)
        sync(path.parent)
        return place.name

    def _reserve(self, directory: Path, name: str) -> Path:
        """Take a free name."""
        place = directory / name
        while not reserved(place):
            place = directory / f"{unique_name()}.eml"
        return place

    def append(self, folder: str, raw: bytes, flags: Collection[str] = (), arrived: float | None = None) -> str:
        del flags
        self.create(folder)
        directory = self._directory(folder)
        try:
            written = stored(directory, raw, arrived)
            place = self._reserve(directory, f"{unique_name()}.eml")
            written.rename(place)
            sync(directory)
        except OSError as error:
            raise box_error(self._shown(folder), error) from error
        return place.name

    def create(self, folder: str) -> None:
        directory = self._directory(folder)
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise box_error(self._shown(folder), error) from error
