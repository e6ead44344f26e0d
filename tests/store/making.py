"""Lessons for the tests of what is stored."""

from collections.abc import Iterable

import msgspec

from thresher.store.journal import Journal
from thresher.values import Label, Lesson

HAM, SPAM = Label.HAM, Label.SPAM


def lesson(number: int, label: Label = HAM, **changes: object) -> Lesson:
    """Make a lesson all of whose fields follow from a number, but for the changes."""
    made = Lesson(
        digest=digest(number),
        label=label,
        stream=b"subject\tminutes of meeting %d\nbody\tdear all " % number + b"agenda " * (number % 50) + b"\n",
        user="ada",
        source=f"/mail/inbox/{number}",
        time=1000.0 + number,
        score=number / 7 - 3 if number % 5 else None,
        tokenizer=1,
        after=number / 9 - 2 if number % 4 else None,
    )
    return msgspec.structs.replace(made, **changes)


def digest(number: int) -> bytes:
    """Name message number so-and-so."""
    return number.to_bytes(16, "big")


def lessons(numbers: Iterable[int]) -> list[Lesson]:
    """Make lessons, every third of them spam."""
    return [lesson(number, SPAM if number % 3 == 0 else HAM) for number in numbers]


def content(journal: Journal) -> dict[int, Lesson]:
    """Read a whole journal."""
    return dict(journal.rows())
