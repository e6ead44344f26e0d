"""The bytes of one source in chunks, decompressed if its first bytes, never its name, say that it is compressed.

The law: what was read before a break is handed on, and then the break is told. A reader that raised at the break would
lose the message at hand, so a stream ends early instead and says why in ``broken``.
"""

import re
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Final, Protocol, cast

from thresher.boxes.item import BoxError, box_error

Read = Callable[[int], bytes]
"""Give at most so many bytes; none only at the end."""

CHUNK: Final = 1 << 18
"""Reading 33 MB and finding its From lines took 26.5 ms by 1 MiB, 26.1 by 256 KiB, 27.5 by 64 KiB."""
FORMATS: Final = {
    # The first three bytes of each, so that an uncompressed file costs one look-up.
    b"\x1f\x8b\x08": ("gzip", re.compile(rb"\x1f\x8b\x08")),
    # "BZh" may begin a text; the magic number of a first block, or of none, does not.
    b"BZh": ("bzip2", re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")),
    b"\xfd7z": ("xz", re.compile(rb"\xfd7zXZ\x00")),
    b"\x28\xb5\x2f": ("zstd", re.compile(rb"\x28\xb5\x2f\xfd")),
}
_MAGIC: Final = 10  # the longest of these
_TAR: Final = slice(257, 262)
# A block of 4 bytes can stand for 128 KiB, so 256 bytes give at most 8 MiB at once; 4 KiB would be 1.4 times as fast.
_ZSTD_BITE: Final = 256


def compression(head: bytes) -> str:
    """Name the compression these first bytes of a file tell of; empty for none."""
    name, magic = FORMATS.get(head[:3], ("", None))
    return name if magic and magic.match(head) else ""


def refuse_archive(path: str, head: bytes) -> None:
    """Raise for an archive of many files: taken for one message it would only teach nonsense."""
    if head[_TAR] == b"ustar":
        raise BoxError(path, "a tar archive, not mail", "unpack it (tar -xf) and name the folder")
    if head.startswith(b"PK\x03\x04"):
        raise BoxError(path, "a zip archive, not mail", "unpack it (unzip) and name the folder")


class Stream:
    """Iterate over the content of a source.

    ``head`` is what was already read of it, ``path`` its name in errors. ``broken`` is set once the content has ended
    before its end.
    """

    def __init__(self, path: str, read: Read, head: bytes = b"") -> None:
        while len(head) < _MAGIC and (more := read(CHUNK)):
            head += more
        self.path = path
        self.broken: BoxError | None = None
        self.compression = compression(head)
        self._source = _Source(head, read)

    def __iter__(self) -> Iterator[bytes]:
        return self._decompressed() if self.compression else self._plain()

    def _plain(self) -> Iterator[bytes]:
        try:
            while chunk := self._source.read(CHUNK):
                yield chunk
        except OSError as error:
            self.broken = box_error(self.path, error)

    def _decompressed(self) -> Iterator[bytes]:
        # 0.7 ms to import; most mail is not compressed.
        from lzma import LZMAError

        try:
            yield from DECOMPRESSORS[self.compression](self._source)
        except EOFError:
            self.broken = self._break("ends too early")
        except (zlib.error, LZMAError):
            self.broken = self._break("is damaged")
        except OSError as error:
            # The file could not be read, or the decompressor, which gives no number, did not understand it.
            self.broken = box_error(self.path, error) if error.errno else self._break("is damaged")

    def _break(self, what: str) -> BoxError:
        return BoxError(
            self.path,
            f"its {self.compression} data {what}",
            "only what came before that was read; copy or compress it again",
        )


class _Source:
    """As much of a file as the decompressors ask for: first what was already read, then the rest."""

    def __init__(self, head: bytes, read: Read) -> None:
        self._head = head
        self._read = read

    def read(self, size: int) -> bytes:
        if not self._head:
            return self._read(size)
        taken, self._head = self._head[:size], self._head[size:]
        return taken

    def seekable(self) -> bool:
        return False

    def seek(self, place: int) -> int:
        raise OSError(f"no way back to {place}")


class _Reads1(Protocol):
    def read1(self, size: int, /) -> bytes: ...


def _read_1(file: _Reads1) -> Iterator[bytes]:
    # read() fills its buffer first and loses what is in it when the data breaks.
    while chunk := file.read1(CHUNK):
        yield chunk


def _gzip(source: _Source) -> Iterator[bytes]:
    import gzip

    with gzip.GzipFile(fileobj=source) as file:
        yield from _read_1(file)


def _bzip2(source: _Source) -> Iterator[bytes]:
    import bz2

    with bz2.BZ2File(source) as file:
        yield from _read_1(file)


def _xz(source: _Source) -> Iterator[bytes]:
    import lzma

    with lzma.LZMAFile(cast("IO[bytes]", source)) as file:
        yield from _read_1(file)


def _zstd(source: _Source) -> Iterator[bytes]:
    # Frame by frame, for the module's own stream reader takes data cut short for its end.
    import zstandard

    engine = zstandard.ZstdDecompressor()
    frame, fresh = engine.decompressobj(), True
    for bite in _bites(source):
        rest = bite
        while rest:
            try:
                content = frame.decompress(rest)
            except zstandard.ZstdError as error:
                raise OSError(str(error)) from error
            for start in range(0, len(content), CHUNK):
                yield content[start : start + CHUNK]
            rest, fresh = (frame.unused_data, True) if frame.eof else (b"", False)
            if fresh:
                frame = engine.decompressobj()
    if not fresh:
        raise EOFError


def _bites(source: _Source) -> Iterator[bytes]:
    while chunk := source.read(CHUNK):
        for start in range(0, len(chunk), _ZSTD_BITE):
            yield chunk[start : start + _ZSTD_BITE]


DECOMPRESSORS: Final = {"gzip": _gzip, "bzip2": _bzip2, "xz": _xz, "zstd": _zstd}
