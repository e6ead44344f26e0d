"""Labelled messages to measure on, hashed: those of a list, or the lessons of the journal."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from thresher.cli.common import Failures, engine_for, progress, require_lessons

if TYPE_CHECKING:
    from thresher.boxes import BoxError, Listed
    from thresher.choose.protocols import Examples
    from thresher.config import Settings
    from thresher.learn.hashing import Hasher, Ids
    from thresher.store.journal import Journal

ROWS: Final = 256
"""Lessons hashed at once."""


class Labelled(NamedTuple):
    """A message and what it is."""

    is_spam: bool
    slots: "Ids"
    shown: str
    """The path as the list has it, or the lesson's source."""
    time: float | None
    """When it was sent, if that was asked for, or taught."""
    stream: bytes = b""
    """Its token stream, if that was asked for."""


@contextmanager
def labelled_messages(
    settings: "Settings",
    index: str | None,
    hasher: "Hasher",
    jobs: int | None,
    failures: Failures,
    *,
    dated: bool = False,
    streams: bool = False,
) -> Iterator[Iterator[Labelled]]:
    """Give the messages of a list, or else of the home's journal, read as they are asked for."""
    if index is not None:
        from thresher import boxes

        yield of_index(boxes.read_index(index), hasher, jobs, failures, dated=dated, streams=streams)
        return
    require_lessons(settings)
    with engine_for(settings, load=False) as engine:
        yield of_journal(engine.journal, hasher, streams=streams)


def of_index(
    listed: "Sequence[Listed]",
    hasher: "Hasher",
    jobs: int | None,
    failures: Failures,
    *,
    dated: bool = False,
    streams: bool = False,
) -> Iterator[Labelled]:
    """Read and hash the messages of a list, in its order."""
    from thresher.prepare import chunks, jobs_for, over_cores

    pieces = chunks(listed)
    with progress("evaluating", len(listed)) as step:
        work = partial(_read, hasher, dated=dated, streams=streams)
        for piece, (messages, errors) in zip(
            pieces, over_cores(work, pieces, jobs_for(len(listed), jobs)), strict=True
        ):
            failures.add(errors)
            yield from messages
            step(len(piece))


def _read(
    hasher: "Hasher", piece: "Sequence[Listed]", *, dated: bool, streams: bool
) -> "tuple[list[Labelled], list[BoxError]]":
    from thresher.boxes import Entry
    from thresher.mail.dates import sent
    from thresher.mail.mime import parse
    from thresher.mail.stream import tokenize
    from thresher.prepare import read_chunk

    chunk = read_chunk([Entry(one.path) for one in piece])
    messages = [parse(item.raw) for item in chunk.items]
    read = [tokenize(message) for message in messages]
    features = hasher.features(read)
    labelled = []
    for i, (item, origin, message) in enumerate(zip(chunk.items, chunk.origins, messages, strict=True)):
        one = piece[origin]
        # Where the list names an mbox, each of its messages has its number.
        shown = one.written + item.path[len(one.path) :]
        time = sent(message.headers) if dated else None
        stream = read[i] if streams else b""
        labelled.append(Labelled(one.label == "spam", features.of(i).astype("int32"), shown, time, stream))
    return labelled, chunk.errors


def of_journal(journal: "Journal", hasher: "Hasher", *, streams: bool = False) -> Iterator[Labelled]:
    """Hash the lessons that count, in the order in which they were given; of one message the last word counts."""
    from thresher.values import Label

    last: dict[bytes, int] = {entry.digest: entry.id for entry in journal.entries()}
    ids = sorted(last.values())
    rows = journal.fetch(ids)
    with progress("evaluating", len(ids)) as step:
        while batch := list(islice(rows, ROWS)):
            features = hasher.features([row.lesson.stream for row in batch])
            for i, row in enumerate(batch):
                lesson = row.lesson
                shown = lesson.source or lesson.digest.hex()
                stream = lesson.stream if streams else b""
                yield Labelled(lesson.label is Label.SPAM, features.of(i).astype("int32"), shown, lesson.time, stream)
            step(len(batch))


def in_order_of_time(messages: Iterable[Labelled]) -> list[Labelled]:
    """Sort by time; a message without one stays behind the message it came after."""
    timed, latest = [], float("-inf")
    for message in messages:
        latest = latest if message.time is None else message.time
        timed.append((latest, message))
    return [message for _, message in sorted(timed, key=lambda pair: pair[0])]


def as_examples(messages: Sequence[Labelled]) -> "Examples":
    """Put messages into one array."""
    import numpy as np

    from thresher.choose.protocols import Examples
    from thresher.learn.hashing import Features

    slots = [message.slots for message in messages] or [np.zeros(0, np.intp)]
    offsets = np.cumsum([0, *(len(message.slots) for message in messages)])
    return Examples(
        Features(np.concatenate(slots), offsets), np.array([message.is_spam for message in messages], np.bool_)
    )
