"""``thresher mailbox add``: an account is named, tried out and written down; its password is not."""

import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from thresher.cli.common import home_option, json_line, json_option, settings_for, write_lines
from thresher.values import ThresherError

if TYPE_CHECKING:
    from thresher.boxes.mailbox import Folder
    from thresher.filing.account import Account
    from thresher.filing.roles import Role

KINDS: Final = ("maildir", "mh", "mbox", "folder")
ROLES: Final = ("junk", "sent", "archive", "trash")
EPILOG: Final = """\
\b
Examples:
  thresher mailbox add work                           asks for everything
  thresher mailbox add local --maildir ~/Maildir
  thresher mailbox add work --imap imap.example.org --login ann --secret "command:pass show mail/ann"
  thresher mailbox add work --imap imap.example.org --login ann --secret env:WORK_PASSWORD
  thresher mailbox add gmail --imap imap.gmail.com --login ann@gmail.com --oauth --secret "command:oauth-token ann"

The login is tried out, and the folders are found by what the server says of them or by their names; --junk, --sent,
--archive and --trash name others. The account is a file in the home, mailboxes/NAME.toml, for you to read and change.
The password is in no file: it comes from the key ring, from a command that prints it, or from the environment.

\b
Exit codes: 0 done, 1 if the login or the folder does not work: then nothing is written, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.option("--imap", "host", metavar="HOST", help="An account on this IMAP server.")
@click.option("--maildir", metavar="DIR", help="A Maildir.")
@click.option("--mh", metavar="DIR", help="An MH mailbox.")
@click.option("--mbox", metavar="DIR", help="A folder of mbox files.")
@click.option("--folder", metavar="DIR", help="A folder of messages.")
@click.option("--login", metavar="NAME", help="The user's name on the server.")
@click.option("--port", type=click.IntRange(1, 65535), metavar="N", help="Else 993, or 143 for starttls.")
@click.option("--security", type=click.Choice(["tls", "starttls", "none"]), help="Else tls; none on localhost only.")
@click.option("--authority", metavar="FILE", help="Certificates to trust besides the system's.")
@click.option("--secret", metavar="SOURCE", help="Where the password is: command:COMMAND, env:NAME or keyring:.")
@click.option("--oauth", is_flag=True, help="The secret is a token (XOAUTH2).")
@click.option("--user", metavar="NAME", help="Whose lessons these are, where several people share a home.")
@click.option("--stay-days", type=click.FloatRange(0), metavar="N", help="Days after which mail that was read is ham.")
@click.option("--junk", metavar="FOLDER", help="The folder for spam.")
@click.option("--sent", metavar="FOLDER", help="The folder of sent mail.")
@click.option("--archive", metavar="FOLDER", help="The folder of mail that is kept.")
@click.option("--trash", metavar="FOLDER", help="The folder of mail that was thrown away.")
@click.option("--replace", is_flag=True, help="Even if there is an account of that name.")
@json_option
@home_option
def add(
    name: str,
    host: str | None,
    login: str | None,
    port: int | None,
    security: str | None,
    authority: str | None,
    secret: str | None,
    user: str | None,
    stay_days: float | None,
    home: str | None,
    *,
    oauth: bool,
    replace: bool,
    as_json: bool,
    **places: str | None,
) -> None:
    """Add a mail account: asks, tries the login out, finds the folders."""
    from thresher.boxes.imap_login import Security
    from thresher.filing.account import NAME, Account, account_names, write_account

    settings = settings_for(home)
    if not NAME.fullmatch(name):
        raise click.UsageError(f"{name!r} cannot name an account; take letters, digits, . - and _")
    if name in account_names(settings.home) and not replace:
        raise ThresherError(f"there is an account {name!r} already; choose another name, or --replace it")
    kind, path, server = _place(host, places)
    chosen = {role: folder for role in ROLES if (folder := places[role]) is not None}
    kept = None
    if kind == "imap":
        login = login or click.prompt("User name there", default=getpass.getuser())
        secret, kept = _secret(secret, oauth=oauth)
    given = {
        "path": path, "host": server, "login": login or "", "port": port or 0,
        "security": Security(security or "tls"), "authority": authority or "", "secret": secret or "",
        "oauth": oauth, "user": user or "", "folders": chosen,
    }  # fmt: skip
    account = Account(name, kind, **given, **({} if stay_days is None else {"stay_days": stay_days}))  # type: ignore[arg-type]
    folders = _tried(account, kept)
    if kept is not None:
        from thresher.boxes.secret import keep_secret

        keep_secret(name, kept)
    file = write_account(settings.home, account)
    _tell(account, folders, file, as_json=as_json)


def _place(host: str | None, places: dict[str, str | None]) -> tuple[str, str, str]:
    """Return kind, path and host of what was named; ask if nothing was."""
    named = [(kind, path) for kind in KINDS if (path := places[kind]) is not None]
    if len(named) + (host is not None) > 1:
        raise click.UsageError("name one place: --imap, --maildir, --mh, --mbox or --folder")
    if host is None and not named:
        answer = click.prompt("Where is the mail? The name of an IMAP server, or a folder").strip()
        if not Path(answer).expanduser().is_dir():
            return "imap", "", answer
        named = [(_kind_of(Path(answer).expanduser()), answer)]
    if host is not None:
        return "imap", "", host
    [(kind, path)] = named
    return kind, str(Path(path).expanduser().absolute()), ""


def _kind_of(path: Path) -> str:
    from thresher.boxes import Kind
    from thresher.boxes import kind as kind_of

    if kind_of(str(path)) is Kind.MAILDIR:
        return "maildir"
    answer: str = click.prompt("What is in this folder?", type=click.Choice(["mbox", "mh", "folder"]))
    return answer


def _secret(source: str | None, *, oauth: bool) -> tuple[str, str | None]:
    """Return where the password is to be found, and the password where the key ring is yet to get it."""
    what = "token" if oauth else "password"
    if source is None and not _has_key_ring():
        click.echo(f"There is no key ring here, and no {what} is kept in a file: say where it comes from,")
        click.echo("command:COMMAND that prints it, or env:NAME of the environment.")
        source = click.prompt("Source")
    source = source or "keyring:"
    if source == "keyring:":
        return source, click.prompt(f"The {what}, for the key ring", hide_input=True)
    return source, None


def _has_key_ring() -> bool:
    from importlib.util import find_spec

    return find_spec("keyring") is not None


def _tried(account: "Account", secret: str | None) -> "list[Folder]":
    from contextlib import closing

    with closing(account.open(secret)) as box:
        return box.folders()


def _tell(account: "Account", folders: "list[Folder]", file: Path, *, as_json: bool) -> None:
    from thresher.filing.roles import Role, folder_for, roles_of

    found: dict[Role, str | None] = {
        Role(role): folder_for(Role(role), folders, account.folders) for role in ("inbox", *ROLES)
    }
    if as_json:
        write_lines([json_line({"account": account.name, "file": str(file), "folders": found})])
        return
    others = sum(role is Role.OTHER for role in roles_of(folders, account.folders).values())
    write_lines([f"{role:<8}  {folder or _missing(role)}" for role, folder in found.items()])
    write_lines([
        f"and {others} other folders",
        f"{account.name} is in {file}; next: `thresher mailbox learn {account.name}`, then `thresher mailbox watch`",
    ])  # fmt: skip


def _missing(role: "Role") -> str:
    return "none yet; Junk is made when it is needed" if role == "junk" else f"none found; --{role} names it"
