"""Fuzzy centres as a value: every row belongs to every centre to a degree. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.clusters.centres.centre_model import Centres
from suffice.clusters.centres.fuzzy_partition import memberships_of, partition_coefficient, partition_entropy
from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.reading import reading


@saved
@dataclass(frozen=True)
class FuzzyCentres(Centres):
    """Centres of a fuzzy partition; `inertia` is J. The cluster of the largest membership is the nearest centre."""

    m: float = 2.0

    def memberships(self, block: Block) -> Array:
        """u of each row and cluster (n, K)."""
        return memberships_of(self.distances(block) ** 2, self.m)

    def closeness(self, block: Block) -> Array:
        """Minus what a row adds to J (n,)."""
        squares = self.distances(block) ** 2
        return np.asarray(-(memberships_of(squares, self.m) ** self.m * squares).sum(axis=1))


class FuzzyReadings:
    """Centres and memberships."""

    cluster_centers_ = reading("centres", "The centres (K, d).")
    n_iter_ = reading("passes", "Number of passes.")
    scatters_ = reading("scatters", "J pass by pass, the last being that of the centres.")

    def memberships(self: Any, X: Any) -> Array:
        """u of each row and cluster (n, K): each row adds to 1.

        Parameters
        ----------
        X : rows like those of training
        """
        state, X = self._state(X)
        return np.asarray(state.map(X, state.model.memberships, self.threads))

    @property
    def objective_(self: Any) -> float:
        """J."""
        return float(self._state()[0].model.inertia)

    def partition_entropy(self: Any, X: Any) -> float:
        """- 1/n sum u log u over rows."""
        return partition_entropy(self.memberships(X))

    def partition_coefficient(self: Any, X: Any) -> float:
        """1/n sum u^2 over rows."""
        return partition_coefficient(self.memberships(X))


@saved
@dataclass(frozen=True)
class FuzzyPlan(NumberPlan):
    """A fuzzy partition."""

    face: ClassVar[str] = "clusterer"
    whole: ClassVar[bool] = False

    def readings(self) -> tuple[type[Any], ...]:
        """Centres and memberships."""
        return (FuzzyReadings,)
