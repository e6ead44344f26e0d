"""``thresher config show``: every setting, its value, and where it was set."""

from pathlib import Path
from typing import Final

import click

from thresher.cli.common import home_option, json_line, json_option, write_lines

EPILOG: Final = """\
\b
Examples:
  thresher config show
  thresher config show --json | jq -r 'select(.set).key'

A token is not shown.

\b
Exit codes: 0 done, 1 if a setting cannot be used, 2 wrong usage.
"""
HIDDEN: Final = frozenset({"serve.token"})
STARS: Final = "***"


@click.command(epilog=EPILOG)
@json_option
@home_option
@click.pass_context
def show(ctx: click.Context, home: str | None, *, as_json: bool) -> None:
    """Show every setting: its value, and the file and line or the variable where it was set."""
    import os
    from functools import reduce

    from thresher.config import default_home, keys, read_settings, where_set

    chosen = home or ctx.find_root().obj
    folder = Path(chosen).expanduser() if chosen else default_home(os.environ)
    settings = read_settings(folder, {})
    places = where_set(folder)
    lines = []
    for key in keys():
        value: object = reduce(getattr, key.split("."), settings)
        shown = STARS if key in HIDDEN and value else value
        if as_json:
            told = str(shown) if isinstance(shown, Path) else shown
            lines.append(json_line({"key": key, "value": told, "set": places.get(key)}))
        else:
            lines.append(f"{key:<22} {'-' if shown in {None, ''} else shown!s:<24} {places.get(key, '')}".rstrip())
    write_lines(lines)
