"""The convex hull of a rising curve: which of its points no straight cut between two others can reach.

A point on or under the chord of two others is no vertex of the upper hull, so that all such points may leave at once;
what then remains is gone through once, vertex by vertex. With whole weights below 2^26 every comparison is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop, pays

SHRINKS = 0.9  # a round over all points pays while it leaves at most this share of them


def upper_hull(x: Array, y: Array) -> Array:
    """The places of the vertices of the upper hull (v,), the first and the last point among them.

    Parameters
    ----------
    x, y : (n,) coordinates of the points of a curve; neither falls

    >>> upper_hull(np.array([0.0, 0.0, 1.0, 1.0, 2.0]), np.array([0.0, 1.0, 1.0, 2.0, 2.0]))
    array([0, 1, 3, 4])
    """
    if not pays(2 * len(x)):
        return hull_twin(x, y)
    place = np.empty(len(x), dtype=np.intp)
    return place[: hull_loop(x, y, place)].copy()


def lower_hull(x: Array, y: Array) -> Array:
    """The places of the vertices of the lower hull (v,): those of the upper one, seen in a mirror on the diagonal.

    Parameters
    ----------
    x, y : (n,) coordinates of the points of a curve; neither falls

    >>> lower_hull(np.array([0.0, 0.0, 1.0, 1.0, 2.0]), np.array([0.0, 1.0, 1.0, 2.0, 2.0]))
    array([0, 4])
    """
    return upper_hull(y, x)


def hull_twin(x: Array, y: Array) -> Array:
    """The same in NumPy: all that are under the chord of their neighbours at once, while that leaves far fewer."""
    place = np.arange(len(x))
    while len(place) > 2:
        dx, dy = np.diff(x), np.diff(y)
        keep = np.concatenate([[True], dy[:-1] * dx[1:] > dy[1:] * dx[:-1], [True]])
        if keep.all():
            break
        before = len(place)
        x, y, place = x[keep], y[keep], place[keep]
        if len(place) > SHRINKS * before:  # a long arc below one far point would lose one vertex a round
            return np.asarray(place[_one_by_one(x.tolist(), y.tolist())])
    return place


def _one_by_one(x: list[float], y: list[float]) -> list[int]:
    place: Any = [0] * len(x)
    return list(place[: hull_loop.plain(x, y, place)])


@loop
def hull_loop(x, y, place):  # type: ignore[no-untyped-def]
    """A stack of vertices: a point takes those away that are on or under the chord to it; returns their number."""
    v = 0
    for i in range(len(x)):
        while v > 1:
            a, b = place[v - 2], place[v - 1]
            if (y[b] - y[a]) * (x[i] - x[b]) > (y[i] - y[b]) * (x[b] - x[a]):
                break
            v -= 1
        place[v] = i
        v += 1
    return v
