"""The header fields that tell a verdict to mail servers, Sieve scripts and people. Pure.

Values are ASCII: what a reason quotes of other scripts is an encoded word (RFC 2047). Long values are folded.
"""

from base64 import b64encode
from typing import Final

from thresher.serve.scan import THRESHOLD, Scan
from thresher.values import Verdict

X_SPAM: Final = {Verdict.SPAM: "Yes", Verdict.HAM: "No", Verdict.UNSURE: "Unsure"}
MOST_STARS: Final = 50
"""SpamAssassin's X-Spam-Level ends there, and rules count stars, not more."""
OWN: Final = frozenset({b"x-spam", b"x-spam-score", b"x-spam-level", b"x-spam-status", b"x-spam-flag", b"x-thresher"})
"""Names, in lower case, that only a filter of this house may give: others' copies are forged, and taken out."""

Tags = list[tuple[str, str]]


def tags(scan: Scan) -> Tags:
    """Return the fields of a verdict."""
    return [
        ("X-Spam", X_SPAM[scan.verdict]),
        ("X-Spam-Score", f"{scan.points:.2f}"),
        ("X-Spam-Level", "*" * min(max(int(scan.points), 0), MOST_STARS)),
        ("X-Thresher", _told(scan)),
    ]


def spamassassin_tags(scan: Scan, symbols: tuple[str, ...]) -> Tags:
    """Return the two fields that recipes written for SpamAssassin look for."""
    spam = scan.verdict is Verdict.SPAM
    yes = "Yes" if spam else "No"
    status = f"{yes}, score={scan.points:.1f} required={THRESHOLD:.1f}\n tests={','.join(symbols)}"
    return [*([("X-Spam-Flag", "YES")] if spam else []), ("X-Spam-Status", status)]


def as_bytes(fields: Tags) -> list[tuple[bytes, bytes]]:
    """Return fields as mail.annotate takes them."""
    return [(name.encode(), value.encode()) for name, value in fields]


def _told(scan: Scan) -> str:
    if scan.unjudged:
        return f"{scan.verdict}, not judged,\n why={_ascii(scan.unjudged)}, id={scan.digest}"
    why = ";\n ".join(f"{_ascii(reason.text)} {reason.share:+.2f}" for reason in scan.reasons) or "nothing known"
    return f"{scan.verdict}, p={scan.judgement.probability:.6f},\n why={why},\n id={scan.digest}"


def _ascii(text: str) -> str:
    if text.isascii() and text.isprintable() and "=?" not in text:
        return text
    # At most 75 characters each (RFC 2047): eleven characters of four bytes become 60 of base64.
    pieces = (text[first : first + 11] for first in range(0, len(text), 11))
    return "\n ".join(f"=?utf-8?B?{b64encode(piece.encode()).decode()}?=" for piece in pieces)
