"""spamd's conversation: what spamc, Exim, Haraka, amavis and the like call. One request, one reply.

A client whose message cannot be judged is told so as an unsure verdict: most clients would hold the mail back on an
error. An error is for what is no request, and for lessons that were not kept.
"""

import asyncio
from typing import Final

from thresher.boxes import MAX_BYTES
from thresher.engine import Change
from thresher.serve.protocol.spamd import Code, Command, Event, Fault, Reader, Request
from thresher.serve.protocol.spamd_replies import fault, pong, told
from thresher.serve.scanner import Scanner
from thresher.serve.spamd_answers import verdict
from thresher.values import ThresherError

PATIENCE: Final = 300.0
"""Seconds a client may take to send its request; spamd's own default for a child."""
LINGER: Final = 5.0
"""Seconds a client may go on sending after the reply: to close on it would destroy the reply on its way."""
CHUNK: Final = 1 << 16


async def serve_spamd(
    scanner: Scanner,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    *,
    learning: bool = False,
    limit: int = MAX_BYTES,
) -> None:
    """Hold one conversation; TELL is answered only where learning is switched on."""
    event = await _request(Reader(limit), reader)
    if event is None:
        return
    writer.write(fault(event) if isinstance(event, Fault) else await _reply(scanner, event, learning=learning))
    await writer.drain()
    writer.write_eof()
    await _let_finish(reader)


async def _request(codec: Reader, reader: asyncio.StreamReader) -> Event | None:
    try:
        async with asyncio.timeout(PATIENCE):
            while data := await reader.read(CHUNK):
                if event := codec.receive(data):
                    return event
    except TimeoutError:
        return Fault(Code.EX_TIMEOUT, f"no request within {PATIENCE:g} s")
    return codec.end()


async def _let_finish(reader: asyncio.StreamReader) -> None:
    try:
        async with asyncio.timeout(LINGER):
            while await reader.read(CHUNK):
                pass
    except TimeoutError:
        return


async def _reply(scanner: Scanner, request: Request, *, learning: bool) -> bytes:
    if request.command is Command.SKIP:
        return b""
    if request.command is Command.PING:
        return pong(request)
    if request.command is not Command.TELL:
        return verdict(request, await scanner.scan(request.message, request.user or None, "spamd"))
    if not learning:
        return fault(Fault(Code.EX_UNAVAILABLE, "learning is not switched on for this listener"))
    try:
        return await _taught(scanner, request)
    except ThresherError as error:
        return fault(Fault(Code.EX_TEMPFAIL, " ".join(str(error).split())))


async def _taught(scanner: Scanner, request: Request) -> bytes:
    user = request.user or None
    learned = forgotten = False
    if request.learn and request.label:
        receipt = await scanner.learn(request.message, request.label, user, "spamd")
        learned = receipt.change is not Change.UNCHANGED
    if request.forget:
        forgotten = bool(await scanner.forget(request.message, user))
    return told(learned=learned, forgotten=forgotten)
