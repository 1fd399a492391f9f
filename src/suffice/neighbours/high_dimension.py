"""Why neighbours fail in many columns, and how well they can do in few.

Nearly all of a ball is near its surface, and all rows are about equally far apart. Remedies: fewer columns, by
selection or by principal components.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.spaces.distances.distance import number_rows
from suffice.spaces.distances.named_distances import as_distance


def shell_share(d: Any, shell: float = 0.05) -> Array:
    """Share of a ball in d columns that lies in its outer shell: 1 - (1 - shell)^d.

    >>> shell_share([2, 14, 100]).round(4).tolist()
    [0.0975, 0.5123, 0.9941]
    """
    columns = np.asarray(d, dtype=np.float64)
    if not (columns >= 1).all() or not 0.0 < shell < 1.0:
        raise bad("shell_share", "d and shell", "columns, and a share between 0 and 1", (d, shell), "Give 0.05.")
    return np.asarray(-np.expm1(columns * np.log1p(-shell)))


class DistanceSpread(NamedTuple):
    """Distances between all pairs of some rows: a spike is the curse of dimension."""

    distances: Array  # (pairs,)

    @property
    def contrast(self) -> float:
        """Deviation over mean: towards 0 as columns of noise are added."""
        return float(self.distances.std() / self.distances.mean()) if self.distances.any() else 0.0

    @property
    def ratio(self) -> float:
        """The least distance over the largest: towards 1."""
        return float(self.distances.min() / self.distances.max()) if self.distances.any() else 1.0


def distance_spread(X: Any, distance: Any = "euclidean", rows: int = 200, seed: int = 0) -> DistanceSpread:
    """Distances between all pairs of some rows, drawn by a seed: look at their histogram before you use neighbours.

    Parameters
    ----------
    X : rows
    distance : a `Distance`, its name, or a function of two rows
    rows : how many to draw
    seed : of the draw
    """
    table = number_rows(X)
    if len(table) < 2 or rows < 2:
        raise bad("distance_spread", "X", "two rows or more", Said(str(min(len(table), rows))), "Give more.")
    drawn = table
    if len(table) > rows:
        drawn = table[np.sort(np.random.default_rng(seed).choice(len(table), rows, replace=False))]
    D = as_distance(distance, table, owner="distance_spread").between(drawn)
    return DistanceSpread(D[np.triu_indices(len(drawn), 1)])


def nearest_neighbour_bound(bayes_error: Any, classes: int = 2) -> Array:
    """The most that the error of one nearest neighbour tends to as rows grow, from the error of Bayes's rule.

    E <= e (2 - e K / (K - 1)) <= 2 e,  with K classes (Cover and Hart, 1967)

    >>> nearest_neighbour_bound([0.0, 0.1, 0.5]).round(6).tolist()
    [0.0, 0.18, 0.5]
    """
    e = np.asarray(bayes_error, dtype=np.float64)
    if classes < 2 or not ((e >= 0.0) & (e <= 1.0 - 1.0 / classes)).all():
        rule = "between 0 and 1 - 1 / classes"
        raise bad("nearest_neighbour_bound", "bayes_error", rule, bayes_error, "Guessing does as well.")
    return np.asarray(e * (2.0 - e * classes / (classes - 1.0)))
