"""What a judged message looks like in the verdict log: from the bytes and the judgement to a row. Pure."""

from typing import Final

from thresher.mail.fields import MAX_VALUE
from thresher.mail.headers import decode_words
from thresher.store.verdict_schema import Judged
from thresher.store.verdicts import TEXT_BYTES
from thresher.values import Judgement, Message

MAX_SHOWN: Final = 300
"""Characters of a subject or an address: more than any list shows."""


def judged(  # noqa: PLR0913 - a row has as many columns
    raw: bytes,
    message: Message,
    stream: bytes,
    digest: bytes,
    judgement: Judgement,
    *,
    time: float,
    user: str,
    via: str,
    folder: str = "",
) -> Judged:
    """Return the row of a message."""
    return Judged(
        digest=digest,
        judgement=judgement,
        stream=stream,
        time=time,
        user=user,
        via=via,
        folder=folder,
        sender=header(message, b"from"),
        subject=header(message, b"subject"),
        size=len(raw),
        head=raw[:TEXT_BYTES],
    )


def header(message: Message, wanted: bytes) -> str:
    """Return a header's text as people read it; of several, the first. Empty if there is none."""
    for name, value in message.headers:
        if name == wanted:
            text = decode_words(value[:MAX_VALUE], {}).decode("utf-8", "replace")
            return " ".join(text.split())[:MAX_SHOWN]
    return ""
