"""Products of sparse rows in threads are those of one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from suffice import NMF
from suffice.projections.factors.divided_rows import DividedRows


@pytest.mark.parametrize("runs", [1, 2, 5])
def test_products_are_those_of_the_whole(runs: int) -> None:
    rng = np.random.default_rng(0)
    cells = random_array((40, 7), density=0.2, rng=rng).toarray()
    cells[[0, 3, 39]] = 0.0  # rows without cells
    X = csr_array(cells)
    V = rng.normal(size=(7, 3))
    assert np.array_equal(DividedRows(X, runs) @ V, X @ V)
    assert np.array_equal(DividedRows(csr_array((5, 7)), runs) @ V, np.zeros((5, 3)))


def test_factors_of_sparse_rows_are_those_of_filled_ones() -> None:
    X = csr_array(random_array((600, 250), density=0.4, rng=np.random.default_rng(1)))  # enough cells for threads
    given = {"n_components": 4, "init": "random", "random_state": 0, "max_iter": 15, "tol": 0.0}
    np.testing.assert_allclose(NMF(**given).fit_transform(X), NMF(**given).fit_transform(X.toarray()), atol=1e-12)
