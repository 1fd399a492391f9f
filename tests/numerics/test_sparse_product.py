"""Products of sparse rows by loops and in threads are SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from suffice import NMF
from suffice.numerics import loop, sparse_product
from suffice.numerics.sparse_product import TOGETHER, SparseProduct, put_sparse_row


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("k", [1, 3, TOGETHER, 2 * TOGETHER + 1])
def test_products_are_those_of_the_whole(threads: int, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "WORTH", 0)
    monkeypatch.setattr(sparse_product, "SEVERAL_THREADS", 0)
    rng = np.random.default_rng(0)
    cells = random_array((40, 7), density=0.2, rng=rng).toarray()
    cells[[0, 3, 39]] = 0.0  # rows without cells
    X, V = csr_array(cells), rng.normal(size=(7, k))
    rows = SparseProduct(X, threads)
    for table in (V, V[::-1], V + 1e8):  # the table before leaves nothing behind
        np.testing.assert_allclose(rows @ table, X @ table, rtol=1e-15, atol=1e-15 * np.abs(table).max())
    assert np.array_equal(SparseProduct(csr_array((5, 7)), threads) @ V, np.zeros((5, k)))


def test_a_row_in_numpy_is_the_row_of_the_loop() -> None:
    V, out = np.random.default_rng(1).normal(size=(4, TOGETHER)), np.zeros((2, TOGETHER))
    put_sparse_row(np.array([[9.0, 2.0, 3.0]]), np.array([[0, 1, 3]]), V, out, 1, 0, 1, 2)
    np.testing.assert_allclose(out[1], 2.0 * V[1] + 3.0 * V[3], rtol=1e-15)
    assert not out[0].any()


def test_factors_of_sparse_product_are_those_of_filled_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "WORTH", 0)
    X = csr_array(random_array((600, 250), density=0.4, rng=np.random.default_rng(1)))
    given = {"n_components": 4, "init": "random", "random_state": 0, "max_iter": 15, "tol": 0.0}
    np.testing.assert_allclose(NMF(**given).fit_transform(X), NMF(**given).fit_transform(X.toarray()), atol=1e-12)
