"""``thresher password``: who may see the page."""

import sys
from typing import Final

import click

from thresher.cli.common import home_option, json_line, json_option, settings_for, write_lines

EPILOG: Final = """\
\b
Examples:
  thresher password owner
  thresher password ada --user
  pass show thresher | thresher password owner

\b
Exit codes: 0 done, 1 if the name or the password will not do, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.option("--user", is_flag=True, help="May see and teach only the mail of NAME; else an administrator.")
@json_option
@home_option
def password(name: str, home: str | None, *, user: bool, as_json: bool) -> None:
    """Set the password of NAME for the page that `thresher serve` offers.

    It is asked for, or read from standard input. Makes the account where there is none; its sessions end.
    """
    from thresher.store.people import People, Role
    from thresher.web.entry import account_of, prepare_setup
    from thresher.web.site import SETUP_KEY

    settings = settings_for(home)
    stdin = sys.stdin
    if stdin.isatty():
        chosen = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    else:
        chosen = stdin.readline().rstrip("\r\n")
    role, person = (Role.USER, name) if user else (Role.ADMINISTRATOR, settings.user)
    account = account_of(name, chosen, role, person)
    with People(settings.home) as people:
        people.put(account)
        prepare_setup(people, settings.home / SETUP_KEY)
    told = f"{name} is {'a user' if user else 'an administrator'} of the page now"
    write_lines([json_line({"name": name, "role": role, "person": person}) if as_json else told])
