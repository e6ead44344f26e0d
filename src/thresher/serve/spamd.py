"""spamd's conversation: what spamc, Exim, Haraka, amavis and the like call. One request, one reply.

A client whose message cannot be judged is told so as an unsure verdict: most clients would hold the mail back on an
error. An error is for what is no request, and for lessons that were not kept.
"""

import asyncio
from typing import Final

from thresher.boxes import MAX_BYTES
from thresher.engine import Change
from thresher.mail.annotate import annotated
from thresher.serve.protocol.spamd import Code, Command, Event, Fault, Reader, Request
from thresher.serve.protocol.spamd_replies import Found, fault, judged, pong, told
from thresher.serve.scan import THRESHOLD, Scan
from thresher.serve.scanner import Scanner
from thresher.serve.tags import OWN, as_bytes, spamassassin_tags, tags
from thresher.values import ThresherError, Verdict

PATIENCE: Final = 300.0
"""Seconds a client may take to send its request; spamd's own default for a child."""
LINGER: Final = 5.0
"""Seconds a client may go on sending after the reply: to close on it would destroy the reply on its way."""
CHUNK: Final = 1 << 16
BAYES: Final = (
    (0.01, "BAYES_00"), (0.05, "BAYES_05"), (0.20, "BAYES_20"), (0.40, "BAYES_40"), (0.60, "BAYES_50"),
    (0.80, "BAYES_60"), (0.95, "BAYES_80"), (0.99, "BAYES_95"), (0.999, "BAYES_99"), (1.01, "BAYES_999"),
)  # fmt: skip
"""SpamAssassin's names for probabilities below each bound; rules and statistics are written against them."""


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
        return verdict(request, await scanner.scan(request.message))
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


def verdict(request: Request, scan: Scan) -> bytes:
    """Return the reply to a command that asks for a verdict."""
    rewritten = b""
    if request.command in {Command.PROCESS, Command.HEADERS}:
        fields = tags(scan) + spamassassin_tags(scan, symbols(scan))
        rewritten = annotated(request.message, as_bytes(fields), OWN)
    return judged(request, found(scan), rewritten)


def found(scan: Scan) -> Found:
    """Return a scan in spamd's terms."""
    spam = scan.verdict is Verdict.SPAM
    return Found(spam, scan.points, THRESHOLD, symbols(scan), "add header" if spam else "no action", report(scan))


def symbols(scan: Scan) -> tuple[str, ...]:
    """Return the names of rules that SpamAssassin would have hit, and our own."""
    if scan.unjudged:
        return ("THRESHER_UNJUDGED",)
    probability = scan.judgement.probability
    bayes = next(name for bound, name in BAYES if probability < bound)
    return (bayes, f"THRESHER_{scan.verdict.upper()}")


def report(scan: Scan) -> str:
    """Say in a few lines what a message is, and why."""
    if scan.unjudged:
        return f"thresher has not judged this message: {scan.unjudged}\n"
    head = (
        f"thresher takes this message for {scan.verdict}: probability of spam {scan.judgement.probability:.4f},\n"
        f"{scan.points:.1f} points, {THRESHOLD:.1f} make it spam\n"
    )
    if not scan.reasons:
        return head
    return head + "\n points  what told most\n" + "".join(f"{each.share:+7.2f}  {each.text}\n" for each in scan.reasons)
