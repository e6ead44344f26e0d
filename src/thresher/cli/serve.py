"""``thresher serve``: the daemon."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click

from thresher.cli.common import home_option, learner_option, settings_for, warn
from thresher.config import PAGE

if TYPE_CHECKING:
    import socket
    from pathlib import Path

    from thresher.config import Settings
    from thresher.serve.daemon import Listener

OWN_MODE: Final = 0o600
NOWHERE: Final = "none"
"""In the place of an address."""
EPILOG: Final = """\
\b
Examples:
  thresher serve --milter unix:/run/thresher/milter.sock
  thresher serve --milter :8891 --spamd :783 --workers 4
  thresher serve --http :11333
  THRESHER_SERVE_MILTER=:8891 thresher serve
  thresher serve                           # nothing but the page, for people

\b
Postfix, in main.cf (the socket's folder must be open to user postfix):
  smtpd_milters = unix:/run/thresher/milter.sock
  milter_default_action = accept

The page is at http://127.0.0.1:8025/ unless --page says otherwise; `--page none` leaves it away. The first visit
chooses a password, by the link printed at the start; beyond this machine nothing is served before there is one
(`thresher password`), and a server that speaks TLS belongs in front: set page_host to its name and page_https to true.

\b
ADDRESS is unix:PATH, HOST:PORT or :PORT, which is on 127.0.0.1. It may also stand in the home's config.toml, as
`milter` and so on under [serve], with what else can be set. Lessons over the network (spamc -L, rspamc) are taken if
`learning = true` stands there: whoever reaches the address can then teach. SIGTERM stops once
all conversations are over, SIGHUP reads the settings again; neither drops a connection.

\b
Exit codes: 0 stopped as asked, 1 if it could not start, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@click.option("--milter", metavar="ADDRESS", help="Speak milter, as Postfix and Sendmail do.")
@click.option("--spamd", metavar="ADDRESS", help="Speak SpamAssassin's spamd protocol, as spamc and Exim do.")
@click.option("--http", metavar="ADDRESS", help="Speak HTTP as rspamd's scanner and controller do.")
@click.option("--page", metavar="ADDRESS", help=f"Serve the page for people; {PAGE} unless said otherwise.")
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes that share the work; else 1.")
@click.option("--json", "as_json", is_flag=True, help="Write the log as JSON, an object a line.")
@learner_option
@home_option
def serve(
    milter: str | None,
    spamd: str | None,
    http: str | None,
    page: str | None,
    workers: int | None,
    learner: str | None,
    home: str | None,
    *,
    as_json: bool,
) -> None:
    """Judge mail for mail servers, until stopped.

    Listens on this machine only unless told otherwise. Mail that cannot be judged in time goes on, tagged as unjudged.
    """

    def read() -> "Settings":
        given = {"milter": milter, "spamd": spamd, "http": http, "page": page, "workers": workers}
        return settings_for(home, learner=learner, **{f"serve.{name}": value for name, value in given.items()})

    from thresher.serve.client import SOCKET
    from thresher.serve.logs import set_up
    from thresher.serve.metrics import shared_folder
    from thresher.serve.processes import Supervisor

    settings = read()
    listeners = list(_listeners(settings))
    paths = _paths(settings)
    if own := _own(settings):
        listeners.append(own)
        paths.append(settings.home / SOCKET)
    set_up(sys.stderr, as_json=as_json)
    try:
        with shared_folder():
            Supervisor(read, listeners).run()
    finally:
        for path in paths:
            path.unlink(missing_ok=True)


def _paths(settings: "Settings") -> "list[Path]":
    """Name the Unix sockets that were made here for mail servers."""
    from thresher.serve.listening import read_address
    from thresher.serve.protocols import PROTOCOLS

    addresses = (getattr(settings.serve, name) for name in (*PROTOCOLS, "page"))
    return [path for address in addresses if address not in {"", NOWHERE} and (path := read_address(address).path)]


def _own(settings: "Settings") -> "Listener | None":
    """Listen in the home, for the commands of whoever may open it; mail servers can do without."""
    from thresher.serve.client import socket_of
    from thresher.serve.daemon import Listener
    from thresher.serve.listening import CannotListen, bind
    from thresher.serve.protocols import serve_home
    from thresher.store.files import private_folder

    try:
        private_folder(settings.home)
        return Listener("home", serve_home, bind(socket_of(settings.home), OWN_MODE))
    except (CannotListen, OSError) as error:
        warn(f"commands will not find this daemon and work alone: {error}")
        return None


def _listeners(settings: "Settings") -> "Sequence[Listener]":
    from thresher.serve.daemon import Listener
    from thresher.serve.listening import bind, inherited, read_address
    from thresher.serve.protocols import PROTOCOLS

    passed = inherited()
    listeners = []
    for name, converse in PROTOCOLS.items():
        listeners += [Listener(name, converse, listening) for listening in passed.get(name, [])]
        if address := getattr(settings.serve, name):
            listening = bind(read_address(address), int(settings.serve.socket_mode, 8))
            listeners.append(Listener(name, converse, listening))
    listeners += _page(settings, passed.get("page", []), alone=not listeners)
    if not listeners:
        names = ", ".join(f"--{name} ADDRESS" for name in (*PROTOCOLS, "page"))
        raise click.UsageError(f"say where to listen: {names}; for Postfix: --milter unix:/run/thresher/milter.sock")
    return listeners


def _page(settings: "Settings", passed: "list[socket.socket]", *, alone: bool) -> "Iterator[Listener]":
    """Offer the page, and say where."""
    from thresher.serve.daemon import Listener
    from thresher.serve.http import conversation
    from thresher.serve.listening import CannotListen, bind, read_address
    from thresher.values import ThresherError
    from thresher.web.app import application

    chosen = settings.serve.page
    if chosen not in {"", NOWHERE}:
        try:
            passed = [*passed, bind(read_address(chosen), int(settings.serve.socket_mode, 8))]
        except CannotListen as error:
            # Nobody asked for it: mail goes before the page.
            if alone or chosen != PAGE:
                raise
            warn(f"{error}; the page is not served. --page chooses another address, --page none does without")
    for listening in passed:
        try:
            _announce(settings, listening)
        except (ThresherError, OSError) as error:
            warn(f"the page is not served: {error}")
            listening.close()
        except click.ClickException:
            listening.close()
            raise
        else:
            yield Listener("page", conversation(application), listening)


def _announce(settings: "Settings", listening: "socket.socket") -> None:
    """Say where the page is, and how to come in first; beyond this machine only where a password is set."""
    from thresher.store.people import People
    from thresher.web.entry import prepare_setup
    from thresher.web.site import SETUP_KEY

    file = settings.home / SETUP_KEY
    with People(settings.home) as people:
        key = prepare_setup(people, file)
    address = _address(listening)
    if key is None:
        click.echo(f"thresher: the page is at {address}", err=True)
        return
    if not is_local(listening):
        raise click.ClickException(
            f"the page is not served at {address}, beyond this machine, before there is a password: "
            "`thresher password NAME` sets one"
        )
    click.echo(f"thresher: the page is at {address}", err=True)
    # A log is read by more people than a terminal.
    way = f"open {address}setup?key={key}" if sys.stderr.isatty() else f"the key to the first visit is in {file}"
    click.echo(f"thresher: it has no password yet: {way}", err=True)


def _address(listening: "socket.socket") -> str:
    name = listening.getsockname()
    if isinstance(name, str):
        return f"unix:{name}"
    host, port = name[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def is_local(listening: "socket.socket") -> bool:
    """Say whether only this machine reaches a socket."""
    from ipaddress import ip_address

    name = listening.getsockname()
    return isinstance(name, str) or ip_address(name[0]).is_loopback
