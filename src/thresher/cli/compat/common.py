"""What the programs that thresher stands in for share."""

import getopt
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from thresher.cli.common import settings_for
from thresher.config import Settings


class WrongUsage(Exception):
    """A command line that the program would not take."""


class World(NamedTuple):
    """What a program is run in."""

    home: str | None
    """As `thresher --home` said."""

    def settings(self, home: str | None = None, user: str | None = None) -> Settings:
        """Put the settings together."""
        return settings_for(home or self.home, user=user or None)


Given = list[tuple[str, str]]


def parsed(args: Sequence[str], short: str, long: Sequence[str]) -> tuple[Given, list[str]]:
    """Read a command line as getopt does; options may stand after arguments."""
    try:
        return getopt.gnu_getopt(list(args), short, list(long))
    except getopt.GetoptError as error:
        raise WrongUsage(str(error)) from None


def message_in(file: str = "") -> bytes:
    """Read a message from a file, or from standard input."""
    return Path(file).read_bytes() if file else sys.stdin.buffer.read()


def messages_in(path: str, *, mbox: bool = False) -> list[tuple[str, bytes]]:
    """Read the messages of a path: a file, a folder, a Maildir, an mbox; a plain file is one message unless an mbox."""
    from thresher import boxes

    file = Path(path)
    if file.is_file() and not mbox and not file.read_bytes().startswith(b"From "):
        return [(path, file.read_bytes())]
    return [(item.path, item.raw) for item in boxes.read(path)]


def write(out: bytes) -> None:
    """Write to standard output, wholly."""
    sys.stdout.flush()
    sys.stdout.buffer.write(out)
    sys.stdout.buffer.flush()


def say(text: str) -> None:
    """Write a line to standard output."""
    write(f"{text}\n".encode("utf-8", "surrogateescape"))


def complain(text: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(f"{text}\n")
