"""The order in which a set of lessons is learned, whatever the order in which they were given.

An online learner forgets: taught a folder of ham and then one of spam, it errs far more than taught the same lessons
mixed (evidence/order.md). So the model is the fold of the lessons in this order, and the order of teaching cannot hurt.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Thing = TypeVar("Thing")
Order = npt.NDArray[np.intp]


def interleaved(is_spam: npt.NDArray[np.bool_]) -> Order:
    """Mix two classes evenly, each in its own order: lesson j of n comes at (j + 1/2) / n of the whole, ham first.

    Returns indices into is_spam. Whole numbers, so that the order is the same on every machine.
    """
    spam = np.flatnonzero(is_spam)
    ham = np.flatnonzero(~is_spam)
    place = np.empty(len(is_spam), np.int64)
    # (2j + 1) / 2n for both, times 2 n_spam n_ham; twice that, to leave room for who comes first.
    place[spam] = (2 * np.arange(len(spam)) + 1) * max(len(ham), 1) * 2 + 1
    place[ham] = (2 * np.arange(len(ham)) + 1) * max(len(spam), 1) * 2
    return np.argsort(place, kind="stable")


def in_learning_order(things: Sequence[Thing], is_spam: Sequence[bool]) -> list[Thing]:
    """Put things of two classes into the order in which they are best learned."""
    return [things[index] for index in interleaved(np.array(is_spam, np.bool_)).tolist()]
