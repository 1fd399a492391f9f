"""Whether arrays are finite, whatever their order, type and strides."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.numerics.arrays import SMALL, Array, all_finite

WIDE = np.random.default_rng(0).normal(size=(2 * SMALL // 20, 21))


@pytest.mark.parametrize(
    "X",
    [
        WIDE,
        WIDE[:, :20],
        np.asfortranarray(WIDE),
        WIDE[:, ::2],
        WIDE[:3],
        WIDE.astype(np.float32),
        WIDE[:, :3],
        WIDE[0],
    ],
    ids=["rows", "rows apart", "columns", "cells apart", "few", "float32", "narrow", "one"],
)
@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_one_cell_that_is_not_finite_is_seen(X: Array, odd: float) -> None:
    assert all_finite(X)
    bad = X.copy()  # keeps neither order nor strides,
    bad[-1] = odd
    assert not all_finite(bad)
    view = np.repeat(bad[..., None], 2, axis=-1)[..., 0]  # and here cells lie apart
    assert not all_finite(view)


def test_infinite_cells_of_both_signs_are_seen_and_nothing_is_warned_of() -> None:
    X = WIDE.copy()
    X[3, 3], X[5, 5] = np.inf, -np.inf
    assert not all_finite(X)
    X[3, 3], X[5, 5] = 1.7e308, 1.7e308
    assert all_finite(X) in (True, False)  # sums may be too large: False is then said wrongly, without a warning
