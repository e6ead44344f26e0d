"""The command line: one file a command, found by name and imported only when it runs.

Exit codes: 0 done, 1 something could not be done (said on standard error), 2 the command was not understood, 130
interrupted. `check --exit-code` adds those that tell a verdict.
"""

import os
import sys
from importlib import import_module
from typing import Final

import click

from thresher.values import ThresherError

# One thread for NumPy's linear algebra: we use none of it, and its idle threads cost memory and make fork unsafe.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

COMMANDS: Final = (
    "learn",
    "check",
    "filter",
    "mailbox",
    "serve",
    "password",
    "compat",
    "config",
    "install-service",
    "explain",
    "forget",
    "history",
    "status",
    "evaluate",
    "compare",
    "report",
    "tune",
    "doctor",
    "rebuild",
    "backup",
    "restore",
    "export",
    "import",
    "install-sieve",
    "demo-mail",
    "demo",
    "figures",
    "completion",
)
TAKEN: Final = frozenset({"filter", "import"})
"""Names that mean something else in Python: their files and functions end in an underscore."""
STANDS_FOR: Final = frozenset({"bogofilter", "sa-learn", "rspamc", "spamc"})
"""Programs that a link by their name makes of this one: `thresher compat` has them."""
EPILOG: Final = """\
\b
Begin with your own mail:
  thresher learn --ham ~/Maildir --spam ~/Maildir/.Junk
  thresher check ~/Maildir/new
  thresher explain message.eml

\b
Or have your mailbox kept clean, and learned from:
  thresher mailbox add work
  thresher mailbox watch

Exit codes: 0 done, 1 something could not be done, 2 the command was not understood, 130 interrupted.
"""


class Commands(click.Group):
    """Looks a command up by its name: `demo-mail` is `demo_mail` in thresher.cli.demo_mail."""

    names: tuple[str, ...] = COMMANDS
    prefix = ""
    """Begins the names of these commands' modules."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Name the commands, in the order in which people meet them."""
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - the same
        """Import one command."""
        if cmd_name not in self.names:
            return None
        name = cmd_name.replace("-", "_") + ("_" if cmd_name in TAKEN else "")
        command: click.Command = getattr(import_module(f"thresher.cli.{self.prefix}{name}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; of a mistyped one, name the nearest."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(args[0], self.names, 1)
            if near:
                raise click.UsageError(f"{error.message} Did you mean '{near[0]}'?", ctx) from None
            raise

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; what a person can do something about is said in a sentence, not in a traceback."""
        try:
            return super().invoke(ctx)
        except ThresherError as error:
            raise click.ClickException(str(error)) from error
        except BrokenPipeError:
            # Whoever read our output has had enough: `thresher check ... | head`.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(130)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.option("--home", type=click.Path(), help="Where thresher keeps what it learned; else THRESHER_HOME.")
@click.version_option(package_name="thresher", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context, home: str | None) -> None:
    """Thresher: a spam filter that learns from its owner's own mail, says why, and measures itself."""
    ctx.obj = home


def program() -> None:
    """Run thresher, or the program whose name it was called by."""
    called = os.path.basename(sys.argv[0])  # noqa: PTH119 - a name, no file
    if called in STANDS_FOR:
        sys.argv[1:1] = ["compat", called]
    main(prog_name="thresher")
