"""Messages from a path, whatever stands there: a message, a folder of messages, an mbox, a Maildir, ``-``.

The law: a file is opened once, read, and then looked at; its name says nothing. What can be read is handed on before
what could not be is raised, so one bad file does not hide the thousand beside it. No more is held than one message and
one chunk.
"""

import errno
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Final

from thresher.boxes import folders
from thresher.boxes.item import MAX_BYTES, STDIN, BoxError, Entry, Item, Kind, box_error, together
from thresher.boxes.mbox import FROM_LINE, LONGEST_LINE, Piece, only_message, split, unquote, whole
from thresher.boxes.stream import FORMATS, Stream, refuse_archive

StrPath = str | os.PathLike[str]

FIRST: Final = 1 << 16
"""Read at once of each file. For 6,046 messages of 5 KB os.open and two os.read took 34 ms, open() 60, without a buffer
50, Path.read_bytes 91; asking for the size first 39; 16 KiB at a time 38."""
SMALL: Final = 1 << 20
"""A file up to this size is one piece of work; a larger one is split if it is an mbox."""
_NUMBERED: Final = re.compile(r"(.+)#([1-9]\d*)", re.DOTALL)


def read(path: StrPath, *, limit: int = MAX_BYTES) -> Iterator[Item]:
    """Read all messages of a path, in an order that is always the same.

    Raises `BoxError`, after everything that could be read.
    """
    name = os.fsdecode(path)
    if name == STDIN:
        yield from _standard_input(limit)
        return
    try:
        yield from _file(name, limit)
    except IsADirectoryError:
        yield from _folder(name, limit)
    except OSError as error:
        yield _numbered(name, limit, error)


def entries(paths: Iterable[StrPath], *, limit: int = MAX_BYTES) -> Iterator[Entry]:
    """List the messages of several paths without reading them, to be shared out over processes.

    `load` of each in turn gives what `read` of each path gives. Raises `BoxError`, after all that could be listed. What
    cannot be opened twice is read here: standard input, and compressed files of more than a mebibyte.
    """
    errors = []
    for path in paths:
        for found in _found(os.fsdecode(path), limit):
            if isinstance(found, BoxError):
                errors.append(found)
            else:
                yield found
    if errors:
        raise together(errors)


def load(entry: Entry, *, limit: int = MAX_BYTES) -> Iterator[Item]:
    """Read what an entry stands for.

    That is one message, or those of a file that only now is looked at, or none: a message of a Maildir that was deleted
    since.
    """
    if entry.item:
        yield entry.item
        return
    try:
        if entry.number:
            yield _slice(entry, limit)
        else:
            yield from _file(entry.path, limit, delivered=entry.delivered)
    except FileNotFoundError as error:
        if not entry.delivered:
            raise box_error(entry.path, error) from error
        if path := folders.renamed(entry.path):
            yield from _file(path, limit, delivered=True)
    except OSError as error:
        raise box_error(entry.path, error) from error


def kind(path: StrPath) -> Kind:
    """Say what a path is. An mbox holds two messages or more; with one it is a message."""
    name = os.fsdecode(path)
    try:
        descriptor = _open(name)
    except OSError as error:
        raise box_error(name, error) from error
    try:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            return Kind.MAILDIR if folders.is_maildir(name) else Kind.FOLDER
        first = next(_pieces(Stream(name, partial(os.read, descriptor)), 0))
        return Kind.MBOX if first.number else Kind.MESSAGE
    finally:
        os.close(descriptor)


def _open(path: str) -> int:
    try:
        return os.open(path, os.O_RDONLY)
    except ValueError as error:
        # No file can have that name: there is a NUL in it.
        raise FileNotFoundError(errno.ENOENT, str(error)) from error


def _file(path: str, limit: int, *, delivered: bool = False) -> Iterator[Item]:
    descriptor = _open(path)
    try:
        head = os.read(descriptor, FIRST)
        more = os.read(descriptor, FIRST) if head else b""
        if more:
            yield from _items(Stream(path, partial(os.read, descriptor), head + more), limit, delivered=delivered)
            return
    finally:
        os.close(descriptor)
    body = only_message(head) if head[:5] == b"From " and not delivered else head
    if body is None or len(body) > limit or head[:3] in FORMATS:
        yield from _items(Stream(path, _nothing, head), limit, delivered=delivered)
    else:
        if not delivered:
            refuse_archive(path, head)
        yield Item(path, body)


def _nothing(_: int) -> bytes:
    return b""


def _items(stream: Stream, limit: int, *, delivered: bool = False) -> Iterator[Item]:
    for piece in _pieces(stream, limit, delivered=delivered):
        path = f"{stream.path}#{piece.number}" if piece.number else stream.path
        yield Item(path, piece.raw, piece.truncated or (piece.last and stream.broken is not None))


def _pieces(stream: Stream, limit: int, *, delivered: bool = False) -> Iterator[Piece]:
    chunks = iter(stream)
    first = next(chunks, b"")
    if not delivered:
        refuse_archive(stream.path, first)
    content = chain((first,), chunks)
    for piece in (whole(content, limit),) if delivered else split(content, limit):
        if piece.length or not stream.broken:
            yield piece
    if stream.broken:
        raise stream.broken


def _standard_input(limit: int) -> Iterator[Item]:
    if sys.stdin is None:
        raise BoxError(STDIN, "standard input is closed")
    yield from _items(Stream(STDIN, sys.stdin.buffer.read), limit)


def _folder(path: str, limit: int) -> Iterator[Item]:
    errors = []
    for found in folders.messages(path):
        if isinstance(found, BoxError):
            errors.append(found)
            continue
        try:
            yield from load(found, limit=limit)
        except BoxError as error:
            errors.append(error)
    if errors:
        raise together(errors)


def _numbered(path: str, limit: int, error: OSError) -> Item:
    """Read one message of an mbox by the name it was shown under, ``inbox.mbox#7``; else explain the path's error."""
    parts = _NUMBERED.fullmatch(path)
    if not parts or not isinstance(error, FileNotFoundError):
        raise box_error(path, error) from error
    try:
        for item in _file(parts[1], limit):
            if item.path == path:
                return item
    except OSError:
        raise box_error(path, error) from error
    raise BoxError(path, f"{parts[1]} has no message {parts[2]}")


def _slice(entry: Entry, limit: int) -> Item:
    """Read one message of an mbox from where `entries` found it."""
    name = f"{entry.path}#{entry.number}"
    wanted = min(entry.length, limit + LONGEST_LINE)
    descriptor = _open(entry.path)
    try:
        data = os.pread(descriptor, wanted, entry.offset)
    finally:
        os.close(descriptor)
    line = FROM_LINE.match(data, 0, LONGEST_LINE)
    if line is None or len(data) < wanted:
        raise BoxError(name, "the mbox changed while it was being read", "try again")
    body = data[line.end() : line.end() + limit]
    return Item(name, unquote(body), entry.length - line.end() > limit)


def _found(path: str, limit: int) -> Iterator[Entry | BoxError]:
    if path == STDIN:
        yield from _read_here(path, read(path, limit=limit))
        return
    try:
        # 2.5 us, half of what reading the file takes; pathlib would double it, and `read` does without.
        status = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        # One message of an mbox, or an error that `read` explains.
        yield from _read_here(path, read(path, limit=limit))
        return
    if stat.S_ISDIR(status.st_mode):
        for found in folders.messages(path):
            if isinstance(found, BoxError) or found.delivered:
                yield found
            else:
                yield from _found(found.path, limit)
    elif stat.S_ISREG(status.st_mode) and status.st_size <= SMALL:
        yield Entry(path)
    else:
        yield from _parts(path, limit, regular=stat.S_ISREG(status.st_mode))


def _parts(path: str, limit: int, *, regular: bool) -> Iterator[Entry | BoxError]:
    """Find the messages of a large file."""
    try:
        descriptor = _open(path)
    except OSError as error:
        yield box_error(path, error)
        return
    try:
        stream = Stream(path, partial(os.read, descriptor))
        if stream.compression or not regular:
            yield from _read_here(path, _items(stream, limit))
        else:
            for piece in _pieces(stream, 0):
                yield Entry(path, piece.number, piece.offset, piece.length) if piece.number else Entry(path)
    except BoxError as error:
        yield error
    finally:
        os.close(descriptor)


def _read_here(path: str, items: Iterator[Item]) -> Iterator[Entry | BoxError]:
    try:
        for item in items:
            yield Entry(path, item=item)
    except BoxError as error:
        yield error
