"""The daemon beside others: latency of the milter, throughput of spamd and rspamd, memory of a worker; prints each bar.

    python bench/serving.py latency [--messages 3000] [--rate 100]
    python bench/serving.py spamc [--messages 2000]      beside SpamAssassin's spamd (Debian: spamassassin, spamd)
    python bench/serving.py checkv2 [--messages 2000]    beside rspamd (Debian: rspamd)
    python bench/serving.py memory [--messages 100000]
    python bench/serving.py lessons [--messages 100]     lessons given to one worker, used by the others

What is compared is asked in turn, in small portions, within one run: the machine's other work hits both alike. Ends
with 1 if a bar is missed. Real programs, real sockets, messages of 5 KB made up for this.
"""

import argparse
import queue
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles

if not __package__:  # run as a program: what stands beside it is bench.*, as it is to tests and types
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.cli.making import ham, spam
from tests.serve.making import taught_home
from tests.serve.running import Running, free_port, serving
from tests.serve.test_processes import client_of
from tests.serve.waiting import eventually
from thresher.config import Settings
from thresher.serve.client import Client, socket_of
from thresher.serve.protocol.milter import packet
from thresher.values import Label

FILLER = b"and so on and so on, in lines that are as long as lines of mail are\n" * 70
ALL_ACTIONS, ALL_STEPS = 0x1FF, 0x1FFFFF
PORTION = 20
"""Messages that one is asked before it is the other's turn."""
CLIENTS = 4
MEDIAN_MS, WORST_MS = 2.0, 10.0
SPAMD_TIMES, RSPAMD_TIMES = 50.0, 3.0
GROWTH, MOST_MB = 1.05, 200.0
USED_MS = 100.0
WORKERS = 3
FIRST = 10_000
"""Messages after which memory is looked at first."""


def message(number: int) -> bytes:
    """Write a message of 5 KB."""
    return (spam(number) if number % 2 else ham(number)) + b"%d " % (number * 7919) + FILLER


def told(name: str, figures: str, *, kept: bool) -> bool:
    """Print a line and its bar."""
    print(f"{name:<10} {figures}: {'kept' if kept else 'MISSED'}", flush=True)
    return kept


# milter ---------------------------------------------------------------------------------------------------------------


class MilterClient:
    """A mail server's side of a milter conversation."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._left = b""
        self._socket.sendall(packet(b"O", struct.pack(">III", 6, ALL_ACTIONS, ALL_STEPS)))
        self._until(b"O")

    def send(self, raw: bytes) -> float:
        """Have a message judged; return the seconds from its first byte to the answer."""
        head, _, body = raw.replace(b"\n", b"\r\n").partition(b"\r\n\r\n")
        fields = (line.partition(b":") for line in head.split(b"\r\n"))
        told = b"".join(
            [
                packet(b"M", b"<a@away.example>\0"),
                packet(b"R", b"<b@home.example>\0"),
                packet(b"T"),
                *(packet(b"L", name + b"\0" + value + b"\0") for name, _, value in fields),
                packet(b"N"),
                packet(b"B", body),
                packet(b"E"),
            ]
        )
        begun = time.perf_counter()
        self._socket.sendall(told)
        self._until(b"ac")
        return time.perf_counter() - begun

    def close(self) -> None:
        """Let the connection go."""
        self._socket.close()

    def _until(self, final: bytes) -> None:
        while True:
            while len(self._left) >= 5:
                [length] = struct.unpack(">I", self._left[:4])
                if len(self._left) < 4 + length:
                    break
                command, self._left = self._left[4:5], self._left[4 + length :]
                if command in final:
                    return
            data = self._socket.recv(1 << 16)
            if not data:
                raise ConnectionError("the milter closed the connection")
            self._left += data


@contextmanager
def null_milter(folder: Path) -> Iterator[Path]:
    """Run the milter that does nothing."""
    path = folder / "null.sock"
    with subprocess.Popen([sys.executable, str(Path(__file__).with_name("null_milter.py")), str(path)]) as process:
        try:
            eventually(path.exists)
            yield path
        finally:
            process.terminate()


def latency(folder: Path, count: int, rate: float) -> bool:
    """Measure what the milter adds to each message."""
    settings = taught_home(folder / "home")
    path = folder / "milter.sock"
    ours: list[float] = []
    nothing: list[float] = []
    with serving(settings, "--milter", f"unix:{path}", "--page", "none"), null_milter(folder) as null:
        clients = ((MilterClient(path), ours), (MilterClient(null), nothing))
        for client, _ in clients:
            for number in range(50):
                client.send(message(number))
        due = time.perf_counter()
        for number in range(count):
            due += 1 / rate
            time.sleep(max(0.0, due - time.perf_counter()))
            for client, seconds in clients:
                seconds.append(client.send(message(number)))
        for client, _ in clients:
            client.close()
    (half, worst), (null_half, null_worst) = (
        (median(times) * 1000, quantiles(times, n=100)[98] * 1000) for times in (ours, nothing)
    )
    figures = (
        f"{count} messages at {rate:g}/s: median {half:.2f} ms, 99 % {worst:.2f} ms; one that does nothing "
        f"{null_half:.2f} and {null_worst:.2f}; added {half - null_half:.2f} "
        f"(bar {MEDIAN_MS:g}) and {worst - null_worst:.2f} (bar {WORST_MS:g}); ratio {half / null_half:.1f}"
    )
    return told("latency", figures, kept=half - null_half < MEDIAN_MS and worst - null_worst < WORST_MS)


# throughput -----------------------------------------------------------------------------------------------------------


def together(ask: Callable[[bytes], object], raws: Sequence[bytes]) -> float:
    """Ask for all messages with some clients at once; return the seconds."""
    waiting: queue.Queue[bytes] = queue.Queue()
    for raw in raws:
        waiting.put(raw)

    def work() -> None:
        while True:
            try:
                raw = waiting.get_nowait()
            except queue.Empty:
                return
            ask(raw)

    threads = [threading.Thread(target=work) for _ in range(CLIENTS)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - begun


def compared(ours: Callable[[bytes], object], theirs: Callable[[bytes], object], count: int, times: int) -> list[float]:
    """Ask in turn, them once for every `times` messages of ours; return messages a second of each."""
    seconds, done = [0.0, 0.0], [0, 0]
    number = 0
    for ask in (ours, theirs):
        together(ask, [message(each) for each in range(8)])
    while done[0] < count:
        for index, (ask, portion) in enumerate(((ours, PORTION * times), (theirs, PORTION))):
            raws = [message(number + each) for each in range(portion)]
            number += portion
            seconds[index] += together(ask, raws)
            done[index] += portion
    return [done[index] / seconds[index] for index in (0, 1)]


def by_spamc(port: int) -> Callable[[bytes], object]:
    """Ask with the real spamc, a process a message."""

    def ask(raw: bytes) -> None:
        line = ["spamc", "-x", "-c", "-d", "127.0.0.1", "-p", str(port)]
        ran = subprocess.run(line, input=raw, capture_output=True, check=False)
        assert ran.returncode in {0, 1}, ran

    return ask


def by_connection(port: int) -> Callable[[bytes], object]:
    """Ask as spamc does, without starting a process."""

    def ask(raw: bytes) -> None:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"CHECK SPAMC/1.5\r\nContent-length: %d\r\n\r\n" % len(raw) + raw)
            connection.shutdown(socket.SHUT_WR)
            reply = b""
            while data := connection.recv(1 << 16):
                reply += data
        assert b"\r\nSpam: " in reply, reply

    return ask


@contextmanager
def spamd(folder: Path, program: str) -> Iterator[int]:
    """Run SpamAssassin's spamd: Bayes, taught what our home was, and the local rules, without a network."""
    settings = folder / "sa.cf"
    (folder / "bayes").mkdir()
    settings.write_text(
        "use_bayes 1\nbayes_auto_learn 0\ndns_available no\nskip_rbl_checks 1\n"
        "bayes_min_ham_num 1\nbayes_min_spam_num 1\n"
        f"bayes_path {folder}/bayes/b\nbayes_file_mode 0777\n"
    )
    for kind, make in (("ham", ham), ("spam", spam)):
        (folder / kind).mkdir()
        for number in range(20):
            (folder / kind / str(number)).write_bytes(make(number))
        line = ["sa-learn", "-L", "-p", str(settings), f"--{kind}", str(folder / kind)]
        subprocess.run(line, check=True, capture_output=True)
    for path in (folder, folder / "bayes", *(folder / "bayes").iterdir()):
        shutil.chown(path, "debian-spamd")
    port = free_port()
    line = [program, "-L", "-x", "-u", "debian-spamd", "-p", str(port), "--cf", f"include {settings}", "-m", "1"]
    log = (folder / "spamd.log").open("wb")
    with subprocess.Popen([*line, "-s", "stderr"], stderr=log, stdout=log) as process:
        try:
            eventually(lambda: listens(port), 120)
            yield port
        finally:
            process.terminate()


def listens(port: int) -> bool:
    """Say whether somebody listens."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def spamc(folder: Path, count: int, program: str) -> bool:
    """Measure spamd's protocol beside SpamAssassin's."""
    settings = taught_home(folder / "home")
    port = free_port()
    theirs_in = folder / "sa"
    theirs_in.mkdir()
    with (
        serving(settings, "--spamd", f":{port}", "--page", "none"),
        spamd(theirs_in, program) as theirs,
    ):
        direct = compared(by_connection(port), by_connection(theirs), count, 10)
        started = compared(by_spamc(port), by_spamc(theirs), count, 10)
    kept = True
    for name, (ours, other) in (("connection", direct), ("spamc", started)):
        times = ours / other
        figures = f"{ours:.0f} messages/s against {other:.1f}: {times:.0f} times (bar {SPAMD_TIMES:g})"
        kept = told(name, figures, kept=times >= SPAMD_TIMES) and kept
    return kept


RSPAMD = """\
options {{ pidfile = "{folder}/pid"; filters = ""; dns {{ nameserver = ["127.0.0.1:1"]; }} }}
logging {{ type = "file"; filename = "{folder}/log"; level = "error"; }}
worker "normal" {{ bind_socket = "127.0.0.1:{port}"; count = 1; }}
worker "controller" {{ bind_socket = "127.0.0.1:{controller}"; count = 1; secure_ip = "127.0.0.1"; }}
classifier "bayes" {{
  tokenizer {{ name = "osb"; }}
  backend = "sqlite3";
  min_learns = 1;
  min_tokens = 1;
  statfile {{ symbol = "BAYES_HAM"; path = "{folder}/ham.sqlite"; spam = false; }}
  statfile {{ symbol = "BAYES_SPAM"; path = "{folder}/spam.sqlite"; spam = true; }}
}}
"""


@contextmanager
def rspamd(folder: Path) -> Iterator[int]:
    """Run rspamd with nothing but Bayes, taught what our home was, and one worker."""
    port, controller = free_port(), free_port()
    (folder / "rspamd.conf").write_text(RSPAMD.format(folder=folder, port=port, controller=controller))
    shutil.chown(folder, "_rspamd")
    line = ["rspamd", "-f", "-u", "_rspamd", "-g", "_rspamd", "-c", str(folder / "rspamd.conf")]
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            eventually(lambda: listens(port) and listens(controller), 60)
            for command, make in (("learn_spam", spam), ("learn_ham", ham)):
                for number in range(20):
                    line = ["rspamc", "-h", f"127.0.0.1:{controller}", command]
                    subprocess.run(line, input=make(number), check=True, capture_output=True)
            yield port
        finally:
            process.terminate()


def by_http(port: int, symbols: set[str]) -> Callable[[bytes], object]:
    """Ask /checkv2, a connection a thread, kept."""
    own = threading.local()

    def ask(raw: bytes) -> None:
        if not hasattr(own, "connection"):
            own.connection = HTTPConnection("127.0.0.1", port)
        own.connection.request("POST", "/checkv2", raw)
        response = own.connection.getresponse()
        body = response.read()
        assert response.status == 200, body
        symbols.update(re.findall(r"BAYES_\w+", body.decode()))

    return ask


def checkv2(folder: Path, count: int) -> bool:
    """Measure /checkv2 beside rspamd."""
    settings = taught_home(folder / "home")
    port = free_port()
    theirs_in = folder / "rspamd"
    theirs_in.mkdir()
    symbols: tuple[set[str], set[str]] = (set(), set())
    with serving(settings, "--http", f":{port}", "--page", "none"), rspamd(theirs_in) as theirs:
        ours, other = compared(by_http(port, symbols[0]), by_http(theirs, symbols[1]), count, 1)
    times = ours / other
    figures = (
        f"{ours:.0f} messages/s against rspamd's {other:.0f} (its symbols: {', '.join(sorted(symbols[1])) or 'none'}): "
        f"{times:.2f} times (bar {RSPAMD_TIMES:g})"
    )
    return told("checkv2", figures, kept=times >= RSPAMD_TIMES)


# memory ---------------------------------------------------------------------------------------------------------------


def resident(pid: int) -> float:
    """Return a process's resident memory, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


def memory(folder: Path, count: int) -> bool:
    """Watch a worker's memory over many messages; the model is the usual size."""
    settings: Settings = taught_home(folder / "home")
    path = folder / "milter.sock"
    given = {"THRESHER_BITS": "20"}
    with serving(settings, "--milter", f"unix:{path}", "--page", "none", environment=given) as daemon:
        first, last = watched(daemon, path, count)
    figures = (
        f"{first:.1f} MB after {FIRST} messages, {last:.1f} MB after {count}: {last / first:.3f} times "
        f"(bar {GROWTH:g}), at most {MOST_MB:g} MB"
    )
    return told("memory", figures, kept=last <= first * GROWTH and last <= MOST_MB)


def watched(daemon: Running, path: Path, count: int) -> tuple[float, float]:
    """Send messages over a few sessions; return the memory after the first of them and at the end."""
    [worker] = daemon.workers
    first = 0.0
    clients = [MilterClient(path) for _ in range(CLIENTS)]
    for number in range(count):
        clients[number % CLIENTS].send(message(number))
        if number + 1 == min(FIRST, count // 2):
            first = resident(worker)
    last = resident(worker)
    for client in clients:
        client.close()
    return first, last


# lessons --------------------------------------------------------------------------------------------------------------


def lessons(folder: Path, count: int) -> bool:
    """Measure how long a lesson given to one worker takes to be used by the others."""
    settings = taught_home(folder / "home")
    path = folder / "milter.sock"
    taken: list[float] = []
    with serving(settings, "--milter", f"unix:{path}", "--page", "none", workers=WORKERS) as daemon:
        clients = [client_of(daemon, worker, path) for worker in daemon.workers]
        teacher = Client(socket_of(settings.home))
        for number in range(count):
            raw = spam(5000 + number)
            before = [client.verdict(raw) for client in clients]
            # In turn, so that each lesson moves the score by something that shows.
            teacher.learn(raw, (Label.HAM, Label.SPAM)[number % 2], "bench", "bench")
            begun = time.perf_counter()
            waiting = list(zip(clients, before, strict=True))
            while waiting:
                waiting = [(client, was) for client, was in waiting if client.verdict(raw) == was]
            taken.append((time.perf_counter() - begun) * 1000)
            time.sleep(0.05 + number % 7 / 100)
        for client in clients:
            client.close()
        teacher.close()
    figures = (
        f"{count} lessons, used by all {WORKERS} workers after the receipt: median {median(taken):.0f} ms, "
        f"longest {max(taken):.0f} ms (bar {USED_MS:g})"
    )
    return told("lessons", figures, kept=max(taken) <= USED_MS)


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["latency", "spamc", "checkv2", "memory", "lessons"])
    parser.add_argument("--messages", type=int)
    parser.add_argument("--rate", type=float, default=100.0)
    parser.add_argument("--spamd", default="/usr/sbin/spamd", metavar="PROGRAM")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        match given.what:
            case "latency":
                kept = latency(folder, given.messages or 3000, given.rate)
            case "spamc":
                kept = spamc(folder, given.messages or 2000, given.spamd)
            case "checkv2":
                kept = checkv2(folder, given.messages or 2000)
            case "lessons":
                kept = lessons(folder, given.messages or 100)
            case _:
                kept = memory(folder, given.messages or 100_000)
    return not kept


if __name__ == "__main__":
    sys.exit(main())
