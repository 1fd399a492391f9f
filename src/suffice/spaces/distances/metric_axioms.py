"""Which axioms of a metric hold on some points, and which points break them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.spaces.distances.distance import Axioms
from suffice.spaces.distances.named_distances import as_distance

MOST = 1000  # points: the triangle inequality has n^3 cases


@dataclass(frozen=True)
class MetricCheck:
    """What a check found: numbers of the points that break each axiom, the worst first; empty where it holds."""

    to_itself: Array  # (m,) points with d(x, x) other than 0
    apart: Array  # (m, 2) distinct points with d(x, y) = 0, or below
    symmetric: Array  # (m, 2) points with d(x, y) other than d(y, x)
    triangle: Array  # (m, 3) points x, y, z with d(x, z) > d(x, y) + d(y, z)

    @property
    def axioms(self) -> Axioms:
        """What the distance may be, by these points."""
        if len(self.to_itself) or len(self.symmetric) or len(self.triangle):
            return Axioms.DISSIMILARITY
        return Axioms.PSEUDO if len(self.apart) else Axioms.METRIC

    @property
    def holds(self) -> bool:
        """Whether all four hold."""
        return self.axioms is Axioms.METRIC

    def __str__(self) -> str:
        """One line an axiom."""
        named = {"d(x, x) = 0": self.to_itself, "d(x, y) > 0 for x != y": self.apart}
        named |= {"d(x, y) = d(y, x)": self.symmetric, "d(x, z) <= d(x, y) + d(y, z)": self.triangle}
        return "\n".join(
            f"{name}: {'holds' if not len(at) else f'broken by {len(at)}, first {at[0].tolist()}'}"
            for name, at in named.items()
        )


def check_metric(distance: Any, points: Any, tolerance: float = 1e-12) -> MetricCheck:
    """Test the axioms of a metric on all pairs and triples of some points.

    Parameters
    ----------
    distance : a `Distance`, its name, or a function of two rows
    points : rows, up to 1000 of them
    tolerance : share of the largest distance that rounding may cost

    >>> found = check_metric("sqeuclidean", np.array([[0.0], [1.0], [2.0]]))
    >>> found.holds, found.triangle[0].tolist()
    (False, [0, 1, 2])
    """
    if len(points) > MOST:
        raise bad("check_metric", "points", f"at most {MOST}", Said(f"{len(points)}"), "Draw some of them.")
    D = as_distance(distance, points, owner="check_metric").between(points, points)
    if np.isnan(D).any():
        i, j = np.argwhere(np.isnan(D))[0]
        rule = "numbers between all points"
        raise bad("check_metric", "distance", rule, Said(f"none between {i} and {j}"), "Leave those out.")
    slack = tolerance * float(np.abs(D[np.isfinite(D)]).max(initial=0.0))
    equal = _equal(points)
    uneven = np.abs(np.subtract(D, D.T, out=np.zeros_like(D), where=np.isfinite(D) | np.isfinite(D.T)))
    return MetricCheck(
        np.flatnonzero(np.abs(np.diagonal(D)) > slack),
        _pairs(~equal & (D <= 0.0), -D),
        _pairs(uneven > slack, uneven),
        _triangles(D, slack),
    )


def _equal(points: Any) -> Array:
    """Which pairs of points are the same (n, n)."""
    rows = points.toarray() if hasattr(points, "toarray") else points
    known: dict[Any, int] = {}
    number = [
        known.setdefault(row if isinstance(row, str) else np.asarray(row).tobytes(), i) for i, row in enumerate(rows)
    ]
    return np.equal.outer(number, number)


def _pairs(wrong: Array, by: Array) -> Array:
    """Pairs (i < j) that are wrong either way round, worst first."""
    i, j = np.nonzero(np.triu(wrong | wrong.T, 1))
    order = np.argsort(-np.maximum(by[i, j], by[j, i]), kind="stable")
    return np.column_stack([i, j])[order]


def _triangles(D: Array, slack: float) -> Array:
    """Triples whose middle point is a short cut, worst first; each with its ends in rising order."""
    found: list[Array] = []
    worth: list[Array] = []
    for y in range(len(D)):
        by_way = np.add.outer(D[:, y], D[y])
        excess = np.subtract(D, by_way, out=np.zeros_like(D), where=np.isfinite(by_way))
        x, z = np.nonzero(np.triu(np.maximum(excess, excess.T) > slack, 1))
        found.append(np.column_stack([x, np.full_like(x, y), z]))
        worth.append(np.maximum(excess, excess.T)[x, z])
    if not found:
        return np.empty((0, 3), dtype=np.intp)
    return np.concatenate(found)[np.argsort(-np.concatenate(worth), kind="stable")]
