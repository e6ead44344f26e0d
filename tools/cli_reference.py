"""Write docs/cli.md: what ``--help`` prints, for every command. A test holds the page to it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from thresher.cli import main

# What click takes on a terminal of 80 columns or more; fixed, so that the page does not depend on whose wrote it.
WIDTH = 78

TITLE = """\
# Commands

What `--help` prints. This page is written by `make docs`; do not edit it.
"""


def context_of(command: click.Command, parent: click.Context | None, name: str) -> click.Context:
    """Return the context a command gets when it is called, with our width."""
    return click.Context(command, parent, name, terminal_width=WIDTH, **command.context_settings)


def commands(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """Yield the full name and the help of a command, then of those under it."""
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below and not below.hidden:
                yield from commands(below, context_of(below, context, name))


def reference() -> str:
    """Return the whole page."""
    found = commands(main, context_of(main, None, "thresher"))
    sections = (f"\n## {name}\n\n```text\n{text.rstrip()}\n```\n" for name, text in found)
    return TITLE + "".join(sections)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference())
