"""What the tests of the store have another process do: ``python -m tests.store.child WHAT ...``; it answers in JSON."""

import json
import os
import sys
import urllib.parse  # noqa: F401 - pathlib imports it late (3.13), when nobody may no longer read it
from pathlib import Path

from tests.store.making import lesson
from thresher.store.journal import JournalError, Selection
from thresher.store.sqlite import SqliteJournal

NOBODY = 65534


def learn(file: Path, first: int, last: int) -> object:
    """Learn a range of messages, three at a time."""
    with SqliteJournal(file) as journal:
        for number in range(first, last, 3):
            journal.append([lesson(each) for each in range(number, min(number + 3, last))])
    return "learned"


def crash(file: Path) -> None:
    """Learn three messages and end without closing anything."""
    SqliteJournal(file).append([lesson(number) for number in range(3)])
    os._exit(0)


def use(file: Path) -> object:
    """Read a journal and try to change it, as somebody whom file modes bind."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    try:
        journal = SqliteJournal(file, busy_timeout=1)
    except JournalError as error:
        return {"error": type(error).__name__, "text": str(error)}
    with journal:
        answer: dict[str, object] = {
            "read_only": journal.read_only,
            "rows": [row.id for row in journal.rows()],
            "position": list(journal.position()),
            "versions": [journal.data_version(), journal.data_version()],
            "problems": journal.integrity_check(),
        }
        for name, change in (
            ("append", lambda: journal.append([lesson(9)])),
            ("forget", lambda: journal.forget(Selection(source="*"))),
        ):
            try:
                change()
            except JournalError as error:
                answer[name] = type(error).__name__
        return answer


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["learn", file, first, last]:
            result = learn(Path(file), int(first), int(last))
        case ["crash", file]:
            crash(Path(file))
        case ["use", file]:
            result = use(Path(file))
    sys.stdout.write(json.dumps(result))
