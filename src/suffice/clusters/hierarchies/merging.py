"""Three ways to a tree of all rows: spanning tree, chain of nearest neighbours, nearest pair of all.

| way | linkages | time | memory |
|---|---|---|---|
| spanning tree | single | n^2 | n |
| chain | single, complete, average, weighted, Ward | n^2 | n^2; n for Ward on many rows of few columns |
| nearest pair | all | n^2 as a rule, n^3 at worst | n^2 |

Ties: the nearest pair of the lowest numbers, where a union keeps the lower number of its parts (nearest pair); chains
end at the first nearest neighbour, but go back to where they came from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from suffice.clusters.hierarchies.chain_loops import (
    NARROW,
    euclidean_table,
    table_merges,
    ward_merges,
)
from suffice.clusters.hierarchies.linkages import LINKAGES, Linkage
from suffice.clusters.hierarchies.merge_tree import MergeTree, sorted_merges
from suffice.clusters.hierarchies.spanning_loops import spanning_edges
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.numerics.loop import pays
from suffice.spaces.distances.distance import refuse_no_numbers

MOST = 40_000  # rows whose n^2 distances are made


def spanning_tree(towards: Callable[[int], Array], n: int) -> tuple[Array, Array]:
    """The edges (n - 1, 2) of a least spanning tree and their lengths, by Prim; one row of distances at a time."""
    best, near = np.full(n, np.inf), np.zeros(n, dtype=np.int64)
    out = np.ones(n, dtype=bool)
    pairs, lengths = np.empty((n - 1, 2), dtype=np.int64), np.empty(n - 1)
    at = 0
    for i in range(n - 1):
        out[at] = False
        row = towards(at)
        closer = (row < best) & out
        best[closer], near[closer] = row[closer], at
        best[at] = np.inf
        at = int(best.argmin()) if np.isfinite(best).any() else int(np.flatnonzero(out)[0])
        pairs[i], lengths[i] = (near[at], at), best[at]
    return pairs, lengths


def chain_merges(D: Array, size: Array, linkage: Linkage) -> tuple[Array, Array]:
    """Merges by a chain of nearest neighbours; D is written into. Only where the linkage is reducible."""
    n = len(D)
    np.fill_diagonal(D, np.inf)
    alive, size = np.ones(n, dtype=bool), size.copy()
    pairs, heights, chain = np.empty((n - 1, 2), dtype=np.int64), np.empty(n - 1), [0]
    if pays(D.size):
        return table_merges(D, size, linkage.code)
    for i in range(n - 1):
        if not chain:
            chain.append(int(alive.argmax()))
        while True:
            at = chain[-1]
            row = D[at]
            to = int(row.argmin())
            if len(chain) > 1 and row[chain[-2]] <= row[to]:  # of equals the one it came from, so that it ends
                to = chain[-2]
                break
            chain.append(to)
        a, b = min(at, to), max(at, to)
        del chain[-2:]
        pairs[i], heights[i] = (a, b), D[a, b]
        _join(D, size, alive, a, b, linkage)
    return pairs, heights


def nearest_pair_merges(
    D: Array, size: Array, linkage: Linkage, stop: int = 1, begun: list[tuple[int, int]] | None = None
) -> tuple[Array, Array]:
    """Merges of the nearest pair of all, again and again; D is written into, infinite where a pair may not be joined.

    Parameters
    ----------
    D : distances (n, n)
    size : of the rows
    linkage : any
    stop : number of clusters at which to end
    begun : pairs to join before all others, at height 0
    """
    n = len(D)
    np.fill_diagonal(D, np.inf)
    alive, size = np.ones(n, dtype=bool), size.copy()
    forced = list(begun or ())
    pairs: list[tuple[int, int]] = []
    heights: list[float] = []
    near = D.argmin(axis=1)
    least = D[np.arange(n), near]
    while len(pairs) < n - stop:
        if forced:
            a, b = sorted(forced.pop(0))
            height = 0.0
        else:
            at = int(least.argmin())
            if not np.isfinite(least[at]):
                break
            a, b = sorted((at, int(near[at])))
            height = float(D[a, b])
        pairs.append((a, b))
        heights.append(height)
        forbidden = np.isinf(D[a]) | np.isinf(D[b])
        _join(D, size, alive, a, b, linkage, height)
        if forbidden.any():
            others = forbidden & alive
            D[a, others] = D[others, a] = np.inf
        least[b] = np.inf
        forced = [(a if x == b else x, a if y == b else y) for x, y in forced]
        again = np.flatnonzero(alive & ((near == a) | (near == b)))
        again = np.union1d(again, [a])
        near[again] = D[again].argmin(axis=1)
        least[again] = D[again, near[again]]
        closer = alive & (D[a] < least)
        near[closer], least[closer] = a, D[a, closer]
        equal = alive & (D[a] == least) & (near > a)
        near[equal] = a
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(heights)


def _join(D: Array, size: Array, alive: Array, a: int, b: int, linkage: Linkage, height: float | None = None) -> None:
    """Cluster b becomes part of a."""
    with np.errstate(invalid="ignore"):
        ab = float(D[a, b]) if height is None or np.isfinite(D[a, b]) else height
        row = linkage.update(D[a], D[b], ab, size[a], size[b], size)
    row[~alive] = np.inf
    row[[a, b]] = np.inf
    D[a] = row
    D[:, a] = row
    D[b] = np.inf
    D[:, b] = np.inf
    alive[b] = False
    size[a] += size[b]


def _nearest_pairs_in_order(n: int, pairs: Array, heights: Array, weight: Array | None) -> MergeTree:
    """Merges as they were made, whatever their heights."""
    top, children = np.arange(n), np.empty((len(pairs), 2), dtype=np.int64)
    for i, (a, b) in enumerate(pairs.tolist()):
        children[i] = sorted((int(top[a]), int(top[b])))
        top[a] = n + i
    return MergeTree(n, children, heights, weight)


WAYS: Mapping[str, Callable[[Linkage], str]] = {
    "auto": lambda linkage: "chain" if linkage.reducible else "nearest pair",
    "chain": lambda linkage: "chain",
    "nearest pair": lambda linkage: "nearest pair",
    "spanning tree": lambda linkage: "spanning tree",
}


def linkage_tree(
    X: Any,
    linkage: str = "ward",
    metric: Any = "euclidean",
    *,
    sample_weight: Any = None,
    algorithm: str = "auto",
    **parameters: Any,
) -> MergeTree:
    """The tree of all rows under a linkage.

    Parameters
    ----------
    X : rows, or distances (n, n) with metric="precomputed"
    linkage : single, complete, average, weighted, centroid, median or ward; the last three take Euclidean distances
    metric : a distance of rows, or its name
    sample_weight : one weight a row, above 0: the size it begins with; weight w counts as w copies
    algorithm : "auto" (spanning tree for single, chain, or nearest pair where a chain would err), "spanning tree",
        "chain", "nearest pair"
    parameters : of the metric

    >>> linkage_tree([[0.0], [1.0], [5.0]], "average").heights.tolist()
    [1.0, 4.5]
    """
    return tree_of("linkage_tree", X, linkage, metric, sample_weight, algorithm, parameters)


def tree_of(
    owner: str, X: Any, linkage: str, metric: Any, sample_weight: Any, algorithm: str, parameters: dict[str, Any]
) -> MergeTree:
    """The tree of all rows under a linkage, for one who asks."""
    way = _linkage(owner, linkage)
    if algorithm not in WAYS:
        raise bad(owner, "algorithm", f"one of {', '.join(WAYS)}", algorithm, "Leave it auto.")
    if algorithm == "chain" and not way.reducible:
        raise bad(owner, "algorithm", "nearest pair for centroid and median linkage", algorithm, "Leave it auto.")
    given = isinstance(metric, str) and metric == "precomputed"
    rows = read_rows(owner, X, given)
    size = read_sizes(owner, sample_weight, len(rows))
    weight = None if sample_weight is None else size
    single = linkage == "single" and algorithm in ("auto", "spanning tree")
    if algorithm == "spanning tree" and linkage != "single":
        raise bad(owner, "algorithm", "another for linkages but single", algorithm, "Leave it auto.")
    plain = isinstance(metric, str) and metric in ("euclidean", "l2")
    if single and plain and pays(len(rows) ** 2):
        return sorted_merges(len(rows), *spanning_edges(rows), weight)
    if single:
        return sorted_merges(len(rows), *spanning_tree(_row_by_row(owner, rows, metric, parameters), len(rows)), weight)
    if way is LINKAGES["ward"] and plain and algorithm in ("auto", "chain") and from_rows(rows):
        pairs, heights = ward_merges(rows, size)
        return sorted_merges(len(rows), pairs, _levels(heights, way), weight)
    D = start_distances(owner, rows, size, way, metric, parameters)
    if WAYS[algorithm](way) == "chain":
        pairs, heights = chain_merges(D, size, way)
        return sorted_merges(len(rows), pairs, _levels(heights, way), weight)
    pairs, heights = nearest_pair_merges(D, size, way)
    return _nearest_pairs_in_order(len(rows), pairs, _levels(heights, way), weight)


def from_rows(rows: Array) -> bool:
    """Whether Euclidean distances are made by loops over the rows: many rows, of few columns."""
    return rows.shape[1] <= NARROW and pays(len(rows) ** 2)


def _levels(heights: Array, linkage: Linkage) -> Array:
    return np.sqrt(np.maximum(heights, 0.0)) if linkage.squared else heights


def _linkage(owner: str, linkage: Any) -> Linkage:
    if linkage not in LINKAGES:
        raise bad(owner, "linkage", f"one of {', '.join(LINKAGES)}", linkage, "Choose one of these.")
    return LINKAGES[linkage]


def _row_by_row(owner: str, rows: Array, metric: Any, parameters: dict[str, Any]) -> Callable[[int], Array]:
    from suffice.spaces.distances.named_distances import as_distance

    if isinstance(metric, str) and metric == "precomputed":
        return lambda i: rows[i]
    if isinstance(metric, str) and metric in ("euclidean", "l2"):  # the same, with less to do for each row
        return lambda i: np.sqrt(((rows - rows[i]) ** 2).sum(axis=1))
    distance = as_distance(metric, rows, owner=owner, **parameters)
    return lambda i: refuse_no_numbers(owner, distance.between(rows[i : i + 1], rows), i)[0]


def refuse_many(owner: str, n: int) -> None:
    """Refuse more rows than have room for all their distances."""
    if n > MOST:
        raise bad(owner, "X", f"of at most {MOST} rows, whose distances fit", Said(str(n)), "Use single, or fewer.")


def start_distances(
    owner: str, rows: Array, size: Array, linkage: Linkage, metric: Any, parameters: dict[str, Any]
) -> Array:
    """Distances between single rows (n, n), as the linkage begins with them: a copy."""
    from suffice.spaces.distances.named_distances import as_distance
    from suffice.spaces.euclidean import squared_distances

    refuse_many(owner, len(rows))
    given = isinstance(metric, str) and metric == "precomputed"
    if not linkage.squared and isinstance(metric, str) and metric in ("euclidean", "l2") and from_rows(rows):
        return euclidean_table(rows)
    if not linkage.squared:
        found = rows if given else as_distance(metric, rows, owner=owner, **parameters).between(rows)
        return np.array(refuse_no_numbers(owner, found), dtype=np.float64)  # with such, merging would never end
    if given:
        D = rows**2
    elif isinstance(metric, str) and metric in ("euclidean", "l2"):
        D = squared_distances(rows)
    else:
        D = refuse_no_numbers(owner, as_distance(metric, rows, owner=owner, **parameters).between(rows)) ** 2
    if linkage is LINKAGES["ward"] and not (size == 1.0).all():
        D *= 2.0 * np.outer(size, size) / np.add.outer(size, size)
    return np.array(D, dtype=np.float64)


def read_rows(owner: str, X: Any, given: bool) -> Array:
    """Rows of numbers, or a square of distances."""
    try:
        rows = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(
            owner, "X", "rows of numbers", Said("others"), "Give metric='precomputed' and their distances."
        ) from None
    if rows.ndim != 2 or len(rows) < 2:
        raise bad(owner, "X", "a table of at least 2 rows", Said(f"shape {rows.shape}"), "One row has no tree.")
    if given and rows.shape[0] != rows.shape[1]:
        rule = f"a square of distances (Distance matrix should be square, got matrix of shape {rows.shape})"
        raise bad(owner, "X", rule, Said(f"shape {rows.shape}"), "Give the distance of each row and each row.")
    if not np.isfinite(rows).all():
        raise bad(owner, "X", "finite", Said("NaN or infinity"), "Fill the missing cells first.")
    if given and not np.allclose(rows, rows.T, rtol=1e-6, atol=1e-9 * np.abs(rows).max()):
        i, j = np.unravel_index(int(np.abs(rows - rows.T).argmax()), rows.shape)
        pair = Said(f"{rows[i, j]:.6g} from row {i} to row {j} and {rows[j, i]:.6g} back")
        raise bad(owner, "X", "distances that are the same both ways", pair, "Take the mean of both.")
    return refuse_no_numbers(owner, rows) if given else rows


def read_sizes(owner: str, sample_weight: Any, n: int) -> Array:
    """One size a row, above 0."""
    from suffice.estimators.boundary.targets import read_weights

    w = read_weights(owner, sample_weight, n)
    if w is not None and not (w > 0).all():
        raise bad(owner, "sample_weight", "above 0 in every row of a tree", 0.0, "Leave rows of weight 0 out.")
    return np.ones(n) if w is None else w
