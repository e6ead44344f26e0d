"""mbox files as a mailbox: a file a folder. Compressed ones can be read and not changed.

- The root is a directory of mbox files (``Junk.sbd`` holds the folders inside Junk, as Thunderbird has it), or one
  file, which is then INBOX, and its folders are the files beside it.
- A message's uid is a hash of its bytes without what mail programs write into its header (`STATUS`), and its number
  among equal ones; so it stays when others before it go.
- Nothing is read or written without both locks (`locking`). A move appends to the target first and then takes the
  message out of its file (`mbox_write`): killed in between, it is in both, and `resume` takes it out.
"""

import calendar
import fcntl
import os
import re
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from thresher.boxes.folders import NOT_MAIL, NOT_MAIL_ENDINGS
from thresher.boxes.inotify import Changes
from thresher.boxes.item import MAX_BYTES, BoxError, BoxReadOnly, Entry, Item, box_error
from thresher.boxes.locking import locked_file
from thresher.boxes.mailbox import ANSWERED, DELETED, DRAFT, FLAGGED, INBOX, SEEN, Folder, Scan, Sighting
from thresher.boxes.maildir import PRIVATE_FILE, PRIVATE_FOLDER
from thresher.boxes.mbox import LONGEST_LINE, Piece, split
from thresher.boxes.mbox_write import appended, finished, taken_out
from thresher.boxes.stream import Stream

STATUS: Final = re.compile(
    rb"^(?:status|x-status|x-keywords|x-mozilla-status2?|x-mozilla-keys|x-uid|x-imapbase|content-length|lines):[^\n]*\n"
    rb"(?:[ \t][^\n]*\n)*",
    re.MULTILINE | re.IGNORECASE,
)
"""Header fields in which mail programs keep flags and counts of an mbox's message."""
_LETTERS: Final = {"R": SEEN, "A": ANSWERED, "F": FLAGGED, "D": DELETED, "T": DRAFT}
# X-Mozilla-Status is a number in base 16; these are its bits.
_BITS: Final = {0x1: SEEN, 0x2: ANSWERED, 0x4: FLAGGED, 0x8: DELETED}
_FIELD: Final = re.compile(
    rb"^(status|x-status|x-mozilla-status|x-keywords):[ \t]*([^\r\n]*)", re.MULTILINE | re.IGNORECASE
)
_DATE: Final = re.compile(rb"\w{3} +\d{1,2} +\d\d:\d\d:\d\d \d{4}")
_INSIDE: Final = ".sbd"


class _Found(NamedTuple):
    """A message in its file."""

    uid: str
    piece: Piece
    arrived: float


class MboxMailbox:
    """mbox files."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._changes: Changes | None = None
        if not root.exists():
            raise BoxError(str(root), "no such file or folder", "check the spelling")

    @property
    def place(self) -> str:
        return str(self.root)

    def folders(self) -> list[Folder]:
        found = {INBOX: Folder(INBOX)}
        if self.root.is_dir():
            for path, inside, names in os.walk(self.root):
                inside[:] = sorted(name for name in inside if name[0] != ".")
                for name in sorted(names):
                    folder = Path(path, name).relative_to(self.root).as_posix().replace(f"{_INSIDE}/", "/")
                    if _may_be_mbox(name) and folder.upper() != INBOX:
                        found[folder] = Folder(folder)
        return list(found.values())

    def _file(self, folder: str) -> Path:
        if not self.root.is_dir():
            return self.root if folder == INBOX else self.root.parent / folder
        if folder == INBOX:
            spelt = (path for path in sorted(self.root.iterdir()) if path.name.upper() == INBOX and path.is_file())
            return next(spelt, self.root / INBOX)
        *above, name = folder.split("/")
        place = self.root
        for part in above:
            place = place / part if (place / part).is_dir() else place / f"{part}{_INSIDE}"
        return place / name

    def scan(self, folder: str, mark: str = "") -> Scan:
        file = self._file(folder)
        try:
            if not file.exists():
                return Scan("", ())
            status = file.stat()
            now = f"{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"
            if mark == now:
                return Scan(mark)
            with _opened(file) as descriptor:
                seen = [Sighting(one.uid, _flags(one.piece.raw), one.arrived) for one in _messages(file, descriptor)]
        except OSError as error:
            raise box_error(str(file), error) from error
        return Scan(now, [sighting.uid for sighting in seen], seen)

    def entries(self, folder: str, uids: Sequence[str]) -> Iterator[tuple[str, Entry]]:
        file = self._file(folder)
        wanted = set(uids)
        try:
            with _opened(file) as descriptor:
                for one in _messages(file, descriptor):
                    if one.uid in wanted:
                        path = f"{file}#{max(one.piece.number, 1)}"
                        yield one.uid, Entry(str(file), item=Item(path, _bare(one.piece.raw), one.piece.truncated))
        except FileNotFoundError:
            return
        except OSError as error:
            raise box_error(str(file), error) from error

    def move(self, folder: str, uids: Sequence[str], target: str) -> dict[str, str]:
        source, place = self._file(folder), self._file(target)
        moved = {}
        try:
            self.create(target)
            _refuse_compressed(source, place)
            for uid in uids:
                with locked_file(source) as descriptor:
                    finished(source, descriptor)
                    one = _one(source, descriptor, uid)
                    if one is None:
                        continue
                    raw = _whole(one.piece, source)
                    moved[uid] = _append(place, raw, b"", one.arrived)
                    taken_out(source, descriptor, one.piece.offset, _extent(descriptor, one.piece))
        except OSError as error:
            raise box_error(str(source), error) from error
        return moved

    def stand(self, target: str) -> str:
        """Count the messages there: those that equal one another are told apart by their number."""
        return "\n".join(self.scan(target).uids or ())

    def resume(self, folder: str, uid: str, target: str, stand: str) -> str | None:
        there = set(self.scan(target).uids or ()) - set(stand.split("\n"))
        came = next((new for new in there if new.partition(".")[0] == uid.partition(".")[0]), None)
        source = self._file(folder)
        with locked_file(source) as descriptor:
            finished(source, descriptor)
            one = _one(source, descriptor, uid)
            if one is not None and came is not None:
                taken_out(source, descriptor, one.piece.offset, _extent(descriptor, one.piece))
        return None if one is not None and came is None else came or ""

    def append(self, folder: str, raw: bytes, flags: Collection[str] = (), arrived: float | None = None) -> str:
        self.create(folder)
        try:
            return _append(self._file(folder), raw, _status(flags), time.time() if arrived is None else arrived)
        except OSError as error:
            raise box_error(str(self._file(folder)), error) from error

    def create(self, folder: str) -> None:
        file = self._file(folder)
        try:
            file.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
            file.touch(PRIVATE_FILE)
        except OSError as error:
            raise box_error(str(file), error) from error

    def listen(self, folders: Sequence[str]) -> None:
        self.close()
        self._changes = self._heard(folders)

    def wait(self, seconds: float) -> bool:
        if self._changes is None:
            self._changes = self._heard([folder.name for folder in self.folders()])
        return self._changes.wait(seconds)

    def _heard(self, folders: Sequence[str]) -> Changes:
        # The files themselves are written in place: their directories would not tell.
        return Changes(file for folder in folders if (file := self._file(folder)).exists())

    def close(self) -> None:
        if self._changes is not None:
            self._changes.close()
            self._changes = None


def _may_be_mbox(name: str) -> bool:
    return not (name[0] == "." or name in NOT_MAIL or name.endswith((*NOT_MAIL_ENDINGS, ".lock")))


@contextmanager
def _opened(file: Path) -> Iterator[int]:
    """Give a file to read, kept from being written meanwhile."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        # A reader's lock: it needs no right to write, and keeps every program out that asks the system before writing.
        fcntl.lockf(descriptor, fcntl.LOCK_SH)
        yield descriptor
    finally:
        os.close(descriptor)


def _messages(file: Path, descriptor: int) -> Iterator[_Found]:
    os.lseek(descriptor, 0, os.SEEK_SET)
    stream = Stream(str(file), partial(os.read, descriptor))
    seen: Counter[str] = Counter()
    for piece in split(iter(stream), MAX_BYTES):
        if not piece.length:
            continue
        line = b"" if stream.compression else os.pread(descriptor, LONGEST_LINE, piece.offset).partition(b"\n")[0]
        name = blake2b(_bare(piece.raw).rstrip(b"\n"), digest_size=16).hexdigest()
        seen[name] += 1
        yield _Found(f"{name}.{seen[name]}", piece, _arrived(line))
    if stream.broken:
        raise stream.broken


def _one(file: Path, descriptor: int, uid: str) -> _Found | None:
    return next((one for one in _messages(file, descriptor) if one.uid == uid), None)


def _whole(piece: Piece, file: Path) -> bytes:
    if piece.truncated:
        raise BoxError(str(file), f"holds a message of more than {MAX_BYTES >> 20} MB", "move it with a mail program")
    return piece.raw


def _extent(descriptor: int, piece: Piece) -> int:
    """Return a message's length with the blank line after it, which belongs to the mbox."""
    after = os.pread(descriptor, 2, piece.offset + piece.length)
    return piece.length + (2 if after == b"\r\n" else 1 if after[:1] == b"\n" else 0)


def _append(file: Path, raw: bytes, flags: bytes, arrived: float) -> str:
    with locked_file(file) as descriptor:
        finished(file, descriptor)
        appended(descriptor, raw, flags, arrived)
        *_, last = _messages(file, descriptor)
        return last.uid


def _refuse_compressed(*files: Path) -> None:
    for file in files:
        with _opened(file) as descriptor:
            if Stream(str(file), partial(os.read, descriptor)).compression:
                raise BoxReadOnly(str(file), "compressed, so it can only be read", "decompress it to have mail moved")


def _bare(raw: bytes) -> bytes:
    """Return a message without what mail programs keep in its header."""
    end = raw.find(b"\n\n") + 1 or len(raw)
    return STATUS.sub(b"", raw[:end]) + raw[end:]


def _flags(raw: bytes) -> frozenset[str]:
    flags: set[str] = set()
    for name, value in _FIELD.findall(raw[: raw.find(b"\n\n") + 1 or len(raw)]):
        text = value.decode("ascii", "replace").strip()
        match name.lower():
            case b"x-keywords":
                flags.update(text.split())
            case b"x-mozilla-status":
                bits = int(text, 16) if re.fullmatch("[0-9a-fA-F]{1,8}", text) else 0
                flags.update(flag for bit, flag in _BITS.items() if bits & bit)
            case _:
                flags.update(flag for letter, flag in _LETTERS.items() if letter in text)
    return frozenset(flags)


def _status(flags: Collection[str]) -> bytes:
    """Write flags as pine and mutt do."""
    letters = {letter for letter, flag in _LETTERS.items() if flag in flags}
    status = b"Status: RO\n" if "R" in letters else b""
    others = "".join(sorted(letters - {"R"}))
    return status + (f"X-Status: {others}\n".encode() if others else b"")


def _arrived(line: bytes) -> float:
    found = _DATE.search(line)
    if not found:
        return 0.0
    try:
        return float(calendar.timegm(time.strptime(found[0].decode(), "%b %d %H:%M:%S %Y")))
    except ValueError:
        return 0.0
