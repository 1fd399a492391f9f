"""Neighbours against scikit-learn and SciPy at their best settings, two threads each.

The tree is SciPy's on both sides. 100,000 rows in any order miss the caches at every leaf of a million: rows that ask
are put in the order of a grid first. Processor seconds of asking 0.80, then 0.31; of building 0.37 to 0.42; of all
with what is beside it 0.90, SciPy alone 1.15. Nodes that are not compact are built sooner (0.28), but rows far from all
others then visit more of them.

Brute force: half of the time went into looking for the least of the products one by one (0.25 processor seconds of
0.5). Squares are a column of the product now, and 64 products are compared at once: 0.41, then 0.28 in all (0.14 the
products, 0.08 the least); scikit-learn 0.68 to 0.9, scikit-learn-intelex 0.29 to 0.32, with others in line.

Idle, on the clock, twice: brute force 2.9x and 3.0x scikit-learn, 1.6x and 1.8x intelex, tree 1.2x and 1.1x SciPy. On
another machine, before that, brute force 3.8x scikit-learn, 1.03x intelex; tree 626 ms and SciPy's 776 in one run, 668
and 596 in another, with the same versions of everything. Two thirds of that was building, by one thread. Rows in the
order of the same grid are halved in half the time (0.41, then 0.23 processor seconds), and asked sooner (0.33, 0.29);
ordering them took 0.24 by NumPy, takes 0.02 by a loop. In all 0.55 where 0.82 to 0.87 were, SciPy alone 0.89 to 1.2
(1.6x; 1.3x to 1.4x on the clock with ten others in line).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial import cKDTree
from sklearn.neighbors import NearestNeighbors as Peer

import suffice
from benchmarks.intelex import times
from benchmarks.measure import Line, race


def lines() -> Iterator[Line]:
    """All cases."""
    yield from brute()
    yield tree()


def brute_rows(n: int = 20_000, m: int = 10_000, d: int = 16) -> tuple[Any, Any]:
    """Rows to search, and rows that ask."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, d)), rng.normal(size=(m, d))


def brute(k: int = 5) -> Iterator[Line]:
    """Brute force, against scikit-learn and, where it is installed, scikit-learn-intelex."""
    X, Q = brute_rows()
    ours_model = suffice.NearestNeighbors(n_neighbors=k, algorithm="brute").fit(X)
    peer = Peer(n_neighbors=k, algorithm="brute", n_jobs=2).fit(X)
    ours, theirs = race(lambda: ours_model.kneighbors(Q), lambda: peer.kneighbors(Q), runs=5)
    same = bool((ours_model.kneighbors(Q)[1] == peer.kneighbors(Q)[1]).all())
    case = f"kneighbors, brute force, {len(X)} / {len(Q)} x {X.shape[1]}"
    yield Line(case, ours, theirs, ">= 2x", theirs >= 2 * ours and same)
    for patched in times("neighbours").values():
        yield Line(f"{case}, intelex", ours, patched, ">= 0.8x", patched >= 0.8 * ours)


def tree(n: int = 1_000_000, m: int = 100_000, d: int = 3, k: int = 5) -> Line:
    """A k-d tree, building it and asking it, against SciPy's own."""
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(n, d)), rng.normal(size=(m, d))

    def mine() -> None:
        suffice.NearestNeighbors(n_neighbors=k, algorithm="kd_tree").fit(X).kneighbors(Q)

    ours, theirs = race(mine, lambda: cKDTree(X, balanced_tree=False).query(Q, k, workers=2), runs=3)
    return Line(f"kneighbors, k-d tree, {n} / {m} x {d}", ours, theirs, ">= 1x", theirs >= ours)
