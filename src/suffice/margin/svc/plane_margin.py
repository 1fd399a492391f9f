"""The geometric margin of any plane: how near the nearest row is."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.curves.scored_distance import signed_distance


class GeometricMargin(NamedTuple):
    """How far rows lie on their own side of a plane."""

    distance: Array  # (n,) y_i (w.x_i - t) / norm(w): above 0 on the right side
    width: float  # the least of them
    nearest: Array  # numbers of the rows that attain it


def geometric_margin(X: Any, signs: Any, w: Any, t: float, rtol: float = 1e-9) -> GeometricMargin:
    """The distance of each row from the plane w.x = t, towards its own side; its least is the margin of the plane.

    It does not change when w and t are multiplied by the same number above 0.

    Parameters
    ----------
    X : (n, d) rows
    signs : (n,) +1 or -1, the side a row should be on
    w : (d,) weights, not all 0
    t : threshold
    rtol : rows that are farther by this share of the largest distance count as nearest too

    >>> geometric_margin([[1, 2], [-1, 2], [-1, -2]], [-1, -1, 1], [0, -1], 0.0)[1:]
    (2.0, array([0, 1, 2]))
    """
    y = np.asarray(signs, dtype=np.float64)
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or not len(rows):
        raise bad("geometric_margin", "X", "rows of numbers", Said(f"shape {rows.shape}"), "Give at least one row.")
    if y.shape != (len(rows),) or not (np.abs(y) == 1).all():
        raise bad("geometric_margin", "signs", f"{len(rows)} numbers, each +1 or -1", signs, "Code classes as signs.")
    distance = y * signed_distance(rows, w, t)
    width = float(distance.min())
    slack = rtol * float(np.abs(distance).max())
    return GeometricMargin(distance, width, np.flatnonzero(distance <= width + slack))
