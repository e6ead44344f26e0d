"""The daemon as a whole: workers replaced, settings read again, an end without a connection dropped."""

import json
import os
import re
import signal
import socket
import struct
import sys
from pathlib import Path

import pytest

from tests.cli.making import ham, spam
from tests.cli.running import program, run
from tests.serve.making import TAUGHT, teach
from tests.serve.running import Running, serving, started
from tests.serve.waiting import eventually
from thresher.build import JOURNAL
from thresher.config import Settings
from thresher.serve.protocol.milter import packet
from thresher.store.tuned import switched, write_tuned
from thresher.values import Label

NEW = TAUGHT + 5
OFFER = packet(b"O", struct.pack(">III", 6, 0x1FF, 0x1FFFFF))


class Client:
    """The least of a mail server."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(str(path))
        self.socket.sendall(OFFER)
        self.answer()

    def answer(self) -> bytes:
        return self._read(int.from_bytes(self._read(4), "big"))

    def _read(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            piece = self.socket.recv(size - len(found))
            if not piece:
                raise ConnectionError("the daemon closed the connection")
            found += piece
        return found

    def verdict(self, raw: bytes) -> str:
        """Have a message judged and return its X-Thresher."""
        head, _, body = raw.partition(b"\n\n")
        for line in head.split(b"\n"):
            name, _, value = line.partition(b":")
            self.socket.sendall(packet(b"L", name + b"\0" + value + b"\0"))
        self.socket.sendall(packet(b"B", body.replace(b"\n", b"\r\n")) + packet(b"E"))
        told = ""
        while (answer := self.answer()) != b"a":
            if answer.startswith(b"hX-Thresher\0"):
                told = answer.split(b"\0")[1].decode()
        return told

    def close(self) -> None:
        self.socket.close()


def verdict(path: Path, raw: bytes) -> str:
    client = Client(path)
    try:
        return client.verdict(raw)
    finally:
        client.close()


def client_of(daemon: Running, worker: int, path: Path) -> Client:
    """Connect to one of the workers, while the others sleep."""
    others = [pid for pid in daemon.workers if pid != worker]
    for pid in others:
        os.kill(pid, signal.SIGSTOP)
    client = Client(path)
    for pid in others:
        os.kill(pid, signal.SIGCONT)
    return client


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "milter.sock"


def test_a_worker_that_is_killed_is_replaced_and_connections_wait_for_it(settings: Settings, path: Path) -> None:
    with serving(settings, "--milter", f"unix:{path}") as daemon:
        for _ in range(5):
            [worker] = daemon.workers
            os.kill(worker, signal.SIGKILL)
            assert verdict(path, spam(NEW)).startswith(" spam")
        assert daemon.log.count("was killed by SIGKILL and is replaced") == 5


def test_workers_share_the_work_and_a_lesson_given_anywhere_is_used_by_all(settings: Settings, path: Path) -> None:
    with serving(settings, "--milter", f"unix:{path}", workers=3) as daemon:
        assert len(daemon.workers) == 3
        clients = [client_of(daemon, worker, path) for worker in daemon.workers]
        before = {client.verdict(spam(NEW)) for client in clients}
        assert len(before) == 1
        assert set(re.findall(r"\[(\d+)\] milter: judged", daemon.log)) == set(map(str, daemon.workers))
        teach(settings, [spam(NEW)], Label.HAM)
        eventually(lambda: not before & {client.verdict(spam(NEW)) for client in clients})
        for client in clients:
            client.close()


def test_stopping_lets_a_message_under_way_be_judged(settings: Settings, path: Path) -> None:
    with serving(settings, "--milter", f"unix:{path}") as daemon:
        client = Client(path)
        daemon.signal(signal.SIGTERM)
        eventually(lambda: "go on to their end" in daemon.log)
        assert client.verdict(spam(NEW)).startswith(" spam")
        client.close()
        assert daemon.process.wait(30) == 0
    assert not path.exists()


def test_settings_are_read_again_and_no_conversation_is_dropped(settings: Settings, path: Path) -> None:
    with serving(settings, "--milter", f"unix:{path}") as daemon:
        old = Client(path)
        (settings.home / "config.toml").write_text("spam_from = 1.0\n")
        daemon.signal(signal.SIGHUP)
        eventually(lambda: daemon.serving() == 2)
        eventually(lambda: verdict(path, spam(NEW)).startswith(" unsure"))
        assert old.verdict(spam(NEW)).startswith(" spam"), "it began before"
        old.close()
        eventually(lambda: len(daemon.workers) == 1)


def test_settings_that_cannot_be_used_change_nothing(settings: Settings, path: Path) -> None:
    with serving(settings, "--milter", f"unix:{path}") as daemon:
        (settings.home / "config.toml").write_text("[serve]\ntimeout = 'soon'\n")
        daemon.signal(signal.SIGHUP)
        eventually(lambda: "not reloaded" in daemon.log)
        assert "config.toml, line 2, serve.timeout: expected `float`, got `str`" in daemon.log
        assert verdict(path, spam(NEW)).startswith(" spam")


def test_a_switch_made_by_tune_is_used_within_seconds(settings: Settings, path: Path) -> None:
    with serving(settings, "--milter", f"unix:{path}") as daemon:
        old = Client(path)
        before = old.verdict(spam(NEW))
        write_tuned(settings.home, switched(settings.home, {"learner": "multinomial", "alpha": 3.0}, TAUGHT))
        eventually(lambda: verdict(path, spam(NEW)) != before)
        assert "reloading" in daemon.log
        assert old.verdict(spam(NEW)) == before, "it began before"
        old.close()


def test_workers_end_when_their_parent_is_killed(settings: Settings, path: Path) -> None:
    with serving(settings, "--milter", f"unix:{path}", workers=2) as daemon:
        workers = daemon.workers
        daemon.process.kill()
        daemon.process.wait()
        eventually(lambda: not [pid for pid in workers if is_running(pid)])


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_home_that_cannot_be_opened_ends_it_with_the_reason(settings: Settings, path: Path) -> None:
    (settings.home / JOURNAL).write_bytes(b"no journal at all" * 1000)
    ran = program("serve", "--milter", f"unix:{path}", home=settings.home)
    assert ran.code == 1
    assert "is damaged" in ran.err
    assert "no worker could start" in ran.err


def test_an_address_that_is_taken_is_named(settings: Settings, path: Path) -> None:
    with serving(settings, "--milter", f"unix:{path}"):
        ran = run("serve", "--milter", f"unix:{path}", home=settings.home)
        assert (ran.code, f"another process listens at unix:{path}" in ran.err) == (1, True)
        assert verdict(path, spam(NEW)).startswith(" spam")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        ran = run("serve", "--milter", address, home=settings.home)
    assert ran.code == 1
    assert f"cannot listen at {address}: address already in use" in ran.err


@pytest.mark.parametrize("address", ["here", "unix:", "localhost", "host:99999", "a:b:c"])
def test_an_address_that_is_none_is_refused(settings: Settings, address: str) -> None:
    ran = run("serve", "--milter", address, home=settings.home)
    assert ran.code == 1
    assert address in ran.err


def test_somebody_who_says_no_address_is_told_how(settings: Settings) -> None:
    ran = run("serve", "--page", "none", home=settings.home)
    assert ran.code == 2
    assert "--milter unix:/run/thresher/milter.sock" in ran.err


def test_a_socket_that_a_killed_daemon_left_is_no_obstacle(settings: Settings, path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    with serving(settings, "--milter", f"unix:{path}"):
        assert path.stat().st_mode & 0o777 == 0o660
        assert verdict(path, spam(NEW)).startswith(" spam")


def test_sockets_of_systemd_are_served_and_it_is_told(settings: Settings, path: Path, tmp_path: Path) -> None:
    """Socket activation: LISTEN_FDS and a name; sd_notify when a worker serves."""
    told = tmp_path / "notify"
    starter = (
        "import os, socket, sys\n"
        f"listening = socket.socket(socket.AF_UNIX); listening.bind({str(path)!r}); listening.listen()\n"
        "os.dup2(listening.fileno(), 3); os.set_inheritable(3, True)\n"
        "os.environ |= {'LISTEN_PID': str(os.getpid()), 'LISTEN_FDS': '1', 'LISTEN_FDNAMES': 'milter',"
        f" 'NOTIFY_SOCKET': {str(told)!r}}}\n"
        f"os.execv(sys.executable, [sys.executable, '-m', 'thresher', '--home', {str(settings.home)!r}, 'serve'])\n"
    )
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(told))
        listener.settimeout(60)
        with started([sys.executable, "-c", starter], settings) as daemon:
            assert listener.recv(100) == b"READY=1"
            assert verdict(path, spam(NEW)).startswith(" spam")
            daemon.stop()
            assert listener.recv(100) == b"STOPPING=1"
    assert path.exists(), "it is systemd's"


def test_mail_in_the_log_is_numbers_and_digests(settings: Settings, path: Path) -> None:
    with serving(settings, "--milter", f"unix:{path}") as daemon:
        verdict(path, spam(NEW))
        verdict(path, ham(NEW))
        log = daemon.log
    assert log.count("milter: judged verdict=") == 2
    assert not re.search("prize|lottery|minutes|meeting|example", log, re.IGNORECASE)


def test_the_log_can_be_json(settings: Settings, path: Path) -> None:
    with serving(settings, "--milter", f"unix:{path}", "--json") as daemon:
        verdict(path, spam(NEW))
        lines = [json.loads(line) for line in daemon.log.splitlines()]
    [judged] = [line for line in lines if line["event"] == "milter: judged"]
    assert (judged["level"], judged["verdict"]) == ("info", "spam")
    assert judged["points"] >= 5
