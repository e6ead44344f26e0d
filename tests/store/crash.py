"""Kill a process at random moments of its work and see what is left: ``-m tests.store.crash WHAT FOLDER KILLS SEED``.

After each kill the journal must be in the state after the last step the process acknowledged, or after the one it was
at: that step is there wholly or not at all. A step follows from its number alone, so both sides know what it does.
"""

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count, cycle
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tests.store.making import HAM, SPAM, digest, lesson
from thresher.store.journal import JournalError, Selection
from thresher.store.snapshot import load, save
from thresher.store.sqlite import SqliteJournal
from thresher.store.sqlite_copy import restore, verify
from thresher.values import Lesson

MESSAGES = 24
NUMBERS_A_SNAPSHOT = 30_000


class State(NamedTuple):
    """What a journal must hold."""

    rows: dict[int, Lesson]
    last_id: int
    ended: int

    def learned(self, given: list[Lesson]) -> "State":
        rows, last_id, ended = dict(self.rows), self.last_id, self.ended
        for each in given:
            said = [at for at, kept in rows.items() if (kept.digest, kept.user) == (each.digest, each.user)]
            if said and rows[said[0]].label == each.label:
                continue
            for at in said:
                del rows[at]
            last_id, ended = last_id + 1, ended + len(said)
            rows[last_id] = each
        return State(rows, last_id, ended)

    def forgotten(self, digests: list[bytes], user: str | None) -> "State":
        rows = {
            at: kept for at, kept in self.rows.items() if kept.digest not in digests or user not in {None, kept.user}
        }
        return State(rows, self.last_id, self.ended + len(self.rows) - len(rows))


class Step(NamedTuple):
    """One thing a process does to a home, and what that makes of a journal's state."""

    do: Callable[[Path], object]
    becomes: Callable[[State], State]


def journal_step(seed: int, number: int) -> Step:
    """Learn, correct, forget, save a snapshot, make a backup, or close and open again."""
    dice = random.Random(f"{seed} {number}")

    def some_lesson() -> Lesson:
        stream = dice.randbytes(dice.choice([20, 2_000, 30_000]))
        return lesson(dice.randrange(MESSAGES), dice.choice([HAM, SPAM]), user=dice.choice("ab"), stream=stream)

    kind = dice.choices(["learn", "forget", "snapshot", "backup", "open"], [10, 5, 3, 1, 1])[0]
    match kind:
        case "learn":
            given = [some_lesson() for _ in range(dice.randrange(1, 7))]
            return Step(lambda home: opened(home).append(given), lambda state: state.learned(given))
        case "forget":
            digests = [digest(dice.randrange(MESSAGES)) for _ in range(dice.randrange(1, 6))]
            user = dice.choice(["a", None])
            selection = Selection(digests=tuple(digests), user=user)
            return Step(lambda home: opened(home).forget(selection), lambda state: state.forgotten(digests, user))
        case "snapshot":
            return Step(lambda home: save_snapshot(home, number), unchanged)
        case "backup":
            return Step(lambda home: opened(home).backup(home / "backup"), unchanged)
    return Step(lambda home: opened(home, anew=True), unchanged)


def unchanged(state: State) -> State:
    return state


OPEN: dict[Path, SqliteJournal] = {}


def opened(home: Path, *, anew: bool = False) -> SqliteJournal:
    """Keep a process's journal open from step to step."""
    if anew and home in OPEN:
        OPEN.pop(home).close()
    if home not in OPEN:
        OPEN[home] = SqliteJournal(home / "journal.sqlite3")
    return OPEN[home]


def save_snapshot(home: Path, number: int) -> None:
    save(home / "snapshot", {"step": number}, {"steps": np.full(NUMBERS_A_SNAPSHOT, number)})


def check_snapshot(home: Path) -> bool:
    """Say if there is one; whatever moment the process died at, it is whole."""
    if not (home / "snapshot").exists():
        return False
    header, arrays = load(home / "snapshot")
    assert (arrays["steps"] == header["step"]).all()
    assert len(arrays["steps"]) == NUMBERS_A_SNAPSHOT
    return True


class Killer:
    """Lets processes take steps and kills them, each at another moment of a step."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        # How long a step takes, a running mean: a moment within a step is one on a busy machine too.
        self.step = 0.001

    def run_and_kill(self, home: Path, steps: Iterator[Step], most: int) -> int:
        """Kill a process somewhere in its first `most` steps or soon after; give how many it acknowledged."""
        read_end, write_end = os.pipe()
        process = os.fork()
        if process == 0:
            try:
                for step in steps:
                    step.do(home)
                    os.write(write_end, b".")
            finally:
                os._exit(1)
        os.close(write_end)
        with os.fdopen(read_end, "rb") as acknowledgements:
            heard = 0
            for _ in range(self.dice.randrange(most + 1)):
                began = time.monotonic()
                heard += len(acknowledgements.read(1))
                self.step += 0.1 * (time.monotonic() - began - self.step)
            time.sleep(self.dice.uniform(0, 2 * self.step))
            os.kill(process, signal.SIGKILL)
            _, status = os.waitpid(process, 0)
            assert os.WIFSIGNALED(status), "it ended by itself"
            return heard + len(acknowledgements.read())


def state_of(home: Path) -> State:
    """Read a journal through."""
    with SqliteJournal(home / "journal.sqlite3") as journal:
        assert journal.integrity_check() == []
        rows = dict(journal.rows())
        _, generation, last_id = journal.position()
        assert journal.labels().ids.tolist() == list(rows)
        assert journal.counts() == (
            sum(kept.label == HAM for kept in rows.values()),
            sum(kept.label == SPAM for kept in rows.values()),
        )
        return State(rows, last_id, generation)


def kill_at_work(folder: Path, kills: int, seed: int) -> dict[str, int]:
    """Kill at learning, forgetting, snapshots and backups; every tenth time in a new home."""
    killer = Killer(random.Random(seed))
    tally = dict.fromkeys(("kills", "steps", "cut short", "finished unheard", "snapshots", "backups"), 0)
    home, state, number = folder, State({}, 0, 0), 0
    for kill in range(kills):
        if kill % 10 == 0:
            home, state = folder / f"home-{kill}", State({}, 0, 0)
        steps = (journal_step(seed, at) for at in count(number))
        acknowledged = killer.run_and_kill(home, steps, 4)
        for at in range(number, number + acknowledged):
            state = journal_step(seed, at).becomes(state)
        number += acknowledged
        after = journal_step(seed, number).becomes(state)
        number += 1
        found = state_of(home)
        assert found in {"acknowledged": state, "in flight": after}.values(), f"kill {kill}, step {number}"
        tally["cut short"] += found == state != after
        tally["finished unheard"] += found == after != state
        state = found
        tally["kills"] += 1
        tally["steps"] += acknowledged
        tally["snapshots"] += check_snapshot(home)
        if (home / "backup").exists():
            verify(home / "backup")
            tally["backups"] += 1
    return tally


def restoring(backup: Path) -> Step:
    """Restore a backup; the state it makes is known without folding."""
    return Step(lambda home: restore(backup, home / "journal.sqlite3"), unchanged)


def kill_at_restoring(folder: Path, kills: int, seed: int) -> dict[str, int]:
    """Kill at restoring two backups in turn, over a sound journal and over a damaged one."""
    dice = random.Random(seed)
    killer = Killer(dice)
    backups = [folder / name for name in "01"]
    states = []
    for which, backup in enumerate(backups):
        with SqliteJournal(folder / f"source-{which}") as journal:
            journal.append([lesson(number, stream=dice.randbytes(5000)) for number in range(which * 9, which * 9 + 30)])
            journal.backup(backup)
            states.append(dict(journal.rows()))
    tally = dict.fromkeys(("kills", "steps", "kept", "damaged"), 0)
    for kill in range(kills):
        home = folder / f"home-{kill}"
        file = home / "journal.sqlite3"
        restore(backups[1], file)
        damaged = kill % 3 == 0
        if damaged:
            file.write_bytes(b"damaged" + file.read_bytes()[7:])
        first = file.read_bytes()
        acknowledged = killer.run_and_kill(home, map(restoring, cycle(backups)), 2)
        allowed = [states[(acknowledged + 1) % 2], states[acknowledged % 2]]
        kept = [path for path in home.iterdir() if ".kept-" in path.name]
        assert len(kept) >= acknowledged
        try:
            assert state_of(home).rows in allowed
        except JournalError:
            assert damaged
            assert acknowledged == 0
            assert file.read_bytes() == first
            tally["damaged"] += 1
        if damaged and kept:
            assert first in [path.read_bytes() for path in kept]
        tally["kills"] += 1
        tally["steps"] += acknowledged
        tally["kept"] += len(kept)
    return tally


if __name__ == "__main__":
    what = {"work": kill_at_work, "restore": kill_at_restoring}[sys.argv[1]]
    sys.stdout.write(json.dumps(what(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))))
