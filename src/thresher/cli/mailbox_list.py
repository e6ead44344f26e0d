"""``thresher mailbox list``: the accounts there are."""

from typing import Final

import click

from thresher.cli.common import home_option, json_line, json_option, settings_for, write_lines
from thresher.cli.mailboxes import accounts_named

EPILOG: Final = """\
\b
Examples:
  thresher mailbox list
  thresher mailbox list --json | jq -r .name

An account is a file in the home, mailboxes/NAME.toml; remove the file, and thresher looks after it no more.

\b
Exit codes: 0 done, 1 if there is none, or one cannot be read, 2 wrong usage.
"""


@click.command("list", epilog=EPILOG)
@json_option
@home_option
def list(home: str | None, *, as_json: bool) -> None:  # noqa: A001 - the command's name; nothing here needs the type
    """Name the accounts that are looked after."""
    settings = settings_for(home)
    for account in accounts_named(settings, ()):
        place = f"{account.login}@{account.host}" if account.kind == "imap" else account.path
        if as_json:
            write_lines([json_line({"name": account.name, "kind": account.kind, "place": place, "user": account.user})])
        else:
            write_lines([f"{account.name:<16}  {account.kind:<8}  {place}"])
