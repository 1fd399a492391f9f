"""AgglomerativeClustering: the closest clusters join, again and again, until one is left; then a cut."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from suffice.clusters.hierarchies.growing import grow
from suffice.clusters.hierarchies.linkages import LINKAGES
from suffice.clusters.hierarchies.tree_clusters import HierarchyReadings, TreeClusters, TreePlan
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.design.kind_rows import kind_door
from suffice.estimators.glue.memory_clusterer import MemoryClusterer
from suffice.estimators.state.fitted import Found
from suffice.sources.engines.memory import MemorySource
from suffice.spaces.distances.distance import Distance
from suffice.spaces.distances.library_distances import LIBRARY
from suffice.spaces.distances.named_distances import DISTANCES, as_distance

METRIC = [StrOptions({*DISTANCES, *LIBRARY}), callable, Distance]
TREE_CONSTRAINTS: dict[str, Any] = {
    "n_clusters": [Interval(Integral, 1, None, closed="left"), None],
    "metric": METRIC,
    "memory": [str, HasMethods("cache"), None],
    "connectivity": ["array-like", "sparse matrix", callable, None],
    "compute_full_tree": [StrOptions({"auto"}), "boolean"],
    "linkage": [StrOptions(set(LINKAGES))],
    "distance_threshold": [Interval(Real, 0, None, closed="left"), None],
    "compute_distances": ["boolean"],
}


class AgglomerativeClustering(HierarchyReadings, MemoryClusterer):
    """A tree of clusters from the bottom up, cut by number or by height. In memory: it keeps the rows.

    Parameters
    ----------
    n_clusters, connectivity, compute_full_tree, distance_threshold, compute_distances : as in scikit-learn
    metric : any distance, its name, a function of two rows, or "precomputed"
    memory : taken for the sake of scikit-learn's interface; nothing is cached
    linkage : ward, complete, average, single, weighted, centroid or median; levels of the last two may fall
    must_link, cannot_link : pairs of row numbers that must, or must not, be in one cluster; where they contradict each
        other, the error names the rows that lead from one to the other

    Attributes
    ----------
    n_clusters_, labels_, n_leaves_, n_connected_components_, children_, distances_, n_features_in_,
    feature_names_in_ : as in scikit-learn
    tree_ : the tree: other cuts, cophenetic distances, nested partitions

    Notes
    -----
    A tree describes the rows it was built from. `predict` gives a new row the cluster of the nearest of them; with
    "precomputed", X holds its distances to all of them. A row of weight w is w copies. Missing cells are refused, but
    for metric="mixed", which measures columns by kind, and which tables with symbols take by default (not with Ward's
    linkage); each two rows must share a cell then.

    Examples
    --------
    >>> from suffice import AgglomerativeClustering
    >>> model = AgglomerativeClustering(2, linkage="average").fit([[0.0], [1.0], [10.0], [12.0]])
    >>> model.labels_, model.tree_.heights, model.predict([[3.0]])
    (array([1, 1, 0, 0]), array([ 1. ,  2. , 10.5]), array([1]))

    References
    ----------
    D. Mullner, Modern hierarchical, agglomerative clustering algorithms (2011).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **TREE_CONSTRAINTS,
        "must_link": ["array-like", None],
        "cannot_link": ["array-like", None],
    }
    _door = kind_door(DistanceRows({"dtype": np.float64, "ensure_min_samples": 2}, predicting={"dtype": np.float64}))
    _not_saved: ClassVar[tuple[str, ...]] = ("memory", "connectivity")

    def __init__(
        self,
        n_clusters: int | None = 2,
        *,
        metric: Any = "euclidean",
        memory: Any = None,
        connectivity: Any = None,
        compute_full_tree: Any = "auto",
        linkage: str = "ward",
        distance_threshold: float | None = None,
        compute_distances: bool = False,
        must_link: Any = None,
        cannot_link: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_clusters = n_clusters
        self.metric = metric
        self.memory = memory
        self.connectivity = connectivity
        self.compute_full_tree = compute_full_tree
        self.linkage = linkage
        self.distance_threshold = distance_threshold
        self.compute_distances = compute_distances
        self.must_link = must_link
        self.cannot_link = cannot_link

    def _plan(self) -> TreePlan:
        return TreePlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Grow the tree of the rows that weigh something, and cut it; other rows join their nearest."""
        block = source.block(slice(0, source.table.n))
        (X,), w = block.parts, block.w
        live = np.arange(len(X)) if w is None else np.flatnonzero(w > 0)
        if len(live) < 2:
            raise bad(self._owner, "X", "of at least 2 rows that weigh something", Said(str(len(live))), "Add rows.")
        given = isinstance(self.metric, str) and self.metric == "precomputed"
        used = X if len(live) == len(X) else X[np.ix_(live, live)] if given else X[live]
        if len(live) < len(X) and (self.connectivity is not None or self.must_link or self.cannot_link):
            raise bad(self._owner, "sample_weight", "above 0 with constraints", 0.0, "Leave these rows out.")
        by_kind = None if plan.codes is None else plan.codes.distance(X, w, self.metric)
        grown = grow(self, used, np.ones(len(live)) if w is None else w[live], by_kind)
        told = bool(self.compute_distances) or self.distance_threshold is not None
        rows = live if given else used
        distance = as_distance(self.metric, used) if by_kind is None else by_kind
        model = TreeClusters(rows, distance, grown.labels, grown.tree, grown.components, told)
        if len(live) < len(X):
            labels = model.assign(block)
            labels[live] = grown.labels
            return Found(replace(model, labels=labels, own=grown.labels))
        return Found(model)
