"""Write docs/cli.md: what ``--help`` prints, for every command. A test holds the page to it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from thresher.cli import main

# Fixed, so that the page does not depend on whose terminal wrote it.
WIDTH = 100

TITLE = """\
# Commands

What `--help` prints. This page is written by `make docs`; do not edit it.
"""


def commands(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """Yield the full name and the help of a command, then of those under it."""
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below and not below.hidden:
                yield from commands(below, click.Context(below, context, name, terminal_width=WIDTH))


def reference() -> str:
    """Return the whole page."""
    top = click.Context(main, info_name="thresher", terminal_width=WIDTH)
    sections = (f"\n## {name}\n\n```text\n{text.rstrip()}\n```\n" for name, text in commands(main, top))
    return TITLE + "".join(sections)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference())
