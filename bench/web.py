"""The page with 100,000 messages in its history: server time of the list, its filters and orders, and the overview.

Bar: the median of each address is below 50 ms, from the request's first byte to the answer's last, over loopback, with
the pages asked for in turn. Times hold for this machine; what else runs on it makes them longer.

    python bench/web.py [--messages 100000] [--rounds 30]
"""

import argparse
import asyncio
import http.client
import random
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from thresher.boxes import Item
from thresher.build import build_engine, build_verdicts
from thresher.config import Settings
from thresher.demo import messages
from thresher.engine import Teaching
from thresher.history import header
from thresher.mail.mime import parse
from thresher.prepare import prepare
from thresher.serve.daemon import Daemon, Listener
from thresher.serve.http import conversation
from thresher.serve.scanner import Scanner
from thresher.store.people import People, Role
from thresher.store.verdict_schema import Judged
from thresher.values import Judgement, Label, Verdict
from thresher.web.app import application
from thresher.web.entry import account_of

BAR: Final = 0.050
TAUGHT: Final = 1000
DIFFERENT: Final = 2000
"""Messages made; the history repeats them with other digests, times and scores."""
DAY: Final = 86400
PATHS: Final = (
    "/",
    "/messages",
    "/messages?verdict=spam",
    "/messages?verdict=unsure&known=nothing",
    "/messages?q=invoice",
    "/messages?q=no+such+words",
    "/messages?sort=doubt&dir=down",
    "/messages?sort=log_odds&dir=up",
    "/messages?sort=sender&dir=up",
    "/messages?folder=Lists",
    "/messages?least=0.4&most=0.6",
    "/messages/50000",
    "/review",
    "/learning",
)


def main() -> int:
    """Run it; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=30)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder) / "home")
        print(f"making a history of {asked.messages:,} messages", file=sys.stderr)
        fill(settings, asked.messages)
        with People(settings.home) as people:
            people.put(account_of("owner", "correct horse battery", Role.ADMINISTRATOR, "local"))
            secret = people.begin("owner")
        with served(settings) as port:
            times = ask(port, secret, asked.rounds, asked.messages)
    return report(times)


def fill(settings: Settings, count: int) -> None:
    """Teach a thousand messages and write a history."""
    made = list(islice(messages(DIFFERENT, 11), DIFFERENT))
    engine = build_engine(settings)
    try:
        engine.load()
        prepared = prepare([Item("", each.raw) for each in made], engine.view.hasher)
        engine.learn([Teaching(m, each.label) for m, each in zip(prepared[:TAUGHT], made, strict=False)])
        engine.rebuild()
    finally:
        engine.journal.close()
    parsed = [parse(each.raw) for each in made]
    names = [(header(message, b"from"), header(message, b"subject")) for message in parsed]
    dice, now = random.Random(5), time.time()
    with build_verdicts(settings) as verdicts:
        for first in range(0, count, 2000):
            rows = []
            for number in range(first, min(first + 2000, count)):
                which = number % DIFFERENT
                p = dice.betavariate(0.2, 0.2)
                verdict = Verdict.SPAM if p > 0.9 else Verdict.UNSURE if p > 0.5 else Verdict.HAM
                sender, subject = names[which]
                rows.append(
                    Judged(
                        digest=number.to_bytes(16),
                        judgement=Judgement(verdict, p, 10 * (p - 0.5)),
                        stream=prepared[which].stream,
                        time=now - (count - number) * 365 * DAY / count,
                        user="local",
                        via="milter",
                        folder=("", "Junk", "Lists", "Work")[number % 4],
                        sender=sender,
                        subject=subject,
                        size=len(made[which].raw),
                        head=made[which].raw,
                        label=(None, None, None, Label.HAM, Label.SPAM)[number % 5],
                    )
                )
            verdicts.add(rows)


@contextmanager
def served(settings: Settings) -> Iterator[int]:
    """Serve the page in a thread."""
    scanner = Scanner(settings)
    bound = socket.create_server(("127.0.0.1", 0))
    begun: list[tuple[asyncio.AbstractEventLoop, Daemon]] = []
    ready = threading.Event()

    async def run() -> None:
        daemon = Daemon(scanner, [Listener("page", conversation(application), bound)])
        begun.append((asyncio.get_running_loop(), daemon))
        ready.set()
        await daemon.run(5.0)

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    ready.wait()
    try:
        yield bound.getsockname()[1]
    finally:
        loop, daemon = begun[0]
        loop.call_soon_threadsafe(daemon.stop)
        thread.join()
        scanner.close()


def ask(port: int, secret: str, rounds: int, count: int) -> dict[str, list[float]]:
    """Ask for every page in turn, and walk on through the list from its middle."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def get(path: str) -> bytes:
        connection.request("GET", path, headers={"cookie": f"thresher-session={secret}"})
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {body[:200]!r}")
        return body

    deep = "/messages?" + _deep(count)
    paths = [path.replace("50000", str(count // 2)) for path in PATHS] + [deep]
    times: dict[str, list[float]] = {path: [] for path in paths}
    for turn in range(rounds + 1):
        for path in paths:
            begun = time.perf_counter()
            get(path)
            # The first turn fills caches, the system's and ours.
            if turn:
                times[path].append(time.perf_counter() - begun)
    connection.close()
    return times


def _deep(count: int) -> str:
    """Return the address of a page in the middle of the list."""
    import base64
    import json
    from urllib.parse import urlencode

    middle = time.time() - 365 * DAY / 2
    return urlencode({"after": base64.urlsafe_b64encode(json.dumps([middle, count // 2]).encode()).decode()})


def report(times: dict[str, list[float]]) -> int:
    """Print the table; 1 if a bar is missed."""
    print(f"{'median ms':>10} {'95 % ms':>9}  page")
    missed = 0
    for path, taken in times.items():
        middle = median(taken)
        missed += middle >= BAR
        late = quantiles(taken, n=20)[-1]
        print(f"{1000 * middle:>10.1f} {1000 * late:>9.1f}  {path}{'  above the bar' if middle >= BAR else ''}")
    print(f"bar: every median below {1000 * BAR:.0f} ms: {'missed' if missed else 'met'}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
