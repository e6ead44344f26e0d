"""A mailbox whose messages are counted, and `thresher mailbox sort` that is killed at random moments."""

import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from tests.cli.making import ham, spam
from tests.cli.running import ENVIRONMENT, line_of
from tests.mailbox.living import NEW
from thresher.boxes import load
from thresher.boxes.mailbox import ANSWERED, FLAGGED, INBOX, SEEN, Mailbox
from thresher.mail.digest import digest

FLAGS: Final = (frozenset[str](), frozenset({SEEN}))
"""Of messages that may be moved; those answered or flagged are their owner's."""
KEPT: Final = (frozenset({FLAGGED}), frozenset({SEEN, ANSWERED}))
LONGEST: Final = 600.0


class Known(NamedTuple):
    """What must stay of a message."""

    digest: bytes
    flags: frozenset[str]
    arrived: int


def is_spam(number: int, every: int) -> bool:
    """Say whether message number so-and-so is; one in `every` is not."""
    return number % every != 0


def fill(box: Mailbox, count: int, every: int = 2) -> Counter[Known]:
    """Put messages into the inbox, one in `every` wanted, with flags and dates of many kinds."""
    recently = int(time.time()) - 1000
    known: Counter[Known] = Counter()
    for number in range(count):
        raw = (spam if is_spam(number, every) else ham)(NEW + number)
        flags = KEPT[number // 10 % 2] if number % 10 == 1 else FLAGS[number // 2 % 2]
        arrived = recently - number
        box.append(INBOX, raw, flags, arrived)
        known[Known(digest(raw), flags, arrived)] += 1
    return known


def found(box: Mailbox) -> dict[str, Counter[Known]]:
    """Return what is in each folder."""
    there = {}
    for folder in box.folders():
        seen = {each.uid: each for each in box.scan(folder.name).changed}
        listed = [
            Known(digest(item.raw), seen[uid].flags & {SEEN, ANSWERED, FLAGGED}, int(seen[uid].arrived))
            for uid, entry in box.entries(folder.name, sorted(seen))
            for item in load(entry)
        ]
        there[folder.name] = Counter(listed)
    return there


def together(there: dict[str, Counter[Known]]) -> Counter[Known]:
    """Return what is in all folders."""
    return sum(there.values(), Counter())


def spam_to_be_moved(count: int, every: int = 2) -> int:
    """Say how many of the messages that `fill` made are to be filed."""
    return sum(is_spam(number, every) and number % 10 != 1 for number in range(count))


def sort(home: Path) -> subprocess.Popen[bytes]:
    """Start sorting."""
    return subprocess.Popen(line_of("mailbox", "sort", "--no-learn", home=home), env=ENVIRONMENT)


def killed_at_random(home: Path, kills: int, longest: float, dice: random.Random, after: Callable[[], None]) -> int:
    """Kill a sort so many times, each at a random moment of its run, and say how often it was still running."""
    running = 0
    for _ in range(kills):
        with sort(home) as process:
            try:
                process.wait(dice.uniform(0.05, longest))
            except subprocess.TimeoutExpired:
                running += 1
                process.send_signal(signal.SIGKILL)
        after()
    return running
