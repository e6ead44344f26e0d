"""``thresher filter``: a message in, the same message with our headers out. It never loses one."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import click

from thresher.cli.check import VERDICT_CODES
from thresher.cli.common import home_option, settings_for, warn
from thresher.values import ThresherError

if TYPE_CHECKING:
    from pathlib import Path

    from thresher.config import Settings
    from thresher.serve.scan import Scan

TRY_AGAIN: Final = 75
"""EX_TEMPFAIL of sysexits.h: whoever called keeps the message and tries again."""
PATIENCE: Final = 60.0
"""Seconds after which a message goes out as it came: a journal is seldom folded for longer, and mail servers wait."""
LOG: Final = "filter.log"
MOST_LOG: Final = 1 << 20
"""Bytes of the log, and of the one before it: a pipe that fails for years fills no disk."""
EPILOG: Final = """\
\b
Examples:
  thresher filter < message.eml
  thresher filter -- /usr/sbin/sendmail -G -i -f ada@home.example -- me@home.example < message.eml

\b
procmail, in ~/.procmailrc:
  :0fw
  | thresher filter
  :0
  * ^X-Spam: Yes
  Junk/

maildrop, Postfix and Sieve: docs/serve.md. The daemon that runs for the same home judges, or the one at --daemon;
where none answers, this command does so itself.

\b
Exit codes: 0 the message is out, 75 it could not be read or written and is to be kept; with a COMMAND, its own.
With --exit-code: 0 ham, 10 spam, 11 unsure, 0 if it was not judged.
"""


class NeverLosing(click.Command):
    """A command that hands the message on even where its own options are wrong."""

    def make_context(self, *arguments: Any, **named: Any) -> click.Context:  # noqa: ANN401 - click's signature
        """Read the command line; where that fails and a message waits, it goes out as it came."""
        try:
            return super().make_context(*arguments, **named)
        except click.UsageError as error:
            if sys.stdin.isatty():
                raise
            warn(f"the message goes on unchanged: {error.format_message()}")
            raise click.exceptions.Exit(_write(_read())) from None


@click.command(name="filter", cls=NeverLosing, epilog=EPILOG)
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--daemon", metavar="ADDRESS", help="Ask the daemon there: unix:PATH or HOST:PORT, as of its --http.")
@click.option("--exit-code", is_flag=True, help="Tell the verdict by the exit code too.")
@home_option
@click.pass_context
def filter_(
    ctx: click.Context, command: tuple[str, ...], daemon: str | None, home: str | None, *, exit_code: bool
) -> None:
    """Add the verdict to a message's header: standard input to standard output.

    On any failure the message goes out as it came, and the reason to standard error and to filter.log in the home.
    With a COMMAND the message goes to its standard input.
    """
    raw = _read()
    out, scan = _tagged(raw, home, daemon)
    written = _pipe(out, command) if command else _write(out)
    told = VERDICT_CODES[scan.verdict] if exit_code and scan and not scan.unjudged else 0
    ctx.exit(written or told)


def _read() -> bytes:
    try:
        return sys.stdin.buffer.read()
    except (OSError, MemoryError) as error:
        warn(f"the message could not be read: {error}")
        raise click.exceptions.Exit(TRY_AGAIN) from error


def _tagged(raw: bytes, home: str | None, daemon: str | None) -> "tuple[bytes, Scan | None]":
    """Return the message with our headers; on any failure as it came."""
    place: Path | None = None
    try:
        with _in_time():
            settings = settings_for(home)
            place = settings.home
            return _judged(raw, settings, daemon)
    except Exception as error:  # noqa: BLE001 - whatever it is, the message goes on
        _tell(error, place)
        return raw, None


def _judged(raw: bytes, settings: "Settings", daemon: str | None) -> "tuple[bytes, Scan]":
    from thresher.cli.door import door
    from thresher.mail.annotate import annotated
    from thresher.serve.tags import OWN, as_bytes, tags

    with door(settings, daemon) as asked:
        scan = asked.check(raw)
    return annotated(raw, as_bytes(tags(scan)), OWN), scan


class _TooLate(ThresherError):
    """Judging took too long."""


@contextmanager
def _in_time() -> Iterator[None]:
    """End what takes too long."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield  # only a program's main thread hears alarms
        return

    def ring(*_: object) -> None:
        raise _TooLate(f"there was no verdict within {PATIENCE:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _tell(error: Exception, home: "Path | None") -> None:
    """Say why to whoever called, and in the log; the text of an error not ours may quote the message."""
    from thresher.serve.logs import where

    reason = str(error) if isinstance(error, ThresherError | click.ClickException) else where(error)
    warn(f"the message goes on unchanged: {reason}")
    if home is not None:
        with suppress(OSError):  # a disk that is full or gone: it stands on standard error
            _log(home, reason)


def _log(home: "Path", reason: str) -> None:
    import time

    file = home / LOG
    if file.exists() and file.stat().st_size > MOST_LOG:
        file.replace(file.with_suffix(".log.1"))
    moment = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as log:
        log.write(f"{moment} error [{os.getpid()}] a message went on unchanged: {' '.join(reason.split())}\n")


def _write(out: bytes) -> int:
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(out)
        sys.stdout.buffer.flush()
    except OSError as error:
        warn(f"the message could not be written: {error.strerror or error}")
        # Or Python would try once more as it ends, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return TRY_AGAIN
    return 0


def _pipe(out: bytes, command: Sequence[str]) -> int:
    try:
        ran = subprocess.run(command, input=out, check=False)  # noqa: S603 - the caller's own command
    except OSError as error:
        warn(f"{command[0]} could not be run: {error.strerror or error}")
        return TRY_AGAIN
    return ran.returncode if ran.returncode >= 0 else TRY_AGAIN
