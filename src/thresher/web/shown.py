"""How values look on the page: text from outside made harmless, numbers and times as people read them."""

import math
import time
from typing import Final

from markupsafe import Markup

from thresher.choose.metrics import Rate

MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 86400
LEAST: Final = 0.01
"""Per cent that are told apart."""
_KEPT: Final = frozenset("\n\t")


def finalize(value: object) -> object:
    """Make what a template prints fit to be seen: no control characters, nothing that turns the direction of writing.

    Every expression of every template goes through here, so none can be forgotten; escaping comes after.
    """
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return plain(value)


def plain(text: str) -> str:
    """Replace what is no character to be seen, but for line ends and tabs."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _KEPT else "\N{REPLACEMENT CHARACTER}" for c in text)


def when(seconds: float, now: float | None = None) -> str:
    """Say when something was, as a person would."""
    passed = (time.time() if now is None else now) - seconds
    if 0 <= passed < MINUTE:
        return "just now"
    if 0 <= passed < HOUR:
        return f"{int(passed // MINUTE)} min ago"
    moment = time.localtime(seconds)
    if 0 <= passed < DAY and moment.tm_mday == time.localtime(seconds + passed).tm_mday:
        return time.strftime("%H:%M", moment)
    if 0 <= passed < 300 * DAY:
        return time.strftime("%-d %b %H:%M", moment)
    return time.strftime("%-d %b %Y", moment)


def stamp(seconds: float) -> str:
    """Write a moment for programs: ISO 8601 with the zone."""
    return time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(seconds))


def number(value: float) -> str:
    """Write a count."""
    return f"{value:,}"


def percent(share: float) -> str:
    """Write a share; small ones with the digits they need."""
    if math.isnan(share):
        return "–"
    value = 100 * share
    if value in {0, 100}:
        return f"{value:.0f} %"
    if value < LEAST:
        return f"< {LEAST:g} %"
    if value > 100 - LEAST:
        return f"> {100 - LEAST:g} %"
    digits = 2 if not 1 <= value <= 99 else 1  # noqa: PLR2004 - near the ends the second digit matters
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") + " %"


def rate_of(rate: Rate) -> str:
    """Write a share with its interval."""
    if math.isnan(rate.share):
        return "not known yet"
    return f"{percent(rate.share)} ({percent(rate.low)} to {percent(rate.high)})"
