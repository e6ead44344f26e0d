"""The milter protocol, versions 2 to 6, seen from the filter: packets in, replies and whole messages out.

    packet = length of what follows (4 bytes, big-endian), command (1 byte), data

A session is fed whatever arrived. It answers by itself all that needs no judgement, and gives a Message at the end of
each; the answer to that is made by `verdict`. As much as the mail server permits it asks not to be told, and not to be
waited for: one round trip a message is left. Sources: libmilter/docs and include/libmilter/mfdef.h of Sendmail 8.17,
MILTER_README of Postfix.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from enum import IntFlag
from functools import reduce
from operator import or_
from typing import Final, NamedTuple

MAX_PACKET: Final = (1 << 20) + (1 << 16)
"""The largest chunk that any version sends is 1 MB; a longer packet is no milter's."""
VERSIONS: Final = range(2, 7)

_LENGTH: Final = struct.Struct(">I")
_OPTIONS: Final = struct.Struct(">III")
_INDEX: Final = struct.Struct(">I")


class Action(IntFlag):
    """What a filter may do to a message (SMFIF)."""

    ADD_HEADERS = 0x01
    CHANGE_HEADERS = 0x10
    QUARANTINE = 0x20


class Step(IntFlag):
    """What a filter wants not to be told (NO), or not to have to answer (QUIET); SMFIP."""

    NO_CONNECT = 0x1
    NO_HELO = 0x2
    NO_MAIL = 0x4
    NO_RCPT = 0x8
    QUIET_HEADER = 0x80
    NO_UNKNOWN = 0x100
    NO_DATA = 0x200
    QUIET_CONNECT = 0x1000
    QUIET_HELO = 0x2000
    QUIET_MAIL = 0x4000
    QUIET_RCPT = 0x8000
    QUIET_DATA = 0x10000
    QUIET_UNKNOWN = 0x20000
    QUIET_EOH = 0x40000
    QUIET_BODY = 0x80000
    LEADING_SPACE = 0x100000


WANTED: Final = reduce(or_, Step)
"""All of them: a filter of contents needs the header fields, the body and its end."""
_ANSWERED: Final = {
    b"C": Step.QUIET_CONNECT | Step.NO_CONNECT,
    b"H": Step.QUIET_HELO | Step.NO_HELO,
    b"M": Step.QUIET_MAIL | Step.NO_MAIL,
    b"R": Step.QUIET_RCPT | Step.NO_RCPT,
    b"T": Step.QUIET_DATA | Step.NO_DATA,
    b"U": Step.QUIET_UNKNOWN | Step.NO_UNKNOWN,
    b"L": Step.QUIET_HEADER,
    b"N": Step.QUIET_EOH,
    b"B": Step.QUIET_BODY,
}
"""Commands to be answered with "continue", unless one of these was agreed."""


class MilterError(Exception):
    """What came is no milter protocol; the connection is of no more use."""


class Reply(NamedTuple):
    """Bytes to send."""

    data: bytes


class Message(NamedTuple):
    """A message is complete, or as much of it as is judged; `verdict` answers it."""

    raw: bytes
    fields: tuple[tuple[bytes, bytes], ...]
    """Name and value of each header field, in order."""
    queue_id: str
    """What the mail server calls it in its own log; empty if it did not say."""
    truncated: bool
    """Whether there was more."""


class Quit(NamedTuple):
    """The conversation is over."""


Event = Reply | Message | Quit


def packet(command: bytes, data: bytes = b"") -> bytes:
    """Frame a command."""
    return _LENGTH.pack(1 + len(data)) + command + data


CONTINUE: Final = packet(b"c")
ACCEPT: Final = packet(b"a")
TEMPFAIL: Final = packet(b"t")


def reject(text: str) -> bytes:
    """Refuse the message with a reply of our own; % would begin a macro."""
    return packet(b"y", b"550 5.7.1 " + text.replace("%", "%%").encode("ascii", "replace") + b"\0")


class Session:
    """One connection."""

    def __init__(self, max_size: int) -> None:
        self._max_size = max_size
        self._buffer = bytearray()
        self._actions = Action(0)
        self._steps = Step(0)
        self._queue_id = ""
        self._over = False
        # Commands that only change what is known of the message.
        self._noted: dict[bytes, Callable[[bytes], None]] = {
            b"A": self._begin,
            b"B": self._chunk,
            b"D": self._macros,
            b"K": self._begin,
            b"L": self._field,
            b"M": self._begin,
        }
        self._begin()

    def _begin(self, _: bytes = b"") -> None:
        self._fields: list[tuple[bytes, bytes]] = []
        self._body = bytearray()
        self._size = 0
        self._truncated = False

    def receive(self, data: bytes) -> Iterator[Event]:
        """Take what arrived, deal with each event before the next is asked for; MilterError if it is no milter's."""
        self._buffer += data
        while not self._over and (found := self._next()) is not None:
            yield from self._command(*found)

    def _next(self) -> tuple[bytes, bytes] | None:
        if len(self._buffer) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._buffer)
        if not 1 <= length <= MAX_PACKET:
            raise MilterError(f"a packet of {length} bytes")
        end = _LENGTH.size + length
        if len(self._buffer) < end:
            return None
        command, data = bytes(self._buffer[4:5]), bytes(self._buffer[5:end])
        del self._buffer[:end]
        return command, data

    def _command(self, command: bytes, data: bytes) -> Iterator[Event]:
        if command in self._noted:
            self._noted[command](data)
        elif command == b"O":
            yield Reply(self._negotiate(data))
        elif command == b"E":
            self._chunk(data)
            yield self._message()
        elif command == b"Q":
            self._over = True
            yield Quit()
        elif command not in _ANSWERED:
            raise MilterError(f"command {command!r}")
        if command in _ANSWERED and not self._steps & _ANSWERED[command]:
            yield Reply(CONTINUE)

    def _negotiate(self, data: bytes) -> bytes:
        if len(data) < _OPTIONS.size:
            raise MilterError("a short offer of options")
        version, actions, steps = _OPTIONS.unpack_from(data)
        if version < VERSIONS.start:
            raise MilterError(f"version {version}")
        self._actions = Action(actions) & (Action.ADD_HEADERS | Action.CHANGE_HEADERS | Action.QUARANTINE)
        self._steps = Step(steps) & WANTED
        return packet(b"O", _OPTIONS.pack(min(version, VERSIONS[-1]), self._actions, self._steps))

    def _macros(self, data: bytes) -> None:
        names = data[1:].split(b"\0")
        macros = dict(zip(names[::2], names[1::2], strict=False))
        for name in (b"i", b"{i}"):
            if name in macros:
                self._queue_id = macros[name][:64].decode("ascii", "replace")

    def _field(self, data: bytes) -> None:
        name, _, value = data.removesuffix(b"\0").partition(b"\0")
        self._size += len(data) + 2
        if self._size > self._max_size:
            self._truncated = True
        else:
            self._fields.append((name, value))

    def _chunk(self, data: bytes) -> None:
        room = max(self._max_size - self._size, 0)
        self._truncated = self._truncated or len(data) > room
        self._body += data[:room]
        self._size += len(data)

    def _message(self) -> Message:
        colon = b":" if self._steps & Step.LEADING_SPACE else b": "
        # Lines of a folded field are told with LF, or as they came; the body comes with CRLF.
        head = b"".join(name + colon + value + b"\n" for name, value in self._fields)
        raw = head.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") + b"\r\n" + self._body
        message = Message(raw, tuple(self._fields), self._queue_id, self._truncated)
        self._begin()
        return message

    def verdict(
        self, message: Message, own: frozenset[bytes], tags: Sequence[tuple[bytes, bytes]], decision: "Decision"
    ) -> bytes:
        """Answer a message: fields of our `own` names (in lower case) out, the tags in, then the decision.

        What the mail server did not permit is left out.
        """
        if decision.final != ACCEPT:
            return decision.final
        changes = list(self._taken_out(message, own)) if self._actions & Action.CHANGE_HEADERS else []
        if self._actions & Action.ADD_HEADERS:
            changes += [packet(b"h", name + b"\0" + self._value(value) + b"\0") for name, value in tags]
        if decision.subject is not None:
            changes += self._subject(message, decision.subject)
        if decision.quarantine and self._actions & Action.QUARANTINE:
            changes.append(packet(b"q", decision.quarantine.encode("ascii", "replace") + b"\0"))
        return b"".join(changes) + decision.final

    def _value(self, value: bytes) -> bytes:
        return b" " + value if self._steps & Step.LEADING_SPACE else value

    @staticmethod
    def _taken_out(message: Message, own: frozenset[bytes]) -> Iterator[bytes]:
        """Delete fields by their number among those of one name, the last first, so that the numbers stay right."""
        numbers: dict[bytes, int] = {}
        deletions = []
        for name, _ in message.fields:
            key = name.strip().lower()
            if key in own:
                numbers[key] = numbers.get(key, 0) + 1
                deletions.append(_change(numbers[key], name, b""))
        return reversed(deletions)

    def _subject(self, message: Message, prefix: bytes) -> list[bytes]:
        subject = next((field for field in message.fields if field[0].lower() == b"subject"), None)
        if subject is None:
            return [packet(b"h", b"Subject\0" + self._value(prefix.rstrip()) + b"\0")] * bool(
                self._actions & Action.ADD_HEADERS
            )
        if not self._actions & Action.CHANGE_HEADERS:
            return []
        return [_change(1, subject[0], self._value(prefix + subject[1].lstrip(b" \t")))]


def _change(number: int, name: bytes, value: bytes) -> bytes:
    return packet(b"m", _INDEX.pack(number) + name + b"\0" + value + b"\0")


class Decision(NamedTuple):
    """What becomes of a message."""

    final: bytes = ACCEPT
    """ACCEPT, TEMPFAIL or what `reject` makes."""
    subject: bytes | None = None
    """What is put before its subject."""
    quarantine: str = ""
    """Why it is held back, if it is."""
