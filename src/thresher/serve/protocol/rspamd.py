"""rspamd's JSON over HTTP: what its clients read from the answers, and what their request headers say.

The headers File, Path and Shm make rspamd read a file of its own machine in place of what was sent. Here they name
nothing: whoever may send a message must not choose which file is read.
"""

import hmac
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

ALREADY_LEARNED: Final = 208
NAMES_A_FILE: Final = ("file", "path", "shm")
HEAD: Final = 1 << 14
"""Bytes of a message in which its identifier is looked for."""
_MESSAGE_ID: Final = re.compile(rb"^message-id:\s*<?([!-;=?-~]{1,250})", re.MULTILINE | re.IGNORECASE)

Json = dict[str, object]


class Symbol(NamedTuple):
    """A rule that hit, in rspamd's terms."""

    name: str
    score: float
    description: str
    options: tuple[str, ...] = ()


class Result(NamedTuple):
    """What the server says of a message."""

    score: float
    required: float
    action: str
    thresholds: Mapping[str, float]
    symbols: tuple[Symbol, ...]
    message_id: str
    seconds: float
    note: str = ""
    """For people: why a message was not judged."""


class Statistics(NamedTuple):
    """What ``rspamc stat`` shows."""

    version: str
    uptime: int
    scanned: int
    actions: Mapping[str, int]
    ham: int
    spam: int
    connections: int


def checked(result: Result) -> Json:
    """Return the answer to /checkv2."""
    return {
        "is_skipped": False,
        "score": result.score,
        "required_score": result.required,
        "action": result.action,
        "thresholds": dict(result.thresholds),
        "symbols": {
            symbol.name: {
                "name": symbol.name,
                "score": symbol.score,
                "metric_score": symbol.score,
                "description": symbol.description,
                "options": list(symbol.options),
            }
            for symbol in result.symbols
        },
        "messages": {"thresher": result.note} if result.note else {},
        "message-id": result.message_id,
        "time_real": result.seconds,
        "milter": {"remove_headers": {"X-Spam": 0}},
    }


def error(text: str) -> Json:
    """Return the answer that says what went wrong."""
    return {"error": text}


def already_learned(message_id: str, label: str) -> Json:
    """Return the answer, with ALREADY_LEARNED, to a lesson that changed nothing."""
    return error(f"<{message_id}> has been already learned as {label}, ignore it")


def statistics(stat: Statistics) -> Json:
    """Return the answer to /stat and, for ``rspamc uptime``, to /auth."""
    files = [("BAYES_SPAM", stat.spam, True), ("BAYES_HAM", stat.ham, False)]
    return {
        "auth": "ok",
        "version": stat.version,
        "config_id": "",
        "uptime": stat.uptime,
        "read_only": False,
        "scanned": stat.scanned,
        "learned": stat.ham + stat.spam,
        "actions": dict(stat.actions),
        "spam_count": stat.actions.get("add header", 0) + stat.actions.get("reject", 0),
        "ham_count": stat.actions.get("no action", 0),
        "connections": stat.connections,
        "control_connections": 0,
        **dict.fromkeys(("pages_allocated", "bytes_allocated", "pools_allocated", "pools_freed"), 0),
        **dict.fromkeys(("chunks_allocated", "shared_chunks_allocated", "chunks_freed", "chunks_oversized"), 0),
        "fragmented": 0,
        "statfiles": [
            {
                **dict.fromkeys(("used", "total", "size", "languages"), 0),
                "revision": lessons,
                "symbol": name,
                "type": "thresher",
                "users": 1,
                "is_spam": spam,
            }
            for name, lessons, spam in files
        ],
        "fuzzy_hashes": {},
        "total_learns": stat.ham + stat.spam,
    }


def message_id(raw: bytes) -> str:
    """Return a message's identifier; "undef", as rspamd says, if it has none."""
    head = raw[:HEAD]
    end = min((at for at in (head.find(b"\n\n"), head.find(b"\n\r\n")) if at >= 0), default=len(head))
    found = _MESSAGE_ID.search(head, 0, end)
    return found[1].decode() if found else "undef"


def user_of(headers: Mapping[str, str]) -> str | None:
    """Return for whom the message is, or who sent the lesson; names of headers are in lower case."""
    return headers.get("deliver-to") or headers.get("user") or None


def opens(headers: Mapping[str, str], password: str, *, local: bool) -> bool:
    """Say whether a client may do what needs the password; without one, clients of this machine may."""
    if not password:
        return local
    # What stands in a header is bytes; read as Latin-1 they come back unchanged.
    return hmac.compare_digest(headers.get("password", "").encode("latin-1", "replace"), password.encode())


def refusal(headers: Mapping[str, str], raw: bytes) -> str:
    """Say why this is no message; empty if it is one."""
    if headers.get("compression") or headers.get("content-encoding"):
        return "compressed messages are not read: send them as they are"
    if raw:
        return ""
    named = next((name for name in NAMES_A_FILE if name in headers), "")
    return f"no message was sent, and the header {named.title()} is not honoured" if named else "no message was sent"
