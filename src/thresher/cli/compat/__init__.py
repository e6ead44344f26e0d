"""``thresher compat``: the programs that scripts already call, by their own names, flags, output and exit codes.

Each program is a file with `run(args, world) -> int`. A link to thresher by a program's name is that program.
"""

import sys
from importlib import import_module
from typing import Final

import click

from thresher.cli.common import home_option, warn
from thresher.values import ThresherError

PROGRAMS: Final = {
    "bogofilter": "bogofilter",
    "sa-learn": "sa_learn",
    "rspamc": "rspamc",
    "spamc": "spamc",
}
FAILED: Final = {"bogofilter": 3, "sa-learn": 1, "rspamc": 1, "spamc": 74}
"""What each ends with where something could not be done: EX_IOERR of sysexits.h is spamc's."""
EPILOG: Final = """\
\b
Examples:
  thresher compat bogofilter -s < spam.eml
  thresher compat bogofilter -p -e < message.eml
  thresher compat sa-learn --ham ~/Maildir/cur
  ln -s "$(command -v thresher)" ~/bin/rspamc

A link by the program's name is that program. What each of them takes, and where it differs from the program it stands
for, is in docs/compat.md. They ask the daemon of the home where one runs.

\b
Exit codes: those of the program; wrong usage of `thresher compat` itself is 2.
"""


@click.command(
    epilog=EPILOG,
    context_settings={
        "ignore_unknown_options": True,
        "allow_interspersed_args": False,
        "help_option_names": ["--help"],
    },
)
@click.argument("program", type=click.Choice(list(PROGRAMS)), metavar="PROGRAM")
@click.argument("args", nargs=-1, type=click.UNPROCESSED, metavar="[ARGS]...")
@home_option
@click.pass_context
def compat(ctx: click.Context, program: str, args: tuple[str, ...], home: str | None) -> None:
    """Stand in for bogofilter, sa-learn, rspamc or spamc.

    PROGRAM is one of these, ARGS are its own.
    """
    from thresher.cli.compat.common import World

    module = import_module(f"thresher.cli.compat.{PROGRAMS[program]}")
    try:
        code = module.run(args, World(home or ctx.find_root().obj))
    except (ThresherError, OSError) as error:
        warn(f"{program}: {error}")
        code = FAILED[program]
    sys.stdout.flush()
    ctx.exit(code)
