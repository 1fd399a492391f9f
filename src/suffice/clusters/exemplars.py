"""Exemplars: rows that stand for their clusters, and how new rows find theirs. No scikit-learn."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.reading import reading
from suffice.spaces.nearest_centre import nearest_centre, squared_to_own


@saved
@dataclass(frozen=True)
class Exemplars:
    """Rows that stand for their clusters."""

    rows: Any  # (K, d), or None where similarities were given
    indices: Array  # (K,)
    labels: Array  # (n,)
    similarity: Array  # (n, n)
    steps: int
    settled: bool
    owner: str

    def assign(self, block: Block) -> Array:
        """The nearest exemplar (n,); -1 where there is none."""
        return (
            self._rows(block)
            if self.rows is None or not len(self.rows)
            else nearest_centre(block.parts[0], self.rows).astype(np.int64)
        )

    def closeness(self, block: Block) -> Array:
        """Minus the squared distance to the nearest exemplar (n,)."""
        (X,) = block.parts
        if self.rows is None or not len(self.rows):
            self._rows(block)
            return np.full(int(X.shape[0]), -np.finfo(np.float64).max)
        return -squared_to_own(X, self.rows, nearest_centre(X, self.rows))

    def _rows(self, block: Block) -> Array:
        if self.rows is None:
            rule = "rows (Predict method is not supported when affinity='precomputed'.)"
            raise bad(self.owner, "X", rule, Said("similarities"), "Use labels_.")
        from sklearn.exceptions import ConvergenceWarning  # only where it is needed

        told = "This model does not have any cluster centers because affinity propagation did not converge."
        warnings.warn(f"{told} Labeling every sample as '-1'.", ConvergenceWarning, stacklevel=4)
        return np.full(int(block.parts[0].shape[0]), -1, dtype=np.int64)


class ExemplarReadings:
    """Exemplars as scikit-learn's users know them."""

    cluster_centers_indices_ = reading("indices", "Numbers of the exemplars (K,).")
    affinity_matrix_ = reading("similarity", "Similarities (n, n).")
    n_iter_ = reading("steps", "Number of steps.")

    @property
    def cluster_centers_(self: Any) -> Array:
        """The exemplars (K, d), where rows were given."""
        rows = self._state()[0].model.rows
        if rows is None:
            raise AttributeError(f"{self._owner}: similarities have no cluster_centers_. See cluster_centers_indices_.")
        return np.asarray(rows)


@saved
@dataclass(frozen=True)
class ExemplarPlan(NumberPlan):
    """Exemplars."""

    face: ClassVar[str] = "clusterer"

    def readings(self) -> tuple[type[Any], ...]:
        """Exemplars and similarities."""
        return (ExemplarReadings,)
