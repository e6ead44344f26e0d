"""spamd's replies: bytes for a request and what was found. Which headers a client gets depends on its version.

Exim reads a reply to `REPORT SPAMC/1.2` in one of two forms and defers the mail on any other: either the header Spam or
the header Content-length, never both. spamd's own rule gives it the first.
"""

from typing import Final, NamedTuple

from thresher.serve.protocol.spamd import Command, Dialect, Fault, Request

BOTH_HEADERS_FROM: Final = (1, 3)
"""The first version whose clients take Content-length and Spam together."""
LENGTH_FROM: Final = (1, 2)
"""The first version that takes Content-length at all."""
MAX_REPORT: Final = 16_000
"""Exim reads replies of at most 32,600 bytes; half of that leaves room for its own folding."""
REJECT: Final = 15.0
"""Where rspamd rejects unless told otherwise; Exim wants the figure, and nothing here rejects by it."""


class Found(NamedTuple):
    """What the server says of a message."""

    spam: bool
    score: float
    threshold: float
    symbols: tuple[str, ...]
    action: str
    """In rspamd's words."""
    report: str
    """For people."""


def pong(request: Request) -> bytes:
    """Answer PING."""
    return f"{_name(request.dialect)}/1.5 0 PONG\r\n".encode()


def fault(refused: Fault) -> bytes:
    """Answer what cannot be answered."""
    return f"{_name(refused.dialect)}/1.0 {refused.code:d} {refused.code.name} {refused.reason}\r\n".encode()


def told(*, learned: bool, forgotten: bool) -> bytes:
    """Answer TELL: what changed."""
    lines = ["SPAMD/1.1 0 EX_OK"]
    if learned:
        lines.append("DidSet: local")
    if forgotten:
        lines.append("DidRemove: local")
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode()


def judged(request: Request, found: Found, rewritten: bytes = b"") -> bytes:
    """Answer a command that asks for a verdict; rewritten is the message with our headers, for those that want it."""
    if request.dialect is Dialect.RSPAMC:
        return _as_rspamd(found)
    if request.command is Command.CHECK:
        return _reply([_spam(request, found)], b"")
    if request.command in {Command.PROCESS, Command.HEADERS}:
        content = _head(rewritten) if request.command is Command.HEADERS else rewritten
        return _message(request, found, content)
    return _text(request, found, _told_of(request, found))


def _told_of(request: Request, found: Found) -> str:
    if request.command is Command.SYMBOLS:
        return ",".join(found.symbols) + ("" if request.version >= BOTH_HEADERS_FROM else "\r\n")
    if request.command is Command.REPORT_IFSPAM and not found.spam:
        return ""
    return found.report[:MAX_REPORT]


def points(found: Found) -> tuple[str, str]:
    """Return score and threshold as they are printed; rounding never carries a score over the threshold."""
    score = round(found.score, 1) + 0.0  # and not -0.0
    if not found.spam and score >= found.threshold:
        score = found.threshold - 0.1
    return f"{score:.1f}", f"{found.threshold:.1f}"


def _name(dialect: Dialect) -> str:
    return "RSPAMD" if dialect is Dialect.RSPAMC else "SPAMD"


def _spam(request: Request, found: Found) -> str:
    yes, no = ("Yes", "No") if request.command is Command.REPORT_IFSPAM else ("True", "False")
    return "Spam: {} ; {} / {}".format(yes if found.spam else no, *points(found))


def _reply(headers: list[str], content: bytes) -> bytes:
    return "".join(f"{line}\r\n" for line in ["SPAMD/1.1 0 EX_OK", *headers, ""]).encode() + content


def _text(request: Request, found: Found, text: str) -> bytes:
    content = text.encode()
    headers = [_spam(request, found)]
    if request.version >= BOTH_HEADERS_FROM:
        headers.insert(0, f"Content-length: {len(content)}")
    return _reply(headers, content)


def _message(request: Request, found: Found, content: bytes) -> bytes:
    if request.version < LENGTH_FROM:
        return b"SPAMD/1.0 0 EX_OK\r\n" + content
    headers = [f"Content-length: {len(content)}"]
    if request.version >= BOTH_HEADERS_FROM:
        headers.append(_spam(request, found))
    return _reply(headers, content)


def _head(message: bytes) -> bytes:
    """Return a message's headers and the blank line that ends them."""
    ends = [end + len(blank) for blank in (b"\r\n\r\n", b"\n\n") if (end := message.find(blank)) >= 0]
    return message[: min(ends)] if ends else message


def _as_rspamd(found: Found) -> bytes:
    score, threshold = points(found)
    lines = [
        "RSPAMD/1.3 0 EX_OK",
        f"Metric: default; {found.spam}; {score} / {threshold} / {max(REJECT, found.threshold):.1f}",
        f"Action: {found.action}",
        *(f"Symbol: {symbol}" for symbol in found.symbols),
        "",
        "",
    ]
    return "\r\n".join(lines).encode()
