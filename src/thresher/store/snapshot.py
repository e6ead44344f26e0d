"""A model's arrays in one file, mapped rather than read; only ever a view of the journal.

Its law: what loads is, bit for bit, what was saved; anything else is `SnapshotCorrupt` with its reason, and the reader
folds the journal again. The layout, little-endian:

    0   8 bytes  magic
    8   uint32   version of this layout
    12  uint32   length of the header
    16  uint64   length of the file
    24  uint32   CRC-32 of the header
    28  uint32   CRC-32 of the 28 bytes before
    32  header   JSON, padded with blanks: what the caller gave, the arrays' names, dtypes, shapes and places, the
                 body's checksum
    ..  body     the arrays, each at a multiple of 64 bytes, zeros between them
"""

import math
import mmap
import os
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np

from thresher.store.files import private_folder, replaced

Array = np.ndarray[Any, np.dtype[Any]]

_MAGIC = b"THRSNAP\n"
_VERSION = 1
_PROLOGUE = struct.Struct("<8sIIQI")
_CRC = struct.Struct("<I")
_HEADER_AT = _PROLOGUE.size + _CRC.size

# A cache line, and a multiple of every dtype's size.
_ALIGNMENT = 64

# The words of a page are added up and CRC-32 is taken of the sums: a fifth of the time of CRC-32 of everything, and
# every cold `check` waits for it. A flipped bit, a lost sector, pages in another order all change it:
# evidence/snapshot-checksum.md
_WORDS_OF_A_PAGE = 512

# bool, int, uint, float: what has one meaning on every machine once the byte order is said.
_KINDS = "biuf"


class SnapshotCorrupt(Exception):
    """The file is no whole snapshot that this version can read; the message says why."""


_Size = Annotated[int, msgspec.Meta(ge=0)]


class _Place(msgspec.Struct, frozen=True):
    name: str
    dtype: str
    shape: tuple[_Size, ...]
    start: _Size
    """Counted from the beginning of the body."""


class _Header(msgspec.Struct, frozen=True):
    user: dict[str, Any]
    arrays: tuple[_Place, ...]
    body: int


def save(path: Path, header: Mapping[str, object], arrays: Mapping[str, Array]) -> None:
    """Write a snapshot in place of `path`, durably, for its owner's eyes; if that fails, `path` is as it was.

    The header holds what JSON does. OSError says why a disk did not take it.
    """
    flat = {name: _flat(name, array) for name, array in arrays.items()}
    places, length = [], 0
    for name, array in arrays.items():
        places.append(_Place(name, flat[name].dtype.str, array.shape, length))
        length += _aligned(flat[name].nbytes)
    body = np.zeros(length, np.uint8)
    for place in places:
        data = flat[place.name].view(np.uint8)
        body[place.start : place.start + data.size] = data
    text = msgspec.json.encode(_Header(dict(header), tuple(places), _checksum(body)))
    text = text.ljust(_aligned(_HEADER_AT + len(text)) - _HEADER_AT)
    prologue = _PROLOGUE.pack(_MAGIC, _VERSION, len(text), _HEADER_AT + len(text) + length, zlib.crc32(text))
    private_folder(path.parent)
    with replaced(path) as temporary, temporary.open("wb") as file:
        file.write(prologue + _CRC.pack(zlib.crc32(prologue)) + text)
        file.write(body.data)


def _aligned(length: int) -> int:
    return length + -length % _ALIGNMENT


def _checksum(body: memoryview | Array) -> int:
    words = np.frombuffer(body, np.uint64)
    return zlib.crc32(np.add.reduceat(words, np.arange(0, words.size, _WORDS_OF_A_PAGE)).data)


def _flat(name: str, array: Array) -> Array:
    if array.dtype.kind not in _KINDS:
        raise ValueError(f"array {name} is of {array.dtype}, and a snapshot holds numbers")
    return np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C").reshape(-1)


def load(path: Path, *, verify: bool = True, copy: bool = False) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the header and the arrays of a snapshot: read-only views of the mapped file, or copies to write in.

    Length and header are always checked; the body if `verify` says so.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size < _HEADER_AT:
            raise SnapshotCorrupt(f"{path} is truncated: {size} bytes are no snapshot")
        mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    header, body = _read_header(path, mapped)
    if verify and _checksum(body) != header.body:
        raise SnapshotCorrupt(f"{path} is damaged: its arrays are not those that were saved")
    try:
        arrays = {place.name: _array(place, body) for place in header.arrays}
    except (TypeError, ValueError, OverflowError) as error:
        raise SnapshotCorrupt(f"{path} is damaged: {error}") from error
    return header.user, {name: array.copy() for name, array in arrays.items()} if copy else arrays


def _read_header(path: Path, mapped: memoryview) -> tuple[_Header, memoryview]:
    magic, version, header_length, length, crc = _PROLOGUE.unpack_from(mapped)
    if magic != _MAGIC:
        raise SnapshotCorrupt(f"{path} is no snapshot")
    if _CRC.unpack_from(mapped, _PROLOGUE.size) != (zlib.crc32(mapped[: _PROLOGUE.size]),):
        raise SnapshotCorrupt(f"{path} is damaged: its first bytes are not those that were saved")
    if version != _VERSION:
        raise SnapshotCorrupt(f"{path} is of layout {version}, this thresher reads {_VERSION}")
    if length != len(mapped):
        raise SnapshotCorrupt(f"{path} is truncated: {len(mapped)} bytes of {length}")
    text, body = mapped[_HEADER_AT : _HEADER_AT + header_length], mapped[_HEADER_AT + header_length :]
    if zlib.crc32(text) != crc:
        raise SnapshotCorrupt(f"{path} is damaged: its header is not the one that was saved")
    try:
        return msgspec.json.decode(text, type=_Header), body
    except msgspec.DecodeError as error:
        raise SnapshotCorrupt(f"{path} is damaged: {error}") from error


def _array(place: _Place, body: memoryview) -> Array:
    count = math.prod(place.shape)
    return np.frombuffer(body, np.dtype(place.dtype), count, place.start).reshape(place.shape)
