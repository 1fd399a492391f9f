"""Rows side by side: groups hold every row once, and sums in registers are those that NumPy says."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.numerics.lanes import LANES, add_gap, add_gaps, grouped
from suffice.numerics.loop import loop


@loop
def gaps(share, C, centres, sums, g, k, j):  # type: ignore[no-untyped-def]
    add_gaps(share, C, centres, sums, g, k, j)


@loop
def gap(share, C, centres, sums, g, k, j):  # type: ignore[no-untyped-def]
    add_gap(share, C, centres, sums, g, k, j)


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 130])
def test_groups_are_the_rows(n: int) -> None:
    X = np.arange(3.0 * n).reshape(n, 3)
    C = grouped(X, -1.0)
    assert C.shape == (-(-n // LANES), 3, LANES)
    back = C.transpose(0, 2, 1).reshape(-1, 3)
    np.testing.assert_array_equal(back[:n], X)
    assert (back[n:] == -1.0).all()


@pytest.mark.parametrize(("compiled", "plain", "j"), [(gaps, add_gaps, 1), (gap, add_gap, 0), (gap, add_gap, 5)])
def test_sums_of_a_group_are_those_of_numpy(compiled, plain, j: int) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(0)
    whole = [rng.integers(-9, 9, shape).astype(float) for shape in ((3, LANES), (2, 6, LANES), (3, 6), (3, 6, 8))]
    mine, theirs = whole[3], whole[3].copy()
    compiled(*whole[:3], mine, 1, 2, j)
    plain(*whole[:3], theirs, 1, 2, j)
    np.testing.assert_array_equal(mine, theirs)  # whole numbers: nothing rounds
