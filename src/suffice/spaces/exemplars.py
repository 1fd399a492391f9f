"""One point that stands for many: mean, geometric median, medoid, coordinate median.

mean              argmin_c sum_i w_i norm(x_i - c)^2
geometric median  argmin_c sum_i w_i norm(x_i - c)
medoid            argmin over the rows themselves of sum_i w_i d(x_i, c), for any d
coordinate median argmin_c sum_i w_i sum_j abs(x_ij - c_j)

A centroid need not be one of the rows, a medoid must. The mean, and the medoid by squared distance, follow outliers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.spaces.distances.distance import Distance, number_rows, refuse_no_numbers
from suffice.spaces.distances.given_distances import Precomputed
from suffice.spaces.distances.minkowski import SquaredEuclidean
from suffice.spaces.distances.named_distances import as_distance

TILE = 1 << 20  # distances at a time
STEPS = 10_000
ROUNDING = 1e-13  # share of a total within which two are equal


def mean_point(X: Any, w: Any = None) -> Array:
    """The mean (d,): the one point of least total squared Euclidean distance.

    >>> mean_point([[0.0, 0.0], [2.0, 4.0]]).tolist()
    [1.0, 2.0]
    """
    rows, w = _weighed("mean_point", X, w)
    first = rows[0]
    return np.asarray(first + (w / w.sum()) @ (rows - first))


def coordinate_median(X: Any, w: Any = None) -> Array:
    """The median of each column (d,): a point of least total Manhattan distance; the middle where there are many.

    >>> coordinate_median([[0.0, 5.0], [1.0, 1.0], [9.0, 2.0]]).tolist()
    [1.0, 2.0]
    """
    rows, w = _weighed("coordinate_median", X, w)
    order = np.argsort(rows, axis=0, kind="stable")
    values, reached = np.take_along_axis(rows, order, axis=0), np.cumsum(w[order], axis=0)
    half, slack = w.sum() / 2.0, 1e-12 * w.sum()
    low, high = ((reached < half - slack).sum(axis=0), (reached <= half + slack).sum(axis=0))
    at = np.minimum([low, high], len(rows) - 1)
    both = np.take_along_axis(values, at, axis=0)
    return np.asarray(both[0] + (both[1] - both[0]) / 2.0)


def geometric_median(X: Any, w: Any = None, tol: float = 1e-12) -> Array:
    """The point of least total Euclidean distance (d,), by Weiszfeld's steps with the rule for rows.

    A step is the mean of the rows weighed by one over their distance. At a row this is undefined: the row is the median
    if the pull of the others, norm(sum w_i (x_i - x) / norm(x_i - x)), does not exceed its weight, and is otherwise
    left along that pull (Vardi and Zhang, 2000).

    Parameters
    ----------
    X : rows
    w : one weight a row
    tol : share of the spread of the rows below which a step ends the search

    >>> geometric_median([[0.0], [1.0], [7.0]]).tolist()
    [1.0]
    """
    rows, w = _weighed("geometric_median", X, w)
    best = _vertex(rows, w)
    if best is not None:
        return best
    centre = mean_point(rows, w)
    spread = float(np.abs(rows - centre).max(initial=0.0))
    for _ in range(STEPS):
        before, centre = centre, _step(rows, w, centre)
        if np.abs(centre - before).max(initial=0.0) <= tol * spread:
            break
    return centre


def _vertex(rows: Array, w: Array) -> Array | None:
    """A row that is the median itself: the one of least total distance, if the others do not pull it away."""
    x = rows[medoid(rows, "euclidean", w)]
    apart, far = _apart(rows, x)
    here = float(w[far == 0].sum())
    pull = (w[far > 0] / far[far > 0]) @ apart[far > 0]
    return np.array(x) if float(np.sqrt(pull @ pull)) <= here * (1.0 + 1e-14) else None


def _step(rows: Array, w: Array, x: Array) -> Array:
    apart, far = _apart(rows, x)
    there = far > 0
    inverse = w[there] / far[there]
    move = inverse @ apart[there] / inverse.sum()
    here = float(w[~there].sum())
    if here:  # at a row: as far as the pull exceeds its weight
        pull = float(np.sqrt(((inverse @ apart[there]) ** 2).sum()))
        move *= max(0.0, 1.0 - here / pull) if pull else 0.0
    return np.asarray(x + move)


def _apart(rows: Array, x: Array) -> tuple[Array, Array]:
    apart = rows - x
    return apart, np.sqrt(np.einsum("ij,ij->i", apart, apart))


def medoid(X: Any, distance: Any = "euclidean", w: Any = None) -> int:
    """The number of the row of least total distance to all rows, the first of equals.

    O(n^2) distances in tiles, but O(n) for squared Euclidean distance: sum_i norm(x_i - c)^2 is least for the row that
    is nearest to the mean.

    Parameters
    ----------
    X : rows; a table of distances for "precomputed"
    distance : a `Distance`, its name, or a function of two rows
    w : one weight a row; the medoid weighs something

    >>> medoid([[0.0], [1.0], [2.0], [50.0]], "manhattan")
    1
    """
    measure = as_distance(distance, X, owner="medoid")
    weights = _read_weights("medoid", X.shape[0] if hasattr(X, "shape") else len(X), w)
    live = np.flatnonzero(weights > 0)  # a row of weight 0 is no row, and stands for none
    if isinstance(measure, SquaredEuclidean):
        rows, w = _weighed("medoid", X, weights)
        return int(live[_nearest_to_mean(rows, w)])
    return int(live[_first_least(total_distances(X, measure, weights)[live])])


def _nearest_to_mean(rows: Array, w: Array) -> int:
    apart = rows - mean_point(rows, w)
    squares = np.einsum("ij,ij->i", apart, apart)
    return _first_least(squares)


def _first_least(totals: Array) -> int:
    """The first of those that are least but for rounding."""
    return int(np.flatnonzero(totals <= totals.min() * (1.0 + ROUNDING))[0])


def total_distances(X: Any, distance: Distance, w: Any = None) -> Array:
    """sum_j w_j d(x_i, x_j) of each row i (n,), in tiles."""
    given = isinstance(distance, Precomputed)
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    weights = _read_weights("total_distances", n, w)
    if given:
        return _totals(distance.between(X), weights)
    rows = X if hasattr(X, "shape") else (list(X) if n and isinstance(X[0], str) else np.asarray(X))
    step = max(1, TILE // max(1, n))
    tiles = ((i, distance.between(rows[i : i + step], rows)) for i in range(0, n, step))
    return np.concatenate([_totals(D, weights, i) for i, D in tiles])


def _totals(D: Array, w: Array, first: int = 0) -> Array:
    """Weighted sums of rows of distances (n,); what weighs nothing adds nothing, however far."""
    far = np.isposinf(D)
    if not far.any():
        return np.asarray(refuse_no_numbers("total_distances", D, first) @ w)
    return np.where((far & (w > 0)).any(axis=1), np.inf, _totals(np.where(far, 0.0, D), w, first))


def _weighed(owner: str, X: Any, w: Any) -> tuple[Array, Array]:
    """Rows that weigh something, and their weights."""
    rows = number_rows(X, owner)
    weights = _read_weights(owner, len(rows), w)
    if not np.isfinite(rows[weights > 0]).all():
        raise bad(owner, "X", "finite", Said("NaN or infinity"), "Fill the missing cells first.")
    return rows[weights > 0], weights[weights > 0]


def _read_weights(owner: str, n: int, w: Any) -> Array:
    weights = np.ones(n) if w is None else np.asarray(w, dtype=np.float64)
    if weights.shape != (n,) or not np.isfinite(weights).all() or (weights < 0).any():
        raise bad(owner, "w", f"{n} numbers of at least 0", Said(f"shape {weights.shape}"), "Give one a row.")
    if not weights.any():
        raise bad(owner, "X", "some rows that weigh something", Said("none"), "Give it rows.")
    return weights
