"""DBSCAN: clusters are chains of dense rows and what is near them; the rest is noise."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.clusters.dense_rows import DensePlan, DenseReadings, DenseRows
from suffice.clusters.hierarchies.agglomerative_clustering import METRIC
from suffice.clusters.near_rows import near_pairs
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.design.kind_codes import KindCodes, column_weights
from suffice.estimators.design.kind_rows import kind_door
from suffice.estimators.glue.memory_clusterer import MemoryClusterer
from suffice.estimators.state.fitted import Found
from suffice.sources.engines.memory import MemorySource
from suffice.spaces.distances.distance import Distance, refuse_no_numbers
from suffice.spaces.distances.given_distances import Precomputed
from suffice.spaces.distances.named_distances import as_distance

KEPT = 1 << 23  # pairs of near rows that are kept: 128 megabytes


class DBSCAN(DenseReadings, MemoryClusterer):
    """Clusters of any shape: chains of core rows, which have at least `min_samples` rows within `eps`, itself counted.

    Parameters
    ----------
    eps, min_samples, metric, metric_params, p : as in scikit-learn; `metric` is any distance, its name, a function of
        two rows, or "precomputed"
    algorithm, leaf_size, n_jobs : taken for the sake of scikit-learn's interface: a k-d tree is used for Minkowski
        distances of up to 20 columns, else tables of distances, some rows at a time

    Attributes
    ----------
    core_sample_indices_, components_, labels_, n_features_in_, feature_names_in_ : as in scikit-learn
    kinds_ : core, border or noise, row by row

    Notes
    -----
    Clusters are numbered by their first core row; a border row that several reach joins the first. `predict` gives a
    row the cluster of the nearest core row within eps, else -1: equal to `labels_` for core and noise rows. A row of
    weight w counts as w copies. Missing cells are refused, but for metric="mixed", which measures columns by kind, and
    which tables with symbols take by default; there `eps` is a share of 1, and rows that share no cell are not near.

    Examples
    --------
    >>> from suffice import DBSCAN
    >>> model = DBSCAN(eps=1.0, min_samples=3).fit([[0.0], [1.0], [2.0], [10.0]])
    >>> model.labels_, model.core_sample_indices_, model.predict([[1.9], [3.0]])
    (array([ 0,  0,  0, -1]), array([1]), array([ 0, -1]))

    References
    ----------
    M. Ester and others, A density-based algorithm for discovering clusters (1996).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "eps": [Interval(Real, 0.0, None, closed="neither")],
        "min_samples": [Interval(Integral, 1, None, closed="left")],
        "metric": METRIC,
        "metric_params": [dict, None],
        "algorithm": [StrOptions({"auto", "ball_tree", "kd_tree", "brute"})],
        "leaf_size": [Interval(Integral, 1, None, closed="left")],
        "p": [Interval(Real, 0.0, None, closed="left"), None],
        "n_jobs": [Integral, None],
    }
    _door = kind_door(DistanceRows({"accept_sparse": "csr", "dtype": np.float64}))

    def __init__(
        self,
        eps: float = 0.5,
        *,
        min_samples: int = 5,
        metric: Any = "euclidean",
        metric_params: dict[str, Any] | None = None,
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.eps = eps
        self.min_samples = min_samples
        self.metric = metric
        self.metric_params = metric_params
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.n_jobs = n_jobs

    def _plan(self) -> DensePlan:
        return DensePlan(self._owner)

    def _distance(self, X: Any, w: Array | None, codes: KindCodes | None) -> Distance:
        given = dict(self.metric_params or {})
        if codes is not None:
            return codes.distance(X, w, self.metric, **column_weights(self._owner, given))
        if isinstance(self.metric, str) and self.metric in ("minkowski", "p") and self.p is not None:
            if "p" in given:
                told = "Parameter p is found in metric_params. The corresponding parameter from __init__ is ignored."
                warnings.warn(told, SyntaxWarning, stacklevel=6)
            given.setdefault("p", self.p)
        return as_distance(self.metric, X, owner=self._owner, **given)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Find core rows, chain them, and let border rows join."""
        block = source.block(slice(0, source.table.n))
        (X,), w = block.parts, block.w
        distance = self._distance(X, w, plan.codes)
        given = isinstance(distance, Precomputed)
        if given and X.shape[0] != X.shape[1]:
            rule = "a square of distances (Precomputed matrix must be square)"
            raise bad(self._owner, "X", rule, Said(f"shape {X.shape}"), "Give the distance of each row and each row.")
        if given and not hasattr(X, "tocsr"):
            refuse_no_numbers(self._owner, X)
        labels, core = dense_clusters(X, w, distance, float(self.eps), float(self.min_samples))
        rows = core if given else (X.toarray() if hasattr(X, "toarray") else X)[core]
        model = DenseRows(rows, labels[core], core, float(self.eps), distance, labels, int(X.shape[1]))
        return Found(model)


def dense_clusters(X: Any, w: Array | None, distance: Distance, eps: float, least: float) -> tuple[Array, Array]:
    """The cluster of each row (n,), -1 for noise, and the numbers of the core rows."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = int(X.shape[0])
    kept: list[tuple[Array, Array]] | None = []  # pairs are kept where they are few, else found twice
    weight = np.ones(n) if w is None else w
    count = np.zeros(n)
    for i, j in near_pairs(X, distance, eps):
        count += np.bincount(i, weight[j], n)
        if kept is not None:
            kept.append((i, j))
            kept = kept if sum(len(pair[0]) for pair in kept) <= KEPT else None
    core = (count >= least * (1 - 1e-12)) & (weight > 0)
    group, border = np.arange(n), np.full(n, n)
    edges: list[tuple[Array, Array]] = []
    for i, j in kept if kept is not None else near_pairs(X, distance, eps):
        both = core[i] & core[j] & (i < j)
        a, b = group[i[both]], group[j[both]]
        graph = coo_array((np.ones(len(a), dtype=np.int8), (a, b)), shape=(n, n))
        group = connected_components(graph, directed=False)[1][group]
        rim = ~core[i] & core[j]
        edges.append((i[rim], j[rim]))
    labels = np.full(n, -1, dtype=np.int64)
    at = np.flatnonzero(core)
    if len(at):
        _, first, place = np.unique(group[at], return_index=True, return_inverse=True)
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        labels[at] = rank[place]
    for i, j in edges:
        np.minimum.at(border, i, labels[j])
    rim = ~core & (border < n)
    labels[rim] = border[rim]
    return labels, at
