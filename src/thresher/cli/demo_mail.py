"""`thresher demo-mail`: made-up, labelled mail in a folder. The same seed gives the same files, names included."""

import os
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import click

from thresher.cli.common import json_line, json_option, progress, write_lines

if TYPE_CHECKING:
    from thresher.demo import DemoMessage

Write = Callable[[int, "DemoMessage"], None]

STEP: Final = 100
"""Messages between two looks at the clock."""
EPILOG: Final = """\
\b
Examples:
  thresher demo-mail /tmp/mail
  thresher demo-mail /tmp/mail --messages 10000 --seed 2
  thresher evaluate --index /tmp/mail/index
  thresher demo-mail /tmp/Maildir --maildir

\b
Exit codes: 0 done, 1 if it could not be written, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--messages", "count", type=click.IntRange(1), default=1000, show_default=True, help="How many.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed makes other mail.")
@click.option(
    "--spam-share", type=click.FloatRange(0, 1), default=0.4, show_default=True, help="How much of it is spam."
)
@click.option(
    "--maildir", is_flag=True, help="Make a Maildir with the spam in .Junk, instead of ham/, spam/ and index."
)
@json_option
def demo_mail(folder: Path, count: int, seed: int, spam_share: float, *, maildir: bool, as_json: bool) -> None:
    """Write made-up, labelled mail into DIR, which must be new or empty.

    DIR/ham and DIR/spam get a file a message, and DIR/index a line `ham PATH` or `spam PATH` for each, in the order in
    which the mail arrives: what `thresher evaluate --index` reads. The mail is made of our own sentences; its hosts and
    addresses are reserved for examples.
    """
    from thresher.demo import messages

    if spam_share != spam_share:  # noqa: PLR0124 - NaN, which a range lets through
        raise click.BadParameter("must be a number from 0 to 1", param_hint="--spam-share")
    try:
        _claim(folder)
        with ExitStack() as stack:
            write = _maildir(folder) if maildir else _folders(folder, stack)
            kinds, size = _write_all(messages(count, seed, spam_share=spam_share), count, write)
    except OSError as error:
        where = click.format_filename(error.filename or folder)
        raise click.ClickException(f"{where}: {(error.strerror or str(error)).lower()}") from error
    _report(folder, kinds, size, as_json=as_json)


def _claim(folder: Path) -> None:
    """Make the folder; never add to one that holds anything."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise click.ClickException(f"{click.format_filename(folder)}: not empty; name a new or an empty folder")


def _write_all(made: Iterable["DemoMessage"], count: int, write: Write) -> tuple[Counter[tuple[str, str]], int]:
    """Write the messages and count them by label and kind; also count their bytes."""
    kinds: Counter[tuple[str, str]] = Counter()
    size = 0
    with progress("writing made-up mail", count) as step:
        for number, message in enumerate(made, 1):
            write(number, message)
            kinds[message.label, message.kind] += 1
            size += len(message.raw)
            if number % STEP == 0:
                step(STEP)
    return kinds, size


def _folders(folder: Path, stack: ExitStack) -> Write:
    """Return what writes a message into a folder of its label and a line into the index."""
    for label in ("ham", "spam"):
        (folder / label).mkdir(mode=0o700)
    index = stack.enter_context(_new(folder / "index"))

    def write(number: int, message: "DemoMessage") -> None:
        path = f"{message.label}/{number:08}.eml"
        with _new(folder / path) as file:
            file.write(message.raw)
        index.write(f"{message.label} {path}\n".encode())

    return write


def _maildir(folder: Path) -> Write:
    """Return what writes a message, already read, into the Maildir or its Junk folder."""
    junk = folder / ".Junk"
    junk.mkdir(mode=0o700)
    for box in (folder, junk):
        for part in ("cur", "new", "tmp"):
            (box / part).mkdir(mode=0o700)
    # Maildir++ marks folders within a Maildir with this file.
    _new(junk / "maildirfolder").close()

    def write(number: int, message: "DemoMessage") -> None:
        box = junk if message.label == "spam" else folder
        path = box / "cur" / f"{int(message.time)}.{number:08}.demo:2,S"
        with _new(path) as file:
            file.write(message.raw)
        # A Maildir's file says by its time when the message came.
        os.utime(path, (message.time, message.time))

    return write


def _new(path: Path) -> IO[bytes]:
    """Open a new file that only its owner reads."""
    return open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600))


def _report(folder: Path, kinds: Counter[tuple[str, str]], size: int, *, as_json: bool) -> None:
    labels = Counter({"ham": 0, "spam": 0})
    for (label, _), times in kinds.items():
        labels[label] += times
    if as_json:
        by_label = {
            label: {kind: times for (of, kind), times in kinds.most_common() if of == label} for label in sorted(labels)
        }
        summary = {"folder": str(folder), "messages": labels.total(), **labels, "bytes": size, "kinds": by_label}
        write_lines([json_line(summary)])
        return
    name = click.format_filename(folder)
    click.echo(f"{name}: {labels.total()} messages, {labels['ham']} ham, {labels['spam']} spam, {size / 1e6:.1f} MB")
