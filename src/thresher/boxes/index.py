"""The list that `evaluate` goes by: which message is spam and which is not.

The law: a line is ``spam PATH`` or ``ham PATH``, the path relative to the list's own folder and all that follows the
blanks after the label, so that it may hold blanks itself. Blank lines and lines that begin with ``#`` say nothing. Any
other line is an error that names it: a list half understood would measure something else.
"""

import os
from pathlib import Path
from typing import Final, NamedTuple

from thresher.boxes.item import BoxError, box_error
from thresher.values import Label

LABELS: Final = frozenset(Label)
WAY_OUT: Final = "each line is `spam PATH` or `ham PATH`"
SHOWN: Final = 40  # characters of a wrong word; a file that is no list at all may hold one of any length


class Listed(NamedTuple):
    """One line of the list."""

    label: Label
    path: str
    """Where to read the message."""
    written: str
    """The path as the list has it, for output in the list's own terms."""


def read_index(path: str | os.PathLike[str]) -> list[Listed]:
    """Read the list, in its own order."""
    name = os.fsdecode(path)
    try:
        lines = Path(name).read_bytes().splitlines()
    except OSError as error:
        raise box_error(name, error) from error
    folder = Path(name).parent
    listed = []
    for number, line in enumerate(lines, 1):
        words = os.fsdecode(line).split(maxsplit=1)
        if not words or words[0].startswith("#"):
            continue
        label, written = _parse(words, f"{name}:{number}")
        listed.append(Listed(label, str(folder / written), written))
    if not listed:
        raise BoxError(name, "lists no message", WAY_OUT)
    return listed


def _parse(words: list[str], place: str) -> tuple[Label, str]:
    if words[0] not in LABELS:
        raise BoxError(place, f"begins with {words[0][:SHOWN]!r}", WAY_OUT)
    if len(words) == 1 or "\0" in words[1]:
        raise BoxError(place, "names no path", WAY_OUT)
    return Label(words[0]), words[1]
