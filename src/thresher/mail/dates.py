"""When a message says it was sent. Senders write what they like: this orders mail, and is evidence of nothing."""

from collections.abc import Iterable
from typing import Final

MAX_DATE: Final = 100
"""Bytes of a date that are read."""


def sent(headers: Iterable[tuple[bytes, bytes]]) -> float | None:
    """Seconds since 1970 UTC of the first Date header that can be read; None if there is none."""
    # email.utils takes 10 ms to import, and one order of evaluation needs it.
    from email.utils import mktime_tz, parsedate_tz

    for name, value in headers:
        if name != b"date":
            continue
        parsed = parsedate_tz(value[:MAX_DATE].decode("ascii", "replace"))
        try:
            return float(mktime_tz(parsed)) if parsed else None
        except (ValueError, OverflowError):
            return None
    return None
