"""``thresher mailbox``: the commands that look after mail accounts; each in a file of its own, ``mailbox_*.py``."""

import click

from thresher.cli import Commands

EPILOG = """\
\b
Examples:
  thresher mailbox add work                  asks for everything
  thresher mailbox learn                     what the folders say, as they are now
  thresher mailbox replay work --since 2025-01-01
  thresher mailbox sort work --dry-run       what would be moved
  thresher mailbox watch                     stays, files spam and learns from what people move

Nothing is ever deleted: spam is moved into the folder for it, and `undo` puts it back.

\b
Exit codes: 0 done, 1 something could not be done, 2 the command was not understood, 130 interrupted.
"""


class MailboxCommands(Commands):
    """The commands below this one."""

    names = ("add", "list", "learn", "replay", "sort", "watch", "undo")
    prefix = "mailbox_"


@click.group(cls=MailboxCommands, epilog=EPILOG)
def mailbox() -> None:
    """Look after mailboxes: file spam, learn from what people move."""
