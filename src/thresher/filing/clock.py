"""A clock that goes on evenly, whatever is done to the system's: mail that lies for days must not age in one jump."""

import time
from collections.abc import Callable


def since_boot() -> float:
    """Return seconds that only grow, also while the machine sleeps."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class SteadyClock:
    """The time of day when it was made, and what has passed since."""

    def __init__(self, wall: Callable[[], float] = time.time, passed: Callable[[], float] = since_boot) -> None:
        self._passed = passed
        self._start = wall() - passed()

    def __call__(self) -> float:
        """Return seconds since 1970 UTC."""
        return self._start + self._passed()
