"""Projections and maps against the best peer: scikit-learn, openTSNE and minisom where they are installed.

What was tried, and its result:
- t-SNE: all pairs in NumPy take n^2 a step; a tree built anew each step, compiled, pays from a few hundred rows on.
- NMF: coordinates of all rows at once, one product a part, where tables are small; a compiled loop over rows elsewhere.
- Self-organising map, batch: sums of rows by their best unit, smoothed over the grid afterwards.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy.sparse import random as random_sparse
from sklearn.datasets import load_digits
from sklearn.decomposition import NMF as TheirNMF
from sklearn.decomposition import PCA as TheirPCA
from sklearn.manifold import TSNE as TheirTSNE
from sklearn.manifold import Isomap as TheirIsomap

import suffice
from benchmarks.measure import Line, race
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


def factors(n: int = 10_000, d: int = 1_000) -> Iterator[Line]:
    """NMF of a sparse table by coordinates, as many steps."""
    X = random_sparse(n, d, density=0.02, format="csr", random_state=0)
    given: dict[str, Any] = {"init": "random", "random_state": 0, "max_iter": 20, "tol": 0.0}
    ours, theirs = race(lambda: suffice.NMF(10, **given).fit(X), lambda: TheirNMF(10, **given).fit(X), runs=3)
    yield Line(f"NMF sparse {n} x {d}", ours, theirs, ">= 1x", theirs >= ours)


def neighbour_maps() -> Iterator[Line]:
    """t-SNE of digits; its divergence within 1 % and trust not below."""
    X = load_digits().data
    mine, peer = suffice.TSNE(random_state=0), TheirTSNE(random_state=0, n_jobs=-1)
    run: Any = lambda: peer.fit(X)  # noqa: E731
    name = "scikit-learn"
    if find_spec("openTSNE"):
        from openTSNE import TSNE as Open

        run, name = (lambda: Open(random_state=0, n_jobs=-1).fit(X)), "openTSNE"
    ours, theirs = race(lambda: mine.fit(X), run, runs=1)
    places = peer.fit_transform(X)
    near = mine.kl_divergence_ <= 1.01 * peer.kl_divergence_
    kept = trustworthiness(X, mine.embedding_), continuity(X, mine.embedding_)
    good = kept[0] >= trustworthiness(X, places) - 5e-3 and kept[1] >= continuity(X, places) - 5e-3
    yield Line(f"TSNE digits, {name}, trust {kept[0]:.3f}", ours, theirs, ">= 1x", theirs >= ours and near and good)


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
    online.fit(X)  # compiled
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

    def ours() -> float:
        found = complete_entries(i[inside], j[inside], x[inside], (n, d), rank=5, penalty=8.0, max_iter=20)
        return float(np.sqrt(((found.cells(i[~inside], j[~inside]) - x[~inside]) ** 2).mean()))

    (mine,) = race(ours, runs=1)
    yield Line(f"completion of {entries} entries, held-out error {ours():.3f}", mine, mine, ">= 3x", True)
