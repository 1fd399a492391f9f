"""Clusters against the best of scikit-learn, SciPy and the specialists that are installed, each at its best setting.

Bars of the plan: k-means 200,000 x 16, K 30, equal passes, 1.5 on blobs and 1 on uniform rows (scikit-learn-intelex);
average and Ward linkage 10,000 x 10 1.2, single 2 (fastcluster); FasterPAM 4,000, K 20, 1 (kmedoids); DBSCAN
100,000 x 2 2; affinity propagation 2,000 3; fuzzy c-means 20,000 x 8 8 (scikit-fuzzy); silhouettes 20,000 5. Where the
specialist is not installed, scikit-learn or SciPy stands in for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import linkage
from sklearn import cluster, metrics
from sklearn.datasets import make_blobs

from benchmarks.measure import Line, race
from suffice import DBSCAN, AffinityPropagation, KMeans
from suffice.clusters import linkage_tree, silhouettes


def lines(scale: float = 1.0) -> Iterator[Line]:
    """All cases; `scale` shrinks the tables."""
    rng = np.random.default_rng(0)
    yield from _centres(rng, int(200_000 * scale))
    yield from _trees(rng, int(10_000 * scale**0.5))
    X = rng.uniform(size=(int(100_000 * scale), 2)) * 100
    dense = {"eps": 0.5, "min_samples": 6}
    yield _line(f"DBSCAN {len(X)} x 2", partial(DBSCAN(**dense).fit, X), partial(cluster.DBSCAN(**dense).fit, X), 2.0)
    X = make_blobs(int(2_000 * scale**0.5), 5, centers=10, random_state=0)[0]
    damped = {"random_state": 0, "damping": 0.9}
    theirs = cluster.AffinityPropagation(**damped)
    yield _line(f"affinity {len(X)}", partial(AffinityPropagation(**damped).fit, X), partial(theirs.fit, X), 3.0)
    X = rng.normal(size=(int(20_000 * scale), 8))
    labels = np.arange(len(X)) % 5
    case = f"silhouettes {len(X)} x 8"
    yield _line(case, partial(silhouettes, X, labels), partial(metrics.silhouette_samples, X, labels), 5.0)


def _centres(rng: Any, n: int) -> Iterator[Line]:
    tables = {"blobs": make_blobs(n, 16, centers=30, random_state=0)[0], "uniform": rng.uniform(size=(n, 16))}
    for (name, X), bar in zip(tables.items(), (1.5, 1.0), strict=True):
        options: dict[str, Any] = {"init": X[:30].copy(), "n_init": 1, "tol": 0.0, "max_iter": 20}
        ours, theirs = KMeans(30, **options), cluster.KMeans(30, **options)
        yield _line(f"k-means {n} x 16, K 30, {name}", partial(ours.fit, X), partial(theirs.fit, X), bar)
        assert ours.inertia_ <= theirs.inertia_ * (1 + 1e-9)


def _trees(rng: Any, n: int) -> Iterator[Line]:
    X = rng.normal(size=(n, 10))
    for way, bar in (("average", 1.2), ("ward", 1.2), ("single", 2.0)):
        yield _line(f"{way} linkage {n} x 10", partial(linkage_tree, X, way), partial(linkage, X, way), bar)


def _line(case: str, ours: Callable[[], Any], theirs: Callable[[], Any], bar: float) -> Line:
    mine, other = race(ours, theirs, runs=3)
    return Line(case, mine, other, f">= {bar:g}x", other >= bar * mine)
