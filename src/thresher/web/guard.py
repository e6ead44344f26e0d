"""What holds for every request, whatever page it is for.

Its law: no answer leaves without the headers that bind the browser; a request for another host, from another site, or
longer than it may be is refused before any page sees it; a failure tells its reader nothing and the log no
word of mail.
"""

import logging
from collections.abc import Collection
from traceback import extract_tb
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

FORM_BYTES: Final = 256 << 10
"""Of a form: a list of 500 messages to be taught has 10 KB."""
UPLOAD_BYTES: Final = 256 << 20
"""Of mail that is dropped onto the page: a large mbox."""
UPLOAD: Final = "/learning/upload"
HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cache-control": "no-store",
}
SAFE: Final = frozenset({"GET", "HEAD"})
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


class TooLong(Exception):
    """A request's body is longer than is taken."""


class Guard:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = hosts
        """Names under which the page may be asked for; one that somebody else points here (DNS rebinding) is none."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        begun = False

        async def bound(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        limit = UPLOAD_BYTES if scope["path"] == UPLOAD else FORM_BYTES
        refused = self._refused(scope, limit)
        try:
            await (refused or self._app)(scope, _limited(receive, limit), bound)
        except TooLong:
            if not begun:
                await _too_long()(scope, receive, bound)
        except ClientDisconnect:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the person gets an answer and the log no word of mail
            log.error("page: a request failed: %s", _where(error))  # noqa: TRY400 - a traceback may quote the mail
            if not begun:
                await PlainTextResponse("This failed; the log of the daemon says where.\n", 500)(scope, receive, bound)

    def _refused(self, scope: Scope, limit: int) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _name_of(host) not in self._hosts:
            return PlainTextResponse("The page is not known by this name; see page_host in the settings.\n", 421)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > limit:
            return _too_long()
        if scope["method"] in SAFE:
            return None
        # Browsers say where a form comes from, and no page can make them say something else.
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return PlainTextResponse("This form is not of this page.\n", 403)
        if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
            return PlainTextResponse("This form is not of this page.\n", 403)
        return None


def _where(error: Exception) -> str:
    """Say what failed and where, and not its text: that may quote a message."""
    last = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {last.filename}:{last.lineno}"


def _name_of(host: str) -> str:
    """Return the name in a Host header, without the port."""
    return (urlsplit(f"//{host}").hostname or "") if not set(host) & set("/@?# \\") else ""


def _too_long() -> PlainTextResponse:
    return PlainTextResponse("This is more than the page takes at once.\n", 413)


def _limited(receive: Receive, limit: int) -> Receive:
    """Count what is read, whatever was announced."""
    left = limit

    async def counted() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise TooLong
        return message

    return counted
