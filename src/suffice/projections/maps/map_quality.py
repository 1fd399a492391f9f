"""How far a map can be trusted: neighbours kept and invented, distances kept.

trustworthiness = 1 - 2 / (n k (2n - 3k - 1)) sum_i sum_{j near in the map, not among the k nearest rows} (r(i, j) - k)
continuity = the same, with rows and map exchanged
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.distance import pdist, squareform
from scipy.stats import spearmanr

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.projections.maps.dissimilarities import GIVEN, distances, given_distances

READ = 0.9  # correlation of distances below which a map should not be read for them


def trustworthiness(X: Any, embedding: Any, *, n_neighbors: int = 5, metric: Any = "euclidean") -> float:
    """Whether rows that are near in the map are near indeed: 1 if all are, 0 if the map invents its neighbours.

    Parameters
    ----------
    X : rows, or their distances with metric="precomputed"
    embedding : their places (n, k)
    n_neighbors : how many neighbours count, less than half of the rows
    metric : the distance of the rows

    >>> trustworthiness([[0.0], [1.0], [2.0], [10.0]], [[0.0], [1.0], [2.0], [3.0]], n_neighbors=1)
    1.0
    """
    rows, places = _both("trustworthiness", X, embedding, metric)
    return _kept("trustworthiness", rows, places, n_neighbors)


def continuity(X: Any, embedding: Any, *, n_neighbors: int = 5, metric: Any = "euclidean") -> float:
    """Whether rows that are near stay near in the map: 1 if all do, 0 if the map tears them apart.

    Parameters
    ----------
    X, embedding, n_neighbors, metric : as for `trustworthiness`
    """
    rows, places = _both("continuity", X, embedding, metric)
    return _kept("continuity", places, rows, n_neighbors)


def stress(X: Any, embedding: Any, *, normalized: bool = True, metric: Any = "euclidean") -> float:
    """How far the distances of the map are from those of the rows.

    Parameters
    ----------
    X, embedding, metric : as for `trustworthiness`
    normalized : whether as Kruskal's stress 1, the root of a share; else the sum of squares

    >>> stress([[0.0], [3.0]], [[0.0], [4.0]], normalized=False)
    1.0
    """
    rows, places = _both("stress", X, embedding, metric)
    wanted, found = squareform(rows, checks=False), squareform(places, checks=False)
    raw = float(((wanted - found) ** 2).sum())
    return float(np.sqrt(raw / (float((wanted**2).sum()) or 1.0))) if normalized else raw


class Shepard(NamedTuple):
    """Distances of the rows beside those in the map, pair by pair: the points of a Shepard picture."""

    given: Array  # (m,) of the rows, rising
    found: Array  # (m,) in the map
    correlation: float  # of their ranks

    @property
    def warning(self) -> str:
        """Why the map should not be read for distances; empty if it may be."""
        if self.correlation >= READ:
            return ""
        return (
            f"Distances in this map should not be read: their ranks correlate with those of the rows by "
            f"{self.correlation:.2f}, less than {READ:g}."
        )


def shepard(X: Any, embedding: Any, *, metric: Any = "euclidean") -> Shepard:
    """The points of a Shepard picture, and whether distances may be read from the map.

    Parameters
    ----------
    X, embedding, metric : as for `trustworthiness`
    """
    rows, places = _both("shepard", X, embedding, metric)
    given, found = squareform(rows, checks=False), squareform(places, checks=False)
    order = np.argsort(given, kind="stable")
    with np.errstate(all="ignore"):
        flat = np.ptp(given) == 0 or np.ptp(found) == 0
        rank = 0.0 if flat else float(spearmanr(given, found).statistic)
    return Shepard(given[order], found[order], rank)


def _both(owner: str, X: Any, embedding: Any, metric: Any) -> tuple[Array, Array]:
    places = np.asarray(embedding, dtype=np.float64)
    if isinstance(metric, str) and metric == GIVEN:
        rows = given_distances(owner, X)
    else:
        X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
        if X.ndim != 2 or not np.isfinite(X).all():
            raise bad(owner, "X", "rows of finite numbers", Said(f"shape {X.shape}"), "Fill missing cells.")
        rows = distances(owner, X, X, metric)
    if places.ndim != 2 or len(places) != len(rows) or not np.isfinite(places).all():
        got = Said(f"shape {places.shape}")
        raise bad(owner, "embedding", f"{len(rows)} places of finite numbers", got, "One place a row.")
    return rows, squareform(pdist(places)) if len(places) > 1 else np.zeros((1, 1))


def _kept(owner: str, truth: Array, other: Array, k: int) -> float:
    """1 less the ranks by which neighbours of one are no neighbours of the other."""
    n = len(truth)
    if not 1 <= k < n / 2:
        told = f"n_neighbors ({k}) should be less than n_samples / 2 ({n / 2})"
        raise bad(owner, "n_neighbors", f"from 1 to less than half of the rows ({told})", Said(str(k)), "Use fewer.")
    truth, other = truth.copy(), other.copy()
    np.fill_diagonal(truth, np.inf)
    np.fill_diagonal(other, np.inf)
    order = np.argsort(truth, axis=1, kind="stable")
    ranks = np.empty((n, n), dtype=np.int64)
    ranks[np.arange(n)[:, None], order] = np.arange(1, n + 1)
    near = np.argsort(other, axis=1, kind="stable")[:, :k]
    late = np.take_along_axis(ranks, near, axis=1) - k
    return float(1.0 - late[late > 0].sum() * 2.0 / (n * k * (2.0 * n - 3.0 * k - 1.0)))
