"""Duplicates are found: equal ones always, near ones as comparing all pairs would, whatever the items are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from thresher.choose.duplicates import (
    BINS,
    MISSED,
    Ids,
    as_sets,
    close_rows,
    exact_duplicates,
    jaccard,
    near_duplicates,
    rows_per_band,
    sketches,
)
from thresher.learn.hashing import Features

Sets = list[set[int]]


def similarity(a: set[int], b: set[int]) -> float:
    return len(a & b) / len(a | b) if a | b else 1.0


def chained(sets: Sets, least: float) -> list[int]:
    """Groups by comparing all pairs: the first item that a chain of near duplicates leads to."""
    groups = list(range(len(sets)))
    for i, a in enumerate(sets):
        for j, b in enumerate(sets[:i]):
            if similarity(a, b) >= least:
                low, high = sorted((groups[i], groups[j]))
                groups = [low if group == high else group for group in groups]
    return groups


def campaigns(rng: np.random.Generator, n_sets: int, size: int, changed: float) -> Sets:
    """Sets of which every third belongs to one of a few campaigns, and has some of its members changed."""
    texts = [set(rng.integers(0, 10**6, size).tolist()) for _ in range(5)]
    sets = []
    for i in range(n_sets):
        if i % 3:
            sets.append(set(rng.integers(0, 2000, size).tolist()))
        else:
            kept = {word for word in texts[rng.integers(5)] if rng.random() > changed}
            sets.append(kept | set(rng.integers(0, 10**6, int(changed * size)).tolist()))
    return sets


@pytest.mark.parametrize("least", [0.5, 0.8, 0.9])
@pytest.mark.parametrize("size", [8, 60, 300])
def test_near_duplicates_are_those_that_comparing_all_pairs_finds(size: int, least: float) -> None:
    sets = campaigns(np.random.default_rng(size), 150, size, (1 - least) / 4)
    groups = chained(sets, least)
    assert len(set(groups)) < 0.95 * len(sets)
    assert near_duplicates(sets, least).groups.tolist() == groups


@given(st.lists(st.sets(st.integers(0, 12), max_size=8), max_size=30), st.sampled_from([0.3, 0.6, 0.9, 1.0]))
def test_what_is_called_a_near_duplicate_is_one(sets: Sets, least: float) -> None:
    found = near_duplicates(sets, least)
    assert all(similarity(sets[a], sets[b]) >= least for a, b in found.links.tolist())
    true = chained(sets, least)
    assert all(true[i] == true[group] for i, group in enumerate(found.groups.tolist()))


@given(st.lists(st.sets(st.integers(0, 5), max_size=3), max_size=20))
def test_equal_items_are_always_found_however_they_are_given(sets: Sets) -> None:
    first = [sets.index(one) for one in sets]
    matrix = as_sets([*sets, {0, 1, 2, 3, 4, 5}])[:-1]
    features = Features(matrix.indices.astype(np.intp), matrix.indptr.astype(np.intp))
    for items in (sets, [frozenset(one) for one in sets], matrix, matrix.toarray(), features):
        assert exact_duplicates(items).groups.tolist() == first
        assert near_duplicates(items, 1.0).groups.tolist() == first


def test_digests_texts_and_rows_of_numbers_may_be_equal() -> None:
    assert exact_duplicates([b"one", b"two", b"one"]).groups.tolist() == [0, 1, 0]
    assert exact_duplicates(np.array(["a", "a", "b"])).groups.tolist() == [0, 0, 2]
    assert exact_duplicates(np.array([[0.0, 1.5], [-0.0, 1.5], [0.0, 1.6]])).groups.tolist() == [0, 0, 2]
    counts = sparse.csr_array([[0, 2, 0], [0, 1, 1], [0, 2, 0]])
    assert exact_duplicates(counts).extra == 1


def test_a_chain_is_one_group_named_after_its_first_item() -> None:
    """The first and the last share six of fourteen words; each shares eight of twelve with the one between them."""
    chain = [{1}, set(range(10)), set(range(2, 12)), set(range(4, 14))]
    found = near_duplicates(chain, 0.6)
    assert found.groups.tolist() == [0, 1, 1, 1]
    assert found.extra == 2


def test_the_links_connect_each_group() -> None:
    sets = campaigns(np.random.default_rng(3), 300, 60, 0.04)
    found = near_duplicates(sets, 0.8)
    groups = list(range(len(sets)))
    for a, b in found.links.tolist():
        low, high = sorted((groups[a], groups[b]))
        groups = [low if group == high else group for group in groups]
    assert groups == found.groups.tolist()


def test_a_campaign_of_thousands_is_one_group_found_without_all_pairs() -> None:
    """Five thousand variants of one text: twelve million pairs, of which a sketch's buckets hold nearly all."""
    rng = np.random.default_rng(0)
    text = rng.permutation(10**6)[:100]
    rows = [np.append(text[rng.random(100) > 0.03], rng.integers(0, 10**6, 2)) for _ in range(5000)]
    offsets = np.cumsum([0, *map(len, rows)])
    found = near_duplicates(Features(np.concatenate(rows), offsets), 0.8)
    assert np.unique(found.groups).tolist() == [0]
    assert len(found.links) < 40 * len(rows)


def test_the_share_of_equal_places_in_two_sketches_is_about_their_similarity() -> None:
    rng = np.random.default_rng(1)
    pairs = []
    for _ in range(100):
        words = rng.permutation(10**6)[:400]
        pairs += [set(words[:300].tolist()), set(words[100:].tolist())]
    sketch = sketches(as_sets(pairs))
    agreement = (sketch[0::2] == sketch[1::2]).mean()
    # Half of what either has. One pair's share has a standard error of at most sqrt(1/4 / BINS), a hundred a tenth.
    assert agreement == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(100 * BINS) * 1.5)


@pytest.mark.parametrize("least", [0.3, 0.5, 0.7, 0.8, 0.9, 0.95])
def test_bands_are_as_wide_as_the_promised_recall_allows(least: float) -> None:
    width = rows_per_band(least)
    assert (1 - least**width) ** (BINS // width) <= MISSED
    assert width > 1


def test_similarity_is_shared_of_all() -> None:
    pairs: Ids = np.array([[0, 1], [0, 2]])
    assert jaccard(as_sets([{1, 2, 3}, {2, 3, 4}, {9}]), pairs).tolist() == [0.5, 0.0]


def test_rows_within_a_distance_are_one_group_chains_included() -> None:
    X = [[0.0, 0.0], [0.0, 0.9], [5.0, 5.0], [0.0, 1.8], [5.0, 5.0]]
    assert close_rows(X, 1.0).groups.tolist() == [0, 0, 2, 0, 2]
    assert close_rows(X, 0.0).groups.tolist() == [0, 1, 2, 3, 2]


def test_there_may_be_nothing_to_compare() -> None:
    assert near_duplicates([]).groups.tolist() == []
    assert near_duplicates([set(), {1}, set()]).groups.tolist() == [0, 1, 0]
    assert exact_duplicates([]).extra == 0


@pytest.mark.parametrize("wrong", [0.0, -0.5, 1.5, float("nan")])
def test_a_similarity_that_is_none_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="similarity must be above 0"):
        near_duplicates([{1}], wrong)


def test_what_has_no_features_is_refused_with_the_way_out() -> None:
    with pytest.raises(TypeError, match=r"such as a text's words"):
        near_duplicates(["a text", "another"])
    with pytest.raises(ValueError, match="a row per item"):
        near_duplicates(np.zeros(3))
    with pytest.raises(ValueError, match="distance must be finite"):
        close_rows([[1.0]], -1)
