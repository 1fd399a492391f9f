"""Eager swaps of medoids: the loop does what its twin says, to the last bit, and both know what each swap changes."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.clusters.medoids import eager_swaps
from suffice.clusters.medoids.eager_swaps import TwoNearest, swap_eagerly
from suffice.clusters.medoids.swapping import total_cost

RNG = np.random.default_rng(0)


def _table(n: int, ties: bool) -> np.ndarray:
    X = RNG.integers(0, 4, size=(n, 2)).astype(float) if ties else RNG.normal(size=(n, 3))
    return np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(("n", "K", "most"), [(700, 6, 100_000), (90, 1, 100_000), (300, 12, 130), (5, 5, 100)])
def test_the_loop_swaps_as_its_twin(n: int, K: int, most: int, ties: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    D, w = _table(n, ties), RNG.integers(0, 3, n) + RNG.uniform(size=n)
    start = RNG.choice(n, K, replace=False)
    found = []
    for loops in (False, True):
        monkeypatch.setattr(eager_swaps._visit, "pays", lambda cells, loops=loops: loops)
        medoids = start.copy()
        found.append((medoids, swap_eagerly(D, w, medoids, most)))
    np.testing.assert_array_equal(found[0][0], found[1][0])
    assert found[0][1] == found[1][1]
    assert found[0][1][1] == (most != 130)
    assert total_cost(D, w, found[0][0]) <= total_cost(D, w, start)


@pytest.mark.parametrize("K", [1, 2, 7])
def test_losses_are_what_each_swap_changes(K: int) -> None:
    D, w = _table(60, ties=False), RNG.uniform(size=60)
    medoids = RNG.choice(60, K, replace=False)
    nearest = TwoNearest.of(D, w, medoids)
    for x in set(range(60)) - set(medoids.tolist()):
        for k, loss in enumerate(nearest.losses(D[x], w)):
            there = medoids.copy()
            there[k] = x
            assert loss == pytest.approx(total_cost(D, w, there) - total_cost(D, w, medoids), abs=1e-10)
