"""Made-up mail as a matrix of presence, for the rows that want mail."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from thresher.choose import near_duplicates
from thresher.demo import messages
from thresher.learn.hashing import Hasher
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize
from thresher.values import Label


class Mail(NamedTuple):
    """A row per message."""

    X: sparse.csr_matrix
    y: NDArray[np.str_]
    groups: NDArray[np.intp]
    """Messages that nearly say the same share a number."""


def made_up(count: int, seed: int, bits: int = 13) -> Mail:
    """So many messages, their labels, and which nearly say the same."""
    made = list(messages(count, seed=seed))
    features = Hasher(bits).features([tokenize(parse(message.raw)) for message in made])
    ones = np.ones(len(features.slots))
    X = sparse.csr_matrix((ones, features.slots, features.offsets), shape=(count, 1 << bits))
    y = np.array(["spam" if message.label is Label.SPAM else "ham" for message in made])
    return Mail(X, y, near_duplicates(features, 0.7).groups)
