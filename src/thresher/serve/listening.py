"""Where the daemon listens: addresses read, sockets bound or taken over from systemd."""

import os
import re
import socket
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from thresher.values import ThresherError

BACKLOG: Final = 1024
"""Connections the system keeps waiting: what arrives while a dead worker is replaced."""
FIRST_INHERITED: Final = 3
"""systemd passes sockets from this file descriptor on (sd_listen_fds)."""
_HOST_PORT: Final = re.compile(r"(?:\[(?P<six>[0-9a-fA-F:.]+)\]|(?P<host>[^:\[\]]*)):(?P<port>\d{1,5})")
_LOOPBACK: Final = "127.0.0.1"
_PORTS: Final = range(1 << 16)


class CannotListen(ThresherError):
    """An address that is none, or that is taken."""


class Address(NamedTuple):
    """A Unix socket's path, or a host and a port."""

    path: Path | None
    host: str = ""
    port: int = 0

    def __str__(self) -> str:
        if self.path:
            return f"unix:{self.path}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_address(text: str) -> Address:
    """Read unix:PATH, HOST:PORT or :PORT, which is on loopback."""
    path = text.removeprefix("unix:")
    if path.startswith("/") or path != text:
        if not path:
            raise CannotListen(f"{text!r} names no path; write unix:/run/thresher/milter.sock")
        return Address(Path(path).absolute())
    found = _HOST_PORT.fullmatch(text)
    if not found or int(found["port"]) not in _PORTS:
        raise CannotListen(f"{text!r} is no address; write unix:PATH or HOST:PORT, as 127.0.0.1:11333")
    return Address(None, found["six"] or found["host"] or _LOOPBACK, int(found["port"]))


def bind(address: Address, mode: int) -> socket.socket:
    """Listen at an address; `mode` is that of a Unix socket's file."""
    try:
        return _bind_unix(address.path, mode) if address.path else _bind_tcp(address)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CannotListen(f"cannot listen at {address}: {reason}") from error


def _bind_unix(path: Path, mode: int) -> socket.socket:
    if path.exists() and stat.S_ISSOCK(path.stat().st_mode):
        if _answers(path):
            raise CannotListen(f"another process listens at unix:{path}; stop it, or choose another path")
        path.unlink()
    listening = socket.socket(socket.AF_UNIX)
    try:
        # Bound with no rights at all and opened when it is as it shall be.
        before = os.umask(0o777)
        try:
            listening.bind(str(path))
        finally:
            os.umask(before)
        path.chmod(mode)
        listening.listen(BACKLOG)
    except BaseException:
        listening.close()
        raise
    return listening


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


def _bind_tcp(address: Address) -> socket.socket:
    family, kind, protocol, _, where = socket.getaddrinfo(
        address.host, address.port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE
    )[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(where)
        listening.listen(BACKLOG)
    except BaseException:
        listening.close()
        raise
    return listening


def inherited(environment: Mapping[str, str] = os.environ) -> dict[str, list[socket.socket]]:
    """Return the sockets systemd passed to this process, by the name their unit gives them (FileDescriptorName=)."""
    if environment.get("LISTEN_PID") != str(os.getpid()):
        return {}
    count = int(environment.get("LISTEN_FDS", "0"))
    names = environment.get("LISTEN_FDNAMES", "").split(":")
    passed: dict[str, list[socket.socket]] = {}
    for number in range(count):
        name = names[number] if number < len(names) else ""
        descriptor = FIRST_INHERITED + number
        os.set_inheritable(descriptor, False)  # noqa: FBT003 - the library's signature
        passed.setdefault(name, []).append(socket.socket(fileno=descriptor))
    return passed
