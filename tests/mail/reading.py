"""Token streams taken apart, for tests: what stands in which field, and whether the form is kept."""

import re
from collections import defaultdict

from thresher.mail.mime import MAX_PARTS, parse
from thresher.mail.stream import tokenize
from thresher.values import Message

OWN_FIELDS = {"attachment", "html", "hidden", "body", "url", "message", "against-from"}
"""Fields that no header of this name may fill."""
LONGEST_STREAM = 400 << 10
"""64 KB of text, each character of which may become a pair of characters twice its size; headers; links."""
_LINE = re.compile(rb"[!-9;-~]+\t[^\x00-\x1f\x7f]*")


def lines(stream: bytes) -> list[tuple[str, list[str]]]:
    """Field and words of each line."""
    pairs = (line.split("\t") for line in stream.decode().removesuffix("\n").split("\n"))
    return [(field, text.split(" ")) for field, text in pairs]


def words_of(raw: bytes | Message) -> dict[str, set[str]]:
    """The words of each field of a message's token stream."""
    found: dict[str, set[str]] = defaultdict(set)
    for field, words in lines(tokenize(parse(raw) if isinstance(raw, bytes) else raw)):
        found[field] |= set(words) - {""}
    return found


def normal(stream: bytes) -> list[tuple[str, list[str]]]:
    """A stream with the blanks evened out, on which nothing depends."""
    return [(field, [word for word in words if word]) for field, words in lines(stream)]


def assert_bounded(message: Message, stream: bytes) -> None:
    """Hold a message and its stream to their form and bounds."""
    assert 1 <= len(message.parts) <= MAX_PARTS
    assert len(message.headers) <= 400
    assert len(message.defects) == len(set(message.defects))
    assert len(stream) <= LONGEST_STREAM
    assert stream.endswith(b"\n")
    for line in stream.split(b"\n")[:-1]:
        assert _LINE.fullmatch(line), line
    stream.decode()


def letter(*headers: str, body: str = "hello\n") -> bytes:
    """A plain message with these headers besides the usual ones."""
    return "\n".join(["From: Ann <ann@example.org>", "Subject: greetings", *headers, "", body]).encode()
