"""Gaussian mixtures against scikit-learn, both from the same given start, twenty passes, two threads for each.

What was tried for full covariances, and its result (one thread, 20,000 x 16, 10 components; scikit-learn 33 ms a pass):
- rows centred for each component and multiplied by its factor, then (z sqrt r)'(z sqrt r), by BLAS: 13 ms;
- a compiled loop, 64 rows side by side: 3.6 ms for the densities, 9 to 11 ms for the sums, which reduce over rows;
- products of columns once a block, one matrix product with theta and one with the shares: 7 ms, and no numba.
  Blocks of 512 to 4,096 rows differ by an eighth; each of the two products runs at half of what BLAS can do here.
- For large tables (100,000 x 16, two threads): these products 37 ms a pass; tiles for densities and sums, shares by
  NumPy between them, 35; all of it in one loop, with an exponential of our own, 22 to 25. Sums of rows on their side,
  as products of lines, were slower (31 against 21 ms) than rows weighed one by one and multiplied in tiles (14).
- Columns that vary alone: products with t and t^2 by BLAS were 1.6x scikit-learn; a loop over 64 rows, densities from
  the differences themselves, four columns at a time, and sums of eight columns held in registers: 5.2x on one thread.
  Rows less a common centre, scaled and moved by one fused operation where means are close: 15.7 to 12.5 ms a pass, of
  both threads together.
- Components that are narrow beside their distance from the centre are evaluated about their own mean: 12 ms if all are.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn import mixture as peer

import suffice
from benchmarks.measure import Line, peak_growth, race

BARS = {"full": 8.0, "tied": 3.0, "diag": 5.0, "spherical": 5.0}


def lines() -> Iterator[Line]:
    """All cases."""
    for kind in BARS:
        yield from gaussian(kind)


def rows(n: int, d: int, K: int) -> tuple[Any, Any]:
    """Correlated normals, and their means."""
    rng = np.random.default_rng(0)
    means = 2.0 * rng.normal(size=(K, d))
    mixing = np.eye(d) + 0.15 * rng.normal(size=(K, d, d))
    y = rng.integers(0, K, n)
    return means[y] + np.einsum("ni,nij->nj", rng.normal(size=(n, d)), mixing[y]), means


def gaussian(kind: str, n: int = 100_000, d: int = 16, K: int = 10, passes: int = 20) -> Iterator[Line]:
    """GaussianMixture."""
    X, means = rows(n, d, K)
    rng = np.random.default_rng(1)
    precisions = {
        "full": np.stack([np.eye(d)] * K),
        "tied": np.eye(d),
        "diag": np.ones((K, d)),
        "spherical": np.ones(K),
    }
    options: dict[str, Any] = {"covariance_type": kind, "max_iter": passes, "tol": 0.0}
    options |= {"weights_init": np.full(K, 1 / K), "means_init": means + rng.normal(size=(K, d))}
    options["precisions_init"] = precisions[kind]
    ours, theirs = suffice.GaussianMixture(K, **options), peer.GaussianMixture(K, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit, fit_peer = race(lambda: ours.fit(X), lambda: theirs.fit(X), runs=3)
        growth = peak_growth(lambda: ours.fit(X))
    gap = float(np.abs(ours.means_ - theirs.means_).max())
    case = f"GaussianMixture {kind} {n} x {d}, {K}, {passes} passes"
    met = fit_peer >= BARS[kind] * fit and gap < 1e-8
    yield Line(case, fit, fit_peer, f">= {BARS[kind]:g}x, means to 1e-8", met, growth, X.nbytes / 2**20)
