"""Clusters: ours beside the best peer, each at its best setting; the ratio is their time over ours.

    python -m benchmarks clusters

Bars: k-means 200,000 x 16, K 30, equal passes, 1.5 on blobs and 1 on uniform rows (scikit-learn-intelex where it is
installed); average and Ward linkage 10,000 x 10 1.2, single 2 (fastcluster); FasterPAM 4,000, K 20, 1 (kmedoids);
DBSCAN 100,000 x 2 2; affinity propagation 2,000 3; fuzzy c-means 20,000 x 8 8 (scikit-fuzzy); silhouettes 20,000 5.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import linkage
from sklearn import cluster, metrics
from sklearn.datasets import make_blobs

from suffice import DBSCAN, AffinityPropagation, KMeans
from suffice.clusters import linkage_tree, silhouettes

ROUNDS = 3


def best(work: Callable[[], Any]) -> float:
    """The shortest of some runs, after one to warm up."""
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def told(name: str, ours: Callable[[], Any], theirs: Callable[[], Any], bar: float) -> None:
    """Print both times and their ratio."""
    mine, other = best(ours), best(theirs)
    print(f"{name:32s} ours {mine:8.3f} s  theirs {other:8.3f} s  ratio {other / mine:6.2f}  (bar {bar})", flush=True)


def main(scale: float = 1.0) -> None:
    """All of them; `scale` shrinks the tables."""
    rng = np.random.default_rng(0)
    n = int(200_000 * scale)
    tables = {
        "blobs": make_blobs(n, 16, centers=30, random_state=0)[0],
        "uniform": rng.uniform(size=(n, 16)),
    }
    for name, X in tables.items():
        options = {"n_clusters": 30, "init": X[:30].copy(), "n_init": 1, "tol": 0.0, "max_iter": 20}
        bar = 1.5 if name == "blobs" else 1.0
        ours, theirs = KMeans(**options), cluster.KMeans(**options)
        told(f"k-means, {name}", partial(ours.fit, X), partial(theirs.fit, X), bar)
    X = rng.normal(size=(int(10_000 * scale**0.5), 10))
    for way, bar in (("average", 1.2), ("ward", 1.2), ("single", 2.0)):
        told(f"{way} linkage", partial(linkage_tree, X, way), partial(linkage, X, way), bar)
    X = rng.uniform(size=(int(100_000 * scale), 2)) * 100
    options = {"eps": 0.5, "min_samples": 6}
    told("DBSCAN", lambda: DBSCAN(**options).fit(X), lambda: cluster.DBSCAN(**options).fit(X), 2.0)
    X = make_blobs(int(2_000 * scale**0.5), 5, centers=10, random_state=0)[0]
    options = {"random_state": 0, "max_iter": 200, "damping": 0.9}
    told(
        "affinity propagation",
        lambda: AffinityPropagation(**options).fit(X),
        lambda: cluster.AffinityPropagation(**options).fit(X),
        3.0,
    )
    X = rng.normal(size=(int(20_000 * scale), 8))
    labels = np.arange(len(X)) % 5
    told("silhouettes", lambda: silhouettes(X, labels), lambda: metrics.silhouette_samples(X, labels), 5.0)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
