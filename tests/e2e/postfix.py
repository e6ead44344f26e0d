"""A real Postfix on loopback, with queue, log and mailboxes in a folder of its own."""

import os
import re
import shutil
import smtplib
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.serve.running import free_port
from tests.serve.waiting import eventually

SHARED_MASTER: Final = Path("/etc/postfix/master.cf")
NOBODY: Final = 65534
USERS: Final = ("alice", "ben")
SETTINGS: Final = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
local_header_rewrite_clients =
myhostname = mx.home.example
mydestination =
alias_maps =
local_recipient_maps =
disable_dns_lookups = yes
smtpd_peername_lookup = no
smtpd_client_connection_count_limit = 0
smtpd_client_connection_rate_limit = 0
virtual_mailbox_domains = home.example
virtual_mailbox_base = {folder}/mail
virtual_mailbox_maps = inline:{{ {users} }}
virtual_uid_maps = static:{nobody}
virtual_gid_maps = static:{nobody}
virtual_minimum_uid = 1
message_size_limit = 60000000
virtual_mailbox_limit = 0
"""


class Postfix:
    """A running Postfix."""

    def __init__(self, folder: Path, settings: Mapping[str, str], services: str = "", smtpd: str = "") -> None:
        self.folder = folder
        self._more = services
        self._smtpd = smtpd
        self.port = free_port()
        self._conf = folder / "conf"
        for part in ("conf", "queue", "data", "mail"):
            (folder / part).mkdir(mode=0o755)
        shutil.chown(folder / "data", "postfix")
        os.chown(folder / "mail", NOBODY, NOBODY)
        users = ", ".join(f"{user}@home.example={user}/" for user in USERS)
        text = SETTINGS.format(folder=folder, nobody=NOBODY, users=users)
        text += "".join(f"{name} = {value}\n" for name, value in settings.items())
        (self._conf / "main.cf").write_text(text)
        (self._conf / "master.cf").write_text(self._services())

    def _services(self) -> str:
        """Take Debian's list of services: SMTP at our port, nothing in a chroot."""
        lines = []
        for line in SHARED_MASTER.read_text().splitlines():
            found = re.match(r"(\S+)\s+(inet|unix|fifo|unix-dgram)\s+(\S+)\s+(\S+)\s+(\S+)\s+(.*)", line)
            if found and not line.startswith("#"):
                name, kind, private, unprivileged, _, rest = found.groups()
                incoming = (name, kind) == ("smtp", "inet")
                service = f"127.0.0.1:{self.port}" if incoming else name
                lines.append(f"{service} {kind} {private} {unprivileged} n {rest} {self._smtpd if incoming else ''}")
        return "\n".join(lines) + "\n" + self._more

    def command(self, *words: str) -> str:
        """Run one of its commands."""
        name, *rest = words
        ran = subprocess.run([name, "-c", str(self._conf), *rest], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, (words, ran.stdout, ran.stderr, self.log)
        return ran.stdout

    @property
    def log(self) -> str:
        """What it wrote."""
        file = self.folder / "postfix.log"
        return file.read_text("utf-8", "replace") if file.exists() else ""

    def delivered(self, user: str = "alice") -> list[bytes]:
        """Return the messages in a mailbox."""
        return [file.read_bytes() for file in sorted((self.folder / "mail" / user / "new").glob("*"))]

    def queued(self) -> list[str]:
        """Name the messages that have not been delivered yet, and why."""
        return [line for line in self.command("postqueue", "-p").splitlines() if re.match(r"[0-9A-F]{6,}", line)]

    def send(self, raw: bytes, *recipients: str, sender: str = "bob@away.example") -> None:
        """Send a message as a mail server does; smtplib's errors are its refusals."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=60) as client:
            client.sendmail(sender, recipients or ["alice@home.example"], raw.replace(b"\n", b"\r\n"))


@contextmanager
def postfix(folder: Path, *, services: str = "", smtpd: str = "", **settings: str) -> Iterator[Postfix]:
    """Run a Postfix in a folder that every user may enter; more services and options of smtpd go into its master.cf."""
    server = Postfix(folder, settings, services, smtpd)
    server.command("postfix", "start")
    try:
        eventually(lambda: _listens(server.port))
        yield server
    finally:
        server.command("postfix", "stop")


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
