"""Who may do what over HTTP, the same for every protocol there.

Judging is open to whoever reaches the listener. The rest needs the token, or, where none is set, a client on this
machine that is no web page: a browser runs on this machine, too, and does what any page tells it.
"""

import hmac
from ipaddress import ip_address
from typing import NamedTuple

from starlette.requests import Request


class Access(NamedTuple):
    """What a listener allows."""

    learning: bool = False
    """Whether lessons are taken."""
    token: str = ""
    """What whoever teaches or asks must show."""

    def opens(self, request: Request) -> bool:
        """Say whether a client of our API may do more than have mail judged."""
        if self.token:
            scheme, _, shown = request.headers.get("authorization", "").partition(" ")
            # What stands in a header is bytes; read as Latin-1 they come back unchanged.
            matches = hmac.compare_digest(shown.strip().encode("latin-1", "replace"), self.token.encode())
            return matches and scheme.lower() == "bearer"
        return is_local(request) and not _of_a_page(request)


def is_local(request: Request) -> bool:
    """Say whether a client is on this machine: it came over loopback or a Unix socket."""
    return request.client is None or not request.client.host or ip_address(request.client.host).is_loopback


def _of_a_page(request: Request) -> bool:
    """Say whether a browser sent this on behalf of a page: it then says whose, or what kind of request it is."""
    return any(name in request.headers for name in ("origin", "sec-fetch-site"))
