"""The running learner with other values for its features: what bench/features.py and bench/learners.py change.

Its law: with the values as they are, it gives what thresher.learn.online gives, bit for bit.
"""

import numpy as np

from bench.prequential import Floats
from thresher.learn import views
from thresher.learn.hashing import Features, Ids
from thresher.learn.online import ScaledLogistic
from thresher.learn.running import one


class Valued(ScaledLogistic):
    """Scaled logistic regression whose values a subclass may change."""

    def values(self, slots: Ids) -> Floats:
        """Return v of each slot of one message."""
        return super()._sums(one(slots))[0]

    def _sums(self, features: Features) -> tuple[Floats, Floats]:
        values = np.concatenate([self.values(features.of(i)) for i in range(len(features))])
        keys = 2 * views.view_of(features.slots, self.bits)
        keys += np.repeat(np.arange(len(features)) * 2 * views.COUNT, np.diff(features.offsets))
        size = 2 * views.COUNT * len(features)
        sums = np.zeros(size)
        sums += np.bincount(keys, values * values, size)
        sums += np.bincount(keys + 1, values * self.weights_of(features.slots), size)
        return values, sums
