"""One look at many slots, one step on those of a message: what learn.step_arrays does, for a compiler.

A slot's four numbers lie side by side in one row of the table, so that a feature costs one wait for memory, not four.
Everything is reckoned in double precision, product by product in the slots' order, and rounded where it is kept: so the
compiled kernel, this file as Python reads it, and learn.step_arrays give the same bits (evidence/kernel.md).
"""

from typing import Protocol

SPAM, HAM, WEIGHT, SQUARE = 0, 1, 2, 3
"""Columns of the table: two counts, and two numbers in single precision."""
COUNTED = 1 << 16
"""Counts up to here have their logarithm in a table; of larger ones only the ratio matters."""
VIEWS = 3


class Column(Protocol):
    """An array of numbers, or a memoryview of one."""

    def __getitem__(self, at: int, /) -> float:
        """Read a number."""

    def __setitem__(self, at: int, number: float, /) -> None:
        """Write a number."""


class Places(Protocol):
    """An array of whole numbers, or a memoryview of one."""

    def __len__(self) -> int:
        """Count them."""

    def __getitem__(self, at: int, /) -> int:
        """Read a number."""


class Table(Protocol):
    """An array of rows, or a memoryview of one."""

    def __getitem__(self, at: tuple[int, int], /) -> int:
        """Read a number."""

    def __setitem__(self, at: tuple[int, int], number: int, /) -> None:
        """Write a number."""


class Numbers(Protocol):
    """The same rows, read as numbers in single precision."""

    def __getitem__(self, at: tuple[int, int], /) -> float:
        """Read a number."""

    def __setitem__(self, at: tuple[int, int], number: float, /) -> None:
        """Write a number."""


def look(
    counts: Table,
    numbers: Numbers,
    logs: Column,
    slots: Places,
    offsets: Places,
    bits: int,
    constants: Column,
    values: Column,
    sums: Column,
) -> None:
    """Write each feature's v, and of each message and view the sum of v^2 and that of v w, one behind the other.

    `constants` are the logarithm of the ratio of the lessons, what every feature weighs, and what a new one does.
    """
    prior, floor, new = constants[0], constants[1], constants[2]
    for message in range(len(offsets) - 1):
        for i in range(offsets[message], offsets[message + 1]):
            slot = slots[i]
            spam = counts[slot, SPAM]
            ham = counts[slot, HAM]
            if spam == 0 and ham == 0:
                value = new
            else:
                while spam >= COUNTED or ham >= COUNTED:
                    spam >>= 1
                    ham >>= 1
                value = logs[spam] - logs[ham] + prior
                if value < 0:
                    value = -value
                value += floor
            values[i] = value
            quarter = slot >> (bits - 2)
            at = 2 * (VIEWS * message + (quarter - 1 if quarter else 0))
            sums[at] += value * value
            sums[at + 1] += value * numbers[slot, WEIGHT]


def gradients(numbers: Numbers, slots: Places, bits: int, errors: Column, values: Column, squares: Column) -> None:
    """Make each v a gradient, given each view's error over its length; add their squares to those of the table."""
    for i in range(len(slots)):
        slot = slots[i]
        quarter = slot >> (bits - 2)
        gradient = values[i] * errors[quarter - 1 if quarter else 0]
        square = numbers[slot, SQUARE] + gradient * gradient
        numbers[slot, SQUARE] = square
        values[i] = gradient
        squares[i] = square


def step(
    counts: Table, numbers: Numbers, slots: Places, rate: float, column: int, values: Column, roots: Column
) -> None:
    """Step down the gradients, and count the lesson in its column."""
    for i in range(len(slots)):
        slot = slots[i]
        numbers[slot, WEIGHT] = numbers[slot, WEIGHT] - rate * values[i] / roots[i]
        counts[slot, column] += 1
