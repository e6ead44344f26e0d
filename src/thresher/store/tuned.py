"""The choice that `tune` made, kept in the home: one small file, replaced as a whole, that remembers what was before.

The law of this file: a choice and the way back from it are one file, so that no crash parts them.
"""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from thresher.store.files import private_folder, replaced

FILE: Final = "tuned.toml"
BEFORE: Final = "before"
"""The table of the choice that this one replaced; empty if there was none."""
HEADING: Final = """\
# Written by `thresher tune --apply`; `thresher tune --undo` takes it back.
# What config.toml, the environment or the command line say comes first.
"""

Value = str | int | float


class Tuned(msgspec.Struct, frozen=True):
    """A choice, and what it replaced."""

    values: Mapping[str, Value]
    """Settings; empty if everything is as it was before anything was tuned."""
    before: Mapping[str, Value]
    at: float = 0.0
    """When it was made, seconds since 1970."""
    lessons: int = 0
    """On how many lessons it rests."""
    lessons_before: int = 0


def read_tuned(home: Path) -> Tuned | None:
    """Read the choice; None if none was ever made. Raises ValueError, or OSError."""
    try:
        text = (home / FILE).read_bytes().decode()
    except FileNotFoundError:
        return None
    import tomllib

    raw = tomllib.loads(text)
    return msgspec.convert({"values": {}, "before": {}, **raw}, Tuned)


def write_tuned(home: Path, tuned: Tuned) -> None:
    """Put a choice in place of the former one, durably and for its owner's eyes."""
    private_folder(home)
    lines = [HEADING, f"at = {tuned.at!r}\n", f"lessons = {tuned.lessons}\nlessons_before = {tuned.lessons_before}\n"]
    for table, values in (("values", tuned.values), (BEFORE, tuned.before)):
        lines.append(f"\n[{table}]\n")
        lines += [f"{name} = {_toml(value)}\n" for name, value in values.items()]
    with replaced(home / FILE) as temporary:
        temporary.write_bytes("".join(lines).encode())


def switched(home: Path, values: Mapping[str, Value], lessons: int) -> Tuned:
    """Return the choice that follows the present one."""
    present = read_tuned(home)
    was = present or Tuned({}, {})
    return Tuned(values, was.values, time.time(), lessons, was.lessons)


def _toml(value: Value) -> str:
    """Write a value; the names of learners hold no quotes."""
    return f'"{value}"' if isinstance(value, str) else repr(value)
