"""How long new spam takes from its delivery to the folder for spam under `thresher mailbox watch`.

    python bench/mailbox_watch.py [--messages 50] [--inbox 2000]

On a Maildir and on an account of a real Dovecot, the inbox already holding some mail. The bar: 2 s, median.
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.cli.making import ham, spam
from tests.mailbox.living import NEW, Living, imap_account, maildir_account
from tests.servers.dovecot import HOST, USER, dovecot
from thresher.boxes.imap_login import Security, Server

BAR = 2.0
LOOK_EVERY = 0.01


def measured(living: Living, messages: int, inbox: int) -> list[float]:
    """Return the seconds that each message took."""
    for number in range(inbox):
        living.deliver(ham(100_000 + number))
    seconds = []
    with living.watched():
        for number in range(messages):
            start = time.monotonic()
            living.deliver(spam(NEW + number))
            while len(living.person.scan("Junk").uids or ()) <= number:
                time.sleep(LOOK_EVERY)
            seconds.append(time.monotonic() - start)
    living.person.close()
    return seconds


def main() -> int:
    """Measure both and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=50)
    parser.add_argument("--inbox", type=int, default=2000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, dovecot() as server:
        folder = Path(name)
        livings = {
            "Maildir": Living(maildir_account(folder, "maildir"), folder),
            "IMAP": Living(imap_account(Server(HOST, USER, server.imap, Security.NONE), "imap"), folder),
        }
        found = {kind: sorted(measured(living, given.messages, given.inbox)) for kind, living in livings.items()}
    print("| seconds | median | 90 % | longest |\n|---|---:|---:|---:|")
    for kind, seconds in found.items():
        most = seconds[int(len(seconds) * 0.9)]
        print(f"| {kind} | {statistics.median(seconds):.2f} | {most:.2f} | {seconds[-1]:.2f} |")
    held = all(statistics.median(seconds) < BAR for seconds in found.values())
    print(f"\nbar: a median under {BAR:g} s: {'held' if held else 'NOT held'}")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
