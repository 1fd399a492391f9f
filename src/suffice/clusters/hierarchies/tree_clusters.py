"""A tree of rows with a cut, as a value. A new row joins the cluster of the nearest row of training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.clusters.hierarchies.merge_tree import MergeTree
from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.estimators.design.kind_plan import KindPlan
from suffice.estimators.reading import reading
from suffice.spaces.distances.distance import Distance, measured

CELLS = 1 << 21  # of distances made at a time


@saved
@dataclass(frozen=True)
class TreeClusters:
    """Rows, their clusters, and the tree these were cut from."""

    rows: Any  # (n, d), or the numbers of the rows (n,) where their distances were given
    distance: Distance
    labels: Array  # (n,)
    tree: MergeTree
    components: int = 1
    told: bool = False  # whether heights are told
    own: Array | None = None  # (m,) of the rows of the tree, where others weigh nothing

    def assign(self, block: Block) -> Array:
        """The cluster of the nearest row (n,), the first of equals."""
        return (self.labels if self.own is None else self.own)[self._nearest(block)[0]]

    def closeness(self, block: Block) -> Array:
        """Minus the distance to the nearest row (n,)."""
        return -self._nearest(block)[1]

    def _nearest(self, block: Block) -> tuple[Array, Array]:
        (X,) = block.parts
        near, gap = np.empty(len(X), dtype=np.int64), np.empty(len(X))
        step = max(1, CELLS // max(1, len(self.rows)))
        towards = self.distance.towards(self.rows)
        for start in range(0, len(X), step):
            D = measured(self.distance, towards(X[start : start + step]), start)
            near[start : start + step] = D.argmin(axis=1)
            gap[start : start + step] = D.min(axis=1)
        return near, gap


class HierarchyReadings:
    """Trees as scikit-learn's users know them."""

    children_ = reading("tree.children", "The two nodes that each merge joins (m, 2).")
    n_leaves_ = reading("tree.n", "Number of leaves.")
    n_connected_components_ = reading("components", "Components of the graph of links; 1 without a graph.")
    tree_ = reading("tree", "The tree: cuts, levels, cophenetic distances, what a dendrogram draws.")

    @property
    def n_clusters_(self: Any) -> int:
        """Number of clusters."""
        labels = self._state()[0].model.labels
        return int(labels.max()) + 1

    @property
    def distances_(self: Any) -> Array:
        """The height of each merge (m,), where `compute_distances` or `distance_threshold` asks for it."""
        model = self._state()[0].model
        if not model.told:
            raise AttributeError(f"{self._owner}: distances_ are kept with compute_distances=True. See tree_.heights.")
        return np.asarray(model.tree.heights)


@saved
@dataclass(frozen=True)
class TreePlan(KindPlan):
    """A tree of rows."""

    face: ClassVar[str] = "clusterer"

    def readings(self) -> tuple[type[Any], ...]:
        """Merges, levels and the tree itself."""
        return (HierarchyReadings,)
