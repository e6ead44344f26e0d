"""A Dovecot that teaches a running daemon, by what `install-sieve` writes."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.cli.running import done
from tests.serve.making import taught_home
from tests.serve.running import serving
from tests.servers.dovecot import HOST, PASSWORD, Dovecot, Options, dovecot
from thresher.boxes import load
from thresher.boxes.imap_login import Security, Server
from thresher.boxes.imap_mailbox import ImapMailbox
from thresher.build import build_engine
from thresher.config import Settings
from thresher.mail.digest import digest
from thresher.values import Label


class Installed(NamedTuple):
    """A Dovecot with the scripts, and the home that is taught."""

    server: Dovecot
    settings: Settings
    folder: Path

    def said(self, raw: bytes) -> dict[str, Label]:
        """Return what each person said of a message."""
        engine = build_engine(self.settings)
        try:
            return {row.lesson.user: row.lesson.label for row in engine.journal.find(digest(raw))}
        finally:
            engine.journal.close()

    def person(self, user: str) -> ImapMailbox:
        """Log in as somebody's mail program does."""
        return ImapMailbox(Server(HOST, user, self.server.imap, Security.NONE), PASSWORD)


def written(folder: Path, home: Path, *options: str) -> str:
    """Write the scripts, and return the configuration that is printed with them."""
    out = done("install-sieve", "--dir", folder, *options, home=home).out
    return out.partition("\n\n")[2]


@contextmanager
def installed(base: Path, more: str = "") -> Iterator[Installed]:
    """Run the daemon, and a Dovecot that teaches it."""
    base.chmod(0o755)
    settings = taught_home(base / "home")
    environment = {"THRESHER_SERVE_LEARNING": "true"}
    with serving(settings, "--spamd", f"unix:{base}/spamd.sock", environment={
        **environment, "THRESHER_SERVE_SOCKET_MODE": "0666"
    }):  # fmt: skip
        spamc = f"{shutil.which('spamc')} -U {base}/spamd.sock"
        configuration = written(base / "sieve", settings.home, "--spamc", spamc)
        with dovecot(Options(more=configuration.replace("{", "{{").replace("}", "}}") + more)) as server:
            yield Installed(server, settings, base)


def contents(box: ImapMailbox, folder: str) -> list[bytes]:
    """Return the messages of a folder."""
    uids = sorted(box.scan(folder).uids or ())
    return [item.raw for _, entry in box.entries(folder, uids) for item in load(entry)]
