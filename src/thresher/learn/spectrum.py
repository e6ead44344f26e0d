"""Counting the substrings of length k of many strings, without a table of all that there could be (001 5.4).

The law of this file: substrings are numbers, never strings, and equal numbers are equal substrings: nothing is hashed.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from thresher.learn.event_models import Floats

Strings = Sequence[str] | Sequence[bytes] | NDArray[np.object_] | NDArray[np.str_] | NDArray[np.bytes_]
Codes = NDArray[np.int64]

LARGEST_CODE = 2**62  # codes of substrings are int64

# Up to this many possible codes they are numbered by a table, 32 MB, in linear time; beyond, by sorting. Four letters
# of 26 need 2^19. The table takes 0.4 of the time of sorting; evidence/kernels.md.
LARGEST_TABLE = 2**22


def is_strings(X: object) -> bool:
    """Whether this is a sequence of str or bytes, by its first element."""
    if isinstance(X, np.ndarray):
        return X.ndim == 1 and len(X) > 0 and isinstance(X[0], str | bytes)
    return isinstance(X, Sequence) and len(X) > 0 and isinstance(X[0], str | bytes)


def check_strings(X: Strings, name: str, k: int) -> None:
    """An error that names the string unless these are all str, or all bytes, of at least k characters each."""
    if isinstance(X, str | bytes) or not is_strings(X):
        raise ValueError(f"{name} must be a sequence of at least one str, or of at least one bytes, got {X!r:.60}")
    one = bytes if isinstance(X[0], bytes) else str
    for i, string in enumerate(X):
        if not isinstance(string, one):
            raise TypeError(f"{name}[{i}] must be {one.__name__} like {name}[0], got {string!r:.60}")
        if len(string) < k:
            raise ValueError(f"k={k} is longer than {name}[{i}], which has {len(string)} characters")


def shared_counts(X: Strings, Z: Strings, k: int) -> Floats:
    """For each x and z, the sum over all strings of length k of their counts in x times those in z."""
    if Z is X:
        counts = substring_counts(list(X), k)
        return np.asarray((counts @ counts.T).toarray())
    if isinstance(X[0], bytes) != isinstance(Z[0], bytes):
        raise ValueError("X and Z must both hold str or both bytes")
    counts = substring_counts([*X, *Z], k)
    return np.asarray((counts[: len(X)] @ counts[len(X) :].T).toarray())


def substring_counts(strings: list[str] | list[bytes], k: int) -> sparse.csr_array:
    """How often each string (row) has each substring of length k that any of them has (column)."""
    lengths = np.array([len(string) for string in strings])
    codes, limit = _codes(_symbols(strings), k)
    ends = lengths.cumsum()
    inside = np.ones(ends[-1], dtype=np.bool_)
    for back in range(1, k):  # the last k - 1 positions of a string begin no substring of it
        inside[ends - back] = False
    columns, n_columns = _ranks(codes[inside[: len(codes)]], limit)
    starts = np.concatenate([[0], (lengths - k + 1).cumsum()])
    shape = (len(strings), n_columns)
    counts = sparse.csr_array((np.ones(len(columns)), columns, starts), shape=shape)
    counts.sum_duplicates()
    return counts


def _symbols(strings: list[str] | list[bytes]) -> NDArray[np.unsignedinteger]:
    """The characters of all strings, one after another, as numbers."""
    if isinstance(strings[0], bytes):
        return np.frombuffer(b"".join(strings), dtype=np.uint8)
    joined = "".join(strings)
    return np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _codes(symbols: NDArray[np.unsignedinteger], k: int) -> tuple[Codes, int]:
    """A number for the k symbols that begin at each position, and what all are below: digits to the alphabet's base."""
    digits, base = _ranks(symbols, int(symbols.max()) + 1)
    codes, limit = digits, base
    for offset in range(1, k):
        # Number those that occur, while a table of them is small and before they grow too long.
        if limit <= LARGEST_TABLE < limit * base or limit > LARGEST_CODE // base:
            codes, limit = _ranks(codes, limit)
        codes = codes[:-1] * base + digits[offset:]
        limit *= base
    return codes, limit


def _ranks(values: NDArray[np.integer], limit: int) -> tuple[Codes, int]:
    """Each value, all below `limit`, replaced by its rank among the distinct ones, and how many these are."""
    if limit > LARGEST_TABLE:
        distinct, ranks = np.unique(values, return_inverse=True)
        return ranks.astype(np.int64, copy=False), len(distinct)
    occurs = np.zeros(limit, dtype=np.bool_)
    occurs[values] = True
    rank = occurs.cumsum() - 1
    return rank[values], int(rank[-1]) + 1
