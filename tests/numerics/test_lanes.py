"""Rows side by side: distances from registers are those of NumPy, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.numerics import tile_code
from suffice.numerics.lanes import LANES, PART, add_distances, grouped
from suffice.numerics.loop import Loop

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("lanes", [4, 8])
@pytest.mark.parametrize("d", [1, 2, 8, 9])
def test_distances_to_a_group(lanes: int, d: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("suffice.numerics.lanes.longest", lambda: lanes)  # any processor can do with any

    def far(X, C, w, total, i, g, r):  # type: ignore[no-untyped-def]
        add_distances(X, C, w, total, i, g, r)

    compiled = far_anywhere if lanes == tile_code.longest() else Loop(far)
    X, C, w = RNG.normal(size=(5, d)), grouped(RNG.normal(size=(100, d)), fill=0.0), RNG.uniform(size=(2, LANES))
    mine, theirs = np.ones((1, LANES)), np.ones((1, LANES))
    for g in range(2):
        for r in range(0, LANES, PART):
            compiled(X, C, w, mine, 3, g, r)
            add_distances(X, C, w, theirs, 3, g, r)
    np.testing.assert_array_equal(mine, theirs)
    gaps = np.sqrt(((X[3][None, :, None] - C) ** 2).sum(axis=1))
    np.testing.assert_allclose(mine[0], 1.0 + (w * gaps).sum(axis=0), rtol=1e-14)


def _far(X, C, w, total, i, g, r):  # type: ignore[no-untyped-def]
    add_distances(X, C, w, total, i, g, r)


far_anywhere = Loop(_far)
