"""Rows in dense regions, as a value: a new row joins the region of a core row within reach. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.estimators.design.kind_plan import KindPlan
from suffice.estimators.reading import reading
from suffice.spaces.distances.distance import Distance, Embedded, measured
from suffice.spaces.distances.given_distances import Precomputed
from suffice.spaces.search.search_choice import neighbour_search

CELLS = 1 << 21  # of distances made at a time


@saved
@dataclass(frozen=True)
class DenseRows:
    """Core rows, their clusters, and how near a row must be to join one."""

    core: Any  # (m, d) rows, or their numbers (m,) where distances were given
    core_labels: Array  # (m,)
    indices: Array  # (m,) numbers of the core rows
    eps: float
    distance: Distance
    labels: Array  # (n,)
    width: int

    def assign(self, block: Block) -> Array:
        """The cluster of the nearest core row within eps (n,), else -1."""
        near, gap = self._nearest(block)
        return np.where(gap <= self.eps, self.core_labels[near] if len(self.core_labels) else -1, -1)

    def closeness(self, block: Block) -> Array:
        """Minus the distance to the nearest core row (n,)."""
        return -self._nearest(block)[1]

    def _nearest(self, block: Block) -> tuple[Array, Array]:
        (X,) = block.parts
        n, m = int(X.shape[0]), len(self.indices)
        if not m:
            return np.zeros(n, dtype=np.int64), np.full(n, np.finfo(np.float64).max)
        X = X.toarray() if hasattr(X, "toarray") else X
        if isinstance(self.distance, Embedded):  # exactly, as rows at eps itself are within it
            found = neighbour_search(self.core, self.distance).nearest(X, 1)
            return found.numbers[:, 0], found.distance[:, 0]
        near, gap = np.empty(n, dtype=np.int64), np.empty(n)
        step, towards = max(1, CELLS // m), self.distance.towards(self.core)
        for start in range(0, n, step):
            D = measured(self.distance, towards(X[start : start + step]), start)
            near[start : start + step], gap[start : start + step] = D.argmin(axis=1), D.min(axis=1)
        return near, gap


class DenseReadings:
    """Core rows as scikit-learn's users know them."""

    core_sample_indices_ = reading("indices", "Numbers of the core rows (m,).")

    @property
    def components_(self: Any) -> Any:
        """The core rows (m, d); by kind, with their symbols."""
        state = self._state()[0]
        model = state.model
        if state.plan.codes is not None:
            return state.plan.codes.read_back(model.core)
        return np.array(model.core) if not isinstance(model.distance, Precomputed) else model.core

    @property
    def kinds_(self: Any) -> Array:
        """Of each row of training "core", "border" or "noise" (n,)."""
        model = self._state()[0].model
        kinds = np.where(model.labels >= 0, "border", "noise")
        kinds[model.indices] = "core"
        return kinds


@saved
@dataclass(frozen=True)
class DensePlan(KindPlan):
    """Dense regions."""

    face: ClassVar[str] = "clusterer"

    def readings(self) -> tuple[type[Any], ...]:
        """Core rows."""
        return (DenseReadings,)
