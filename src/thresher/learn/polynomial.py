"""Polynomial basis functions: the feature map under which a linear model is a polynomial (001 5.1, 004)."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, groupby, product
from math import comb
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from thresher.learn._validation import check_count
from thresher.learn.event_models import Floats

MAX_COLUMNS = 1_000_000  # 8 MB a row; the cubic map of 1,000 features would have a thousand times as many


class PolynomialBasis(TransformerMixin, BaseEstimator):
    """All products of up to `degree` features, the empty product 1 first: (1, x, x^2, ..., x^M) of a single x.

    Parameters
    ----------
    degree : M, a whole number of at least 0.
    repeated : list x1 x2 and x2 x1 as two columns, as the map (5.5) of document 001 does. Inner products are then
        1 + s + s^2 + ... + s^M with s = x . z.

    Fitted: products_ (the features multiplied in each column), n_output_features_, n_features_in_.

    """

    def __init__(self, degree: int = 2, *, repeated: bool = False) -> None:
        self.degree = degree
        self.repeated = repeated

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Look at the number of features alone."""
        del y
        checked = validate_data(self, X)
        degree, n_features = check_count(self.degree, "degree"), checked.shape[1]
        columns = sum(n_features**m for m in range(degree + 1)) if self.repeated else comb(n_features + degree, degree)
        if columns > MAX_COLUMNS:
            raise ValueError(
                f"degree={degree} on {n_features} features would make {columns:,} columns, more than {MAX_COLUMNS:,}; "
                "KernelLMS with a polynomial kernel works in that space without making them"
            )
        self.products_ = list(_products(n_features, degree, repeated=self.repeated))
        self.n_output_features_ = len(self.products_)
        return self

    def fit_transform(self, X: ArrayLike, y: object = None) -> Floats:  # type: ignore[override]  # fit takes no more
        return self.fit(X, y).transform(X)

    def transform(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        checked = validate_data(self, X, dtype=np.float64, reset=False)
        columns = np.empty((len(checked), len(self.products_)), order="F")
        for column, features in enumerate(self.products_):
            columns[:, column] = checked[:, features].prod(axis=1)
        return columns

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[Any]:
        """'1', 'x0', 'x0^2', 'x0 x1' and so on."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        return np.array([_name([names[feature] for feature in features]) for features in self.products_], dtype=object)


def _products(n_features: int, degree: int, *, repeated: bool) -> Iterator[list[int]]:
    """Which features each column multiplies, lowest degree first."""
    for m in range(degree + 1):
        features = range(n_features)
        chosen = product(features, repeat=m) if repeated else combinations_with_replacement(features, m)
        yield from map(list, chosen)


def _name(factors: list[str]) -> str:
    """Runs of one factor as a power: x0 x0 x1 is x0^2 x1, but x0 x1 x0 stays as it is, a column of its own."""
    powers = ((factor, len(list(run))) for factor, run in groupby(factors))
    return " ".join(factor if power == 1 else f"{factor}^{power}" for factor, power in powers) or "1"
