"""Clusters against the best of scikit-learn, SciPy and the specialists that are installed, each at its best setting.

Bars of the plan: k-means 200,000 x 16, K 30, equal passes, 1.5 on blobs and 1 on uniform rows (scikit-learn-intelex);
average and Ward linkage 10,000 x 10 1.2, single 2 (fastcluster); FasterPAM 4,000, K 20, 1 (kmedoids); DBSCAN
100,000 x 2 2; affinity propagation 2,000 3; fuzzy c-means 20,000 x 8 8 (scikit-fuzzy); silhouettes 20,000 5. Where the
specialist is not installed, scikit-learn or SciPy stands in for it, the case says so, or it is left out.

Idle, on the clock, with vectors of eight doubles and all specialists, four runs: blobs 3.1x to 3.3x, uniform rows 2.1x
to 2.4x scikit-learn-intelex; FasterPAM 5.8x to 6.1x, average linkage 1.3x to 1.8x, Ward 1.2x to 2.4x, single 2.4x,
DBSCAN 2.9x, affinity propagation 3.4x to 3.6x, fuzzy c-means 12x to 13x, silhouettes 8.2x to 8.8x. What follows was
measured on another machine, while others were at work.

k-means, 20 passes and the last. Of rows in doubt (55 to 75 % of uniform rows, after ten passes 6 % of blobs) a look
took 60 ns in double precision: 24 for products with 30 centres and their ranks, 22 for rows from memory, 4 for noting.
In single precision, from a copy about a fixed origin, it is 30: 12, 10 and 4; some hundred rows a pass are too near to
two centres and are looked at in double precision. Rows in doubt wait until a buffer of 64 is full (half of each was
empty for blobs). Rows that moved are listed, and added some hundreds at a time: 230 ns each became 55 to 150 (a scan of
all labels went; a loop that compilers do not vectorise became machine instructions). Asking for rows in doubt ahead, or
for all rows, made no difference. Processor time, busy, taking turns with scikit-learn, medians: uniform rows in two
threads 281, then 182 ms, in one 247, then 164 (scikit-learn 302); blobs 139, then 96. In one thread some 18 ms are
outside of loops, 5 of them movements of centres and 5 estimates. What only one thread does weighs most on an idle
machine: runs are taken from a shared list, as another thread may begin late; looking for cells that are not finite by a
product of BLAS left its thread waiting for work for 20 ms, in the way of ours, and NumPy's sum is as fast. On the
clock, in a quiet moment: uniform rows 126 to 144 (scikit-learn 197 to 235), blobs 64 to 79 (163 to 204). One thread
takes passes that look at few rows. Measuring the own centre first, as Hamerly does, pays from 128 centres on. What came
to a centre and what left it are one sum, and half the distances of centres are read from products.

FasterPAM: 12,000 visits of NumPy took 776 ms of processor time with the copy of the table (72), the loop takes 111 to
117 (kmedoids 1,330): what clusters lose without their medoid is known before a row is looked at, so that only columns
nearer to it than to their second medoid are visited, about a tenth of them with 20 medoids (reckoned, not counted).

Silhouettes: distances made and added in registers, of 32 rows, 517 ms of processor time where a loop over a buffer took
855 (scikit-learn 2,930), to the last bit.

Affinity propagation, 48 steps: availabilities of a step and responsibilities of the next go through the tables in one
way (160 MB a step where 224 were), the largest sums are looked for in 32 lanes: 8.1 ms a step in one thread, 9.3 before
the last. Noise (62 ms) is drawn beside the median (43). What remains is probably memory (20 GB/s).

Chains on a table of 4,000 rows: moving rows together when an eighth is struck out 294 ms, when a third is 248 ms;
writing the columns of unions takes some 60 ms of that.

Trees of 10,000 x 10, processor seconds, fastcluster beside (its `linkage_vector` for Ward and single), 12 others in
line. Average 2.3, then 1.3 (1.95; 1.7 times as fast on the clock): writing the column of each union took 1.0 (a line of
the cache for each cluster), so that rows now hear of unions when they are looked at; the place of the least cell is
looked for once it is known (a scan 24 us, then 13, which is what reading takes). Ward 0.76, then 0.56 (0.8 to 1.1), by
the latter. Single 0.27, then 0.13 (0.43 to 0.52): float32 rules out groups of rows first, and merges are sorted in
lists. The table of distances is square, as columns of a condensed one are not read in a row; its pages cost the system
0.1 to 3 s, those of fastcluster 0.5 to 2.

Fuzzy c-means, 20,000 x 8, K 5, ms a pass in one thread: tables of memberships 35, loops 2.2, then 0.8, now 0.33 (6.6
for 20 passes, of 9.4 for the fit). Each row of a buffer has sums of its own, held in registers while it passes (buffers
of 64 rows 0.61 to 0.63, of 32 0.79 to 0.95); distances take four columns at a time; one number a row is divided by
where K were. Rows are put side by side once for all passes, sums over rows in memory are made directly, and labels in
one thread: more than half had been outside of the loop. Taking turns with scikit-fuzzy, 15 others in line: 13x by
processor time, 12x on the clock (medians); idle 11.4x. Eight lanes were not tried there.
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
        assert special is None or same_trees(special, way, 20)
        mine, other = _once(partial(linkage_tree, X, way)), min(_once(rival) for rival in rivals)
        yield Line(f"{way} linkage {n} x 10 ({whose})", mine, other, f">= {bar:g}x", other >= bar * mine)


def same_trees(special: Any, way: str, tables: int) -> bool:
    """Whether clusters are joined as `fastcluster` does, at the same heights, on so many tables."""
    rng = np.random.default_rng(1)
    for _ in range(tables):
        X = rng.normal(size=(int(rng.integers(20, 300)), 3))
        if not np.allclose(linkage_tree(X, way).matrix(), special.linkage(X, way), rtol=0.0, atol=1e-12):
            return False
    return True


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
