"""Experiments give a row per value and a column per run, the same for the same seed; they refuse what cannot be."""

import numpy as np
import pytest
from scipy import sparse

from thresher.choose import sine
from thresher.choose.experiments import CommonestWords, against, error_against_degree
from thresher.learn import Ridge


def test_a_row_per_value_and_a_column_per_run_which_follow_from_the_seed() -> None:
    one, same, other = (error_against_degree([0, 1, 2], runs=4, random_state=seed) for seed in (0, 0, 1))
    assert one.values == [0, 1, 2]
    assert one.train.shape == one.test.shape == (3, 4)
    assert np.array_equal(one.test, same.test)
    assert not np.array_equal(one.test, other.test)
    assert len(set(one.test[1].tolist())) == 4


def test_estimators_and_values_go_together() -> None:
    with pytest.raises(ValueError, match="estimators and values must go together, got 1 and 2"):
        against([Ridge()], [1, 2], sine(), 10)


def test_words_are_counted_alike_in_sparse_and_dense_matrices() -> None:
    X = np.random.default_rng(0).integers(0, 3, (20, 8))
    dense, thin = CommonestWords(4).fit(X), CommonestWords(4).fit(sparse.csr_matrix(X))
    assert dense.kept_.tolist() == thin.kept_.tolist()
    assert np.array_equal(dense.transform(X), thin.transform(sparse.csr_matrix(X)).toarray())


def test_no_words_at_all_are_refused() -> None:
    with pytest.raises(ValueError, match="size must be a whole number of at least 1"):
        CommonestWords(0).fit([[1.0]])
