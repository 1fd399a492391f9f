"""Rows that are kept themselves (`RowsSummary`) are told apart by every cell, where a row is forgotten."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

import suffice
from suffice.core.errors import NeverAdded


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_a_row_with_the_same_zeros_is_another(form: type) -> None:
    rng = np.random.default_rng(0)
    X = np.where(rng.random((8, 600)) < 0.3, rng.integers(1, 5, (8, 600)), 0).astype(float)
    y = np.arange(8.0)
    model = suffice.Ridge().fit(form(X), y)
    strange = X[:1].copy()
    strange[0, np.flatnonzero(strange[0])[0]] += 1.0
    with pytest.raises(NeverAdded):
        model.forget(form(strange), y[:1])
    model.forget(form(X[:1]), y[:1])
    np.testing.assert_allclose(model.coef_, suffice.Ridge().fit(form(X[1:]), y[1:]).coef_, atol=1e-10)


def test_a_row_of_the_same_cells_in_other_columns_is_another() -> None:
    X = np.eye(5, 600) + 2.0 * np.eye(5, 600, 300)
    model = suffice.Ridge().fit(csr_array(X), np.arange(5.0))
    for places in ([0, 7], [0, 300]):
        strange = X[:1].copy()
        strange[0, places] = strange[0, places[::-1]]
        with pytest.raises(NeverAdded):
            model.forget(csr_array(strange), [0.0])
