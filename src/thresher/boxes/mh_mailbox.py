"""An MH mailbox (nmh, Claws Mail): a directory a folder, numbered files, flags in ``.mh_sequences``.

MH gives the number of a message that left to the next that comes, so a uid here is the number and the time the file
was written: ``7-17d0a6b3``. Sequences are changed under their lock, first where a message goes to: it never lacks its
flags.
"""

import os
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from thresher.boxes.directories import DirectoryMailbox, below, files, reserved, stored
from thresher.boxes.folders import is_maildir
from thresher.boxes.item import box_error
from thresher.boxes.locking import dot_locked
from thresher.boxes.mailbox import ANSWERED, FLAGGED, INBOX, SEEN, Folder, Sighting
from thresher.boxes.maildir import sync, unique_name

SEQUENCES: Final = ".mh_sequences"
UNSEEN: Final = "unseen"
NAMED: Final = {"replied": ANSWERED, "flagged": FLAGGED}

Sequences = dict[str, set[int]]


class MhMailbox(DirectoryMailbox):
    """An MH mailbox."""

    def folders(self) -> list[Folder]:
        found = {INBOX: Folder(INBOX)}
        for path, inside, _ in os.walk(self.root):
            inside[:] = sorted(name for name in inside if name[0] != "." and not is_maildir(f"{path}/{name}"))
            for name in inside:
                folder = below(self.root, Path(path, name))
                if folder != "inbox":
                    found[folder] = Folder(folder)
        return list(found.values())

    def _directory(self, folder: str) -> Path:
        return self.root / ("inbox" if folder == INBOX else folder)

    def _parts(self, folder: str) -> list[Path]:
        return [self._directory(folder)]

    def _watched(self, folder: str) -> list[Path]:
        return [part for part in self._parts(folder) if part.is_dir()]

    def _mark(self, folder: str) -> str:
        # The sequences are written anew beside their name, which touches the directory; nmh writes them in place.
        sequences = self._directory(folder) / SEQUENCES
        written = sequences.stat().st_mtime_ns if sequences.exists() else 0
        mark = super()._mark(folder)
        return f"{mark}:{written}" if mark else ""

    def _sightings(self, folder: str) -> Iterator[tuple[Sighting, str]]:
        directory = self._directory(folder)
        if not directory.is_dir():
            return
        sequences = _read(directory)
        for file in files(directory):
            if not (file.name.isdecimal() and file.name[0] != "0"):
                continue
            try:
                status = file.stat()
            except FileNotFoundError:
                continue
            if status.st_size:
                number = int(file.name)
                uid = f"{number}-{status.st_mtime_ns:x}"
                yield Sighting(uid, _flags(sequences, number), status.st_mtime), file.path

    def _move(self, path: Path, folder: str, target: str) -> str:
        source, place = path.parent, self._directory(target)
        with ExitStack() as stack:
            # Always in one order, or two moves crossing each other would wait for each other.
            for directory in sorted({source, place}):
                stack.enter_context(dot_locked(directory / SEQUENCES))
            number = int(path.name)
            member = {name for name, numbers in _read(source).items() if number in numbers}
            free = _reserve(place)
            _write(place, _with(_read(place), member, free))
            path.rename(place / str(free))
            _write(source, _without(_read(source), number))
        sync(place)
        sync(source)
        del folder
        return f"{free}-{(place / str(free)).stat().st_mtime_ns:x}"

    def append(self, folder: str, raw: bytes, flags: Collection[str] = (), arrived: float | None = None) -> str:
        self.create(folder)
        directory = self._directory(folder)
        member = {name for name, flag in NAMED.items() if flag in flags} | ({UNSEEN} if SEEN not in flags else set())
        try:
            with dot_locked(directory / SEQUENCES):
                written = stored(directory, raw, arrived)
                free = _reserve(directory)
                _write(directory, _with(_read(directory), member, free))
                written.rename(directory / str(free))
            sync(directory)
            return f"{free}-{(directory / str(free)).stat().st_mtime_ns:x}"
        except OSError as error:
            raise box_error(self._shown(folder), error) from error

    def create(self, folder: str) -> None:
        try:
            self._directory(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise box_error(self._shown(folder), error) from error


def _reserve(directory: Path) -> int:
    number = max((int(file.name) for file in files(directory) if file.name.isdecimal()), default=0) + 1
    while not reserved(directory / str(number)):
        number += 1
    return number


def _flags(sequences: Sequences, number: int) -> frozenset[str]:
    flags = {flag for name, flag in NAMED.items() if number in sequences.get(name, ())}
    return frozenset(flags if number in sequences.get(UNSEEN, ()) else flags | {SEEN})


def _with(sequences: Sequences, names: Collection[str], number: int) -> Sequences:
    return sequences | {name: sequences.get(name, set()) | {number} for name in names}


def _without(sequences: Sequences, number: int) -> Sequences:
    return {name: numbers - {number} for name, numbers in sequences.items()}


def _read(directory: Path) -> Sequences:
    """Read ``unseen: 3 5-7``."""
    found: Sequences = defaultdict(set)
    try:
        lines = (directory / SEQUENCES).read_text("ascii", "replace").splitlines()
    except FileNotFoundError:
        return {}
    for line in lines:
        name, _, ranges = line.partition(":")
        for part in ranges.split():
            first, _, last = part.partition("-")
            if first.isdecimal() and (last or first).isdecimal():
                found[name].update(range(int(first), int(last or first) + 1))
    return dict(found)


def _write(directory: Path, sequences: Sequences) -> None:
    lines = [f"{name}: {' '.join(map(str, sorted(numbers)))}\n" for name, numbers in sequences.items() if numbers]
    written = directory / f"{SEQUENCES}.{unique_name()}"
    written.write_text("".join(lines))
    written.chmod(0o600)
    written.replace(directory / SEQUENCES)
