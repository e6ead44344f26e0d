"""Hearing of changes in folders from Linux's inotify (man 7 inotify); Python's library has no binding.

Where there is no inotify, `Changes` looks at the folders' times instead, as often as SECONDS.
"""

import ctypes
import errno
import os
import select
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

NONE: Final = -1
SECONDS: Final = 0.5
"""Between two looks where the system cannot tell."""

# linux/inotify.h: something was written and closed, moved out or in, made, deleted.
_MASK: Final = 0x8 | 0x40 | 0x80 | 0x100 | 0x200
_BUFFER: Final = 65536


class Changes:
    """What changed in some folders since they were named, and since the last `wait`."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self.folders = list(folders)
        self._descriptor = _watching(self.folders) if sys.platform == "linux" else NONE
        self._times = self._looked()

    def wait(self, seconds: float) -> bool:
        """Return True once something changed, False after so many seconds without."""
        if self._descriptor < 0:
            return self._poll(seconds)
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        if not poll.poll(seconds * 1000):
            return False
        while poll.poll(0):
            os.read(self._descriptor, _BUFFER)
        return True

    def close(self) -> None:
        """Stop listening."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = NONE

    def _poll(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while (now := self._looked()) == self._times:
            if time.monotonic() >= end:
                return False
            time.sleep(min(SECONDS, seconds))
        self._times = now
        return True

    def _looked(self) -> list[int]:
        return [folder.stat().st_mtime_ns if folder.exists() else 0 for folder in self.folders]


def _watching(folders: Iterable[Path]) -> int:
    """Return a descriptor that becomes readable when a folder changes; NONE if the system has no room for it."""
    library = ctypes.CDLL(None, use_errno=True)
    descriptor: int = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    for folder in folders if descriptor >= 0 else ():
        added = library.inotify_add_watch(descriptor, os.fsencode(folder), ctypes.c_uint32(_MASK))
        # A folder that went away meanwhile is no reason; the limit on watches of a user (ENOSPC) is.
        if added < 0 and ctypes.get_errno() not in {errno.ENOENT, errno.ENOTDIR, errno.EACCES}:
            os.close(descriptor)
            return NONE
    return descriptor
