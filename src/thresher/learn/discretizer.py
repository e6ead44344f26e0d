"""Continuous attributes cut into bins, so that naive Bayes can count them.

The law of this file: bins are numbered from 1, and bin v holds what is at least edge v - 1 and below edge v.
"""

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags, TransformerTags
from sklearn.utils.validation import check_is_fitted, validate_data

from thresher.learn._validation import check_count, check_rows_of_features, check_sample_weight
from thresher.learn.event_models import Floats

Values = NDArray[np.int64]


# 003 (2), B3: the living area
def bin_numbers(column: Floats, edges: Floats) -> Values:
    """1 below the first edge, one more from each edge on: edges 400, 800, 1200, 1600 give 890 the value 3."""
    return np.searchsorted(edges, column, side="right").astype(np.int64) + 1


def quantile_edges(column: Floats, weights: Floats, n_bins: int) -> Floats:
    """Edges that share the examples out evenly; fewer than n_bins - 1 where equal numbers would have to be parted."""
    shares = np.arange(1, n_bins) / n_bins
    # The inverted distribution function, because it alone knows weights: twice the weight is the number seen twice.
    edges = np.unique(np.quantile(column, shares, method="inverted_cdf", weights=weights))
    return np.asarray(edges[edges > column[weights > 0].min()])  # else the first bin would hold nothing


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Cut each attribute into bins 1, 2, ..., k_j.

    Parameters
    ----------
    edges : 'quantiles', which cut so that bins hold about as many examples each; or the edges, one increasing row for
        each attribute. Below the first edge is bin 1, an edge itself belongs to the bin above it.
    n_bins : how many bins quantiles make at most.

    Fitted: edges_ (of each attribute), values_ (its bins, the `values` of CategoricalNaiveBayes), n_features_in_.

    """

    def __init__(self, *, edges: str | Sequence[ArrayLike] = "quantiles", n_bins: int = 5) -> None:
        self.edges = edges
        self.n_bins = n_bins

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find the edges, or check those given."""
        del y
        checked = validate_data(self, X, dtype=np.float64)
        weights = check_sample_weight(sample_weight, len(checked))
        if not isinstance(self.edges, str):
            edges = check_rows_of_features(self.edges, checked.shape[1], "edges")
        elif self.edges == "quantiles":
            n_bins = check_count(self.n_bins, "n_bins", least=2)
            edges = [quantile_edges(column, weights, n_bins) for column in checked.T]
        else:
            raise ValueError(f"edges must be 'quantiles' or one row of numbers per feature, got {self.edges!r}")
        self.edges_ = edges
        self.values_ = [np.arange(1, len(row) + 2) for row in edges]
        return self

    def transform(self, X: ArrayLike) -> Values:
        """The number of the bin that each value falls into."""
        check_is_fitted(self, "edges_")
        checked = validate_data(self, X, dtype=np.float64, reset=False)
        return np.stack([bin_numbers(checked[:, j], row) for j, row in enumerate(self.edges_)], axis=1)

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()  # type: ignore[no-untyped-call]  # scikit-learn ships no types
        tags.transformer_tags = TransformerTags(preserves_dtype=[])  # numbers of bins are whole, whatever was cut
        return tags
