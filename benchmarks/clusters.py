"""Clusters against the best of scikit-learn, SciPy and the specialists that are installed, each at its best setting.

Bars of the plan: k-means 200,000 x 16, K 30, equal passes, 1.5 on blobs and 1 on uniform rows (scikit-learn-intelex);
average and Ward linkage 10,000 x 10 1.2, single 2 (fastcluster); FasterPAM 4,000, K 20, 1 (kmedoids); DBSCAN
100,000 x 2 2; affinity propagation 2,000 3; fuzzy c-means 20,000 x 8 8 (scikit-fuzzy); silhouettes 20,000 5. Where the
specialist is not installed, scikit-learn or SciPy stands in for it, the case says so, or it is left out.

k-means, processor ms of 20 passes and the last, one thread, processes in turn, busy: blobs 185, then 107 to 122
(intelex 324 to 362 in two); uniform rows 339, then 237 to 260 (326 to 353). Of a pass over all uniform rows: bounds 0.8
to 1.4, rows side by side 1.1 to 2.6 (cell by cell 4.5), products and their ranks 3.6 (7.4), noting 1.1. Products of 30
centres with 64 rows, 3,125 times: tiles of 4 x 8 in vectors of four lanes 5.0, of eight lanes 3.4, 4 x 16 of eight 2.6,
8 x 8 2.8. Measuring the own centre first, as Hamerly does, took 20 ns a row and spared a third of the rows of a full
look of 30 ns: it is done from 128 centres on (60,000 x 16: with 60 centres 10 to 30 % slower, with 250 as fast or 6 %
faster). Bounds spare 90 % of the rows of blobs after some ten passes, and a third of uniform rows in 16 columns. What
came to a centre and what left it are one sum, and half the distances of centres are read from products: what is outside
of loops took 71 of 278 (profiled), then 45 of 180, of which checks are 7. Prefetching rows in doubt made no difference.
Summing the rows that moved right where they are labelled, while they are in the cache: blobs 7 % sooner, uniform rows 4
to 11 % later: left. Idle, before this: blobs 1.41x and 1.50x, uniform rows 0.80x and 0.67x. Since, with 15
others in line, taking turns with intelex in one process, two threads: blobs 2.4x by processor time, 1.9x on the clock,
uniform rows 1.3x and 1.1x (medians); by this table 2.8x and 1.13x. What only one thread does weighs more when idle:
blobs 1.39x, then 1.68x with one thread for passes that look at few rows (blobs take 104 ms in one thread, and took 160
in two, at twice the processor time), uniform rows 0.89x and 0.91x (178 ms; intelex 162). Of uniform rows, in one
thread, 163 of 236 ms are looks (61 ns a row in doubt), 38 sums of rows that moved, the rest outside of loops.

Chains on a table of 4,000 rows: moving rows together when an eighth is struck out 294 ms, when a third is 248 ms;
writing the columns of unions takes some 60 ms of that.

Trees of 10,000 x 10, processor seconds, fastcluster beside (its `linkage_vector` for Ward and single), 12 others in
line. Average 2.3, then 1.3 (1.95; 1.7 times as fast on the clock): writing the column of each union took 1.0 (a line of
the cache for each cluster), so that rows now hear of unions when they are looked at; the place of the least cell is
looked for once it is known (a scan 24 us, then 13, which is what reading takes). Ward 0.76, then 0.56 (0.8 to 1.1), by
the latter. Single 0.27, then 0.13 (0.43 to 0.52): float32 rules out groups of rows first, and merges are sorted in
lists. The table of distances is square, as columns of a condensed one are not read in a row; its pages cost the system
0.1 to 3 s, those of fastcluster 0.5 to 2.

Fuzzy c-means, 20,000 x 8, K 5, one thread: tables of memberships 35 ms a pass, loops 2.2 (sums row by row; in eight
lanes, or column by column, 1.5 times as long for the sums), then 0.8: each row of a buffer has sums of its own, of 32
rows (16: 1.2, 64: 1.0), distances take four columns at a time, and one number a row is divided by where K were.
Processor time of 20 passes 91 ms, then 62 (44 in one thread), of scikit-fuzzy 290 to 380, with 15 others in line;
both make 20 passes. Then 22 to 24: more than half had been outside of the loop (moments in double double, blocks, their
sums), so that rows in memory are summed directly, and J needs no squares of columns. Buffers of 64 rows: 0.61 to 0.63
ms a pass in one thread, of 32 0.79 to 0.95, taking turns; whether cells are named by rows or by two numbers makes no
difference. Idle, on the clock: 22.5 ms, scikit-fuzzy 135 (6.0x); later 27.7 and 124 (4.5x). Now rows are put side by
side once for all passes (0.12 ms, as much as each pass took for it), differences are squared by fused multiplications
(84 us a pass, not 130), sums are held in registers (311 us for a pass where 357 were, 429 before all), and labels are
found in one thread: 9.4 ms of processor time at best where 12.4 were, one process after the other; on the clock, ten
others in line, 10 to 12 at best where 12.5 to 20 were, in the median 17 and 26. Of the 9.4 some 6.6 are loops. Eight
lanes were not tried there. Taking turns with scikit-fuzzy, 15 others in line: 13x by processor time, 12x on the clock
(medians).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import linkage
from sklearn import cluster, metrics
from sklearn.datasets import make_blobs

from benchmarks.intelex import times
from benchmarks.measure import Line, race
from suffice import DBSCAN, AffinityPropagation, FuzzyCMeans, KMeans, KMedoids
from suffice.clusters import linkage_tree, silhouettes
from suffice.spaces.euclidean import squared_distances


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
    yield from _medoids(rng, int(4_000 * scale**0.5))
    yield from _fuzzy(X)


def centre_tables(n: int = 200_000) -> dict[str, Any]:
    """Rows around 30 centres, and rows around none."""
    uniform = np.random.default_rng(0).uniform(size=(n, 16))
    return {"blobs": make_blobs(n, 16, centers=30, random_state=0)[0], "uniform": uniform}


def centre_options(X: Any) -> dict[str, Any]:
    """From the same start, for as many passes."""
    return {"n_clusters": 30, "init": X[:30].copy(), "n_init": 1, "tol": 0.0, "max_iter": 20}


def _centres(rng: Any, n: int) -> Iterator[Line]:
    patched = times("KMeans blobs", "KMeans uniform") if n == 200_000 else {}
    for (name, X), bar in zip(centre_tables(n).items(), (1.5, 1.0), strict=True):
        ours, theirs = KMeans(**centre_options(X)), cluster.KMeans(**centre_options(X))
        mine, other = race(partial(ours.fit, X), partial(theirs.fit, X), runs=3)
        assert ours.inertia_ <= theirs.inertia_ * (1 + 1e-9)
        whose = "intelex" if patched else "intelex not installed"
        other = min(other, patched.get(f"KMeans {name}", np.inf))
        yield Line(f"k-means {n} x 16, K 30, {name} ({whose})", mine, other, f">= {bar:g}x", other >= bar * mine)


def _trees(rng: Any, n: int) -> Iterator[Line]:
    X, special = rng.normal(size=(n, 10)), _specialist("fastcluster")
    for way, bar in (("average", 1.2), ("ward", 1.2), ("single", 2.0)):
        rivals = [partial(linkage, X, way)] if special is None else [partial(special.linkage, X, way)]
        if special is not None and way != "average":  # which keeps no table
            rivals.append(partial(special.linkage_vector, X, way))
        whose = "fastcluster" if special is not None else "SciPy; fastcluster not installed"
        mine, other = _once(partial(linkage_tree, X, way)), min(_once(rival) for rival in rivals)
        yield Line(f"{way} linkage {n} x 10 ({whose})", mine, other, f">= {bar:g}x", other >= bar * mine)


def _medoids(rng: Any, n: int) -> Iterator[Line]:
    special = _specialist("kmedoids")
    if special is None:
        return
    D = np.sqrt(squared_distances(rng.normal(size=(n, 8))))
    ours = KMedoids(20, metric="precomputed", init="random", random_state=0)
    yield _line(f"FasterPAM {n}, K 20", partial(ours.fit, D), partial(special.fasterpam, D, 20, random_state=0), 1.0)
    assert medoid_objectives(special, 20)


def medoid_objectives(special: Any, tables: int) -> bool:
    """Whether the total distance is at most that of `kmedoids` from the same start, BUILD, on so many tables."""
    rng = np.random.default_rng(1)
    for trial in range(tables):
        X = make_blobs(int(rng.integers(60, 400)), 3, centers=6, cluster_std=2.0, random_state=trial)[0]
        D = np.sqrt(squared_distances(X))
        K = int(rng.integers(2, 9))
        ours = KMedoids(K, metric="precomputed").fit(D).inertia_
        begun = special.fasterpam(D, K, init="build").loss
        if not ours <= begun * (1 + 1e-12):
            return False
    return True


def _fuzzy(X: Any) -> Iterator[Line]:
    special = _specialist("skfuzzy")
    if special is None:
        return
    ours = FuzzyCMeans(5, tol=0.0, max_iter=20, random_state=0)
    theirs = partial(special.cmeans, X.T, 5, 2.0, error=0.0, maxiter=20, seed=0)
    yield _line(f"fuzzy c-means {len(X)} x 8, 20 passes", partial(ours.fit, X), theirs, 8.0)


def _specialist(name: str) -> Any:
    """A package, where it is installed."""
    try:
        return import_module(name)
    except ImportError:
        return None


def _once(run: Callable[[], Any]) -> float:
    """Seconds of a run that takes many, after one that loads what it needs."""
    start = time.perf_counter()
    run()
    first, start = time.perf_counter() - start, time.perf_counter()
    run()
    return min(first, time.perf_counter() - start)


def _line(case: str, ours: Callable[[], Any], theirs: Callable[[], Any], bar: float) -> Line:
    mine, other = race(ours, theirs, runs=3)
    return Line(case, mine, other, f">= {bar:g}x", other >= bar * mine)
