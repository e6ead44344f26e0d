"""Milter conversations: the codec's messages judged, the policy's decision sent back."""

import asyncio
import logging
from typing import Final

from thresher.config import Deed, Serve
from thresher.serve.protocol.milter import TEMPFAIL, Decision, Message, MilterError, Quit, Reply, Session, reject
from thresher.serve.scan import Scan
from thresher.serve.scanner import Scanner
from thresher.serve.tags import OWN, as_bytes, tags
from thresher.values import Verdict

log = logging.getLogger(__name__)

CHUNK: Final = 1 << 16
"""Bytes read at once: what most mail servers send as one chunk of a body."""


async def serve_milter(scanner: Scanner, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serve one connection of a mail server: any number of messages."""
    session = Session(scanner.serve.max_size)
    while data := await reader.read(CHUNK):
        try:
            for event in session.receive(data):
                match event:
                    case Reply(answer):
                        writer.write(answer)
                    case Message():
                        writer.write(await _judge(scanner, session, event))
                    case Quit():
                        return
        except MilterError as error:
            log.warning("milter: this is no mail server: %s", error)
            return
        await writer.drain()


async def _judge(scanner: Scanner, session: Session, message: Message) -> bytes:
    scan = await scanner.scan(message.raw, via="milter")
    decision = decide(scan, scanner.serve)
    log.info(
        "milter: judged",
        extra={
            "queue_id": message.queue_id,
            "verdict": scan.verdict,
            "points": scan.points,
            "id": scan.digest,
            "size": len(message.raw),
            "unjudged": scan.unjudged,
        },
    )
    return session.verdict(message, OWN, as_bytes(tags(scan)), decision)


def decide(scan: Scan, policy: Serve) -> Decision:
    """Say what becomes of a message; all but surest spam is only tagged."""
    if scan.unjudged or scan.verdict is not Verdict.SPAM or scan.judgement.probability < policy.act_from:
        return Decision()
    match policy.spam:
        case Deed.REJECT:
            return Decision(reject(policy.reject_text))
        case Deed.TEMPFAIL:
            return Decision(TEMPFAIL)
        case Deed.QUARANTINE:
            return Decision(quarantine=f"spam, p={scan.judgement.probability:.4f}")
        case Deed.SUBJECT:
            return Decision(subject=policy.subject_prefix.encode())
        case Deed.TAG:
            return Decision()
