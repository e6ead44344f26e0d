"""Messages through a real Postfix while workers are killed; ends with 1 if one is lost, doubled or altered.

    sudo python bench/milter_kills.py [--messages 10000] [--every 2]

Twice: with `milter_default_action = accept`, and with `tempfail`, where whoever sends tries again as mail servers do.
Postfix, the daemon with two workers, and four senders run here; every so many seconds a worker is killed (-9).
"""

import argparse
import os
import queue
import signal
import smtplib
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

if not __package__:  # run as a program: what stands beside it is bench.*, as it is to tests and types
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.cli.making import ham, spam
from tests.e2e.postfix import Postfix
from tests.e2e.test_postfix import both, without_what_was_added
from tests.serve.making import taught_home
from tests.serve.running import Running

SENDERS = 4
WORKERS = 2
FILLER = b"and so on and so on, in lines that are as long as lines of mail are\n" * 70
"""Makes a message 5 KB long."""
PATIENCE = 300.0


class Outcome(NamedTuple):
    """What became of the messages."""

    sent: int
    delivered: int
    distinct: int
    altered: int
    tagged: int
    refused: int
    """Answers that put a message off."""
    killed: int
    seconds: float

    @property
    def kept(self) -> bool:
        """Whether every message arrived, once, as it was sent."""
        return self.sent == self.delivered == self.distinct and not self.altered and self.killed > 0


def message(number: int) -> bytes:
    """Write a message of 5 KB that has a number."""
    return b"X-Number: %d\n" % number + (spam(number) if number % 2 else ham(number)) + FILLER


def send(server: Postfix, numbers: "queue.Queue[int]", refused: Counter[str]) -> None:
    """Send messages over one session after the other, each until it is taken."""
    while True:
        try:
            number = numbers.get_nowait()
        except queue.Empty:
            return
        raw = message(number).replace(b"\n", b"\r\n")
        while True:
            try:
                with smtplib.SMTP("127.0.0.1", server.port, timeout=60) as client:
                    client.sendmail("bob@away.example", ["alice@home.example"], raw)
                break
            except (smtplib.SMTPResponseException, smtplib.SMTPServerDisconnected, smtplib.SMTPRecipientsRefused):
                refused["times"] += 1
                time.sleep(0.05)


def kill(daemon: Running, every: float, enough: threading.Event) -> None:
    """Kill the worker that has served longest, again and again."""
    while not enough.wait(every):
        for worker in daemon.workers[:1]:
            os.kill(worker, signal.SIGKILL)


def run(count: int, every: float, action: str, folder: Path) -> Outcome:
    """Send the messages and look at what arrived."""
    settings = taught_home(folder / "home")
    numbers: queue.Queue[int] = queue.Queue()
    for number in range(count):
        numbers.put(number)
    refused: Counter[str] = Counter()
    enough = threading.Event()
    with both(settings, folder, workers=WORKERS, milter_default_action=action) as (daemon, server):
        killer = threading.Thread(target=kill, args=(daemon, every, enough))
        senders = [threading.Thread(target=send, args=(server, numbers, refused)) for _ in range(SENDERS)]
        begun = time.monotonic()
        for thread in (killer, *senders):
            thread.start()
        for thread in senders:
            thread.join()
        seconds = time.monotonic() - begun
        enough.set()
        killer.join()
        while len(os.listdir(server.folder / "mail" / "alice" / "new")) < count:  # noqa: PTH208 - 10,000 paths are not needed
            if time.monotonic() - begun - seconds > PATIENCE:
                break
            time.sleep(0.2)
        found = server.delivered()
        killed = daemon.log.count("was killed by SIGKILL and is replaced")
    wanted = {message(number) for number in range(count)}
    bare = [without_what_was_added(raw) for raw in found]
    tagged = sum(b"\nX-Thresher: " in raw for raw in found)
    altered = sum(raw not in wanted for raw in bare)
    return Outcome(count, len(found), len(set(bare)), altered, tagged, refused["times"], killed, seconds)


def main() -> int:
    """Run both and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--every", type=float, default=2.0, metavar="SECONDS", help="between two kills")
    given = parser.parse_args()
    print("action    sent  delivered  distinct  altered  tagged  put off  killed  seconds  bar")
    kept = True
    for action in ("accept", "tempfail"):
        with tempfile.TemporaryDirectory() as name:
            Path(name).chmod(0o755)
            outcome = run(given.messages, given.every, action, Path(name))
        kept = kept and outcome.kept
        print(
            f"{action:8} {outcome.sent:5}  {outcome.delivered:9}  {outcome.distinct:8}  {outcome.altered:7}  "
            f"{outcome.tagged:6}  {outcome.refused:7}  {outcome.killed:6}  {outcome.seconds:7.1f}  "
            f"all once, unaltered: {'kept' if outcome.kept else 'MISSED'}",
            flush=True,
        )
    return not kept


if __name__ == "__main__":
    sys.exit(main())
