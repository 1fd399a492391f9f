"""How far rows lie from a plane, with the side they are on: a score of every linear classifier."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad


def signed_distance(X: Any, w: Any, t: float) -> Array:
    """Distance of each row from the plane w.x = t (n,), positive on the side that w points to.

        d(x) = (w.x - t) / |w|

    Parameters
    ----------
    X : (n, d) rows
    w : (d,) weights, not all 0
    t : threshold

    >>> signed_distance([[3.0, 4.0], [0.0, 0.0]], [3.0, 4.0], 5.0)
    array([ 4., -1.])
    """
    weights = np.asarray(w, dtype=np.float64)
    length = float(np.linalg.norm(weights))
    if weights.ndim != 1 or not 0.0 < length < np.inf:
        raise bad("signed_distance", "w", "finite weights, not all of them 0", w)
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != weights.size:
        raise bad("signed_distance", "X", f"rows of {weights.size} columns", Said(f"shape {rows.shape}"))
    return np.asarray((rows @ weights - float(t)) / length)
