"""Neighbours against scikit-learn and SciPy at their best settings, two threads each.

The tree is SciPy's on both sides. 100,000 rows in any order miss the caches at every leaf of a million: rows that ask
are put in the order of a grid first. Processor seconds of asking 0.80, then 0.31; of building 0.37 to 0.42; of all
with what is beside it 0.90, SciPy alone 1.15. Nodes that are not compact are built sooner (0.28), but rows far from all
others then visit more of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.spatial import cKDTree
from sklearn.neighbors import NearestNeighbors as Peer

import suffice
from benchmarks.measure import Line, race


def lines() -> Iterator[Line]:
    """All cases."""
    yield brute()
    yield tree()


def brute(n: int = 20_000, m: int = 10_000, d: int = 16, k: int = 5) -> Line:
    """Brute force."""
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(n, d)), rng.normal(size=(m, d))
    ours_model = suffice.NearestNeighbors(n_neighbors=k, algorithm="brute").fit(X)
    peer = Peer(n_neighbors=k, algorithm="brute", n_jobs=2).fit(X)
    ours, theirs = race(lambda: ours_model.kneighbors(Q), lambda: peer.kneighbors(Q), runs=5)
    same = bool((ours_model.kneighbors(Q)[1] == peer.kneighbors(Q)[1]).all())
    return Line(f"kneighbors, brute force, {n} / {m} x {d}", ours, theirs, ">= 2x", theirs >= 2 * ours and same)


def tree(n: int = 1_000_000, m: int = 100_000, d: int = 3, k: int = 5) -> Line:
    """A k-d tree, building it and asking it, against SciPy's own."""
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(n, d)), rng.normal(size=(m, d))

    def mine() -> None:
        suffice.NearestNeighbors(n_neighbors=k, algorithm="kd_tree").fit(X).kneighbors(Q)

    ours, theirs = race(mine, lambda: cKDTree(X, balanced_tree=False).query(Q, k, workers=2), runs=3)
    return Line(f"kneighbors, k-d tree, {n} / {m} x {d}", ours, theirs, ">= 1x", theirs >= ours)
