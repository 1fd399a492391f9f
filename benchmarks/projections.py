"""Projections and maps against the best peer: scikit-learn; openTSNE, minisom, scikit-surprise and scikit-learn-intelex
(in a process of its own: `INTELEX_PYTHON`) where they are installed. A case without its peer says so.

What was tried, and its result:
- PCA: looking for infinite cells before the pass took 10 of 43 ms, in one thread; the products meet them.
- t-SNE: all pairs in NumPy take n^2 a step; compiled in single precision they take 0.3 ns a pair, less than a tree up
  to some thousand rows; beyond, splines on a grid: one transform there and two back, the sum of q' from its squares.
  Each pair of near rows is met once, for both; the divergence is summed in a loop (a quarter of the time was NumPy's);
  below 3,000 rows a step ends before a second thread has begun: one thread takes 1.9 ms a step of digits, two took 2.9.
- scikit-learn-intelex takes fewer seconds for as many steps of t-SNE, to a map whose divergence is 16 % (digits) and
  4 % (10,000 x 50) above ours; the case is the time to its divergence.
- Isomap: ways in one thread: SciPy 600 ms, a compiled heap 740, a heap of four with keys beside nodes 420, lists some
  edges wide 260; these go over threads. Functions that nodes were queued by, not written out, doubled the time.
- NMF: coordinates of all rows at once, one product a part, where tables are small; a compiled loop over rows, in
  threads, elsewhere, 64 rows side by side (1.3 ms to 0.6). Most of the rest are products of sparse rows, SciPy's for
  both; runs of rows over threads gained nothing, as a thread begins later than a product of 1 ms ends; with sums held
  in registers they take 0.7 ms instead of 1.0.
- Self-organising map, batch: sums of rows by their best unit, smoothed over the grid afterwards: rows first, then
  columns, without a table of all pairs of units (which took two fifths); best units as k-means finds its centres.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas
from scipy.sparse import random as random_sparse
from sklearn.datasets import load_digits
from sklearn.decomposition import NMF as TheirNMF
from sklearn.decomposition import PCA as TheirPCA
from sklearn.manifold import TSNE as TheirTSNE
from sklearn.manifold import Isomap as TheirIsomap

import suffice
from benchmarks.intelex import times
from benchmarks.measure import Line, race
from benchmarks.shapes import clouds
from suffice.projections import complete_entries, continuity, trustworthiness


def lines() -> Iterator[Line]:
    """All cases."""
    warnings.simplefilter("ignore")
    yield from components()
    yield from factors()
    yield from neighbour_maps()
    yield from geodesic_maps()
    yield from grids()
    yield from completion()


def components(n: int = 200_000, d: int = 50) -> Iterator[Line]:
    """PCA of a tall table; scikit-learn's best solver for it."""
    X = np.random.default_rng(0).normal(size=(n, d)) @ np.random.default_rng(1).normal(size=(d, d))
    ours, theirs = race(
        lambda: suffice.PCA(10).fit(X), lambda: TheirPCA(10, svd_solver="covariance_eigh").fit(X), runs=5
    )
    yield Line(f"PCA {n} x {d}", ours, theirs, ">= 2x", theirs >= 2 * ours)
    for peer in times("PCA").values():
        yield Line(f"PCA {n} x {d}, intelex", ours, peer, ">= 1x", peer >= ours)


def factors(n: int = 10_000, d: int = 1_000) -> Iterator[Line]:
    """NMF of a sparse table by coordinates, as many steps."""
    X = random_sparse(n, d, density=0.02, format="csr", random_state=0)
    given: dict[str, Any] = {"init": "random", "random_state": 0, "max_iter": 20, "tol": 0.0}
    ours, theirs = race(lambda: suffice.NMF(10, **given).fit(X), lambda: TheirNMF(10, **given).fit(X), runs=3)
    yield Line(f"NMF sparse {n} x {d}", ours, theirs, ">= 1x", theirs >= ours)


def neighbour_maps() -> Iterator[Line]:
    """t-SNE of digits and of 10,000 x 50: not above 1.01 times the peer's divergence; of digits also trust."""
    kept = times("TSNE digits", "TSNE 10000 x 50")
    for name, X in (("TSNE digits", load_digits().data), ("TSNE 10000 x 50", clouds())):
        mine = suffice.TSNE(random_state=0)
        ours, _ = once(lambda mine=mine, X=X: mine.fit(X))
        if find_spec("openTSNE"):
            from openTSNE import TSNE as Open

            theirs, found = once(lambda X=X: Open(random_state=0, n_jobs=-1).fit(X))
            peer, places, divergence = "openTSNE", np.asarray(found), found.kl_divergence
        else:
            theirs, found = once(lambda X=X: TheirTSNE(random_state=0, n_jobs=-1).fit(X))
            peer, places, divergence = "scikit-learn", found.embedding_, found.kl_divergence_
        good = mine.kl_divergence_ <= 1.01 * divergence
        if len(X) < 5_000:
            for score in (trustworthiness, continuity):
                a, b = score(X, mine.embedding_), score(X, places)
                good = good and a >= b - 5e-3
                name = f"{name} {a:.3f}/{b:.3f}"
        told = f"{name}, {peer}, KL {mine.kl_divergence_:.3f}/{divergence:.3f}"
        yield Line(told, ours, theirs, ">= 1x", theirs >= ours and good)
        case = name.partition(" 0.")[0]
        if case in kept:
            yield from to_their_divergence(case, X, kept[case], kept[f"{case}: divergence"])


def to_their_divergence(case: str, X: Any, theirs: float, divergence: float) -> Iterator[Line]:
    """The least multiple of 50 steps whose map is not above a divergence."""
    for steps in range(300, 1001, 50):
        mine = suffice.TSNE(random_state=0, max_iter=steps)
        ours, _ = once(lambda mine=mine: mine.fit(X))
        if mine.kl_divergence_ <= divergence or steps == 1000:
            name = f"{case}, intelex, {steps} steps, KL {mine.kl_divergence_:.3f}/{divergence:.3f}"
            yield Line(name, ours, theirs, ">= 0.8x", theirs >= 0.8 * ours)
            return


def once(run: Any) -> tuple[float, Any]:
    """Seconds of one run, and what came of it."""
    start = time.perf_counter()
    found = run()
    return time.perf_counter() - start, found


def geodesic_maps() -> Iterator[Line]:
    """Isomap of digits."""
    X = load_digits().data
    ours, theirs = race(
        lambda: suffice.Isomap(n_neighbors=10).fit(X), lambda: TheirIsomap(n_neighbors=10).fit(X), runs=1
    )
    yield Line("Isomap digits", ours, theirs, ">= 2x", theirs >= 2 * ours)


def grids(n: int = 2_000) -> Iterator[Line]:
    """Self-organising maps of 20 x 30 units; without minisom, against the rule in NumPy."""
    X = np.random.default_rng(0).random((n, 3))
    given: dict[str, Any] = {"rows": 20, "columns": 30, "random_state": 0, "sigma": 2.0}
    online = suffice.SelfOrganizingMap(rule="online", steps=10_000, **given)
    batch = suffice.SelfOrganizingMap(epochs=5, **given)
    for _ in range(10):  # compiled
        online.fit(X), batch.fit(X)
    ours, epochs = race(lambda: online.fit(X), lambda: batch.fit(X), runs=3)
    if not find_spec("minisom"):
        yield Line("SOM online 20 x 30, minisom is not installed", ours, ours, ">= 10x", True)
        return
    from minisom import MiniSom

    peer = MiniSom(20, 30, 3, sigma=2.0, learning_rate=0.5)
    peer.random_weights_init(X)
    (theirs,) = race(lambda: peer.train_random(X, 10_000), runs=1)
    yield Line("SOM online 20 x 30", ours, theirs, ">= 10x", theirs >= 10 * ours)
    yield Line(
        "SOM batch 20 x 30, an epoch", epochs / 5, theirs * n / 10_000, ">= 20x", theirs * n / 10_000 >= 4 * epochs
    )


def completion(entries: int = 100_000) -> Iterator[Line]:
    """A table of ratings made with a known truth; scikit-surprise where it is installed."""
    rng = np.random.default_rng(0)
    n, d = 943, 1682
    truth = 3.5 + rng.normal(0, 0.4, (n, 1)) + rng.normal(0, 0.5, (1, d))
    truth = truth + rng.normal(0, 0.5, (n, 5)) @ rng.normal(0, 0.5, (5, d))
    at = rng.choice(n * d, entries, replace=False)
    i, j = np.divmod(at, d)
    x = truth[i, j] + rng.normal(0, 0.8, entries)
    inside = rng.random(entries) < 0.9

    def ours(rounds: int = 20) -> float:
        found = complete_entries(i[inside], j[inside], x[inside], (n, d), rank=5, penalty=8.0, max_iter=rounds)
        return float(np.sqrt(((found.cells(i[~inside], j[~inside]) - x[~inside]) ** 2).mean()))

    (mine,) = race(ours, runs=1)
    case, error = f"completion of {entries} entries", ours()
    if not find_spec("surprise"):
        yield Line(f"{case}, {error:.3f}, scikit-surprise missing", mine, mine, ">= 3x", True)
        return
    from surprise import SVD, Dataset, Reader  # type: ignore[import-not-found]

    frame = {"user": i[inside], "item": j[inside], "rating": x[inside]}
    table = Dataset.load_from_df(pandas.DataFrame(frame), Reader(rating_scale=(x.min(), x.max()))).build_full_trainset()
    for epochs in (20, 60):  # its default, and more, by which its held-out error no longer falls
        peer = SVD(n_factors=5, n_epochs=epochs, random_state=0)
        theirs, _ = once(lambda peer=peer: peer.fit(table))
        found = np.array([peer.predict(a, b).est for a, b in zip(i[~inside], j[~inside], strict=True)])
        other = float(np.sqrt(((found - x[~inside]) ** 2).mean()))
        rounds = next((r for r in range(1, 20) if ours(r) <= other), 20)  # until our held-out error is theirs
        mine, error = once(lambda rounds=rounds: ours(rounds))
        name = f"{case}, surprise {epochs} epochs, {error:.3f}/{other:.3f}"
        yield Line(name, mine, theirs, ">= 3x", theirs >= 3 * mine and error <= other)
