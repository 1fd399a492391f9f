"""Rows that are kept to be searched, as a value. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.estimators.design.kind_plan import KindPlan
from suffice.neighbours.near.near_rows import NearRows
from suffice.neighbours.near.neighbour_readings import KNeighbours, RadiusNeighbours
from suffice.spaces.distances.minkowski import Chebyshev, Euclidean, Manhattan, Minkowski


@saved
@dataclass(frozen=True)
class KeptRows:
    """Rows to be searched."""

    near: NearRows
    k: int
    radius: float
    table: Array | None = None

    def log_density(self, block: Block) -> Array:
        """log p(x) of each row (n,), from the ball that reaches the k-th neighbour."""
        distance, d = self.near.distance, int(self.near.rows.shape[-1])
        plain = isinstance(distance, (Euclidean, Manhattan, Chebyshev))
        if not plain and not (isinstance(distance, Minkowski) and distance.root and distance.weights is None):
            rule = "a Minkowski distance where densities are asked for: of others the volume of a ball is unknown"
            raise bad(self.near.owner, "metric", rule, distance, "Use kneighbors.")
        near = self.near.copies(block.parts[0], self.k)
        last = near.distance[:, -1]
        if near.copies is not None:
            last = np.where(near.copies > 0, near.distance, 0.0).max(axis=1)
        with np.errstate(divide="ignore"):
            return np.asarray(
                np.log(self.k) - np.log(self.near.total) - log_ball(d, distance.power) - d * np.log(last)  # type: ignore[attr-defined]
            )


def log_ball(d: int, p: float) -> float:
    """Log volume of the ball of radius 1 in d columns, for the Minkowski distance p.

    >>> round(float(np.exp(log_ball(2, 2.0))), 6), round(float(np.exp(log_ball(3, 1.0))), 6)
    (3.141593, 1.333333)
    """
    from math import lgamma, log

    return d * log(2.0) if p == inf else d * (log(2.0) + lgamma(1.0 / p + 1.0)) - lgamma(d / p + 1.0)


@saved
@dataclass(frozen=True)
class KeptRowsPlan(KindPlan):
    """Rows to be searched."""

    face: ClassVar[str] = "density"

    def readings(self) -> tuple[type[Any], ...]:
        """Neighbours."""
        return (KNeighbours, RadiusNeighbours)
