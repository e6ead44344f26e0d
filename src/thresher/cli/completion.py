"""``thresher completion``: what a shell needs to complete our commands, options and paths."""

from typing import Final

import click

INSTALL: Final = {
    "bash": "~/.local/share/bash-completion/completions/thresher",
    "zsh": "~/.zfunc/_thresher, and have `fpath+=~/.zfunc; autoload -Uz compinit; compinit` in ~/.zshrc",
    "fish": "~/.config/fish/completions/thresher.fish",
}
EPILOG: Final = """\
\b
Examples:
  thresher completion bash > ~/.local/share/bash-completion/completions/thresher
  thresher completion zsh > ~/.zfunc/_thresher
  thresher completion fish > ~/.config/fish/completions/thresher.fish

\b
Exit codes: 0 done, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@click.argument("shell", type=click.Choice(list(INSTALL)))
def completion(shell: str) -> None:
    """Print the script that teaches a shell to complete thresher's commands."""
    from click.shell_completion import get_completion_class

    from thresher.cli import main

    kind = get_completion_class(shell)
    if kind is None:
        raise click.ClickException(f"this click does not know {shell}")
    script = kind(main, {}, "thresher", "_THRESHER_COMPLETE")
    # Not script.source(): for bash it would first start one, to ask its version.
    click.echo((script.source_template % script.source_vars()).strip())
    click.echo(f"# Install: write this to {INSTALL[shell]}")
