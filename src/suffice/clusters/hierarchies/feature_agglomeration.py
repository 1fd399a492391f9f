"""FeatureAgglomeration: columns that go together become one, their mean."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from suffice.clusters.hierarchies.agglomerative_clustering import TREE_CONSTRAINTS
from suffice.clusters.hierarchies.column_groups import ColumnGroups, ColumnTreePlan, GroupReadings
from suffice.clusters.hierarchies.growing import grow
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.memory_transformer import MemoryTransformer
from suffice.estimators.state.fitted import Found
from suffice.sources.engines.memory import MemorySource


class FeatureAgglomeration(GroupReadings, MemoryTransformer):
    """Clusters of columns, from the bottom up; each is replaced by its mean. In memory.

    Parameters
    ----------
    n_clusters, metric, memory, connectivity, compute_full_tree, linkage, distance_threshold, compute_distances : as for
        `AgglomerativeClustering`, of the columns
    pooling_func : what makes one number of several; its first argument is an array, and it takes `axis`

    Attributes
    ----------
    n_clusters_, labels_, n_leaves_, n_connected_components_, children_, distances_, n_features_in_,
    feature_names_in_ : as in scikit-learn
    tree_ : the tree of the columns

    Examples
    --------
    >>> from suffice import FeatureAgglomeration
    >>> X = [[0.0, 0.2, 9.0], [1.0, 1.2, 5.0]]
    >>> groups = FeatureAgglomeration(2).fit(X)
    >>> groups.transform(X).round(6).tolist(), groups.inverse_transform([[1.0, 2.0]]).tolist()
    ([[0.1, 9.0], [1.1, 5.0]], [[1.0, 1.0, 2.0]])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {**TREE_CONSTRAINTS, "pooling_func": [callable]}
    _door = DistanceRows(
        {"dtype": [np.float64, np.float32], "ensure_min_features": 2}, predicting={"dtype": [np.float64, np.float32]}
    )
    _not_saved: ClassVar[tuple[str, ...]] = ("memory", "connectivity", "pooling_func")

    def __init__(
        self,
        n_clusters: int | None = 2,
        *,
        metric: Any = "euclidean",
        memory: Any = None,
        connectivity: Any = None,
        compute_full_tree: Any = "auto",
        linkage: str = "ward",
        pooling_func: Any = np.mean,
        distance_threshold: float | None = None,
        compute_distances: bool = False,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_clusters = n_clusters
        self.metric = metric
        self.memory = memory
        self.connectivity = connectivity
        self.compute_full_tree = compute_full_tree
        self.linkage = linkage
        self.pooling_func = pooling_func
        self.distance_threshold = distance_threshold
        self.compute_distances = compute_distances

    transform = MemoryTransformer.transform

    def _plan(self) -> ColumnTreePlan:
        return ColumnTreePlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Grow the tree of the columns and cut it."""
        (X,) = source.block(slice(0, source.table.n)).parts
        grown = grow(self, np.ascontiguousarray(X.T), np.ones(X.shape[1]))
        told = bool(self.compute_distances) or self.distance_threshold is not None
        pooling = None if self.pooling_func is np.mean else self.pooling_func
        return Found(ColumnGroups(grown.labels, grown.tree, grown.components, told, pooling))

    @property
    def _n_features_out(self) -> int:
        return self.n_clusters_
