"""``thresher export``: lessons as JSON, one a line.

A line says everything the journal does, so that `thresher import` of an export gives the same lessons. What is text but
not UTF-8 (a token stream, a file name) stands as base64 under its name with ``_base64`` behind it.
"""

import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import click

from thresher.cli.common import (
    engine_for,
    home_option,
    json_line,
    json_option,
    private_file,
    progress,
    require_lessons,
    settings_for,
    warn,
    write_lines,
)

if TYPE_CHECKING:
    from thresher.store.journal import Journal
    from thresher.values import Lesson

LINES: Final = 256
"""Written at once."""
EPILOG: Final = """\
\b
Examples:
  thresher export lessons.jsonl
  thresher export | jq -r 'select(.label == "spam").source'
  thresher export | ssh other thresher import -

A line is an object: digest, label, user, source, time (seconds since 1970, UTC), score (log-odds before the lesson, or
null), after (log-odds once it was learned, or null), tokenizer (its version) and stream, the words of the message with
the fields they stood in. Keep the file as private as the mail itself.

\b
Exit codes: 0 done, 1 if it could not be written, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@click.argument("file", metavar="[FILE]", default="-", type=click.Path(dir_okay=False, allow_dash=True))
@json_option
@home_option
def export(file: str, home: str | None, *, as_json: bool) -> None:
    """Write all lessons as JSON, one a line, to FILE or standard output."""
    settings = settings_for(home)
    require_lessons(settings)
    with engine_for(settings, load=False) as engine, _opened(file) as output:
        counts = engine.journal.counts()
        written = 0
        with progress("exporting", counts.ham + counts.spam) as step:
            lines = _lines(engine.journal)
            while batch := list(islice(lines, LINES)):
                output.write("".join(batch).encode())
                written += len(batch)
                step(len(batch))
    if file != "-":
        summary = json_line({"file": file, "lessons": written})
        write_lines([summary] if as_json else [f"exported {written:,} lessons to {file}"])
    elif sys.stderr.isatty():
        warn(f"exported {written:,} lessons")


@contextmanager
def _opened(file: str) -> Iterator[IO[bytes]]:
    if file != "-":
        with private_file(Path(file)) as opened:
            yield opened
        return
    sys.stdout.flush()
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


def _lines(journal: "Journal") -> Iterator[str]:
    import msgspec

    for row in journal.rows():
        yield msgspec.json.encode(_as_object(row.lesson)).decode() + "\n"


def _as_object(lesson: "Lesson") -> dict[str, object]:
    return {
        "digest": lesson.digest.hex(),
        "label": lesson.label,
        **_text("user", lesson.user.encode("utf-8", "surrogatepass")),
        **_text("source", lesson.source.encode("utf-8", "surrogatepass")),
        "time": lesson.time,
        "score": lesson.score,
        "after": lesson.after,
        "tokenizer": lesson.tokenizer,
        **_text("stream", lesson.stream),
    }


def _text(name: str, value: bytes) -> dict[str, str]:
    try:
        return {name: value.decode()}
    except UnicodeDecodeError:
        return {f"{name}_base64": b64encode(value).decode()}
