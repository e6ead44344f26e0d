"""Which items are the same or nearly the same, found without comparing all pairs, and grouped.

The law of this file: a sketch only proposes; what is called a near duplicate has been compared feature by feature. So
no group is wrong, and what may go unseen is said: two sets exactly at the threshold are missed with a probability of at
most MISSED, others less. Items that a chain of near duplicates connects are one group, so that no split can part them.
"""

from collections.abc import Collection, Hashable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from thresher.learn.hashing import Features

Ids = NDArray[np.intp]
Sketch = NDArray[np.uint32]
Items = Any
"""Features of the hasher, a sparse or dense matrix with a row per item, or a sequence of hashable things or of sets."""

SIMILARITY: Final = 0.9
"""Of two sets, from which on they are near duplicates: what they share, as a share of what either has (Jaccard)."""

BINS: Final = 256
"""Places of a sketch, so that the top byte of a hash names one. More find more with steeper bands, and cost memory."""
MISSED: Final = 1e-3
NEIGHBOURS: Final = 64
"""Items of one bucket each is compared with, at most: all pairs of a small bucket, and a campaign of thousands stays
linear. Its members stand in another order in every band, and one link to the group is enough."""
SLACK: Final = 4.0
"""Standard errors by which a sketch may underrate a pair before it is compared in full."""
CHUNK: Final = 1 << 20
"""Features, or pairs of sketch places, handled at once: some ten megabytes."""

# splitmix64's finalizer (Steele, Lea, Flood 2014): any hash that mixes every bit would do.
_MIX: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_STEP: Final = 0x9E3779B97F4A7C15
_EMPTY: Final = np.iinfo(np.uint32).max
_BORROWED: Final = np.uint32(0x9E3779B1)


class Duplicates(NamedTuple):
    """Which items belong together."""

    groups: Ids
    """For each item the first item of its group; an item that is like no other is its own."""
    links: Ids
    """(L, 2): pairs that were found alike, enough to connect each group. In any group that two parts share, one of
    them crosses from part to part."""

    @property
    def extra(self) -> int:
        """How many items have an earlier one in their group."""
        return int(np.count_nonzero(self.groups != np.arange(len(self.groups))))


def exact_duplicates(items: Items) -> Duplicates:
    """Group the items that are equal: rows of a matrix, sets of one content, or hashable things such as digests."""
    first: dict[Hashable, int] = {}
    groups = np.array([first.setdefault(key, index) for index, key in enumerate(_keys(items))], dtype=np.intp)
    later = np.flatnonzero(groups != np.arange(len(groups)))
    return Duplicates(groups, np.stack([groups[later], later], axis=1))


def near_duplicates(items: Items, similarity: float = SIMILARITY) -> Duplicates:
    """Group the sets that share at least `similarity` of what either has, and what a chain of them connects.

    Sets are messages as Features, sequences of sets of words, or the non-zero columns of a matrix's rows. Equal sets
    always belong together. Time grows with the number of features in all sets, not with the number of pairs.
    """
    if not 0 < similarity <= 1:
        raise ValueError(f"similarity must be above 0 and at most 1, got {similarity}")
    sets = as_sets(items)
    equal = exact_duplicates(sets)
    kept = np.flatnonzero((equal.groups == np.arange(len(equal.groups))) & (np.diff(sets.indptr) > 0))
    near = _search(sets[kept], similarity) if similarity < 1 else np.zeros((0, 2), np.intp)
    return _connected(len(equal.groups), np.concatenate([equal.links, kept[near]]))


def close_rows(X: Any, distance: float) -> Duplicates:  # noqa: ANN401 -- whatever NumPy makes an array of
    """Group the rows of a dense array that lie within a Euclidean distance of each other, and chains of them."""
    # scikit-learn takes most of a second to import, and sets need none of it.
    from sklearn.neighbors import radius_neighbors_graph

    if not (np.isfinite(distance) and distance >= 0):
        raise ValueError(f"distance must be finite and at least 0, got {distance}")
    rows = np.asarray(X, dtype=np.float64)
    equal = exact_duplicates(rows)
    kept = np.flatnonzero(equal.groups == np.arange(len(rows)))
    near = np.stack(radius_neighbors_graph(rows[kept], distance).nonzero(), axis=1)
    return _connected(len(rows), np.concatenate([equal.links, kept[near[near[:, 0] < near[:, 1]]]]))


def as_sets(items: Items) -> sparse.csr_array:
    """The sets as a matrix with a row per item and a one where it has the feature."""
    if isinstance(items, Features):
        width = int(items.slots.max(initial=0)) + 1
        return _presence(items.slots, items.offsets, width)
    if sparse.issparse(items) or isinstance(items, np.ndarray):
        if len(items.shape) != 2:  # noqa: PLR2004 -- rows and columns
            raise ValueError(f"items must be a matrix with a row per item, got shape {items.shape}")
        present = sparse.csr_array(items, copy=True)
        present.eliminate_zeros()
        return _presence(present.indices, present.indptr, present.shape[1])
    columns: dict[Hashable, int] = {}
    rows = [[columns.setdefault(part, len(columns)) for part in _members(item)] for item in items]
    indices = np.array([column for row in rows for column in row], dtype=np.int64)
    offsets = np.cumsum([0, *map(len, rows)])
    return _presence(indices, offsets, max(len(columns), 1))


def _members(item: Collection[Hashable]) -> Collection[Hashable]:
    if isinstance(item, str | bytes) or not isinstance(item, Collection):
        raise TypeError(f"items must be sets of features, such as a text's words (text.split()), got {type(item)}")
    return item


def _presence(indices: NDArray[Any], offsets: NDArray[Any], width: int) -> sparse.csr_array:
    """A one for each feature of each set, each once and in order."""
    ones = np.ones(len(indices), dtype=np.float32)
    matrix = sparse.csr_array((ones, indices.astype(np.int32), offsets), (len(offsets) - 1, width))
    matrix.sum_duplicates()
    matrix.data.fill(1)
    return matrix


def _keys(items: Items) -> Iterator[Hashable]:
    """Equal for equal items and for no others."""
    if isinstance(items, Features):
        items = as_sets(items)
    if sparse.issparse(items):
        rows = sparse.csr_array(items, copy=not items.has_canonical_format)
        if not rows.data.all():
            rows = rows.copy()
            rows.eliminate_zeros()
        rows.sum_duplicates()
        return (
            rows.indices[start:end].tobytes() + rows.data[start:end].tobytes()
            for start, end in zip(rows.indptr[:-1].tolist(), rows.indptr[1:].tolist(), strict=True)
        )
    if isinstance(items, np.ndarray) and items.ndim > 1:
        if items.dtype.kind == "f":
            items = items + 0.0  # so that -0 and 0 are one
        return (row.tobytes() for row in items)
    if isinstance(items, np.ndarray):
        items = items.tolist()
    return (frozenset(item) if isinstance(item, set | list | tuple | frozenset) else item for item in items)


def _connected(n_items: int, links: Ids) -> Duplicates:
    """The groups that the links make, each named after its first item."""
    graph = sparse.coo_array((np.ones(len(links), dtype=np.bool_), (links[:, 0], links[:, 1])), (n_items, n_items))
    _, component = connected_components(graph, directed=False)
    _, first = np.unique(component, return_index=True)
    return Duplicates(np.asarray(first[component], dtype=np.intp), links)


# Broder 1997: two sets' least hashes are equal with the probability of their similarity. Li, Owen, Zhang 2012: one hash
# a feature, the least of each bin. Shrivastava and Li 2014: an empty bin borrows from the next one that is not.
def sketches(sets: sparse.csr_array) -> Sketch:
    """(N, BINS): of two sets that are not empty, about their similarity of all places are equal."""
    n_sets = sets.shape[0]
    least = np.full(n_sets * BINS, _EMPTY, dtype=np.uint32)
    for start in range(0, sets.nnz, CHUNK):
        hashes = _mixed(sets.indices[start : start + CHUNK].astype(np.uint64))
        owners = np.searchsorted(sets.indptr, np.arange(start, start + len(hashes)), side="right") - 1
        np.minimum.at(least, owners * BINS + (hashes >> np.uint64(56)).astype(np.intp), hashes.astype(np.uint32))
    sketch = least.reshape(n_sets, BINS)
    for start in range(0, n_sets, CHUNK // BINS):
        _lend(sketch[start : start + CHUNK // BINS])
    return sketch


def _lend(sketch: Sketch) -> None:
    """Fill each empty place from the next filled one, circling, and by how far off that is."""
    places = np.arange(2 * BINS)
    filled = np.where(np.tile(sketch != _EMPTY, 2), places, 2 * BINS)
    following = np.minimum.accumulate(filled[:, ::-1], axis=1)[:, ::-1][:, :BINS]
    away = (following - places[:BINS]).astype(np.uint32)
    sketch[:] = np.take_along_axis(sketch, following % BINS, axis=1) + away * _BORROWED


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    hashes = (numbers + np.uint64(1)) * np.uint64(_STEP)
    for shift, factor in _MIX:
        hashes ^= hashes >> np.uint64(shift)
        hashes *= np.uint64(factor)
    return hashes ^ (hashes >> np.uint64(31))


def rows_per_band(similarity: float) -> int:
    """The most places a band may have: two sets with this similarity agree in one of BINS // r bands but for MISSED."""
    fitting = [r for r in range(1, BINS + 1) if (1 - similarity**r) ** (BINS // r) <= MISSED]
    return max(fitting, default=1)


def _search(sets: sparse.csr_array, similarity: float) -> Ids:
    """Links between the near duplicates among sets that are all different and none empty."""
    n_sets = sets.shape[0]
    sketch = sketches(sets)
    sizes = np.diff(sets.indptr)
    width = rows_per_band(similarity)
    rng = np.random.default_rng(0)
    groups, links = np.arange(n_sets), np.zeros((0, 2), np.intp)
    for start in range(0, BINS - width + 1, width):
        keys = _mixed(sketch[:, start].astype(np.uint64))
        for place in range(start + 1, start + width):
            keys = _mixed(keys ^ sketch[:, place])
        for pairs in _neighbours(keys, rng):
            apart = pairs[groups[pairs[:, 0]] != groups[pairs[:, 1]]]
            alike = _alike(sets, sizes, sketch, apart, similarity)
            if len(alike):
                links = np.concatenate([links, alike])
                groups = _connected(n_sets, links).groups
    return links


def _neighbours(keys: NDArray[np.uint64], rng: np.random.Generator) -> Iterator[Ids]:
    """Pairs of sets with one key: next neighbours first, in an order drawn anew for each band."""
    order = np.lexsort((rng.random(len(keys)), keys))
    keys = keys[order]
    for lag in range(1, min(NEIGHBOURS, len(keys) - 1) + 1):
        same = np.flatnonzero(keys[lag:] == keys[:-lag])
        if not len(same):
            return
        yield np.stack([order[same], order[same + lag]], axis=1)


def _alike(sets: sparse.csr_array, sizes: Ids, sketch: Sketch, pairs: Ids, similarity: float) -> Ids:
    """Those of the pairs that are near duplicates: by their sizes, then by their sketches, then by their features."""
    small, large = np.sort(sizes[pairs], axis=1).T
    pairs = pairs[small >= similarity * large]
    step = CHUNK // BINS
    found = []
    for start in range(0, len(pairs), step):
        part = pairs[start : start + step]
        agree = (sketch[part[:, 0]] == sketch[part[:, 1]]).mean(axis=1)
        places = np.minimum(sizes[part].min(axis=1), BINS)
        part = part[agree >= similarity - SLACK * np.sqrt(similarity * (1 - similarity) / places)]
        found.append(part[jaccard(sets, part) >= similarity])
    return np.concatenate(found) if found else pairs


def jaccard(sets: sparse.csr_array, pairs: Ids) -> NDArray[np.float64]:
    """Share of what either set of a pair has that both have."""
    left, right = sets[pairs[:, 0]], sets[pairs[:, 1]]
    both = np.asarray(left.multiply(right).sum(axis=1)).ravel()
    either = np.diff(left.indptr) + np.diff(right.indptr) - both
    return np.asarray(both / either, dtype=np.float64)
