"""Header fields -> lines of the token stream: each header worth reading, read as it deserves.

Verdicts of filters, ours and others', are not read at all: they would teach the filter to agree with them. Dates,
identifiers and signatures are read by their shape: their values never come again, and years separate corpora, not spam.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from string import ascii_letters, digits
from typing import Final

from thresher.mail import kernel
from thresher.mail.headers import decode_words
from thresher.mail.urls import registered_domain, whole
from thresher.mail.words import WORDS, words

MAX_VALUE: Final = 600
MAX_RECEIVED: Final = 8
MAX_LINES: Final = 120
CACHED_VALUE: Final = 160

Headers = Iterable[tuple[bytes, bytes]]
Rule = kernel.Rule

VERDICTS: Final = (
    b"x-spam", b"x-bogosity", b"x-rspam", b"x-thresher", b"x-crm114", b"x-dspam", b"x-spambayes", b"x-spamprobe",
    b"x-sa-", b"x-virus", b"x-antispam", b"x-anti-spam", b"x-ms-exchange-organization-scl", b"x-microsoft-antispam",
    b"x-forefront-antispam", b"x-ms-exchange-antispam", b"x-ironport", b"x-proofpoint", b"x-barracuda", b"x-gmx-anti",
    b"x-ham-", b"x-junk", b"x-mailscanner", b"x-amavis", b"x-policyd", b"x-assp", b"x-ovh-spam", b"x-cloudmark",
    b"x-vade", b"x-pmx", b"x-pyzor", b"x-razor", b"x-dcc", b"x-classif", b"x-bayes", b"x-sender-score", b"x-filter-",
)  # fmt: skip
OWN_FIELDS: Final = frozenset({b"attachment", b"html", b"hidden", b"body", b"url", b"message", b"against-from"})
"""Fields of the token stream that are no headers; a header of such a name would pass for them."""
_AROUND_ADDRESSES: Final = bytes.maketrans(b'<>"(),;:', b" " * 8)
_HOST: Final = re.compile(rb"[a-z0-9._-]{1,253}")
MAX_LOCAL: Final = 64
MAX_ADDRESSES: Final = 4
MAX_SHAPE: Final = 32
_LETTER_RUN: Final = re.compile(rb"aa+")
_DIGIT_RUN: Final = re.compile(rb"99+")
_DATE: Final = re.compile(
    # Possessive, or runs of blanks are shared out between neighbours in all possible ways: 300 ms for one such date.
    rb"\s*+(?:([a-z]{3}),\s++)?(\d{1,2})\s++[a-z]{3}\s++(\d{4})\s++(\d\d):\d\d(:\d\d)?\s++([+-]\d{4}|[a-z]{1,5})?\s*+(\(.*\))?\s*+"
)
_VISIBLE: Final = range(ord("!"), ord("~") + 1)
_SHAPES: Final = bytes(
    ord("a" if chr(byte) in ascii_letters else "9" if chr(byte) in digits else chr(byte) if byte in _VISIBLE else "_")
    for byte in range(256)
)


def header_fields(headers: Headers, hints: set[bytes]) -> list[bytes]:
    """Return a line for each header that is read, in the order of the message."""
    addresses: dict[bytes, bytes] = {}
    lines = kernel.header_lines(headers, _reading_of, _cached_line, WORDS, _BOUNDS, hints, addresses)
    return lines + _comparisons(addresses)


@lru_cache(maxsize=4096)
def _reading_of(name: bytes) -> kernel.Reading:
    """Say how a header is read: verdicts and names that stand for something else in a token stream are not."""
    if name.startswith(VERDICTS) or name in OWN_FIELDS:
        return kernel.UNREAD, _plain, False
    rule = RULES.get(name, _plain)
    kind = _KINDS.get(rule, kernel.OTHER)
    return kind, rule, name in _ADDRESSED


@lru_cache(maxsize=8192)
def _cached_line(name: bytes, value: bytes) -> tuple[bytes, frozenset[bytes]]:
    met: set[bytes] = set()
    _, rule, _ = _reading_of(name)
    return name + b"\t" + rule(value, met), frozenset(met)


def _plain(value: bytes, hints: set[bytes]) -> bytes:
    if kernel.is_plain(value):
        return value.translate(WORDS)
    return words(decode_words(value, {}), hints)


def _present(value: bytes, hints: set[bytes]) -> bytes:  # noqa: ARG001 - every rule has this signature
    return b""


def _received(value: bytes, hints: set[bytes]) -> bytes:
    return _plain(kernel.without_id(value), hints)


def _address(value: bytes, hints: set[bytes]) -> bytes:
    """Display name as words; of each address the whole, its host and the domain somebody registered."""
    text = _plain(value, hints)
    tokens = [text]
    for local, host in _addresses(value):
        domain = registered_domain(host)
        tokens += [b"address:" + whole(local) + b"@" + host, b"domain:" + domain]
    return b" ".join(tokens)


def _addresses(value: bytes) -> list[tuple[bytes, bytes]]:
    """Return local part and host of the first addresses: words with an @ inside, which no pattern finds as fast."""
    found: list[tuple[bytes, bytes]] = []
    for word in value.lower().translate(_AROUND_ADDRESSES).split() if b"@" in value else ():
        local, _, rest = word.partition(b"@")
        host = _HOST.match(rest)
        if local and host:
            found.append((local[-MAX_LOCAL:], host[0]))
            if len(found) == MAX_ADDRESSES:
                break
    return found


def _recipients(value: bytes, hints: set[bytes]) -> bytes:
    return b"recipients:%d " % value.count(b"@").bit_length() + _plain(value, hints)


def _shape(identifier: bytes) -> bytes:
    """Return its punctuation, runs of letters as a, of digits as 9: 20021009.c3@x -> 9.a9@a."""
    if kernel.COMPILED:
        return kernel.shape_of(identifier, _SHAPES, MAX_SHAPE)
    return _LETTER_RUN.sub(b"a", _DIGIT_RUN.sub(b"9", identifier.translate(_SHAPES)))[:MAX_SHAPE]


def _message_id(value: bytes, hints: set[bytes]) -> bytes:
    local, _, host = value.strip().strip(b"<>").rpartition(b"@")
    return b"shape:%b %b" % (_shape(local), words(host, hints))


def _date(value: bytes, hints: set[bytes]) -> bytes:  # noqa: ARG001
    """Read the form of the date, never the date."""
    match = _DATE.fullmatch(value.lower())
    if not match:
        return b"odd-form"
    weekday, day, _, _, seconds, zone, comment = match.groups()
    tokens = [b"zone:" + (zone or b"none")]
    if not weekday:
        tokens.append(b"no-weekday")
    if not seconds:
        tokens.append(b"no-seconds")
    if day.startswith(b"0"):
        tokens.append(b"zero-day")
    if comment:
        tokens.append(b"zone-name")
    return b" ".join(tokens)


def _signature(value: bytes, hints: set[bytes]) -> bytes:  # noqa: ARG001
    wanted = (b"d=", b"s=", b"a=", b"c=")
    tags = [tag.strip() for tag in value.split(b";")]
    return b" ".join(whole(tag) for tag in tags if tag.startswith(wanted))


def _content_type(value: bytes, hints: set[bytes]) -> bytes:
    before, boundary, after = value.partition(b"boundary=")
    if not boundary:
        return _plain(value, hints)
    return before.translate(WORDS) + b" boundary:" + _shape(after.strip(b'"'))


def _comparisons(addresses: dict[bytes, bytes]) -> list[bytes]:
    """Say where the addresses of one message disagree."""
    if not addresses:
        return []
    sender = _domain(addresses.get(b"from", b""))
    tokens = []
    for name, value in addresses.items():
        if name != b"from":
            domain = _domain(value)
            tokens.append(name + (b":same" if domain == sender else b":other" if domain else b":none"))
    return [b"against-from\t" + b" ".join(tokens)] if tokens else []


@lru_cache(maxsize=4096)
def _domain(value: bytes) -> bytes:
    found = _addresses(value)
    return registered_domain(found[0][1]) if found else b""


_ADDRESSED: Final = frozenset({b"from", b"reply-to", b"return-path", b"sender"})
_KINDS: Final[dict[Rule, int]] = {
    _plain: kernel.PLAIN,
    _received: kernel.RECEIVED,
    **dict.fromkeys((_address, _recipients, _content_type), kernel.RECURRING),
}
_BOUNDS: Final = (MAX_LINES, MAX_VALUE, CACHED_VALUE, MAX_RECEIVED)
RULES: Final[dict[bytes, Rule]] = {
    b"from": _address,
    b"reply-to": _address,
    b"sender": _address,
    b"return-path": _address,
    b"errors-to": _address,
    b"to": _recipients,
    b"cc": _recipients,
    b"received": _received,
    b"message-id": _message_id,
    b"date": _date,
    b"content-type": _content_type,
    b"dkim-signature": _signature,
    b"domainkey-signature": _signature,
    **dict.fromkeys(
        (
            b"references", b"in-reply-to", b"x-received", b"arc-seal", b"arc-message-signature", b"x-gm-message-state",
            b"x-google-smtp-source", b"x-google-dkim-signature", b"content-length", b"lines", b"status", b"x-status",
            b"x-uid", b"x-uidl", b"x-keywords", b"x-mozilla-status", b"x-mozilla-status2", b"thread-index",
            b"x-mozilla-keys", b"x-sieve", b"delivery-date", b"resent-date", b"resent-message-id", b"x-original-date",
            b"x-evolution", b"x-ms-exchange-crosstenant-id", b"x-original-message-id", b"x-imap", b"x-imapbase",
        ),
        _present,
    ),
}  # fmt: skip
