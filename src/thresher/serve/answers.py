"""What endpoints of every HTTP protocol share: bodies within bounds, JSON, failures that tell nothing."""

import logging
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from thresher.serve.logs import where
from thresher.values import ThresherError

log = logging.getLogger(__name__)

TOO_LARGE: Final = 413

Endpoint = Callable[[Request], Awaitable[Response]]


class TooLarge(Exception):
    """A request's body is longer than is taken."""


def answer(value: object, status: int = 200) -> Response:
    """Answer in JSON."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def failed(text: str, status: int) -> Response:
    """Answer what went wrong."""
    return answer({"error": text}, status)


async def body(request: Request, limit: int) -> bytes:
    """Read a request's body; fail as soon as it is longer than the limit."""
    if int(request.headers.get("content-length", "0")) > limit:
        raise TooLarge(f"more than {limit} bytes")
    chunks = []
    left = limit
    async for chunk in request.stream():
        left -= len(chunk)
        if left < 0:
            raise TooLarge(f"more than {limit} bytes")
        chunks.append(chunk)
    return b"".join(chunks)


def guarded(endpoint: Endpoint) -> Endpoint:
    """Answer for an endpoint that fails."""

    async def guard(request: Request) -> Response:
        try:
            return await endpoint(request)
        except TooLarge as error:
            return failed(f"the message has {error}", TOO_LARGE)
        except ThresherError as error:
            # Trouble with the journal: it says what, and the same request may work later.
            return failed(str(error), 503)
        except ClientDisconnect:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer and the log no word of the mail
            log.error("http: a request failed: %s", where(error))  # noqa: TRY400 - see logs.py
            return failed("the request failed; the log of the daemon says where", 500)

    return guard
