"""A real Dovecot on loopback: its own configuration and folders, high ports, started and stopped by the test.

Its login processes run as `nobody` when the tests run as root, since Dovecot opens no mailbox as root.
"""

import base64
import hmac
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

USER: Final = "alice"
PASSWORD: Final = "sesame-of-the-tests"
HOST: Final = "localhost"
TOKEN_KEY: Final = b"the key of the tests' own tokens"
_START_SECONDS: Final = 20.0

_CONFIGURATION: Final = """\
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/dovecot.log
protocols = imap
ssl = yes
ssl_cert = <{base}/certificate.pem
ssl_key = <{base}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2
auth_username_format = %Ln
auth_failure_delay = 0
first_valid_uid = 1
mail_location = {location}
mail_home = {base}/mail/%n
default_internal_user = {owner}
default_login_user = {owner}
default_internal_group = {group}
mail_uid = {owner}
mail_gid = {group}
passdb {{
  driver = static
  mechanisms = plain login
  args = password={password}
}}
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {base}/oauth2.conf
}}
userdb {{
  driver = static
  args = uid={owner} gid={group} home={base}/mail/%n allow_all_users=yes
}}
namespace inbox {{
  inbox = yes
  separator = {separator}
  mailbox Junk {{
    special_use = \\Junk
    auto = create
  }}
  mailbox Sent {{
    special_use = \\Sent
    auto = create
  }}
  mailbox Archive {{
    special_use = \\Archive
    auto = create
  }}
  mailbox Trash {{
    special_use = \\Trash
    auto = create
  }}
  mailbox Drafts {{
    special_use = \\Drafts
    auto = create
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {imaps}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
  # Or everybody at this address waits for whoever gave a wrong password.
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
  unix_listener stats-writer {{
    mode = 0666
  }}
}}
{more}
"""


class Dovecot:
    """A running server."""

    def __init__(self, base: Path, imap: int, imaps: int) -> None:
        self.base = base
        self.imap = imap
        self.imaps = imaps
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def certificate(self) -> Path:
        """The authority whose word a client must take."""
        return self.base / "certificate.pem"

    @property
    def log(self) -> str:
        """What the server wrote, for the message of a test that failed."""
        log = self.base / "dovecot.log"
        return log.read_text(errors="replace") if log.exists() else ""

    def maildir(self, user: str = USER) -> Path:
        """Return where a user's mail lies."""
        return self.base / "mail" / user / "Maildir"

    def start(self) -> None:
        """Start, and return when it answers."""
        (self.base / "run" / "master.pid").unlink(missing_ok=True)
        self._process = subprocess.Popen(
            ["dovecot", "-F", "-c", self.base / "dovecot.conf"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            try:
                with socket.create_connection(("127.0.0.1", self.imap), timeout=5) as connection:
                    if connection.recv(16).startswith(b"* OK"):
                        return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"Dovecot did not start: {self.log}")

    def stop(self) -> None:
        """Stop, and with it every session."""
        if self._process is not None:
            # All of it at once: asked politely, it waits for sessions that idle.
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(_START_SECONDS)
            self._process = None

    def restart(self) -> None:
        """Stop and start again, on the same port."""
        self.stop()
        self.start()


STRICT: Final = """
imap_capability = IMAP4rev1 LITERAL+ IDLE UIDPLUS CONDSTORE SPECIAL-USE NAMESPACE ENABLE
mail_plugins = quota acl
plugin {{
  quota = count:User quota
  quota_vsizes = yes
  quota_rule = *:messages=9
  acl = vfile:{base}/acl
}}
"""
"""For `Options.more`: MOVE is not offered, nine messages are all there is room for, the folder Frozen is read-only."""


class Options(NamedTuple):
    """What a test wants otherwise."""

    more: str = ""
    separator: str = "/"
    location: str = "maildir:~/Maildir"


@contextmanager
def dovecot(options: Options | None = None) -> Iterator[Dovecot]:
    """Give a new server, where everybody has the same password and no mail."""
    wanted = options or Options()
    with tempfile.TemporaryDirectory(prefix="dovecot-") as name:
        base = Path(name)
        base.chmod(0o755)
        server = Dovecot(base, *_free_ports())
        _configure(server, wanted)
        try:
            server.start()
            yield server
        finally:
            server.stop()


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def owner() -> pwd.struct_passwd:
    """Return the account mail belongs to."""
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())


def _configure(server: Dovecot, options: Options) -> None:
    import grp

    base, account = server.base, owner()
    for folder in ("mail", "run", "state"):
        (base / folder).mkdir(mode=0o755)
    if os.geteuid() == 0:
        shutil.chown(base / "mail", account.pw_uid, account.pw_gid)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-keyout", base / "key.pem", "-out", server.certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    _make_key(base / "keys" / "default" / "HS256" / "default")
    (base / "oauth2.conf").write_text(
        f"introspection_mode = local\nlocal_validation_key_dict = fs:posix:prefix={base / 'keys'}/\n"
        "username_attribute = sub\n"
    )
    (base / "acl").write_text("Frozen owner lrk\n")
    # Delivery runs as the mail's owner and writes there, too.
    (base / "dovecot.log").touch()
    (base / "dovecot.log").chmod(0o666)
    (base / "dovecot.conf").write_text(
        _CONFIGURATION.format(
            base=base,
            password=PASSWORD,
            owner=account.pw_name,
            group=grp.getgrgid(account.pw_gid).gr_name,
            imap=server.imap,
            imaps=server.imaps,
            separator=options.separator,
            location=options.location,
            more=options.more.format(base=base),
        )
    )


def _make_key(file: Path) -> None:
    file.parent.mkdir(parents=True)
    file.write_bytes(base64.b64encode(TOKEN_KEY))


def token(user: str = USER) -> str:
    """Sign a token that the server takes for a user's (RFC 7519)."""
    said = {"alg": "HS256", "typ": "JWT"}, {"sub": user, "iat": int(time.time()), "exp": int(time.time()) + 600}
    signed = b".".join(_encoded(json.dumps(part).encode()) for part in said)
    return b".".join([signed, _encoded(hmac.digest(TOKEN_KEY, signed, "sha256"))]).decode()


def _encoded(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")
