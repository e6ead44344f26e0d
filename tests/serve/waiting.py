"""Waiting for what another thread or process does."""

import time
from collections.abc import Callable

PATIENCE = 30.0
"""Seconds: far more than anything takes here, so that only what never happens fails."""


def eventually(holds: Callable[[], object], patience: float = PATIENCE) -> None:
    """Return once something holds; fail if it never does."""
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)
