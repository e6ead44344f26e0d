"""spamd's protocol without sockets: bytes in, requests out. A connection carries one request.

The law: what a reader returns depends on the bytes alone, not on how they were cut. It holds no more than a line, a
message of the limit it was given, and what zlib needs; bytes after the message belong to nobody and are passed over.
What is wrong is a `Fault`, which has the code the client is to be answered with, and ends the conversation.

Exim's `variant=rspamd` speaks the same with another name, RSPAMC, and other headers.
"""

import re
import zlib
from enum import Enum, IntEnum, StrEnum, auto
from typing import Final

import msgspec

from thresher.values import Label

MAX_LINE: Final = 8192
"""No client's line comes near; Exim names every recipient on a line of its own."""
MAX_HEADERS: Final = 1024
"""spamd takes 255; Exim as rspamd's client sends one for each recipient, and Postfix takes 1,000 of them."""
MAX_USER: Final = 320
"""A mail address: 64 bytes, an @, 255 bytes."""

_COMMAND_LINE: Final = re.compile(rb"([A-Z_]{1,20}) (R?SPAMC)/(\d{1,3})\.(\d{1,3})\s*")
_LENGTH: Final = re.compile(r"\d{1,15}")
_HEADERS_FROM: Final = (1, 1)
"""A client of version 1.0 sends its message right after the command."""
_BLANK_LINE_FROM: Final = (1, 5)
"""From this version on a blank line follows PING and SKIP, too."""


class Command(StrEnum):
    """What a client may ask."""

    CHECK = "CHECK"
    SYMBOLS = "SYMBOLS"
    REPORT = "REPORT"
    REPORT_IFSPAM = "REPORT_IFSPAM"
    PROCESS = "PROCESS"
    HEADERS = "HEADERS"
    TELL = "TELL"
    PING = "PING"
    SKIP = "SKIP"


_BARE: Final = frozenset({Command.PING, Command.SKIP})


class Code(IntEnum):
    """Codes of a reply: those of sysexits.h, and spamd's own for a time-out."""

    EX_OK = 0
    EX_DATAERR = 65
    EX_UNAVAILABLE = 69
    EX_SOFTWARE = 70
    EX_TEMPFAIL = 75
    EX_PROTOCOL = 76
    EX_TIMEOUT = 79


class Dialect(StrEnum):
    """Who the client takes us for."""

    SPAMC = "SPAMC"
    RSPAMC = "RSPAMC"


class Request(msgspec.Struct, frozen=True):
    """A request, complete."""

    command: Command
    version: tuple[int, int]
    dialect: Dialect = Dialect.SPAMC
    user: str = ""
    label: Label | None = None
    """What the message is said to be."""
    learn: bool = False
    """``Set: local``."""
    forget: bool = False
    """``Remove: local``."""
    headers: tuple[tuple[str, str], ...] = ()
    """As sent, names in lower case: rspamd's clients tell the envelope here."""
    message: bytes = b""


class Fault(msgspec.Struct, frozen=True):
    """Why a request cannot be answered."""

    code: Code
    reason: str
    dialect: Dialect = Dialect.SPAMC


Event = Request | Fault


class _State(Enum):
    COMMAND = auto()
    HEADERS = auto()
    MESSAGE = auto()
    DONE = auto()


class _Refused(Exception):
    def __init__(self, code: Code, reason: str) -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


class Reader:
    """Reads the one request of a connection; of its message at most `limit` bytes, or it is refused."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._state = _State.COMMAND
        self._buffer = bytearray()
        self._command = Command.PING
        self._version = (0, 0)
        self._dialect = Dialect.SPAMC
        self._headers: list[tuple[str, str]] = []
        self._body = _Body(limit, None, compressed=False)

    @property
    def done(self) -> bool:
        """Whether the event has been returned."""
        return self._state is _State.DONE

    def receive(self, data: bytes) -> Event | None:
        """Take what came in; return the event it completes."""
        return self._guarded(data, ended=False)

    def end(self) -> Event | None:
        """Take note that nothing more will come. Of a client that sent nothing at all there is nothing to say."""
        if self._state is _State.COMMAND and not self._buffer:
            self._state = _State.DONE
        return self._guarded(b"", ended=True)

    def _guarded(self, data: bytes, *, ended: bool) -> Event | None:
        if self.done:
            return None
        event: Event | None
        try:
            event = self._advance(data, ended=ended)
        except _Refused as refused:
            event = Fault(refused.code, refused.reason, self._dialect)
        if event is not None:
            self._state = _State.DONE
            self._buffer.clear()
        return event

    def _advance(self, data: bytes, *, ended: bool) -> Request | None:
        if self._state is not _State.MESSAGE:
            self._buffer += data
            if not self._read_lines(ended=ended):
                return None
            data = bytes(self._buffer)
            self._buffer.clear()
        if self._command in _BARE or self._body.receive(data, ended=ended):
            return self._request()
        return None

    def _read_lines(self, *, ended: bool) -> bool:
        """Read the command and the headers; say whether the message comes next."""
        start = 0
        while self._state is not _State.MESSAGE:
            end = self._buffer.find(b"\n", start)
            if (len(self._buffer) if end < 0 else end) - start > MAX_LINE:
                raise _Refused(Code.EX_PROTOCOL, f"a line is longer than {MAX_LINE} bytes")
            if end < 0:
                break
            self._read_line(bytes(self._buffer[start:end]).removesuffix(b"\r"))
            start = end + 1
        del self._buffer[:start]
        if ended and self._state is _State.HEADERS and self._command in _BARE:
            # `echo PING SPAMC/1.5 | nc`, as monitors do it: what is missing is only the blank line.
            return True
        if ended and self._state is not _State.MESSAGE:
            raise _Refused(Code.EX_PROTOCOL, "the connection was closed before the message")
        return self._state is _State.MESSAGE

    def _read_line(self, line: bytes) -> None:
        if self._state is _State.COMMAND:
            self._read_command(line)
        elif line:
            self._read_header(line)
        else:
            self._body = self._expected()
            self._state = _State.MESSAGE

    def _read_command(self, line: bytes) -> None:
        match = _COMMAND_LINE.fullmatch(line)
        if not match or match[1].decode() not in Command.__members__:
            raise _Refused(Code.EX_PROTOCOL, "the first line is no command this server knows")
        self._command = Command(match[1].decode())
        self._dialect = Dialect(match[2].decode())
        self._version = (int(match[3]), int(match[4]))
        first = _BLANK_LINE_FROM if self._command in _BARE else _HEADERS_FROM
        self._state = _State.HEADERS if self._version >= first else _State.MESSAGE

    def _read_header(self, line: bytes) -> None:
        name, colon, value = line.decode("utf-8", "replace").partition(":")
        if not colon:
            raise _Refused(Code.EX_PROTOCOL, "a header is not of the form 'Name: value'")
        if len(self._headers) == MAX_HEADERS:
            raise _Refused(Code.EX_PROTOCOL, f"there are more than {MAX_HEADERS} headers")
        self._headers.append((name.strip().lower(), value.strip()))

    def _header(self, name: str) -> str:
        """Return a header's value; the last one, if it was sent several times."""
        return next((value for header, value in reversed(self._headers) if header == name), "")

    def _expected(self) -> "_Body":
        given, compression = self._header("content-length"), self._header("compress").lower()
        if given and not _LENGTH.fullmatch(given):
            raise _Refused(Code.EX_PROTOCOL, "Content-length is not a number of bytes")
        if compression and compression != "zlib":
            raise _Refused(Code.EX_PROTOCOL, "the only compression this server knows is zlib")
        if compression and not given:
            raise _Refused(Code.EX_PROTOCOL, "Compress needs Content-length")
        length = int(given) if given else None
        if length is not None and length > self.limit:
            raise _too_long(self.limit)
        return _Body(self.limit, length, compressed=bool(compression))

    def _request(self) -> Request:
        user = self._header("user")
        if len(user) > MAX_USER or not (user.isprintable() or "\N{REPLACEMENT CHARACTER}" in user):
            raise _Refused(Code.EX_PROTOCOL, "the name of the user is too long, or no name")
        label = self._header("message-class").lower()
        if label not in {"", *Label}:
            raise _Refused(Code.EX_PROTOCOL, "Message-class is neither spam nor ham")
        learn, forget = ("local" in _listed(self._header(name)) for name in ("set", "remove"))
        if self._command is Command.TELL:
            if learn and forget:
                raise _Refused(Code.EX_PROTOCOL, "Set: local and Remove: local exclude each other")
            if learn and not label:
                raise _Refused(Code.EX_PROTOCOL, "Set: local needs a Message-class, spam or ham")
        return Request(
            self._command,
            self._version,
            self._dialect,
            user,
            Label(label) if label else None,
            learn,
            forget,
            tuple(self._headers),
            self._body.content,
        )


class _Body:
    """A message on its way: of a length that was announced, or up to the end of the connection."""

    def __init__(self, limit: int, length: int | None, *, compressed: bool) -> None:
        self._limit = limit
        self._length = length
        self._inflater = zlib.decompressobj() if compressed else None
        self._received = 0
        self._content = bytearray()

    @property
    def content(self) -> bytes:
        return bytes(self._content)

    def receive(self, data: bytes, *, ended: bool) -> bool:
        """Take bytes; say whether this is all of the message."""
        if self._length is not None:
            data = data[: self._length - self._received]
        self._received += len(data)
        self._content += self._inflated(data) if self._inflater else data
        if len(self._content) > self._limit:
            raise _too_long(self._limit)
        complete = ended if self._length is None else self._received == self._length
        if ended and not complete:
            raise _Refused(
                Code.EX_PROTOCOL, f"the message has {self._received} bytes and not the {self._length} of Content-length"
            )
        if complete and self._inflater and not self._inflater.eof:
            raise _Refused(Code.EX_DATAERR, "the compressed message is not complete")
        return complete

    def _inflated(self, data: bytes) -> bytes:
        if self._inflater is None or self._inflater.eof:
            return b""
        try:
            # Never more than one byte above the limit, whatever a few bytes of zlib would blow up to.
            return self._inflater.decompress(data, self._limit + 1 - len(self._content))
        except zlib.error as error:
            raise _Refused(Code.EX_DATAERR, "the message is not what zlib compresses to") from error


def _listed(value: str) -> set[str]:
    return {name.strip().lower() for name in value.split(",")}


def _too_long(limit: int) -> _Refused:
    return _Refused(Code.EX_DATAERR, f"the message is longer than {limit} bytes")
