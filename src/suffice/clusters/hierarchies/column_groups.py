"""Columns in groups, as a value: each group becomes one column. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.clusters.hierarchies.merge_tree import MergeTree
from suffice.clusters.hierarchies.tree_clusters import HierarchyReadings
from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.sources.tables.numbers import number_schema


@saved
@dataclass(frozen=True)
class ColumnGroups:
    """Columns and the group of each."""

    labels: Array  # (d,)
    tree: MergeTree
    components: int = 1
    told: bool = False
    pooling: Any = None  # what makes one column of several; None: the mean
    name: str = "featureagglomeration"

    def map(self, block: Block) -> Block:
        """One column a group."""
        (X,) = block.parts
        K = int(self.labels.max()) + 1
        if self.pooling is None:
            sums = np.zeros((K, len(self.labels)))
            sums[self.labels, np.arange(len(self.labels))] = 1.0
            return block._replace(parts=((X @ sums.T / sums.sum(axis=1)).astype(X.dtype, copy=False),))
        pooled = [np.asarray(self.pooling(X[:, self.labels == k], axis=1)) for k in range(K)]
        return block._replace(parts=(np.stack(pooled, axis=1),))

    def map_schema(self, schema: Schema) -> Schema:
        """Columns by the numbers of their groups."""
        return number_schema(self.names_out(schema.names), int(self.labels.max()) + 1)

    def inverse(self, rows: Array) -> Array:
        """Each column gets what its group has."""
        return np.asarray(rows[:, self.labels])

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """One name a group."""
        return tuple(f"{self.name}{k}" for k in range(int(self.labels.max()) + 1))


class GroupReadings(HierarchyReadings):
    """The tree of the columns, and the group of each."""

    @property
    def labels_(self: Any) -> Array:
        """The group of each column (d,)."""
        return np.asarray(self._state()[0].model.labels)


@saved
@dataclass(frozen=True)
class ColumnTreePlan(NumberPlan):
    """A tree of columns."""

    face: ClassVar[str] = "transformer"

    def readings(self) -> tuple[type[Any], ...]:
        """Merges, levels and the tree itself."""
        return (GroupReadings,)
