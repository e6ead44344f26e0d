"""Changing an mbox in place, so that whatever is killed meanwhile no message is lost.

Programs that deliver hold the file open while they wait for its lock, so it must stay the same file: what follows a
message taken out is written again further up. That could be cut short, so it is first written durably beside the file
(``.inbox.thresher-rest``), with what is needed to tell how far the work had come; `finished` does the rest of it.
"""

import os
import re
import struct
import time
from hashlib import blake2b
from pathlib import Path
from typing import Final

from thresher.boxes.directories import stored
from thresher.boxes.maildir import sync

_HEAD: Final = struct.Struct(">4sQQ32s")
_MAGIC: Final = b"thr1"
_FROM: Final = re.compile(rb"(?m)^(>*From )")


def appended(descriptor: int, raw: bytes, flags: bytes, arrived: float) -> None:
    """Write a message at the end of an mbox, quoted as mboxrd; ``flags`` is put before its header."""
    end = os.fstat(descriptor).st_size
    tail = os.pread(descriptor, 2, max(end - 2, 0))
    gap = b"" if not end or tail == b"\n\n" else b"\n" if tail.endswith(b"\n") else b"\n\n"
    date = time.asctime(time.gmtime(arrived)).encode()
    body = _FROM.sub(rb">\1", flags + raw)
    ending = b"\n" if body.endswith(b"\n") else b"\n\n"
    try:
        _write(descriptor, gap + b"From MAILER-DAEMON " + date + b"\n" + body + ending, end)
    except OSError:
        # No room for all of it: then none of it.
        os.ftruncate(descriptor, end)
        raise


def taken_out(file: Path, descriptor: int, offset: int, length: int) -> None:
    """Take so many bytes out of a locked file."""
    size = os.fstat(descriptor).st_size
    _replace(file, descriptor, offset, _read(descriptor, offset + length, size))


def finished(file: Path, descriptor: int) -> None:
    """Finish what was cut short when a program died; what was delivered since stays at the end."""
    beside = _beside(file)
    if not beside.exists():
        return
    data = beside.read_bytes()
    magic, offset, size, old = _HEAD.unpack_from(data)
    rest = data[_HEAD.size :]
    now = os.fstat(descriptor).st_size
    over = _read(descriptor, offset + len(rest), size)
    if magic == _MAGIC and now >= size and blake2b(over, digest_size=32).digest() == old:
        # Not cut yet: what was beyond the rest is still there, and after it what came since.
        _replace(file, descriptor, offset, rest + _read(descriptor, size, now))
    else:
        beside.unlink()


def _replace(file: Path, descriptor: int, offset: int, rest: bytes) -> None:
    """Let a file end in ``rest`` from an offset on."""
    size = os.fstat(descriptor).st_size
    over = _read(descriptor, offset + len(rest), size)
    head = _HEAD.pack(_MAGIC, offset, size, blake2b(over, digest_size=32).digest())
    stored(file.parent, head + rest, None).replace(_beside(file))
    sync(file.parent)
    _write(descriptor, rest, offset)
    os.ftruncate(descriptor, offset + len(rest))
    os.fsync(descriptor)
    _beside(file).unlink()


def _beside(file: Path) -> Path:
    return file.with_name(f".{file.name}.thresher-rest")


def _read(descriptor: int, start: int, end: int) -> bytes:
    parts = []
    while start < end and (part := os.pread(descriptor, end - start, start)):
        parts.append(part)
        start += len(part)
    return b"".join(parts)


def _write(descriptor: int, data: bytes, offset: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view, offset = view[written:], offset + written
    os.fsync(descriptor)
