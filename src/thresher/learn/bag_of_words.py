"""Bags of words over plain text: the smallest way from sentences to the matrix an estimator learns from.

The law of this file: columns are fixed by the training texts alone; what they do not hold is not counted. It is for
teaching and trying out. The filter reads mail with a tokenizer that knows headers, HTML and languages, and hashes.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
from scipy import sparse

WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """The words of a text in order, case folded."""
    return WORD.findall(text.casefold())


def vocabulary(texts: Iterable[str], stop_words: Iterable[str] = ()) -> dict[str, int]:
    """The column of each word of the training texts, in alphabetical order, without the stop words."""
    left_out = {word.casefold() for word in stop_words}
    seen = {word for text in texts for word in words(text)} - left_out
    return {word: column for column, word in enumerate(sorted(seen))}


def count_words(texts: Iterable[str], columns: Mapping[str, int], *, presence: bool = False) -> sparse.csr_array:
    """How often each text has each word of a vocabulary, or with `presence` whether, a row per text.

    Words outside the vocabulary are ignored: an estimator learned nothing about them, so they can change no verdict.
    """
    bags = [Counter(columns[word] for word in words(text) if word in columns) for text in texts]
    indptr = np.cumsum([0, *(len(bag) for bag in bags)])
    indices = np.array([column for bag in bags for column in sorted(bag)], dtype=np.int64)
    counts = np.array([bag[column] for bag in bags for column in sorted(bag)], dtype=np.float64)
    data = np.ones_like(counts) if presence else counts
    return sparse.csr_array((data, indices, indptr), shape=(len(bags), len(columns)))


# 004, A3: score_c = sum_k x_k w_ck
def telltale_scores(counts: Mapping[str, int], weights: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """How well a message's word counts go with each class, whose telltale words have weights; others weigh nothing."""
    return {
        label: sum(count * telltales.get(word, 0.0) for word, count in counts.items())
        for label, telltales in weights.items()
    }
