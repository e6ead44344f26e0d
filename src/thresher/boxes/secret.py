"""Where a mail account's password or token comes from: a command, the environment, the key ring; no file of ours.

It is written ``command:pass show mail/ann``, ``env:MAIL_PASSWORD`` or ``keyring:``, and asked for at each login:
tokens are short-lived.
"""

import os
import subprocess
from collections.abc import Mapping
from types import ModuleType
from typing import Final

from thresher.boxes.item import BoxError

SERVICE: Final = "thresher"
"""Under which the key ring keeps our passwords."""
COMMAND_SECONDS: Final = 60.0
"""A command may have to ask somebody to unlock something."""
HELP: Final = "say command:COMMAND, env:NAME or keyring:"


def read_secret(source: str, account: str, environment: Mapping[str, str] = os.environ) -> str:
    """Fetch a secret; ``account`` is whose, for the key ring and for errors."""
    kind, _, rest = source.partition(":")
    match kind:
        case "command" if rest:
            return _from_command(rest, account)
        case "env" if rest:
            if rest not in environment:
                raise BoxError(account, f"the environment has no {rest}", "set it there")
            return environment[rest]
        case "keyring":
            found: str | None = _keyring(account).get_password(SERVICE, account)
            if found is None:
                raise BoxError(account, "the key ring has no password for it", "`thresher mailbox add` asks again")
            return found
    raise BoxError(account, f"{source!r} is no place for a password", HELP)


def keep_secret(account: str, secret: str) -> None:
    """Put a password into the key ring."""
    ring = _keyring(account)
    try:
        ring.set_password(SERVICE, account, secret)
    except ring.errors.KeyringError as error:
        raise BoxError(account, f"the key ring does not take it ({error})", "name a command that prints it") from error


def _from_command(command: str, account: str) -> str:
    try:
        # A shell, since that is what people write: pipes, quotes, variables. It is their own command.
        done = subprocess.run(command, shell=True, capture_output=True, check=False, timeout=COMMAND_SECONDS)  # noqa: S602
    except subprocess.TimeoutExpired as error:
        why = f"the command for its password took longer than {COMMAND_SECONDS:.0f} s"
        raise BoxError(account, why, "run it by hand once") from error
    if done.returncode:
        raise BoxError(account, f"the command for its password ended with {done.returncode}", "try it by hand")
    secret = done.stdout.decode("utf-8", "surrogateescape").split("\n")[0].rstrip("\r")
    if not secret:
        raise BoxError(account, "the command for its password printed nothing", "try it by hand")
    return secret


def _keyring(account: str) -> ModuleType:
    try:
        import keyring
    except ModuleNotFoundError as error:
        way_out = "pip install 'thresher[keyring]', or name a command"
        raise BoxError(account, "there is no key ring to ask", way_out) from error
    return keyring
