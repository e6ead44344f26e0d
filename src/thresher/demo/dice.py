"""Chance for the generator: everything is made of `random()` and `getrandbits()`, whose values Python promises to keep.

`choice`, `sample` and `shuffle` may change between Python versions, and are slower; so none of them is used.
"""

from collections.abc import Sequence
from random import Random
from string import ascii_letters, ascii_lowercase, digits
from typing import TypeVar

T = TypeVar("T")


def _table(alphabet: str) -> bytes:
    """Return what turns random bytes into random characters, all about as likely."""
    return bytes(ord(alphabet[byte % len(alphabet)]) for byte in range(256))


_ALNUM = _table(ascii_lowercase + digits)
_BASE64 = _table(ascii_letters + digits + "+/")


class Dice(Random):
    """A seeded source of picks, numbers and noise."""

    def chance(self, share: float) -> bool:
        """Return true in this share of the calls."""
        return self.random() < share

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, each as likely."""
        return items[int(self.random() * len(items))]

    def favour(self, items: Sequence[T]) -> T:
        """Return one of the items, the first ones most often: we hear from few people daily and from many once."""
        return items[int(self.random() ** 3 * len(items))]

    def between(self, low: int, high: int) -> int:
        """Return a whole number from low to high, both possible."""
        return low + int(self.random() * (high - low + 1))

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """Return up to count different items in random order."""
        rest = list(items)
        taken: list[T] = []
        while rest and len(taken) < count:
            at = int(self.random() * len(rest))
            rest[at], rest[-1] = rest[-1], rest[at]
            taken.append(rest.pop())
        return taken

    def token(self, count: int) -> str:
        """Return lower-case letters and digits, as in identifiers."""
        return self.noise(count).translate(_ALNUM).decode()

    def base64(self, count: int) -> str:
        """Return characters of the base64 alphabet, as in signatures."""
        return self.noise(count).translate(_BASE64).decode()

    def digits(self, count: int) -> str:
        """Return decimal digits, leading zeros kept."""
        return str(int(self.random() * 10**count)).zfill(count)

    def hexadecimal(self, count: int) -> str:
        """Return lower-case hexadecimal digits."""
        return f"{self.getrandbits(4 * count):0{count}x}"

    def noise(self, count: int) -> bytes:
        """Return random bytes."""
        return self.getrandbits(8 * count).to_bytes(count, "little")
