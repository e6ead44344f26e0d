"""The values that travel down the line; all frozen, none knows where it came from or where it goes."""

from enum import StrEnum

import msgspec


class ThresherError(Exception):
    """Something went wrong that a person can do something about; the text says what, and the way out."""


class Label(StrEnum):
    """What a person says a message is."""

    HAM = "ham"
    SPAM = "spam"


class Verdict(StrEnum):
    """What the filter says a message is."""

    HAM = "ham"
    UNSURE = "unsure"
    SPAM = "spam"


class Part(msgspec.Struct, frozen=True):
    """One leaf of a message's MIME tree."""

    content_type: str
    """Lower case, without parameters: ``text/html``."""
    text: bytes = b""
    """The text of a text part (of an HTML part: its source) as UTF-8, bounded; empty for anything else."""
    filename: str = ""
    size: int = 0
    """Bytes as transmitted, before the transfer encoding was undone."""
    attached: bool = False
    """Whether the sender called the part an attachment."""


class Message(msgspec.Struct, frozen=True):
    """A message as far as the filter reads it. Every bytes object has one."""

    headers: tuple[tuple[bytes, bytes], ...]
    """Name in lower case and unfolded raw value, in the order of the message."""
    parts: tuple[Part, ...]
    defects: tuple[str, ...] = ()
    """Names of what was wrong with the bytes, each once: ``truncated-base64``."""
    size: int = 0


class Lesson(msgspec.Struct, frozen=True):
    """This message is spam (or ham), says this person."""

    digest: bytes
    """16 bytes that name the message; see mail.digest."""
    label: Label
    stream: bytes
    """The message's token stream, see mail.stream. Not compressed here."""
    user: str = "local"
    source: str = ""
    """Where the message was read from, for people: a path, a folder, a protocol."""
    time: float = 0.0
    """When the lesson was given, seconds since 1970 UTC."""
    score: float | None = None
    """Log-odds of spam before the lesson was learned; None if nothing had been learned yet."""
    tokenizer: int = 0
    """Version of the tokenizer that made the stream."""
    after: float | None = None
    """Log-odds of spam once it was learned, with what was learned in the same breath; None if that was not noted."""


class Judgement(msgspec.Struct, frozen=True):
    """What the filter says of a message, and how sure it is."""

    verdict: Verdict
    probability: float
    """Of spam."""
    log_odds: float
    """The score: orders messages where the probability is 1.0 for all of them."""
