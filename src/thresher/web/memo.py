"""What pages computed, kept until what it was computed from has changed."""

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from thresher.web.site import Site

Value = TypeVar("Value")


def memo(site: Site, name: str, stands_for: Hashable, compute: Callable[[], Value]) -> Value:
    """Return what was computed under this name, anew if it stood for something else. Two at once compute it twice."""
    held = site.memory.get(name)
    if held is None or held[0] != stands_for:
        held = (stands_for, compute())
        site.memory[name] = held
    return cast("Value", held[1])
