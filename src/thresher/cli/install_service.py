"""``thresher install-service``: systemd's units for the daemon."""

import sys
from pathlib import Path
from typing import Final

import click

from thresher.cli.common import home_option, json_line, json_option, write_lines

EPILOG: Final = """\
\b
Examples:
  thresher install-service --print                     read it first
  thresher install-service --milter /run/thresher-milter.sock --group postfix
  thresher install-service --spamd 127.0.0.1:783 --http 127.0.0.1:11333 --workers 4

Writes thresher.service, a socket unit for each protocol, and the account `thresher` for systemd-sysusers. systemd holds
the sockets: the first connection starts the daemon, and none is refused while it restarts. What was learned lies in
/var/lib/thresher. Afterwards:

\b
  systemd-sysusers && systemctl daemon-reload
  systemctl enable --now thresher-milter.socket thresher.service

\b
Exit codes: 0 done, 1 if it could not be written, 2 wrong usage.
"""
UNITS: Final = Path("etc/systemd/system")
PEOPLE: Final = Path("etc/sysusers.d/thresher.conf")
MILTER: Final = "/run/thresher-milter.sock"


@click.command("install-service", epilog=EPILOG)
@click.option("--print", "printing", is_flag=True, help="Print the files; nothing is written.")
@click.option("--milter", metavar="WHERE", help=f"Milter: a path, a port or HOST:PORT; {MILTER} if nothing else is.")
@click.option("--spamd", metavar="WHERE", help="SpamAssassin's spamd protocol.")
@click.option("--http", metavar="WHERE", help="rspamd's HTTP and our own API.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Processes.")
@click.option("--group", default="postfix", show_default=True, metavar="NAME", help="Who may connect to Unix sockets.")
@click.option("--dir", "root", default="/", show_default=True, type=click.Path(path_type=Path), help="Write below DIR.")
@json_option
@home_option
def install_service(
    milter: str | None,
    spamd: str | None,
    http: str | None,
    workers: int,
    group: str,
    root: Path,
    home: str | None,  # noqa: ARG001 - every command takes it; the service has a home of its own
    *,
    printing: bool,
    as_json: bool,
) -> None:
    """Write systemd's units for the daemon, hardened and with socket activation."""
    from thresher.serve.units import Wanted, account, units

    asked = {"milter": milter, "spamd": spamd, "http": http}
    sockets = {name: where for name, where in asked.items() if where} or {"milter": MILTER}
    made = units(Wanted(f"{sys.executable} -m thresher", sockets, workers, group))
    files = {UNITS / name: text for name, text in made.items()} | {PEOPLE: account()}
    if printing:
        shown = [json_line({"file": f"/{file}", "text": text}) for file, text in files.items()]
        write_lines(shown if as_json else [f"# /{file}\n{text}" for file, text in files.items()])
        return
    for file, text in files.items():
        path = root / file
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o644)
        except OSError as error:
            raise click.ClickException(f"{path}: {(error.strerror or str(error)).lower()}") from error
        write_lines([json_line({"file": str(path)}) if as_json else f"wrote {path}"])
