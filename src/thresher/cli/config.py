"""``thresher config``: the commands about settings; each in a file of its own, ``config_*.py``."""

import click

from thresher.cli import Commands

EPILOG = """\
\b
Examples:
  thresher config check                      before a reload
  thresher config show                       what is set, and where

Settings stand in config.toml in the home, or in the environment: THRESHER_SPAM_FROM, THRESHER_SERVE_TIMEOUT and so on.

\b
Exit codes: 0 done, 1 something cannot be used, 2 the command was not understood.
"""


class ConfigCommands(Commands):
    """The commands below this one."""

    names = ("check", "show")
    prefix = "config_"


@click.group(cls=ConfigCommands, epilog=EPILOG)
def config() -> None:
    """Check settings, and show where they come from."""
