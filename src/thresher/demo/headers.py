"""Header lines: encoded words, folding, addresses, dates, the trace a message leaves on its way.

Everything here is right by the standards (RFC 5322, 2047, 8601); what is wrong on purpose is done in compose.py.
"""

from base64 import b64encode
from collections.abc import Iterable
from time import gmtime

from thresher.demo.dice import Dice
from thresher.demo.draft import Mailbox

_FOLD = 76
_WORD = 42
"""Bytes of text in an encoded word: 56 characters in base64, which leave 19 of RFC 2047's 75 to the charset's name."""
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_PLAIN_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!*+-/")
_ATOM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~ ")


def date(time: float, zone: int) -> str:
    """Return the time as Date and Received want it."""
    at = gmtime(time + zone * 60)
    sign = "-" if zone < 0 else "+"
    hours, minutes = divmod(abs(zone), 60)
    return (
        f"{_DAYS[at.tm_wday]}, {at.tm_mday} {_MONTHS[at.tm_mon - 1]} {at.tm_year}"
        f" {at.tm_hour:02}:{at.tm_min:02}:{at.tm_sec:02} {sign}{hours:02}{minutes:02}"
    )


def fold(line: str) -> str:
    """Return a header line broken at spaces, so that no line is longer than need be."""
    if len(line) <= _FOLD or "\n" in line:
        return line
    rows: list[str] = []
    row = ""
    for word in line.split(" "):
        if row and len(row) + len(word) >= _FOLD:
            rows.append(row)
            row = ""
        row = f"{row} {word}" if row else word
    rows.append(row)
    return "\n ".join(rows)


def _q_word(data: bytes) -> str:
    return "".join([chr(byte) if byte in _PLAIN_WORD else "_" if byte == ord(" ") else f"={byte:02X}" for byte in data])


def _pieces(text: str, charset: str, most: int) -> Iterable[bytes]:
    """Cut the text between characters into pieces of at most so many bytes."""
    start = 0
    while start < len(text):
        # No character takes more than eight bytes, the escapes of ISO-2022-JP included.
        end = start + max(1, most // 8)
        piece = text[start:end].encode(charset)
        while end < len(text):
            longer = text[start : end + 1].encode(charset)
            if len(longer) > most:
                break
            piece = longer
            end += 1
        yield piece
        start = end


def encode(text: str, charset: str, style: str) -> str:
    """Return the text as a header can hold it: as it is, or in encoded words."""
    if text.isascii():
        return text
    if charset == "us-ascii":
        charset = "utf-8"
    try:
        text.encode(charset)
    except UnicodeEncodeError:
        charset = "utf-8"
    if style == "Q":
        return "\n ".join([f"=?{charset}?Q?{_q_word(piece)}?=" for piece in _pieces(text, charset, _WORD // 3)])
    return "\n ".join([f"=?{charset}?B?{b64encode(piece).decode()}?=" for piece in _pieces(text, charset, _WORD)])


def mailbox(box: Mailbox, charset: str, style: str) -> str:
    """Return a name and an address as From, To and Cc want them."""
    name, address = box
    if not name:
        return address
    if not name.isascii():
        return f"{encode(name, charset, style)} <{address}>"
    if not _ATOM.issuperset(name):
        escaped = name.replace("\\", "\\\\").replace('"', '\\"')
        name = f'"{escaped}"'
    return f"{name} <{address}>"


def mailboxes(boxes: Iterable[Mailbox], charset: str, style: str) -> str:
    """Return a list of mailboxes, one a line."""
    return ",\n ".join([mailbox(box, charset, style) for box in boxes])


def literal(ip: str) -> str:
    """Return an address as a host without a name gives it."""
    return f"[IPv6:{ip}]" if ":" in ip else f"[{ip}]"


def received(dice: Dice, hop: tuple[str, str, str], by: str, until: str, for_: str = "") -> str:
    """Return one line of trace; the hop is what the sender calls itself, its name and its address."""
    helo, name, ip = hop
    protocol = dice.pick(("ESMTPS", "ESMTPS", "ESMTP", "ESMTPSA" if not for_ else "ESMTPS"))
    tls = "\n\t(using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits))" if protocol == "ESMTPS" else ""
    target = f"\n\tfor <{for_}>" if for_ else ""
    number = f"{dice.hexadecimal(10).upper()}"
    return (
        f"Received: from {helo} ({name} {literal(ip)}){tls}\n\tby {by} with {protocol} id {number}{target};\n\t{until}"
    )


def authentication(mx: str, host: str, envelope_host: str, verdict: str) -> str:
    """Return what the owner's host found out about the sender."""
    spf, dkim, dmarc = {
        "pass": ("pass", f"pass header.d={host}", "pass"),
        "none": ("none", "none", "none"),
        "soft": ("softfail", "none", "none"),
        "fail": ("fail", "none", "fail"),
    }[verdict]
    return (
        f"Authentication-Results: {mx};\n\tspf={spf} smtp.mailfrom={envelope_host};\n\tdkim={dkim};"
        f"\n\tdmarc={dmarc} header.from={host}"
    )


def dkim_signature(dice: Dice, host: str, stamp: int) -> str:
    """Return the noise of a signature; it verifies as little as any made-up one."""
    noise = dice.base64(168)
    rows = "\n\t ".join([noise[at : at + 64] for at in range(0, 168, 64)])
    selector = dice.pick(("s1", "mail", "default", "k1", "selector1", "2024a"))
    return (
        f"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d={host}; s={selector};"
        f"\n\tt={stamp}; h=from:to:subject:date:message-id:mime-version:content-type;"
        f"\n\tbh={dice.base64(43)}=;\n\tb={rows}"
    )
