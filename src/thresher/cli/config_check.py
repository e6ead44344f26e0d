"""``thresher config check``: whether the settings can be used, and if not, where they stand."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from thresher.cli.common import home_option, json_line, json_option, warn, write_lines

if TYPE_CHECKING:
    from thresher.config import Settings

EPILOG: Final = """\
\b
Examples:
  thresher config check
  thresher config check && systemctl reload thresher
  thresher --home /var/lib/thresher config check --json

All that is wrong is said at once, each with its file, line and key, or the variable of the environment.

\b
Exit codes: 0 all can be used, 1 something cannot, 2 wrong usage.
"""
LISTENERS: Final = ("milter", "spamd", "http", "page")


@click.command(epilog=EPILOG)
@json_option
@home_option
@click.pass_context
def check(ctx: click.Context, home: str | None, *, as_json: bool) -> None:
    """See whether config.toml and the environment can be used; nothing is opened or started."""
    import os

    from thresher.config import FILE, default_home, faults, read_settings

    chosen = home or ctx.find_root().obj
    folder = Path(chosen).expanduser() if chosen else default_home(os.environ)
    found = faults(folder)
    if not found:
        found = list(_beyond_types(read_settings(folder, {}), folder))
    if as_json:
        write_lines([json_line({"home": str(folder), "faults": found})])
    else:
        for fault in found:
            warn(fault)
        if not found:
            file = folder / FILE
            write_lines([f"{file if file.exists() else f'there is no {file}, and that'}: all can be used"])
    ctx.exit(1 if found else 0)


def _beyond_types(settings: "Settings", folder: Path) -> Iterator[str]:
    """Say what is of the right type and yet of no use."""
    from thresher.build import learner_of
    from thresher.config import where_set
    from thresher.decide import Policy
    from thresher.serve.listening import CannotListen, read_address
    from thresher.values import ThresherError

    places = where_set(folder)
    try:
        learner_of(settings)
    except (ValueError, ThresherError) as error:
        yield f"{places.get('learner') or places.get('bits', 'learner')}: {error}"
    try:
        Policy(settings.spam_from, settings.ham_to, settings.promise, settings.confidence)
    except ValueError as error:
        named = [places[key] for key in ("spam_from", "ham_to", "promise", "confidence") if key in places]
        yield f"{'; '.join(named)}: {error}"
    for name in LISTENERS:
        address = getattr(settings.serve, name)
        try:
            if address not in {"", "none"}:
                read_address(address)
        except CannotListen as error:
            yield f"{places[f'serve.{name}']}: {error}"
