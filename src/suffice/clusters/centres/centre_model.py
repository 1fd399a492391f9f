"""Centres as a value, and what models with centres tell: they predict on NumPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.reading import reading
from suffice.spaces.nearest_centre import distances_to_centres, nearest_centre, squared_to_own


@saved
@dataclass(frozen=True)
class Centres:
    """One centre a cluster."""

    centres: Array  # (K, d)
    labels: Array | None = None  # (n,) of the rows of training, where they were in memory
    inertia: float = 0.0  # weighted sum of squared distances to the own centre
    weight: Array | None = None  # (K,) of the rows of each cluster
    passes: int = 0
    settled: bool = True
    scatters: tuple[float, ...] = ()  # inertia pass by pass

    def assign(self, block: Block) -> Array:
        """The nearest centre of each row (n,)."""
        return nearest_centre(block.parts[0], self.centres)

    def closeness(self, block: Block) -> Array:
        """Minus the squared distance to the nearest centre (n,)."""
        (X,) = block.parts
        return -squared_to_own(X, self.centres, nearest_centre(X, self.centres))

    def distances(self, block: Block) -> Array:
        """Distances to all centres (n, K)."""
        return distances_to_centres(block.parts[0], self.centres)


class CentreReadings:
    """Centres as scikit-learn's users know them."""

    inertia_ = reading("inertia", "Weighted sum of squared distances to the nearest centre.")
    n_iter_ = reading("passes", "Number of passes.")
    scatters_ = reading("scatters", "The inertia of each pass, the last being that of the centres.")

    @property
    def cluster_centers_(self: Any) -> Array:
        """The centres (K, d), in the type of the rows."""
        state = self._state()[0]
        return np.asarray(state.model.centres.astype(answer_type(self._origin)))

    @property
    def _n_features_out(self: Any) -> int:
        return len(self._state()[0].model.centres)

    def transform(self: Any, X: Any) -> Array:
        """Distances of rows to all centres (n, K).

        Parameters
        ----------
        X : rows like those of training
        """
        state, X = self._state(X)
        found = state.map(X, state.model.distances, self.threads)
        return np.asarray(found.astype(answer_type(self._origin), copy=False))

    def score(self: Any, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Minus the weighted sum of squared distances to the nearest centre.

        Parameters
        ----------
        X : rows like those of training
        y : not used
        sample_weight : one weight a row
        """
        from suffice.estimators.boundary.targets import read_weights

        close = self.score_samples(X)
        w = read_weights(self._owner, sample_weight, len(close))
        return float(close.sum() if w is None else w @ close)


def answer_type(origin: Any) -> Any:
    """The type of the rows of training, where they were floats."""
    kind = np.dtype(origin.cell_type or np.float64)
    return kind if kind.kind == "f" else np.dtype(np.float64)


@saved
@dataclass(frozen=True)
class CentrePlan(NumberPlan):
    """A model with centres."""

    face: ClassVar[str] = "clusterer"
    whole: ClassVar[bool] = False

    def readings(self) -> tuple[type[Any], ...]:
        """Centres and distances to them."""
        return (CentreReadings,)
