"""The daemon as a program, as administrators start it."""

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tests.cli.running import ENVIRONMENT, line_of
from tests.serve.making import BITS
from tests.serve.waiting import eventually
from thresher.config import Settings

STOPPED_WITHIN: Final = 60


def free_port() -> int:
    """Name a port on which nobody listens now."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


class Running:
    """A daemon that runs."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process = process
        self._log = log

    @property
    def log(self) -> str:
        """What it wrote."""
        return self._log.read_text()

    @property
    def workers(self) -> list[int]:
        """The processes that serve now."""
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True, check=False
        )
        return [int(pid) for pid in listed.stdout.split()]

    def serving(self) -> int:
        """Count the workers that said they serve, since the start."""
        return len(re.findall(r"worker \d+ serves", self.log))

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the parent."""
        self.process.send_signal(number)

    def stop(self) -> int:
        """Stop it as systemd does, and return its exit code."""
        self.signal(signal.SIGTERM)
        return self.process.wait(STOPPED_WITHIN)


@contextmanager
def serving(
    settings: Settings, *options: str, workers: int = 1, environment: Mapping[str, str] | None = None
) -> Iterator[Running]:
    """Run `thresher serve` until the block ends."""
    line = line_of("serve", "--workers", workers, *options, home=settings.home)
    with started(line, settings, workers, environment or {}) as running:
        yield running


@contextmanager
def started(
    line: Sequence[str], settings: Settings, workers: int = 1, environment: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Running]:
    """Run a program that becomes the daemon until the block ends."""
    log = settings.home.with_name("serve.log")
    given = {**ENVIRONMENT, "THRESHER_BITS": str(BITS), **environment}
    with log.open("wb") as written, subprocess.Popen(line, env=given, stderr=written) as process:
        running = Running(process, log)
        try:
            eventually(lambda: running.serving() >= workers or process.poll() is not None)
            assert process.poll() is None, running.log
            yield running
        finally:
            if process.poll() is None:
                running.stop()
    left = [pid for pid in running.workers if os.path.exists(f"/proc/{pid}")]  # noqa: PTH110 - /proc is no file to read
    assert left == []
