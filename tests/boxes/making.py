"""Boxes for the tests to read, and circumstances for them to fail in."""

import bz2
import gzip
import lzma
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
import zstandard

from thresher.boxes import BoxError

T = TypeVar("T")

FROM = b"From ann@example.org Thu Jan  1 00:00:00 1970\n"
COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": partial(lzma.compress, preset=1),
    # With a checksum, as the command zstd writes it.
    "zst": zstandard.ZstdCompressor(write_checksum=True).compress,
}
NOBODY = 65534


def letter(number: int, size: int = 100) -> bytes:
    return b"Subject: letter %d\n\n" % number + b"Dear Ann, all is well here.\n" * (size // 28)


def mbox(messages: int, size: int = 100) -> bytes:
    return b"".join(FROM + letter(number, size) + b"\n" for number in range(1, messages + 1))


def folder(path: Path, **files: bytes) -> Path:
    path.mkdir(parents=True)
    for name, raw in files.items():
        (path / name).write_bytes(raw)
    return path


def maildir(path: Path) -> Path:
    for part in ("cur", "new", "tmp"):
        (path / part).mkdir(parents=True)
    return path


@contextmanager
def private_file() -> Iterator[Path]:
    """Make a folder of two messages, the first of which may not be read, also where the tests run as root."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        path.chmod(0o755)
        for file in ("a", "b"):
            (path / file).write_bytes(b"Subject: " + file.encode() + b"\n\n")
        (path / "a").chmod(0)
        root = os.geteuid() == 0
        if root:
            os.seteuid(NOBODY)
        try:
            yield path
        finally:
            if root:
                os.seteuid(0)


def until_error(items: Iterator[T]) -> tuple[list[T], BoxError]:
    """Collect what comes before the error that must come."""
    collected: list[T] = []
    try:
        for item in items:
            collected.append(item)  # noqa: PERF402 - extend() would drop what came before the error
    except BoxError as error:
        return collected, error
    pytest.fail("no error")
