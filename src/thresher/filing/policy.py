"""What a message's place says of it. Pure.

The law: a lesson is what a person did. They moved it, marked it, answered it, kept it. What thresher did itself teaches
nothing, and neither does throwing something away.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from thresher.boxes.mailbox import ANSWERED, DELETED, FLAGGED, LABEL, SEEN
from thresher.filing.roles import Role
from thresher.values import Label

STAY_DAYS: Final = 3.0
"""How long a message that was read must have stayed before it counts as wanted: a long weekend's worth of second
thoughts. Settable for each account."""
JUNK: Final = frozenset({"$junk", "junk"})
NOT_JUNK: Final = frozenset({"$notjunk", "nonjunk", "notjunk", "$nonjunk"})
"""Marks in lower case: RFC 5788's, Apple's and Thunderbird's."""
STAYING: Final = frozenset({Role.INBOX, Role.OTHER})
"""Where staying means something. In a folder of one's own it does as in the inbox: rules put mail there too."""
GMAIL_INBOX: Final = LABEL + "\\Inbox"


class Why(StrEnum):
    """What speaks for a lesson."""

    MARKED_JUNK = "marked as junk"
    MARKED_NOT_JUNK = "marked as not junk"
    IN_JUNK = "in Junk"
    MOVED_TO_JUNK = "moved to Junk"
    MOVED_OUT = "moved out of Junk"
    ANSWERED = "answered"
    FLAGGED = "flagged"
    SENT = "sent"
    ARCHIVED = "archived"
    STAYED = "read, and stayed"


ACTS: Final = frozenset({Why.MARKED_JUNK, Why.MARKED_NOT_JUNK, Why.MOVED_TO_JUNK, Why.MOVED_OUT})
"""What a person did to say so. The others only go without saying, and correct nobody's word."""


class Here(NamedTuple):
    """A message in a folder, and what is known of how it came there."""

    role: Role
    flags: frozenset[str] = frozenset()
    since: float = 0.0
    """When it came there, as far as is known."""
    before: Role | None = None
    """What the folder was for in which it lay before; None if it was not seen elsewhere."""
    ours: bool = False
    """Thresher put it there."""
    judged: bool = False
    """It carries a verdict of thresher's: whoever delivered it may have filed it by that."""
    had: frozenset[str] | None = None
    """The flags it was last seen with in this folder; None if it is new there."""


class Saying(NamedTuple):
    """What somebody says of a message by where they put it."""

    label: Label
    why: Why


def says(here: Here, now: float, stay: float) -> Saying | None:
    """Return what a message's place says, if anything; ``stay`` in seconds."""
    marked = _marked(here.flags)
    if _is_thrown_away(here):
        return marked if marked and marked.label is Label.SPAM else None
    if marked and here.had is not None and _marked(here.had) != marked:
        # Marked since it lies there: later than the move that brought it.
        return marked
    if here.role is Role.DRAFTS:
        return None
    if here.role is Role.JUNK:
        return _in_junk(here, marked)
    if here.before is Role.JUNK and not here.ours:
        return Saying(Label.HAM, Why.MOVED_OUT)
    return marked or _wanted(here, now, stay)


def _is_thrown_away(here: Here) -> bool:
    return here.role is Role.TRASH or DELETED in here.flags


def _in_junk(here: Here, marked: Saying | None) -> Saying | None:
    moved = here.before is not None and here.before is not Role.JUNK
    if marked and not (moved and not here.ours):
        return marked
    # By thresher's own hand, or by that of a delivery agent that goes by its verdict.
    if here.ours or (here.judged and not moved):
        return None
    if not moved and not here.flags.isdisjoint({ANSWERED, FLAGGED}):
        return None
    return Saying(Label.SPAM, Why.MOVED_TO_JUNK if moved else Why.IN_JUNK)


def _wanted(here: Here, now: float, stay: float) -> Saying | None:
    """Say why a message is ham that is neither junk nor thrown away."""
    reasons = {
        Why.ANSWERED: ANSWERED in here.flags,
        Why.FLAGGED: FLAGGED in here.flags,
        Why.SENT: here.role is Role.SENT,
        Why.ARCHIVED: here.role is Role.ARCHIVE or _is_archived(here),
        Why.STAYED: here.role in STAYING and SEEN in here.flags and now - here.since >= stay,
    }
    return next((Saying(Label.HAM, why) for why, holds in reasons.items() if holds), None)


def _is_archived(here: Here) -> bool:
    """Tell of a folder that holds everything. Where labels are told, what lacks that of the inbox was archived."""
    return here.role is Role.ALL and LABEL in here.flags and GMAIL_INBOX not in here.flags


def _marked(flags: frozenset[str]) -> Saying | None:
    lower = {flag.lower() for flag in flags}
    junk, not_junk = not lower.isdisjoint(JUNK), not lower.isdisjoint(NOT_JUNK)
    if junk is not_junk:
        return None
    return Saying(Label.SPAM, Why.MARKED_JUNK) if junk else Saying(Label.HAM, Why.MARKED_NOT_JUNK)


def may_be_moved(here: Here, now: float, stay: float) -> bool:
    """Whether thresher may file a message as spam: only out of the inbox, and only what nobody has spoken for."""
    return here.role is Role.INBOX and says(here, now, stay) is None and not here.ours and DELETED not in here.flags
