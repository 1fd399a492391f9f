"""Sparse rows whose indices have 64 bits: the same answers as with 32."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import suffice

RANDOM = np.random.default_rng(0)
ROWS = np.abs(RANDOM.normal(size=(40, 6))) * (RANDOM.random((40, 6)) < 0.5)
Y = (ROWS[:, 0] > ROWS[:, 1]).astype(int)
NAMES = ("Perceptron", "PerceptronRegressor", "KMeans", "SVC", "LogisticRegression", "Ridge", "MultinomialNB")


def with_64_bits(form: Any) -> Any:
    rows = form(ROWS)
    if hasattr(rows, "coords"):
        rows.coords = tuple(each.astype(np.int64) for each in rows.coords)
        return rows
    rows.indices, rows.indptr = rows.indices.astype(np.int64), rows.indptr.astype(np.int64)
    return rows


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix])
@pytest.mark.parametrize("name", NAMES)
def test_they_are_taken(name: str, form: Any) -> None:
    make = getattr(suffice, name)
    seeded = {"random_state": 0} if "random_state" in make().get_params() else {}
    narrow, wide = make(**seeded).fit(form(ROWS), Y), make(**seeded).fit(with_64_bits(form), Y)
    np.testing.assert_array_equal(wide.predict(with_64_bits(form)), narrow.predict(form(ROWS)))
    given = with_64_bits(sp.csr_array)
    make(**seeded).fit(given, Y)
    assert given.indices.dtype == np.int64  # the user's own stay as they are
