"""Euclidean distance over the cells that both rows have, scaled up for those that are missing.

d(x, y) = sqrt(d / d_xy sum_j (x_j - y_j)^2)   over the d_xy of d columns that are present in both; not a number if none
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.spaces.distances.distance import Axioms, Distance, number_rows

CELLS = 1 << 20


@saved
@dataclass(frozen=True)
class PresentEuclidean(Distance):
    """Euclidean distance over present cells. A dissimilarity: through a row of few cells the way may be shorter.

    >>> PresentEuclidean().pair([3.0, np.nan, 4.0, 0.0], [0.0, 7.0, 0.0, np.nan])  # 2 of 4 columns
    7.0710678118654755
    """

    @property
    def axioms(self) -> Axioms:
        """The triangle inequality fails where cells are missing."""
        return Axioms.DISSIMILARITY

    def between(self, X: Any, Y: Any = None) -> Array:
        """From differences, so that offsets cost nothing; in tiles."""
        A = number_rows(X)
        B = A if Y is None else number_rows(Y)
        found = np.empty((len(A), len(B)))
        step = max(1, CELLS // max(1, B.size))
        for start in range(0, len(A), step):
            with np.errstate(invalid="ignore"):  # infinite cells have no difference
                apart = A[start : start + step, None] - B[None]
            there = ~np.isnan(apart)
            seen = there.sum(axis=2)
            total = np.where(there, apart * apart, 0.0).sum(axis=2)
            share = np.where(seen > 0, seen / max(1, A.shape[1]), np.nan)
            found[start : start + step] = np.sqrt(total / share)
        return found
