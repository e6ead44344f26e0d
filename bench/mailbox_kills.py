"""`thresher mailbox sort` on an IMAP inbox of a real Dovecot, killed (-9) again and again, and run once more.

    python bench/mailbox_kills.py [--messages 5000] [--kills 50] [--without-move] [--maildir]

The bar: every message is there exactly once, with its flags and its date. Half of the kills come at any moment of a
run, half as soon as messages are being moved, 0 to 60 ms later. After each kill it is checked that nothing is lost.
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.mailbox.kills import Known, fill, found, sort, spam_to_be_moved, together
from tests.mailbox.living import Living, imap_account, maildir_account
from tests.mailbox.test_kills import WITHOUT_MOVE
from tests.servers.dovecot import HOST, USER, Options, dovecot
from thresher.boxes.imap_login import Security, Server
from thresher.boxes.mailbox import INBOX
from thresher.filing.state import Status

EVERY = 5
"""One in five is wanted: many moves, so that many kills hit one."""
SOON = 0.06
LONGEST = 6.0


@contextmanager
def somebody(folder: Path, *, without_move: bool, maildir: bool) -> Iterator[Living]:
    """Give a person with an empty mailbox."""
    with ExitStack() as stack:
        if maildir:
            account = maildir_account(folder)
        else:
            server = stack.enter_context(dovecot(Options(more=WITHOUT_MOVE if without_move else "")))
            account = imap_account(Server(HOST, USER, server.imap, Security.NONE))
        living = Living(account, folder)
        stack.callback(living.person.close)
        yield living


def killed(living: Living, dice: random.Random, *, soon: bool) -> bool:
    """Kill one run; say if it was still running."""
    with living.state() as state, sort(living.home) as process:
        before = len(state.moves())
        if soon:
            while process.poll() is None and len(state.moves()) == before:
                time.sleep(0.002)
            time.sleep(dice.uniform(0, SOON))
        else:
            try:
                process.wait(dice.uniform(0.05, LONGEST))
            except subprocess.TimeoutExpired:
                pass
            else:
                return False
        running = process.poll() is None
        process.send_signal(signal.SIGKILL)
        return running


def main() -> int:
    """Fill, kill, check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=5000)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--without-move", action="store_true", help="a server whose moves are a copy and a removal")
    parser.add_argument("--maildir", action="store_true", help="a Maildir instead")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    dice = random.Random(given.seed)
    with (
        tempfile.TemporaryDirectory() as name,
        somebody(Path(name), without_move=given.without_move, maildir=given.maildir) as living,
    ):
        known = fill(living.person, given.messages, EVERY)
        counts = Counter[str]()
        for number in range(given.kills):
            counts["while it ran"] += killed(living, dice, soon=number % 2 == 0)
            with living.state() as state:
                counts["in the middle of a move"] += bool(state.moves(status=Status.BEGUN))
            there = together(found(living.person))
            counts["messages lost after a kill"] += sum((known - there).values())
            counts["messages in both folders after a kill"] += sum((there - known).values())
        code = sort(living.home).wait()
        return report(given, known, found(living.person), counts, code)


def report(
    given: argparse.Namespace, known: Counter[Known], there: dict[str, Counter[Known]], counts: Counter[str], code: int
) -> int:
    """Print the table; return 0 if the bar is held."""
    everything = together(there)
    lost, doubled = sum((known - everything).values()), sum((everything - known).values())
    print(f"| {given.messages} messages, {given.kills} kills | |\n|---|---:|")
    for what, count in counts.items():
        print(f"| {what} | {count} |")
    print(f"| exit code of the last run | {code} |")
    print(f"| at the end in Junk | {there['Junk'].total()} of {spam_to_be_moved(given.messages, EVERY)} |")
    print(f"| at the end in the inbox | {there[INBOX].total()} |")
    print(f"| at the end lost, or with other flags or another date | {lost} |")
    print(f"| at the end there twice | {doubled} |")
    held = code == lost == doubled == 0 and not counts["messages lost after a kill"]
    print(f"\nbar: every message exactly once, flags and dates kept: {'held' if held else 'NOT held'}")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
