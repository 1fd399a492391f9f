"""Addresses say the same as looking at every cell."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.sources.tables import cells as module
from suffice.sources.tables.cells import singletons

ODD = [True, False, None, 1, 0, 1.0, np.True_, np.False_, "True", float("nan"), pd.NA, pd.NaT, (True,), 10**30]


def one_by_one(cells):
    return [1 if c is True else 0 if c is False else -1 if c is None else 2 for c in cells]


@given(st.lists(st.sampled_from(ODD)), st.integers(1, 3))
def test_addresses_are_those_of_the_cells(cells, step):
    array = np.empty(len(cells), dtype=object)
    array[:] = cells
    assert singletons(array[::step]).tolist() == one_by_one(cells[::step])
    assert singletons(array[::-step]).tolist() == one_by_one(cells[::-step])
    table = np.stack([array, array[::-1]], axis=1)
    assert singletons(table[:, 1]).tolist() == one_by_one(cells[::-1])


def test_cells_are_left_as_they_are():
    array = np.array([True, "x", None], dtype=object)
    array.flags.writeable = False
    singletons(array)
    assert array.tolist() == [True, "x", None]


def test_where_objects_have_no_addresses_nothing_is_found(monkeypatch: pytest.MonkeyPatch):
    class Elsewhere:
        name = "pypy"

    monkeypatch.setattr(module.sys, "implementation", Elsewhere)
    assert singletons(np.array([True, None], dtype=object)).tolist() == [2, 2]
