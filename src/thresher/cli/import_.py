"""``thresher import``: lessons from the lines that ``thresher export`` writes."""

import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import click
import msgspec

from thresher.cli.common import (
    engine_for,
    home_option,
    json_line,
    json_option,
    learner_option,
    progress,
    settings_for,
    settle,
    write_lines,
)
from thresher.store.journal import Status
from thresher.values import Label, Lesson, ThresherError

if TYPE_CHECKING:
    from thresher.engine import Engine

TRANSACTION: Final = 512
"""Lessons written at once, as `learn` does."""
LONGEST: Final = 16 << 20
"""Bytes of a line. A token stream has at most some hundred thousand; what is longer is no export."""
_DIGEST: Final = re.compile(r"[0-9a-fA-F]{32}")
EPILOG: Final = """\
\b
Examples:
  thresher import lessons.jsonl
  ssh other thresher export | thresher import -

What is known already counts once; the same message with the other label, said by the same user, is a correction. At a
line that cannot be read the import ends, says which, and keeps the lessons before it: mend the line and import again.

\b
Exit codes: 0 done, 1 if a line or the file could not be read, 2 wrong usage.
"""


class BadLine(ThresherError):
    """A line that is no lesson: which, and what was expected."""


class Line(msgspec.Struct):
    """What a line holds. Label and digest are checked by hand: an error says what would do, not what stood there."""

    digest: str
    label: str
    user: str | None = None
    user_base64: bytes | None = None
    source: str | None = None
    source_base64: bytes | None = None
    time: float | None = None
    score: float | None = None
    after: float | None = None
    tokenizer: int = 0
    stream: str | None = None
    stream_base64: bytes | None = None


@click.command("import", epilog=EPILOG)
@click.argument("file", metavar="FILE|-", type=click.Path(dir_okay=False, allow_dash=True))
@json_option
@learner_option
@home_option
def import_(file: str, home: str | None, learner: str | None, *, as_json: bool) -> None:
    """Add the lessons of a file, or of standard input, to those that are there."""
    settings = settings_for(home, learner=learner)
    changes: Counter[tuple[str, str]] = Counter()
    with _opened(file) as opened, engine_for(settings, load=False) as engine:
        failed = _take_in(engine, opened, file, changes)
        state = "unchanged"
        if any(change != Status.UNCHANGED for change, _ in changes):
            counts = engine.journal.counts()
            with progress("settling the model", counts.ham + counts.spam) as step:
                engine.load(step)
                state = settle(engine, step)
        counts = engine.journal.counts()
    summary = {
        "learned": {label: changes[Status.LEARNED, label] for label in Label},
        "corrected": {label: changes[Status.CORRECTED, label] for label in Label},
        "unchanged": sum(count for (change, _), count in changes.items() if change == Status.UNCHANGED),
        "lessons": {"ham": counts.ham, "spam": counts.spam},
        "model": state,
    }
    write_lines([json_line({"summary": summary})] if as_json else [_told(changes, counts.ham + counts.spam, state)])
    if failed:
        raise failed


def _take_in(
    engine: "Engine", opened: IO[bytes], file: str, changes: "Counter[tuple[str, str]]"
) -> ThresherError | None:
    """Import what can be; return what ended it early."""
    size = Path(file).stat().st_size if file != "-" else 0
    try:
        with progress("importing", size) as step:
            for lessons, read in batches(opened, file, engine.user):
                outcomes = engine.journal.append(lessons)
                changes.update((o.status, lesson.label) for o, lesson in zip(outcomes, lessons, strict=True))
                step(read)
    except ThresherError as error:
        return error
    return None


@contextmanager
def _opened(file: str) -> Iterator[IO[bytes]]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        opened = Path(file).expanduser().open("rb")
    except OSError as error:
        raise ThresherError(f"{file}: {(error.strerror or str(error)).lower()}") from error
    with opened:
        yield opened


def batches(opened: IO[bytes], file: str, user: str) -> Iterator[tuple[list[Lesson], int]]:
    """Read lessons, a transaction's worth at a time, and how many bytes they took; fail at a bad line."""
    lessons: list[Lesson] = []
    number = read = 0
    while line := opened.readline(LONGEST + 1):
        number += 1
        read += len(line)
        try:
            if line.strip():
                lessons.append(_lesson(line, user))
        except (msgspec.DecodeError, ValueError) as error:
            yield lessons, read
            raise BadLine(
                f"{file}, line {number}: {error}; expected is an object as `thresher export` writes it. The lessons "
                f"before this line are imported"
            ) from error
        if len(lessons) == TRANSACTION:
            yield lessons, read
            lessons, read = [], 0
    yield lessons, read


def _lesson(line: bytes, user: str) -> Lesson:
    if len(line) > LONGEST:
        raise ValueError(f"it is longer than {LONGEST} bytes")
    said = msgspec.json.decode(line, type=Line)
    if not _DIGEST.fullmatch(said.digest):
        raise ValueError("`digest` must be 32 hexadecimal digits")
    if said.label not in set(Label):
        raise ValueError("`label` must be ham or spam")
    stream = said.stream_base64 if said.stream is None else said.stream.encode()
    if stream is None:
        raise ValueError("it has neither `stream` nor `stream_base64`")
    return Lesson(
        bytes.fromhex(said.digest),
        Label(said.label),
        stream,
        _name(said.user, said.user_base64, user),
        _name(said.source, said.source_base64, ""),
        time.time() if said.time is None else said.time,
        said.score,
        said.tokenizer,
        said.after,
    )


def _name(text: str | None, encoded: bytes | None, otherwise: str) -> str:
    if text is None and encoded is not None:
        return encoded.decode("utf-8", "surrogatepass")
    return otherwise if text is None else text


def _told(changes: "Counter[tuple[str, str]]", total: int, state: str) -> str:
    ham, spam = (changes[Status.LEARNED, label] for label in (Label.HAM, Label.SPAM))
    corrected = sum(count for (change, _), count in changes.items() if change == Status.CORRECTED)
    known = sum(count for (change, _), count in changes.items() if change == Status.UNCHANGED)
    text = f"imported {ham:,} ham and {spam:,} spam"
    if corrected:
        text += f", {corrected:,} corrected"
    if known:
        text += f", {known:,} already known"
    return f"{text}; {total:,} lessons in all, model {state}"
