"""A real Exim on loopback that asks spamd, or rspamd, in its ACL and delivers into an mbox.

Debian's exim4 and postfix exclude each other, so Exim may lie unpacked in a folder of its own, last in PATH. It must be
the one of exim4-daemon-heavy: the light one knows no `spam =`.
"""

import shutil
import smtplib
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.serve.waiting import eventually

EXIM: Final = shutil.which("exim4")
RECIPIENT: Final = "me@home.example"

CONFIGURATION: Final = """\
exim_path = {exim}
primary_hostname = home.example
keep_environment =
deliver_drop_privilege = true
domainlist local_domains = home.example
spool_directory = {folder}/spool
log_file_path = {folder}/log/%slog
pid_file_path = {folder}/exim.pid
daemon_smtp_ports = {port}
local_interfaces = 127.0.0.1
tls_advertise_hosts =
host_lookup =
rfc1413_hosts =
spamd_address = {spamd}
acl_smtp_rcpt = accept
acl_smtp_data = check_data

begin acl
check_data:
{acl}
  accept

begin routers
all:
  driver = accept
  transport = box

begin transports
box:
  driver = appendfile
  file = {folder}/box
  user = Debian-exim
"""
PLAIN: Final = """\
  warn  spam       = nobody:true
        add_header = X-Spam-Score: $spam_score
        add_header = X-Spam-Report: $spam_report
  deny  message    = This message looks like spam ($spam_score)
        spam       = nobody
        condition  = ${if >{$spam_score_int}{50}}
"""
"""The recipe of Exim's manual, with a reject."""
AS_RSPAMD: Final = """\
  warn  spam       = nobody:true
        add_header = X-Spam-Score: $spam_score
        add_header = X-Spam-Action: $spam_action
  deny  message    = This message looks like spam ($spam_score)
        condition  = ${if eq{$spam_action}{add header}}
"""
DEFERRED: Final = """\
  deny  message    = This message looks like spam
        spam       = nobody/defer_ok
        condition  = ${if >{$spam_score_int}{50}}
"""


class Exim:
    """An Exim that runs."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port

    @property
    def box(self) -> bytes:
        """What was delivered."""
        path = self.folder / "box"
        return path.read_bytes() if path.exists() else b""

    @property
    def log(self) -> str:
        """What it wrote."""
        return "".join(path.read_text() for path in (self.folder / "log").iterdir())

    def send(self, raw: bytes) -> str:
        """Hand a message in; return the refusal, or nothing."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=60) as client:
            try:
                client.sendmail("ada@work.example", [RECIPIENT], raw)
            except smtplib.SMTPDataError as error:
                return f"{error.smtp_code} {error.smtp_error!r}"
        return ""


@contextmanager
def exim(folder: Path, spamd: str, acl: str) -> Iterator[Exim]:
    """Run an Exim until the block ends."""
    assert EXIM
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for name in ("spool", "log"):
        (folder / name).mkdir()
        shutil.chown(folder / name, "Debian-exim", "Debian-exim")
    folder.chmod(0o777)
    configuration = folder / "exim.conf"
    configuration.write_text(CONFIGURATION.format(exim=EXIM, folder=folder, port=port, spamd=spamd, acl=acl))
    command = [EXIM, "-C", str(configuration), "-bdf", "-q1h"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            eventually(lambda: process.poll() is not None or listens(port))
            assert process.poll() is None, process.communicate()[0]
            yield Exim(folder, port)
        finally:
            process.terminate()


def listens(port: int) -> bool:
    """Say whether somebody listens at a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
