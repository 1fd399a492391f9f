"""`tree_`: the nodes of a tree by the names that scikit-learn gives them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.trees.nodes import TreeNodes


@dataclass(frozen=True)
class TreeView:
    """A tree of thresholds, as scikit-learn's `Tree` shows one: -1 is no child, -2 no column."""

    nodes: TreeNodes
    n_features: int
    shares: Array  # (M, V) what `value` holds: class shares, or numbers
    edges: tuple[int, ...] | None = None  # where the classes of each output begin and end; None: numbers

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return self.nodes.count

    capacity = node_count

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return len(self.nodes.leaves)

    @property
    def max_depth(self) -> int:
        """Depth of the deepest leaf."""
        return int(self.nodes.depth.max())

    @property
    def n_outputs(self) -> int:
        """Number of targets."""
        return self.shares.shape[1] if self.edges is None else len(self.edges) - 1

    @property
    def max_n_classes(self) -> int:
        """Number of classes of the output that has most; 1 where numbers are predicted."""
        return int(self.n_classes.max())

    @property
    def n_classes(self) -> Array:
        """Number of classes of each target."""
        return np.ones(self.n_outputs, dtype=np.int64) if self.edges is None else np.diff(self.edges)

    def _child(self, which: int) -> Array:
        inner = self.nodes.width > which
        out = np.full(self.node_count, -1, dtype=np.int64)
        out[inner] = self.nodes.children[self.nodes.first[inner] + which]
        return out

    @property
    def children_left(self) -> Array:
        """First children (M,)."""
        return self._child(0)

    @property
    def children_right(self) -> Array:
        """Second children (M,)."""
        return self._child(1)

    @property
    def feature(self) -> Array:
        """Columns (M,)."""
        return np.where(self.nodes.width > 0, self.nodes.column, -2).astype(np.int64)

    @property
    def threshold(self) -> Array:
        """Thresholds (M,)."""
        return np.where(self.nodes.width > 0, self.nodes.threshold, -2.0)

    @property
    def missing_go_to_left(self) -> Array:
        """Whether missing cells go to the first child (M,) uint8."""
        return np.asarray(((self.nodes.width > 0) & (self.nodes.missing == 0)).astype(np.uint8))

    @property
    def impurity(self) -> Array:
        """Impurities (M,)."""
        return np.asarray(self.nodes.impurity)

    @property
    def n_node_samples(self) -> Array:
        """Rows (M,)."""
        return self.nodes.rows

    @property
    def weighted_n_node_samples(self) -> Array:
        """Weights (M,)."""
        return self.nodes.weight

    @property
    def value(self) -> Array:
        """Class shares (M, q, K), 0 beyond the classes of an output, or numbers (M, q, 1)."""
        if self.edges is None:
            return np.asarray(self.shares[:, :, None])
        out = np.zeros((len(self.shares), self.n_outputs, self.max_n_classes))
        for t, (a, b) in enumerate(pairwise(self.edges)):
            out[:, t, : b - a] = self.shares[:, a:b]
        return out

    def apply(self, X: Any) -> Array:
        """The leaf of each row (n,)."""
        return self.nodes.leaf_of(_rows(X))

    def predict(self, X: Any) -> Array:
        """The value of the leaf of each row."""
        found = self.value[self.apply(X)]
        return found[:, 0] if self.n_outputs == 1 else found

    def decision_path(self, X: Any) -> Any:
        """Which nodes each row passes, as a sparse matrix (n, M)."""
        return decision_path(self.nodes, _rows(X))

    def compute_feature_importances(self, normalize: bool = True) -> Array:
        """How much each column lowers the impurity."""
        shares = self.nodes.importances(self.n_features)
        if normalize:
            return shares
        loss = self.nodes.weight * self.nodes.impurity
        fall = loss[0] - loss[self.nodes.leaves].sum()
        return np.asarray(shares * fall / self.nodes.weight[0])


def _rows(X: Any) -> Array:
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)


def decision_path(nodes: TreeNodes, X: Array, tree: int = 0) -> Any:
    """Which nodes (n, M) each row passes on its way to its leaf, as a sparse matrix."""
    from scipy.sparse import csr_matrix

    ancestors: dict[int, list[int]] = {}
    leaf = nodes.leaf_of(X, tree)
    for node in np.unique(leaf).tolist():
        chain = [node]
        while nodes.parent[chain[-1]] >= 0:
            chain.append(int(nodes.parent[chain[-1]]))
        ancestors[node] = chain[::-1]
    lists = [ancestors[node] for node in leaf.tolist()]
    ends = np.cumsum([0, *map(len, lists)])
    columns = np.array([node for found in lists for node in found], dtype=np.int64)
    return csr_matrix((np.ones(len(columns), dtype=np.int64), columns, ends), shape=(len(X), nodes.count))
