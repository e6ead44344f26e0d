"""The end of the demonstration: what was judged, on the page."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from thresher.values import Judgement

APART: Final = 3600.0
"""Seconds between two of the messages: four days for a hundred."""
PATIENCE: Final = 30.0
"""Seconds for the page to begin."""


def remember(home: Path, filed: "Sequence[tuple[str, Judgement]]") -> None:
    """Write what was judged to the log that the page shows."""
    from thresher import boxes
    from thresher.build import build_verdicts
    from thresher.config import Settings
    from thresher.history import judged
    from thresher.mail.digest import digest
    from thresher.mail.mime import parse
    from thresher.mail.stream import tokenize
    from thresher.store.verdicts import now

    settings = Settings(home=home)
    rows = []
    for number, (path, judgement) in enumerate(filed):
        for item in boxes.read(path):
            message = parse(item.raw)
            rows.append(
                judged(
                    *(item.raw, message, tokenize(message), digest(item.raw), judgement),
                    time=now() - APART * (len(filed) - number),
                    user=settings.user,
                    via="demo",
                    folder="Junk" if "Junk" in path else "INBOX",
                )
            )
    with build_verdicts(settings) as verdicts:
        verdicts.add(rows)


def show(home: Path, program: str) -> None:
    """Serve the page until Ctrl-C where somebody sits at a terminal; else say how to see it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo(f"\nThe same on a page, with a reason for each verdict:\n  {program} --home {home} serve\n")
        return
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}/{_first(home)}"
    command = [sys.executable, "-m", "thresher", "--home", str(home), "serve", "--page", f"127.0.0.1:{port}"]
    # A terminal that is closed ends the page, too: the daemon itself reads its settings again at SIGHUP.
    for number in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    log = home / "page.log"
    with log.open("wb") as written, subprocess.Popen(command, stderr=written) as page:  # noqa: S603 - our own program
        try:
            if not _answers(port, page):
                click.echo(f"\nThe page could not be served; {log} says why.", err=True)
                return
            click.echo(f"\nThe same on a page, with a reason for each verdict: {address}\nCtrl-C ends it.")
            _open(address)
            page.wait()
        except KeyboardInterrupt:
            click.echo("")
        finally:
            page.terminate()


def _first(home: Path) -> str:
    from thresher.store.people import People
    from thresher.web.entry import prepare_setup
    from thresher.web.site import SETUP_KEY

    with People(home) as people:
        return f"setup?key={prepare_setup(people, home / SETUP_KEY)}"


def _answers(port: int, page: "subprocess.Popen[bytes]") -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and page.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.1)
    return False


def _open(address: str) -> None:
    """Open a browser where there is a screen for one: on a bare terminal it would take the terminal."""
    if sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        import webbrowser

        webbrowser.open(address)
