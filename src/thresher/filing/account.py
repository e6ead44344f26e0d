"""A mail account as its owner told it to us: where it is and what its folders are for, in one file of the home.

The file, ``mailboxes/NAME.toml``, is for people to read and change; it holds no password, only where to find it.
"""

import json
import re
import tomllib
from pathlib import Path
from typing import Final

import msgspec

from thresher.boxes.imap_login import Security, Server
from thresher.boxes.mailbox import Mailbox
from thresher.boxes.secret import read_secret
from thresher.filing.policy import STAY_DAYS
from thresher.store.files import private_folder, replaced
from thresher.values import ThresherError

FOLDER: Final = "mailboxes"
KINDS: Final = ("imap", "maildir", "mh", "mbox", "folder")
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
DAY: Final = 86400.0


class AccountError(ThresherError):
    """An account that is not there, or a file of one that cannot be used."""


class Account(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One person's mail in one place."""

    name: str
    kind: str
    path: str = ""
    """Of a Maildir, of MH, of mbox files, of a folder of messages."""
    host: str = ""
    login: str = ""
    """The user's name on the server."""
    port: int = 0
    security: Security = Security.TLS
    authority: str = ""
    """A file of certificates to be trusted besides the system's."""
    secret: str = ""
    """Where the password is: ``command:...``, ``env:NAME``, ``keyring:``; see boxes.secret."""
    oauth: bool = False
    """The secret is a token."""
    user: str = ""
    """Whose lessons these are; else the home's."""
    stay_days: float = STAY_DAYS
    folders: dict[str, str] = {}
    """What the owner says of folders: role to name."""

    @property
    def stay(self) -> float:
        """Seconds after which a message that was read counts as wanted."""
        return self.stay_days * DAY

    def source(self, folder: str, uid: str = "") -> str:
        """Name a folder, or a message, as lessons are remembered by."""
        return f"{self.name}:{folder}/{uid}" if uid else f"{self.name}:{folder}"

    def open(self, secret: str | None = None) -> Mailbox:
        """Open the mailbox; the secret is looked up unless it is given."""
        path = Path(self.path).expanduser()
        match self.kind:
            case "imap":
                from thresher.boxes.imap_mailbox import ImapMailbox

                authority = Path(self.authority).expanduser() if self.authority else None
                server = Server(self.host, self.login, self.port, self.security, authority, self.oauth)
                return ImapMailbox(server, read_secret(self.secret, self.name) if secret is None else secret)
            case "maildir":
                from thresher.boxes.maildir_mailbox import MaildirMailbox

                return MaildirMailbox(path)
            case "mh":
                from thresher.boxes.mh_mailbox import MhMailbox

                return MhMailbox(path)
            case "mbox":
                from thresher.boxes.mbox_mailbox import MboxMailbox

                return MboxMailbox(path)
            case "folder":
                from thresher.boxes.folder_mailbox import FolderMailbox

                return FolderMailbox(path)
        raise AccountError(f"account {self.name}: kind must be one of {', '.join(KINDS)}, not {self.kind!r}")


def account_names(home: Path) -> list[str]:
    """Name the accounts of a home."""
    return sorted(path.stem for path in (home / FOLDER).glob("*.toml") if NAME.fullmatch(path.stem))


def read_account(home: Path, name: str) -> Account:
    """Read an account."""
    file = home / FOLDER / f"{name}.toml"
    if not NAME.fullmatch(name) or not file.exists():
        known = ", ".join(account_names(home)) or "none yet"
        raise AccountError(f"there is no account {name!r} (there are: {known}); `thresher mailbox add` makes one")
    try:
        account = msgspec.convert({"name": name, **tomllib.loads(file.read_text())}, Account, strict=False)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise AccountError(f"{file}: {error}") from error
    except OSError as error:
        raise AccountError(f"{file}: {(error.strerror or str(error)).lower()}") from error
    return account


def write_account(home: Path, account: Account) -> Path:
    """Write an account's file, for its owner only."""
    if not NAME.fullmatch(account.name):
        raise AccountError(f"{account.name!r} cannot name an account; take letters, digits, - and _")
    file = home / FOLDER / f"{account.name}.toml"
    private_folder(home)
    private_folder(file.parent)
    told = msgspec.to_builtins(account)
    chosen = told.pop("folders", {})
    lines = [f"{key} = {_toml(value)}" for key, value in told.items() if key != "name"]
    if chosen:
        lines += ["", "[folders]", *(f"{role} = {_toml(name)}" for role, name in chosen.items())]
    with replaced(file) as written:
        written.write_text("\n".join(lines) + "\n")
    return file


def _toml(value: object) -> str:
    """Write a value; JSON's strings, numbers and truth values are TOML's but for DEL, which JSON leaves as it is."""
    return json.dumps(value).replace("\x7f", "\\u007f")
