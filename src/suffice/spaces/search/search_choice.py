"""Which search is used when.

| distance | columns | rows | search |
|---|---|---|---|
| a Minkowski length with p of at least 1 (also Mahalanobis, cosine, angle) | up to 12 | from 1000 | k-d tree |
| the same | more | | brute force |
| another metric, as of strings, or a function said to be one | | from 100 | ball tree |
| all others; a table of distances; sparse rows | | | brute force |

All are exact and give one answer, so that the choice changes nothing but the time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from suffice.core.errors import bad
from suffice.spaces.distances.distance import Axioms, Distance, Embedded, number_rows
from suffice.spaces.distances.given_distances import DistanceFunction, Precomputed
from suffice.spaces.distances.named_distances import as_distance
from suffice.spaces.search.ball_tree import BallTreeSearch
from suffice.spaces.search.brute_search import BruteSearch
from suffice.spaces.search.found_neighbours import Search
from suffice.spaces.search.tree_search import KdTreeSearch

MOST_COLUMNS = 12  # of a k-d tree: with more, most leaves are visited
LEAST_ROWS = 1000  # from which a tree of numbers pays
LEAST_DEAR = 100  # from which a tree of functions and strings does


def _brute(rows: Any, distance: Distance, leaf_size: int, threads: int | None) -> Search:
    return BruteSearch(rows, distance, threads)


def _k_d(rows: Any, distance: Distance, leaf_size: int, threads: int | None) -> Search:
    if not isinstance(distance, Embedded) or distance.power < 1:
        raise bad("kd_tree", "metric", "a Minkowski length with p of at least 1", distance, "Use algorithm='brute'.")
    return KdTreeSearch(rows, distance, leaf_size, threads)


def _ball(rows: Any, distance: Distance, leaf_size: int, threads: int | None) -> Search:
    if isinstance(distance, Embedded) and distance.power >= 1:
        return KdTreeSearch(rows, distance, leaf_size, threads)  # the same answer, sooner
    if isinstance(distance, Precomputed):
        raise bad("ball_tree", "metric", "one of rows", distance, "Use algorithm='brute'.")
    return BallTreeSearch(rows, distance, leaf_size)


def _auto(rows: Any, distance: Distance, leaf_size: int, threads: int | None) -> Search:
    n = rows.shape[0] if hasattr(rows, "shape") else len(rows)
    if hasattr(rows, "tocsr") or isinstance(distance, Precomputed):
        return _brute(rows, distance, leaf_size, threads)
    if isinstance(distance, Embedded):
        flat = distance.power >= 1 and rows.shape[1] <= MOST_COLUMNS and n >= LEAST_ROWS
        return (_k_d if flat else _brute)(rows, distance, leaf_size, threads)
    dear = isinstance(distance, DistanceFunction) or not hasattr(rows, "dtype") or rows.dtype.kind not in "biuf"
    metric = distance.axioms in (Axioms.METRIC, Axioms.PSEUDO)
    return (_ball if dear and metric and n >= LEAST_DEAR else _brute)(rows, distance, leaf_size, threads)


SEARCHES: Mapping[str, Callable[[Any, Distance, int, int | None], Search]] = {
    "auto": _auto,
    "brute": _brute,
    "kd_tree": _k_d,
    "ball_tree": _ball,
}


def neighbour_search(
    rows: Any, distance: Any, algorithm: str = "auto", *, leaf_size: int = 30, threads: int | None = None
) -> Search:
    """Something that finds near rows among these.

    Parameters
    ----------
    rows : those to search; numbers (m, d), or rows of any kind that the distance takes
    distance : how they are measured, a `Distance`, its name, or a function of two rows
    algorithm : auto, brute, kd_tree or ball_tree
    leaf_size : rows that a tree does not divide further
    threads : None takes all processors

    >>> import numpy as np
    >>> from suffice.spaces import Manhattan
    >>> neighbour_search(np.array([[0.0], [1.0], [5.0]]), Manhattan()).nearest([[2.0]], 2).numbers.tolist()
    [[1, 0]]
    """
    if algorithm not in SEARCHES:
        raise bad("neighbour_search", "algorithm", f"one of {', '.join(SEARCHES)}", algorithm, "Leave it 'auto'.")
    measure = as_distance(distance, rows, owner="neighbour_search")
    if isinstance(measure, Embedded) and not hasattr(rows, "shape"):
        rows = number_rows(rows, "neighbour_search")
    return SEARCHES[algorithm](rows, measure, leaf_size, threads)
