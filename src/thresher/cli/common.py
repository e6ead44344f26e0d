"""What commands share: their options, opening a home, progress on a terminal, output for people and for scripts."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from thresher.boxes import BoxError, Entry, Item
    from thresher.config import Settings
    from thresher.engine import Engine

Command = TypeVar("Command", bound=Callable[..., Any])

VERDICT_COLOURS: Final = {"spam": "red", "unsure": "yellow", "ham": "green"}
PATIENCE: Final = 1.0
"""Seconds before a progress bar is worth showing."""


class MailPath(click.Path):
    """A path to mail, or ``-``. The reader says what is wrong with one; click would ask the disk about each, too."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,  # noqa: ARG002 - click's signature
        ctx: click.Context | None,  # noqa: ARG002 - the same
    ) -> str | os.PathLike[str]:
        """Take it as it is."""
        return value


def home_option(command: Command) -> Command:
    """--home, before the command's name or after it."""
    return click.option("--home", type=click.Path(), help="Where thresher keeps what it learned; else THRESHER_HOME.")(
        command
    )


def learner_option(command: Command) -> Command:
    """--learner."""
    return click.option("--learner", metavar="NAME", help="scaled-logistic (default), multinomial or bernoulli.")(
        command
    )


def jobs_option(command: Command) -> Command:
    """--jobs."""
    return click.option(
        "--jobs", type=click.IntRange(1), metavar="N", help="Processes; else as many as there are cores."
    )(command)


def json_option(command: Command) -> Command:
    """--json."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, an object a line.")(command)


def settings_for(home: str | None, **given: object) -> "Settings":
    """Put the settings together."""
    from thresher.config import read_settings

    context = click.get_current_context()
    chosen = home or context.find_root().obj
    return read_settings(Path(chosen).expanduser() if chosen else None, given)


@contextmanager
def engine_for(settings: "Settings", *, load: bool = True) -> "Iterator[Engine]":
    """Open the home for one command."""
    from thresher.build import build_engine

    engine = build_engine(settings)
    try:
        if load:
            counts = engine.journal.counts()
            with progress("reading what was learned", counts.ham + counts.spam) as step:
                engine.load(step)
            for note in engine.view.notes:
                warn(note)
        yield engine
    finally:
        engine.journal.close()


def require_lessons(settings: "Settings") -> None:
    """End a command that needs a journal where there is none, before one is made."""
    from thresher.build import JOURNAL
    from thresher.values import ThresherError

    if not (settings.home / JOURNAL).exists():
        raise ThresherError(f"nothing has been learned in {settings.home} yet; `thresher learn` begins, --home chooses")


def list_entries(paths: Sequence[str]) -> "list[Entry]":
    """List what there is to read under some paths; a path that is not there ends the command before it did anything."""
    from thresher import boxes

    return list(boxes.entries(paths))


def warn(text: str) -> None:
    """Say something beside the output."""
    click.echo(f"thresher: {text}", err=True)


def settle(engine: "Engine", step: "Callable[[int], None] | None" = None) -> str:
    """Settle the model after a change: here if that is quick, else by a process that outlives this command."""
    from thresher.engine import ModelNotSaved, Settled

    try:
        settled = engine.finish(step)
    except ModelNotSaved as error:
        # What was learned or forgotten is in the journal: the command has done what it was asked.
        warn(str(error))
        return "not saved"
    if settled is Settled.NOT_YET:
        from thresher.build import start_rebuild

        view = engine.view
        start_rebuild(view.path.parent, view.learner.name, view.hasher.bits)
    return settled


@contextmanager
def private_file(path: Path) -> "Iterator[IO[bytes]]":
    """Write a file for its owner's eyes only: wholly, in place of one that was there, or not at all."""
    from contextlib import ExitStack

    from thresher.store.files import replaced

    target = path.expanduser().resolve()
    try:
        with ExitStack() as stack:
            # A pipe or a device is written to as it is, not replaced.
            regular = target.is_file() or not target.exists()
            written = stack.enter_context(replaced(target)) if regular else target
            yield stack.enter_context(written.open("wb"))
    except OSError as error:
        raise click.ClickException(f"{path}: {(error.strerror or str(error)).lower()}") from error


def absolute(path: str) -> str:
    """Return a path as it is to be remembered, whatever folder the next command is called in; ``-`` stays."""
    return path if path.partition("#")[0] == "-" else os.path.abspath(path)  # noqa: PTH100 - links are not followed


def load_one(path: str) -> "Item":
    """Read the one message of a path."""
    from itertools import islice

    from thresher import boxes

    items = list(islice(boxes.read(path), 2))
    if len(items) != 1:
        what = "holds several messages; name one of them" if items else "holds no message"
        raise boxes.BoxError(path, what, "of an mbox, the third is MBOX#3; of a folder, name the file")
    return items[0]


def local_time(seconds: float) -> str:
    """Return a moment as the clock on the wall shows it."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


class Failures:
    """Messages that could not be read; the command goes on and ends with 1."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, errors: "Iterable[BoxError]") -> None:
        """Say what could not be read."""
        for error in errors:
            warn(str(error))
            self.count += 1

    def exit(self) -> None:
        """End the command with 1 if there were any."""
        if self.count:
            click.get_current_context().exit(1)


def write_lines(lines: Iterable[str]) -> None:
    """Print many lines at once; a file name of any bytes comes out as those bytes."""
    text = "".join(f"{line}\n" for line in lines)
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()


def json_line(value: object) -> str:
    """Return a value as one line of JSON. NaN, which JSON lacks, becomes null; odd bytes of a file name, U+FFFD."""
    import msgspec

    return msgspec.json.encode(_encodable(msgspec.to_builtins(value))).decode()


def _encodable(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, dict):
        return {key: _encodable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(item) for item in value]
    return value


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar on the terminal once the work has taken longer than PATIENCE."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    bar = _Bar(what, total)
    try:
        yield bar.step
    finally:
        bar.close()


class _Bar:
    """A progress bar that appears late."""

    def __init__(self, what: str, total: int) -> None:
        self.what = what
        self.total = total
        self.done = 0
        self.start = time.monotonic()
        self.shown: Any = None

    def step(self, count: int) -> None:
        """Count work done."""
        self.done += count
        if self.shown is None:
            if time.monotonic() - self.start < PATIENCE:
                return
            self._show()
        self.shown.update(0, completed=self.done)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self.shown = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.shown.add_task(self.what, total=self.total or None, completed=self.done)
        self.shown.start()

    def close(self) -> None:
        """Take the bar off the screen."""
        if self.shown is not None:
            self.shown.stop()
