"""Asks a daemon that runs, by our own API: over the socket in its home, or at an address.

Its law: whatever is wrong with the daemon or the way to it is `NoDaemon`, so that whoever asks can do without one; what
the daemon refuses is a ThresherError with its sentence.
"""

import socket
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlencode

import msgspec

from thresher.serve.listening import Address
from thresher.serve.protocol import api
from thresher.serve.scan import Scan
from thresher.values import Label, ThresherError

SOCKET: Final = "daemon.sock"
"""In the home; whoever may read the journal may ask there, and teach."""
PATIENCE: Final = 10.0
"""Seconds for an answer: more than a daemon takes to say that it cannot judge."""

Answer = TypeVar("Answer", bound=msgspec.Struct)
Result = TypeVar("Result")


class NoDaemon(ThresherError):
    """There is no daemon, or it does not answer."""


class Refused(ThresherError):
    """The daemon will not do what it was asked."""


class _Connection(HTTPConnection):
    """HTTP at any address."""

    def __init__(self, address: Address, timeout: float) -> None:
        super().__init__(address.host or "localhost", address.port or None, timeout=timeout)
        self._path = address.path

    def connect(self) -> None:
        if self._path is None:
            super().connect()
            return
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


class Client:
    """One connection, for any number of questions."""

    def __init__(self, address: Address, token: str = "", patience: float = PATIENCE) -> None:
        self.address = address
        self._token = token
        self._connection = _Connection(address, patience)

    def connect(self) -> None:
        """See whether a daemon is there at all."""
        self._try(self._connection.connect)

    def check(self, raw: bytes) -> Scan:
        """Have a message judged."""
        return api.scan_of(self._ask("POST", "check", api.Checked, raw))

    def explain(self, raw: bytes, most: int) -> api.Explained:
        """Have a message judged and its score taken apart."""
        return self._ask("POST", "explain", api.Explained, raw, most=str(most))

    def learn(self, raw: bytes, label: Label, user: str, source: str) -> api.Learned:
        """Teach a message."""
        return self._ask("POST", "learn", api.Learned, raw, label=label, user=user, source=source)

    def forget(self, raw: bytes, user: str) -> api.Forgotten:
        """Take back what a user said of a message."""
        return self._ask("POST", "forget", api.Forgotten, raw, user=user)

    def status(self) -> api.Status:
        """Ask how the daemon stands."""
        return self._ask("GET", "status", api.Status)

    def close(self) -> None:
        """Let the connection go."""
        self._connection.close()

    def _ask(self, method: str, name: str, kind: type[Answer], raw: bytes | None = None, **query: str) -> Answer:
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        target = f"{api.PREFIX}/{name}" + (f"?{urlencode(query)}" if query else "")

        def exchange() -> tuple[int, bytes]:
            self._connection.request(method, target, raw, headers)
            response = self._connection.getresponse()
            return response.status, response.read()

        status, answered = self._try(exchange, again=self._connection.sock is not None)
        try:
            if status == 200:  # noqa: PLR2004 - HTTP's code for all is well
                return msgspec.json.decode(answered, type=kind)
            raise Refused(f"the daemon at {self.address}: {msgspec.json.decode(answered, type=api.Failed).error}")
        except msgspec.MsgspecError:
            raise NoDaemon(f"what listens at {self.address} is no daemon of ours: it answered {status}") from None

    def _try(self, work: Callable[[], Result], *, again: bool = False) -> Result:
        """Do something that needs the daemon; `again`, once, on a connection that may have been idle for too long.

        Whatever is asked can be asked twice: a lesson counts once.
        """
        try:
            return work()
        except (OSError, HTTPException) as error:
            self._connection.close()
            if again and not isinstance(error, TimeoutError):
                return self._try(work)
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise NoDaemon(f"the daemon at {self.address} does not answer: {reason.lower()}") from error


def socket_of(home: Path) -> Address:
    """Return where the daemon of a home can be asked."""
    return Address((home / SOCKET).absolute())
