"""Times as people write them on the command line."""

import re
import time
from datetime import datetime
from typing import Final

import click

_SECONDS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 7 * 86400}
_AGO: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(second|minute|hour|day|week)s?(?:\s+ago)?")


def moment(_: click.Context, __: click.Parameter, value: str | None) -> float | None:
    """Read a date, a date and time, or how long ago, as seconds since 1970."""
    if value is None:
        return None
    if ago := _AGO.fullmatch(value.strip().lower()):
        return time.time() - float(ago[1]) * _SECONDS[ago[2]]
    try:
        # Without a zone it is the clock on the wall.
        return datetime.fromisoformat(value.strip()).timestamp()
    except (ValueError, OverflowError) as error:
        raise click.BadParameter(f"{value!r} is no time; say 2025-01-31, '2025-01-31 18:30' or '2 days'") from error
