"""How a token stream lies in a journal: one byte that names the codec, then the codec's bytes.

Its law: `unpack(pack(stream)) == stream`, and damage is noticed. Old tags are read for ever, so the codec can change
without rewriting anybody's journal.
"""

import zlib

_RAW = b"\x00"
_ZLIB = b"\x01"

# zlib's own container, not raw deflate: its Adler-32 is the only checksum a stream has on disk.
# Level 1 leaves two fifths; level 6 takes half as long again and saves two points more: evidence/journal-compression.md
_LEVEL = 1


def pack(stream: bytes) -> bytes:
    """Return the stream as it is stored, compressed if that makes it smaller."""
    packed = zlib.compress(stream, _LEVEL)
    return _ZLIB + packed if len(packed) < len(stream) else _RAW + stream


def unpack(stored: bytes) -> bytes:
    """Return the stream that was packed; ValueError if the bytes are damaged."""
    tag, payload = stored[:1], stored[1:]
    if tag == _RAW:
        return payload
    if tag != _ZLIB:
        msg = f"its token stream is of an unknown codec, {tag!r}"
        raise ValueError(msg)
    try:
        return zlib.decompress(payload)
    except zlib.error as error:
        msg = f"its token stream is damaged ({error})"
        raise ValueError(msg) from error
