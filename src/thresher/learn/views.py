"""Views: a message seen from three sides, each with slots of its own.

    content   what it says: text, links, markup, attachments        half of the slots
    people    who writes to whom, and about what                    a quarter
    rest      every other field of the header: how it came here     a quarter
A feature's view follows from its field, so it need not be kept: the two lowest bits of a feature's hash name it, and
the two highest of its slot. Why a learner looks at each by itself: evidence/views.md.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

U64 = npt.NDArray[np.uint64]
Ids = npt.NDArray[np.intp]

CONTENT: Final = 0
PEOPLE: Final = 1
REST: Final = 2
COUNT: Final = 3

CONTENT_FIELDS: Final = (b"body", b"url", b"html", b"hidden", b"attachment", b"message")
PEOPLE_FIELDS: Final = (b"subject", b"from", b"to", b"reply-to")

MARK: Final = 3
"""The bits of a hash that name its view."""
BY_QUARTER: Final = np.array([CONTENT, CONTENT, PEOPLE, REST], np.intp)
"""The view of each quarter of the slots."""
_FEWER_BITS: Final = np.array([1, 2, 2, 2], np.uint64)
"""Bits of a slot that its view takes."""
_FIRST_QUARTER: Final = np.array([0, 2, 3, 3], np.uint64)


def marked(hashes: U64, views: U64) -> U64:
    """Put the view's mark into hashes."""
    return (hashes & ~np.uint64(MARK)) | views


def slots_of(mixed: U64, views: U64, bits: int) -> Ids:
    """Return the slots of well-mixed hashes: their top bits, within the view's share of all slots."""
    slots = mixed >> (np.uint64(64 - bits) + _FEWER_BITS.take(views))
    slots += _FIRST_QUARTER.take(views) << np.uint64(bits - 2)
    return slots.astype(np.intp)


def view_of(slots: Ids, bits: int) -> Ids:
    """Return the view of each slot."""
    return BY_QUARTER.take(slots >> (bits - 2))
