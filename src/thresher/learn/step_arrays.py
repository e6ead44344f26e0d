"""What learn.step_kernel does, with arrays: the same bits, for machines without a compiler."""

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.learn import views
from thresher.learn.hashing import Ids

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
U32 = npt.NDArray[np.uint32]

SPAM, HAM, WEIGHT, SQUARE = range(4)
"""Columns of the table."""
COUNTED: Final = 1 << 16
"""Both as in step_kernel, whose own names are C's alone once it is compiled."""


def look(
    counts: U32,
    numbers: F32,
    logs: F64,
    slots: Ids,
    offsets: Ids,
    bits: int,
    constants: F64,
    values: F64,
    sums: F64,
) -> None:
    """Do as step_kernel.look does."""
    rows = counts.take(slots, axis=0)
    spam, ham = rows[:, SPAM], rows[:, HAM]
    new = (spam | ham) == 0
    while (large := np.flatnonzero((spam >= COUNTED) | (ham >= COUNTED))).size:
        spam[large] >>= 1
        ham[large] >>= 1
    prior, floor, weight_of_new = constants
    np.abs(logs.take(spam) - logs.take(ham) + prior, values)
    values += floor
    values[new] = weight_of_new
    keys = 2 * views.view_of(slots, bits)
    keys += np.repeat(np.arange(len(offsets) - 1) * 2 * views.COUNT, np.diff(offsets))
    # bincount adds one after the other, as the kernel does: the same bits in any batch.
    sums += np.bincount(keys, values * values, len(sums))
    sums += np.bincount(keys + 1, values * numbers[slots, WEIGHT], len(sums))


def gradients(numbers: F32, slots: Ids, bits: int, errors: F64, values: F64, squares: F64) -> None:
    """Do as step_kernel.gradients does."""
    values *= errors.take(views.view_of(slots, bits))
    squares[:] = numbers[slots, SQUARE]
    squares += values * values
    numbers[slots, SQUARE] = squares


def step(counts: U32, numbers: F32, slots: Ids, rate: float, column: int, values: F64, roots: F64) -> None:
    """Do as step_kernel.step does."""
    numbers[slots, WEIGHT] = numbers[slots, WEIGHT].astype(np.float64) - rate * values / roots
    counts[slots, column] += np.uint32(1)
