"""Connecting to an IMAP server: encrypted with its certificate verified, or not at all.

The one exception is a server on this very machine, where nothing travels.
"""

import ssl
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import msgspec

from thresher.boxes.item import BoxError, BoxLost

SECONDS: Final = 60.0
"""For connecting and for each answer. A search of a million messages takes a server some seconds."""
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class Security(StrEnum):
    """How the connection is encrypted."""

    TLS = "tls"
    STARTTLS = "starttls"
    NONE = "none"


PORTS: Final = {Security.TLS: 993, Security.STARTTLS: 143, Security.NONE: 143}


class Server(msgspec.Struct, frozen=True):
    """Where to log in, and as whom."""

    host: str
    user: str
    port: int = 0
    security: Security = Security.TLS
    authority: Path | None = None
    """A file of certificates to be trusted besides the system's."""
    oauth: bool = False
    """The secret is a token (XOAUTH2), not a password."""

    def __str__(self) -> str:
        return f"{self.user}@{self.host}"


def connect(server: Server, secret: str) -> Any:  # noqa: ANN401 - IMAPClient ships no types that mypy could hold us to
    """Log in and return the connection."""
    from imapclient import IMAPClient

    if server.security is Security.NONE and server.host not in LOOPBACK:
        raise BoxError(str(server), "the password would travel unencrypted", "choose tls or starttls")
    try:
        client = IMAPClient(
            server.host,
            server.port or PORTS[server.security],
            ssl=server.security is Security.TLS,
            ssl_context=_context(server),
            timeout=SECONDS,
        )
        client.normalise_times = False
        if server.security is Security.STARTTLS:
            client.starttls(_context(server))
    except ssl.SSLCertVerificationError as error:
        why = f"its certificate is not to be trusted ({error.verify_message})"
        raise BoxError(str(server), why, "check the host's name, or name its authority's file") from error
    except OSError as error:
        raise BoxLost(str(server), f"cannot be reached ({error.strerror or error})", "check host and port") from error
    except IMAPClient.AbortError as error:
        raise BoxLost(str(server), f"the server hung up ({error})", "try again later") from error
    except IMAPClient.Error as error:
        raise BoxError(str(server), str(error), "choose another --security") from error
    _log_in(client, server, secret)
    return client


def _log_in(client: Any, server: Server, secret: str) -> None:  # noqa: ANN401 - as above
    try:
        if server.oauth:
            client.oauth2_login(server.user, secret)
        else:
            client.login(server.user, secret)
    except client.AbortError as error:
        raise BoxLost(str(server), f"the server hung up ({error})", "try again later") from error
    except client.Error as error:
        client.shutdown()
        # What the server says may hold what it was sent, so it is not repeated.
        what = "the token was not accepted" if server.oauth else "user or password was not accepted"
        raise BoxError(str(server), what, "check both; `thresher mailbox add` asks again") from error
    except OSError as error:
        raise BoxLost(str(server), f"the connection broke ({error})", "try again later") from error


def _context(server: Server) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if server.authority is not None:
        try:
            context.load_verify_locations(server.authority)
        except (OSError, ssl.SSLError) as error:
            raise BoxError(str(server.authority), "no file of certificates", "name one in PEM format") from error
    return context
