"""A tree of splits in two, as a value; and the rows of one of its leaves as a source of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.clusters.centres.centre_model import Centres
from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.sources.engines.wrapped_sources import WrappedSource
from suffice.spaces.nearest_centre import nearest_centre, squared_to_own


@saved
@dataclass(frozen=True)
class BisectingCentres(Centres):
    """Centres at the leaves of a tree: a row goes down to the nearer of two, split by split."""

    nodes: Array | None = None  # (m, d) a centre for each node, the root first
    children: Array | None = None  # (m, 2) numbers of nodes, -1 at leaves
    leaf: Array | None = None  # (m,) the number of the cluster at a leaf, else -1

    def assign(self, block: Block) -> Array:
        """The leaf that each row ends at (n,)."""
        return self._down(block.parts[0])

    def closeness(self, block: Block) -> Array:
        """Minus the squared distance to the centre of that leaf (n,)."""
        (X,) = block.parts
        return -squared_to_own(X, self.centres, self._down(X))

    def _down(self, X: Any) -> Array:
        return descend(X, self.nodes, self.children, self.leaf)


def descend(X: Any, nodes: Any, children: Any, leaf: Any) -> Array:
    """What `leaf` says of the node at which each row ends (n,)."""
    labels = np.empty(int(X.shape[0]), dtype=np.int32)
    waiting = [(0, np.arange(len(labels)))]
    while waiting:
        node, rows = waiting.pop()
        if children[node, 0] < 0:
            labels[rows] = leaf[node]
            continue
        right = nearest_centre(X[rows], nodes[children[node]]) == 1
        waiting += [(int(children[node, 0]), rows[~right]), (int(children[node, 1]), rows[right])]
    return labels


@dataclass(frozen=True)
class LeafRows(WrappedSource):
    """The rows of a source that end at one node of a tree."""

    nodes: Array
    children: Array
    node: int

    def _change(self) -> Callable[[Block], Block]:
        return self.rows

    def rows(self, block: Block) -> Block:
        """Those of a block that end at the node."""
        ends = descend(block.parts[0], self.nodes, self.children, np.arange(len(self.nodes)))
        return block.take(np.flatnonzero(ends == self.node))
