"""An account on an IMAP server as a mailbox.

- A uid is the folder's UIDVALIDITY and the message's UID: when the server numbers anew, all are new here.
- Folders are read with EXAMINE and BODY.PEEK, which change nothing, not even what counts as recent.
- A mark is what STATUS says of the folder; with CONDSTORE it shows every change, and MODSEQ which messages changed.
- A move is MOVE, one step for the server. Where that is missing, COPY, then a deletion mark on the very messages
  copied, then UID EXPUNGE of these alone: others that carry the mark stay. Where that is missing too nothing is moved.
"""

import re
import ssl
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from thresher.boxes.imap_login import Server, connect
from thresher.boxes.item import MAX_BYTES, BoxError, BoxFull, BoxLost, BoxReadOnly, Entry, Item
from thresher.boxes.mailbox import DELETED, INBOX, LABEL, Folder, Scan, Sighting

CHUNK: Final = 500
"""UIDs named in one command: some 4 KB, where RFC 7162 asks servers to take 8 KB."""
FETCHED: Final = 4 << 20
"""Bytes of messages asked for at once."""
IDLE_SECONDS: Final = 30.0
"""After so long IDLE is ended, the other folders are looked at, of which it does not tell, and it is asked anew. RFC
2177 asks for that every 29 minutes; home routers forget a silent connection after ten."""
NO_IDLE_SECONDS: Final = 1.0
"""Between two looks where the server has no IDLE."""
NOT_SELECTABLE: Final = frozenset({b"\\noselect", b"\\nonexistent"})
NOT_USES: Final = frozenset({
    "\\hasnochildren", "\\haschildren", "\\marked", "\\unmarked", "\\noinferiors", "\\subscribed", "\\remote",
})  # fmt: skip
_FULL: Final = re.compile(r"OVERQUOTA|quota|LIMIT", re.IGNORECASE)
_READ_ONLY: Final = re.compile(r"NOPERM|READ-ONLY|permission", re.IGNORECASE)


class _State(NamedTuple):
    """What a server says of a folder."""

    validity: int
    uid_next: int
    messages: int
    modseq: int
    """0 if the server does not count changes."""

    @property
    def mark(self) -> str:
        return ":".join(map(str, self)) if self.modseq else ""

    @classmethod
    def of(cls, mark: str) -> "_State | None":
        return cls(*map(int, mark.split(":"))) if mark else None


class ImapMailbox:
    """An account on an IMAP server."""

    def __init__(self, server: Server, secret: str) -> None:
        self.server = server
        self._client: Any = connect(server, secret)
        self._names: dict[str, str] = {}
        """What the server calls each folder."""
        self._delimiter = "/"
        self._selected: tuple[str, bool] | None = None
        self._idling = False
        self._listening: list[str] = []
        self._stood: dict[str, _State] = {}
        with self._speaking():
            capable = self._client.has_capability
            self._condstore = capable("CONDSTORE") or capable("QRESYNC")
            self._gmail = capable("X-GM-EXT-1")

    @property
    def place(self) -> str:
        return str(self.server)

    @contextmanager
    def _speaking(self, folder: str = "") -> Iterator[Any]:
        """Raise what goes wrong as the port's errors."""
        where = f"{self.server}: {folder}" if folder else str(self.server)
        client = self._client
        if client is None:
            raise BoxLost(where, "the connection is closed", "connect again")
        try:
            if self._idling:
                self._idling = False
                client.idle_done()
            yield client
        except client.AbortError as error:
            self._drop()
            raise BoxLost(where, f"the connection broke ({error})", "try again") from error
        except client.Error as error:
            text = str(error)
            if _FULL.search(text):
                raise BoxFull(where, f"the server has no room ({text})", "make room and try again") from error
            if _READ_ONLY.search(text):
                raise BoxReadOnly(where, f"it may only be read ({text})", "ask for the right to change it") from error
            raise BoxError(where, text, "") from error
        except OSError as error:
            self._drop()
            raise BoxLost(where, f"the connection broke ({error.strerror or error})", "try again") from error

    def folders(self) -> list[Folder]:
        with self._speaking() as client:
            listed = client.list_folders()
        found = {}
        for flags, delimiter, name in listed:
            uses = {flag.decode("ascii", "replace") for flag in flags}
            if not NOT_SELECTABLE.isdisjoint({flag.lower() for flag in flags}):
                continue
            self._delimiter = delimiter.decode() if delimiter else self._delimiter
            folder = INBOX if name.upper() == INBOX else name.replace(self._delimiter, "/")
            self._names[folder] = name
            found[folder] = Folder(folder, next((use for use in sorted(uses) if use.lower() not in NOT_USES), ""))
        found.setdefault(INBOX, Folder(INBOX))
        return [found[folder] for folder in sorted(found)]

    def _name(self, folder: str) -> str:
        if folder not in self._names:
            self.folders()
        return self._names.get(folder) or folder.replace("/", self._delimiter)

    def scan(self, folder: str, mark: str = "") -> Scan:
        name = self._name(folder)
        with self._speaking(folder) as client:
            state = self._stood[folder] = self._state(name)
            if state.mark and state.mark == mark:
                return Scan(mark)
            validity = self._select(name, writing=False)
            numbers = list(client.search("ALL"))
            before = _State.of(mark)
            if before and before.validity == validity and self._condstore:
                changed = list(client.search(["MODSEQ", str(before.modseq + 1)]))
            else:
                changed = numbers
            sightings = list(self._sightings(changed, validity))
        now = state.mark if state.validity == validity else ""
        return Scan(now, [f"{validity}.{number}" for number in numbers], sightings)

    def _state(self, name: str) -> _State:
        if self._selected and self._selected[0] == name:
            # Of a folder that is selected a server tells what it last showed (RFC 3501, 6.3.10); this has it look.
            self._client.noop()
        asked = ["UIDVALIDITY", "UIDNEXT", "MESSAGES", *(["HIGHESTMODSEQ"] if self._condstore else [])]
        told = self._client.folder_status(name, asked)
        validity, uid_next, messages = (int(told[key]) for key in (b"UIDVALIDITY", b"UIDNEXT", b"MESSAGES"))
        return _State(validity, uid_next, messages, int(told.get(b"HIGHESTMODSEQ", 0)))

    def _select(self, name: str, *, writing: bool) -> int:
        """Select a folder anew, since what a server shows of one selected before may be old; return its UIDVALIDITY."""
        try:
            told = self._client.select_folder(name, readonly=not writing)
        except self._client.ReadOnlyError as error:
            # imaplib would say so again at every command, until the folder is opened as what it is.
            self._select(name, writing=False)
            raise BoxReadOnly(f"{self.server}: {name}", "it may only be read", "nothing was moved") from error
        self._selected = (name, writing)
        return int(told.get(b"UIDVALIDITY", 0))

    def _stay(self, name: str) -> None:
        """Select a folder again if whoever takes what we yield had another one selected meanwhile."""
        if self._selected != (name, False):
            self._select(name, writing=False)

    def _sightings(self, numbers: Sequence[int], validity: int) -> Iterator[Sighting]:
        asked = ["FLAGS", "INTERNALDATE", *(["X-GM-LABELS"] if self._gmail else [])]
        for chunk in _chunks(numbers):
            for number, told in self._client.fetch(chunk, asked).items():
                if b"FLAGS" in told:
                    yield Sighting(f"{validity}.{number}", flags_of(told), _seconds(told.get(b"INTERNALDATE")))

    def entries(self, folder: str, uids: Sequence[str]) -> Iterator[tuple[str, Entry]]:
        name = self._name(folder)
        with self._speaking(folder) as client:
            validity = self._select(name, writing=False)
            for chunk in _chunks(_numbers(uids, validity)):
                self._stay(name)
                sizes = {number: told[b"RFC822.SIZE"] for number, told in client.fetch(chunk, ["RFC822.SIZE"]).items()}
                for batch in _batches(sizes):
                    self._stay(name)
                    yield from self._read(folder, validity, batch, sizes)

    def _read(
        self, folder: str, validity: int, numbers: Sequence[int], sizes: dict[int, int]
    ) -> Iterator[tuple[str, Entry]]:
        whole = all(sizes[number] <= MAX_BYTES for number in numbers)
        asked, key = ("BODY.PEEK[]", b"BODY[]") if whole else (f"BODY.PEEK[]<0.{MAX_BYTES}>", b"BODY[]<0>")
        fetched = self._client.fetch(numbers, [asked])
        for number in numbers:
            raw = fetched.get(number, {}).get(key)
            if raw is not None:
                path = f"{self.server}/{folder}#{number}"
                item = Item(path, raw, sizes[number] > MAX_BYTES)
                yield f"{validity}.{number}", Entry(path, item=item)

    def move(self, folder: str, uids: Sequence[str], target: str) -> dict[str, str]:
        self.create(target)
        name, place = self._name(folder), self._name(target)
        moved: dict[str, str] = {}
        with self._speaking(folder) as client:
            atomic = client.has_capability("MOVE")
            if not (atomic or client.has_capability("UIDPLUS")):
                raise BoxError(str(self.server), "the server can move no message safely: neither MOVE nor UIDPLUS", "")
            validity = self._select(name, writing=True)
            for chunk in _chunks(_numbers(uids, validity)):
                # Those that are gone would be passed over in silence.
                there = client.fetch(chunk, ["FLAGS"])
                if there:
                    moved |= self._moved(validity, sorted(there), place, atomic=atomic)
        return moved

    def _moved(self, validity: int, numbers: list[int], place: str, *, atomic: bool) -> dict[str, str]:
        client = self._client
        _copied(client)
        (client.move if atomic else client.copy)(numbers, place)
        copied = _copied(client)
        if not atomic:
            self._expunge(numbers)
        return {f"{validity}.{number}": copied.get(number, "") for number in numbers}

    def _expunge(self, numbers: list[int]) -> None:
        self._client.add_flags(numbers, [DELETED], silent=True)
        self._client.uid_expunge(numbers)

    def stand(self, target: str) -> str:
        self.create(target)
        with self._speaking(target):
            state = self._state(self._name(target))
        return f"{state.validity}.{state.uid_next}"

    def resume(self, folder: str, uid: str, target: str, stand: str) -> str | None:
        name, place = self._name(folder), self._name(target)
        with self._speaking(folder) as client:
            numbers = _numbers([uid], self._select(name, writing=False))
            here = client.fetch(numbers, ["RFC822.SIZE", "INTERNALDATE", "BODY.PEEK[]"]) if numbers else {}
            copy = self._copy_of(next(iter(here.values()), None), place, stand)
            if not here:
                return copy or ""
            if copy is not None:
                self._select(name, writing=True)
                self._expunge(numbers)
        return copy

    def _copy_of(self, message: Any, place: str, stand: str) -> str | None:  # noqa: ANN401 - what IMAPClient gives
        """Find the copy of a message among those that came to a folder since it stood like that."""
        if message is None:
            return None
        client, (validity, uid_next) = self._client, map(int, stand.split("."))
        now = self._select(place, writing=False)
        first = uid_next if now == validity else 1
        came = [number for number in client.search("ALL") if number >= first]
        alike = (b"RFC822.SIZE", b"INTERNALDATE")
        for chunk in _chunks(came):
            for number, told in client.fetch(chunk, ["RFC822.SIZE", "INTERNALDATE"]).items():
                if all(told.get(key) == message.get(key) for key in alike) and (
                    client.fetch([number], ["BODY.PEEK[]"])[number].get(b"BODY[]") == message.get(b"BODY[]")
                ):
                    return f"{now}.{number}"
        return None

    def append(self, folder: str, raw: bytes, flags: Collection[str] = (), arrived: float | None = None) -> str:
        self.create(folder)
        when = datetime.fromtimestamp(arrived, UTC) if arrived is not None else None
        with self._speaking(folder) as client:
            told = client.append(self._name(folder), raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), flags, when)
            if found := re.search(rb"APPENDUID (\d+) (\d+)", told):
                return f"{found[1].decode()}.{found[2].decode()}"
        return ""

    def create(self, folder: str) -> None:
        if folder in self._names or (self._name(folder) and folder in self._names):
            return
        with self._speaking(folder) as client:
            client.create_folder(self._name(folder))
            client.subscribe_folder(self._name(folder))
        self.folders()

    def listen(self, folders: Sequence[str]) -> None:
        self._listening = list(folders)

    def wait(self, seconds: float) -> bool:
        """IDLE on INBOX, and look at the others now and then."""
        end = time.monotonic() + seconds
        while True:
            if self._changed():
                return True
            left = end - time.monotonic()
            if left <= 0:
                return False
            if self._idle(min(left, IDLE_SECONDS)):
                return True

    def _changed(self) -> bool:
        """Tell whether a folder differs from what its last scan saw."""
        folders = self._listening or list(self._stood)
        with self._speaking():
            return any(self._state(self._name(folder)) != self._stood.get(folder) for folder in folders)

    def _idle(self, seconds: float) -> bool:
        """Wait for news of INBOX, or so long."""
        with self._speaking(INBOX) as client:
            if not client.has_capability("IDLE"):
                time.sleep(min(seconds, NO_IDLE_SECONDS))
                return False
            self._select(self._name(INBOX), writing=False)
            # Selecting it told how it stands, and IDLE tells every change from there on; nothing falls in between.
            if self._state(self._name(INBOX)) != self._stood.get(INBOX):
                return True
            client.idle()
            self._idling = True
            told = [] if self._unread() else client.idle_check(timeout=seconds)
            self._idling = False
            _, more = client.idle_done()
        return any(len(line) > 1 and line[1] in {b"EXISTS", b"EXPUNGE", b"FETCH"} for line in [*told, *more])

    def _unread(self) -> bool:
        """Whether more came with the answer to IDLE: it lies in our buffer then, and no socket tells of it.

        IMAPClient leaves it there: a message that came as IDLE began was noticed at the next look only, 30 s later.
        """
        wire = self._client.socket()
        patience = wire.gettimeout()
        wire.settimeout(0)
        try:
            return bool(self._client._imap.file.peek(1))  # noqa: SLF001 - nothing public reads only what has come
        except ssl.SSLWantReadError:
            return False
        finally:
            wire.settimeout(patience)

    def _drop(self) -> None:
        if self._client is not None:
            with suppress(Exception):
                self._client.shutdown()
            self._client = None

    def close(self) -> None:
        if self._client is not None:
            with suppress(Exception):
                self._client.logout()
            self._drop()


def flags_of(told: dict[bytes, Any]) -> frozenset[str]:
    """Return a message's flags, and Gmail's labels among them."""
    flags = {_text(flag) for flag in told.get(b"FLAGS", ())} - {"\\Recent"}
    return frozenset(flags | {LABEL + _text(label) for label in told.get(b"X-GM-LABELS", ())})


def _text(word: bytes | int) -> str:
    # A keyword of digits alone is read as a number.
    return word.decode("ascii", "replace") if isinstance(word, bytes) else str(word)


def _seconds(when: datetime | None) -> float:
    return when.timestamp() if when else 0.0


def _numbers(uids: Sequence[str], validity: int) -> list[int]:
    """Return the UIDs that are still valid."""
    parts = (uid.partition(".") for uid in uids)
    return [int(number) for valid, _, number in parts if valid == str(validity)]


def _chunks(numbers: Sequence[int]) -> Iterator[list[int]]:
    for first in range(0, len(numbers), CHUNK):
        yield list(numbers[first : first + CHUNK])


def _batches(sizes: dict[int, int]) -> Iterator[list[int]]:
    """Cut a list so that no piece is of more than FETCHED bytes, unless one message is."""
    batch: list[int] = []
    room = FETCHED
    for number, size in sizes.items():
        if batch and size > room:
            yield batch
            batch, room = [], FETCHED
        batch.append(number)
        room -= size
    if batch:
        yield batch


def _copied(client: Any) -> dict[int, str]:  # noqa: ANN401 - IMAPClient ships no types
    """Return, and forget, what the server last said of where copies went: ``COPYUID 7 1:3 21:23`` (RFC 4315)."""
    # IMAPClient gives the text of the command's end only; a MOVE says this before it.
    _, told = client._imap.response("COPYUID")  # noqa: SLF001
    if not told or told[0] is None:
        return {}
    validity, sources, targets = told[-1].decode().split()
    return {source: f"{validity}.{target}" for source, target in zip(_set(sources), _set(targets), strict=True)}


def _set(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition(":")
        found += range(int(first), int(last or first) + 1)
    return found
