"""How a token stream lies in a journal: one byte that names the codec, then the codec's bytes.

Its law: `unpack(pack(stream)) == stream`, and damage is noticed. Old tags are read for ever, so the codec can change
without rewriting anybody's journal.
"""

import threading
import zlib

_RAW = b"\x00"
_ZLIB = b"\x01"
_ZSTD = b"\x02"

# Tag 2 holds the stream's Adler-32, little-endian, and a Zstandard frame. The frame's own checksum would not do: the
# bit that says there is one may be the one that is damaged.
_CHECKSUM_BYTES = 4

# Zstandard takes a third of zlib's time to pack and half to unpack, and leaves no more; higher levels save nothing:
# evidence/journal-compression.md
_LEVEL = 1


class _Engines(threading.local):
    """A thread's own compressor and decompressor: making them takes longer than a stream, sharing them is not safe."""

    def __init__(self) -> None:
        # 10 ms to import, and `check` packs nothing.
        from zstandard import ZstdCompressor, ZstdDecompressor

        self.pack = ZstdCompressor(level=_LEVEL).compress
        self.unpack = ZstdDecompressor().decompress


_engines: list[_Engines] = []


def _engine() -> _Engines:
    if not _engines:
        _engines.append(_Engines())
    return _engines[0]


def pack(stream: bytes) -> bytes:
    """Return the stream as it is stored, compressed if that makes it smaller."""
    packed = _ZSTD + _checksum(stream) + _engine().pack(stream)
    return packed if len(packed) <= len(stream) else _RAW + stream


def unpack(stored: bytes) -> bytes:
    """Return the stream that was packed; ValueError if the bytes are damaged."""
    tag, payload = stored[:1], stored[1:]
    if tag == _RAW:
        return payload
    if tag not in {_ZLIB, _ZSTD}:
        msg = f"its token stream is of an unknown codec, {tag!r}"
        raise ValueError(msg)
    try:
        return zlib.decompress(payload) if tag == _ZLIB else _without_zstd(payload)
    except (zlib.error, ValueError, MemoryError) as error:
        # MemoryError: the size that a frame claims may be damaged too.
        msg = f"its token stream is damaged ({error})"
        raise ValueError(msg) from error


def _without_zstd(payload: bytes) -> bytes:
    from zstandard import ZstdError

    try:
        stream = _engine().unpack(payload[_CHECKSUM_BYTES:])
    except ZstdError as error:
        raise ValueError(str(error)) from error
    if _checksum(stream) != payload[:_CHECKSUM_BYTES]:
        raise ValueError("its checksum is another")
    return stream


def _checksum(stream: bytes) -> bytes:
    return zlib.adler32(stream).to_bytes(_CHECKSUM_BYTES, "little")
