"""Neighbour search: all searches give one answer, which is that of sorting all distances, ties by row number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from suffice.core.errors import BadInput
from suffice.numerics import loop as loops
from suffice.spaces import (
    Axioms,
    BallTreeSearch,
    BruteSearch,
    Chebyshev,
    Cosine,
    DistanceFunction,
    EditDistance,
    Euclidean,
    Hamming,
    KdTreeSearch,
    Mahalanobis,
    Manhattan,
    Minkowski,
    Precomputed,
    SquaredEuclidean,
    neighbour_search,
)
from suffice.spaces.search import brute_search, tree_search
from suffice.spaces.search.grid_order import neighbours_together
from suffice.spaces.search.search_choice import SEARCHES

RNG = np.random.default_rng(0)
TABLES: dict[str, Any] = {
    "plain": (RNG.normal(size=(300, 3)), RNG.normal(size=(12, 3))),
    "grid": (RNG.integers(0, 4, size=(300, 3)) * 1.0, RNG.integers(0, 4, size=(12, 3)) * 1.0),  # ties everywhere
    "far": (RNG.normal(size=(300, 3)) + 1e8, RNG.normal(size=(12, 3)) + 1e8),
    "clusters": (np.repeat(RNG.normal(size=(3, 3)) * 1e6, 20, axis=0) + RNG.normal(size=(60, 3)) * 1e-6,) * 2,
    "wide": (RNG.normal(size=(60, 30)), RNG.normal(size=(10, 30))),
    "one row": (np.zeros((1, 2)), RNG.normal(size=(3, 2))),
    "equal rows": (np.ones((50, 2)), np.ones((3, 2))),
}
DISTANCES: list[Any] = [Euclidean(), SquaredEuclidean(), Manhattan(), Chebyshev(), Minkowski(3.0), Cosine()]


def by_sorting(rows: Any, X: Any, distance: Any, k: int) -> tuple[Any, Any]:
    """From the differences, row by row."""
    D = np.array([distance.paired(np.broadcast_to(x, rows.shape), rows) for x in X])
    at = np.argsort(D, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(D, at, axis=1), at


@pytest.mark.parametrize("algorithm", SEARCHES)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("distance", DISTANCES, ids=str)
def test_nearest_is_what_sorting_gives(algorithm: str, table: str, distance: Any) -> None:
    rows, X = TABLES[table]
    for k in {1, min(5, len(rows)), len(rows)}:
        d, at = by_sorting(rows, X, distance, k)
        found = neighbour_search(rows, distance, algorithm).nearest(X, k)
        np.testing.assert_allclose(found.distance, d, rtol=1e-12, atol=1e-300)
        exact = isinstance(distance, (Euclidean, Manhattan, Chebyshev)) and table != "clusters"
        if exact:
            assert (found.numbers == at).all()
        again = np.array(
            [
                distance.paired(np.broadcast_to(x, (k, rows.shape[1])), rows[i])
                for x, i in zip(X, found.numbers, strict=True)
            ]
        )
        np.testing.assert_allclose(again, d, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("algorithm", SEARCHES)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("distance", DISTANCES, ids=str)
def test_within_a_radius(algorithm: str, table: str, distance: Any) -> None:
    rows, X = TABLES[table]
    D = np.array([distance.paired(np.broadcast_to(x, rows.shape), rows) for x in X])
    radius = float(np.quantile(D, 0.1))
    found = neighbour_search(rows, distance, algorithm).within(X, radius * (1.0 + 1e-9))
    for i, (at, d) in enumerate(zip(found.split(found.numbers), found.split(found.distance), strict=True)):
        assert at.tolist() == np.flatnonzero(D[i] <= radius * (1.0 + 1e-9)).tolist()
        np.testing.assert_allclose(d, D[i, at], rtol=1e-12, atol=1e-300)
    sorted_ = found.by_distance()
    assert all((np.diff(d) >= 0).all() for d in sorted_.split(sorted_.distance))


@pytest.mark.parametrize("algorithm", SEARCHES)
def test_a_row_on_the_rim_is_within(algorithm: str) -> None:
    rows = np.array([[0.0], [3.0], [1.1]])
    found = neighbour_search(rows, Euclidean(), algorithm).within(np.array([[1.5]]), 1.5)
    assert found.numbers.tolist() == [0, 1, 2]
    own = neighbour_search(rows, Euclidean(), algorithm).within(np.array([[0.0], [3.0]]), [0.0, 1.9])
    assert own.split(own.numbers)[0].tolist() == [0]
    assert own.split(own.numbers)[1].tolist() == [1, 2]


def test_the_loop_and_its_twin_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, X = RNG.normal(size=(500, 4)), RNG.normal(size=(100, 4))
    twin = BruteSearch(rows, Euclidean()).nearest(X, 7)
    monkeypatch.setattr(brute_search, "pays", lambda cells: True)
    monkeypatch.setattr(brute_search, "TILE", 5000)  # several tiles, in threads
    looped = BruteSearch(rows, Euclidean(), threads=2).nearest(X, 7)
    assert (looped.numbers == twin.numbers).all()
    assert (looped.distance == twin.distance).all()


@pytest.mark.parametrize("table", TABLES)
def test_candidates_in_single_precision_cost_no_neighbour(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brute_search, "pays", lambda cells: True)
    monkeypatch.setattr(brute_search, "COLUMNS", 32)
    rows, X = TABLES[table]
    k = min(5, len(rows))
    d, at = by_sorting(rows, X, Euclidean(), k)
    found = BruteSearch(rows, Euclidean()).nearest(X, k)
    np.testing.assert_allclose(found.distance, d, rtol=1e-12, atol=1e-300)
    assert (found.numbers == at).all() or table == "clusters"
    for unit in (2.0**-100, 2.0**100):  # out of the range of single precision
        assert (BruteSearch(rows * unit, Euclidean()).nearest(X * unit, k).numbers == found.numbers).all()


@pytest.mark.parametrize("distance", [Hamming(), DistanceFunction(lambda x, y: abs(x - y).sum(), known=Axioms.METRIC)])
def test_a_ball_tree_of_other_metrics(distance: Any) -> None:
    rows, X = RNG.integers(0, 3, size=(200, 6)) * 1.0, RNG.integers(0, 3, size=(20, 6)) * 1.0
    tree, brute = BallTreeSearch(rows, distance, leaf_size=5), BruteSearch(rows, distance)
    a, b = tree.nearest(X, 6), brute.nearest(X, 6)
    assert (a.numbers == b.numbers).all()
    assert (a.distance == b.distance).all()
    for one, other in zip(tree.within(X, 2.0), brute.within(X, 2.0), strict=True):
        assert (one == other).all()


def test_a_ball_tree_of_strings_looks_at_few() -> None:
    words = ["".join(RNG.choice(list("ab"), size=12)) + "".join(RNG.choice(list("cd"), size=3)) for _ in range(60)]
    tree = BallTreeSearch(words, EditDistance(), leaf_size=4)
    brute = BruteSearch(words, EditDistance())
    a, b = tree.nearest(words[:5], 3), brute.nearest(words[:5], 3)
    assert (a.numbers == b.numbers).all()


@pytest.mark.parametrize(
    ("rows", "distance", "kind"),
    [
        (np.zeros((2000, 3)), Euclidean(), KdTreeSearch),
        (np.zeros((2000, 3)), Mahalanobis(np.eye(3)), KdTreeSearch),
        (np.zeros((2000, 13)), Euclidean(), BruteSearch),
        (np.zeros((100, 3)), Euclidean(), BruteSearch),
        (np.zeros((2000, 3)), Minkowski(0.5), BruteSearch),
        (csr_array(np.zeros((2000, 3))), Euclidean(), BruteSearch),
        (np.zeros((2000, 2000)), Precomputed(), BruteSearch),
        (["a"] * 200, EditDistance(), BallTreeSearch),
        (["a"] * 20, EditDistance(), BruteSearch),
        (np.zeros((200, 3)), DistanceFunction(lambda x, y: 0.0), BruteSearch),  # may be no metric
    ],
)
def test_which_search_is_used_when(rows: Any, distance: Any, kind: Any) -> None:
    assert type(neighbour_search(rows, distance)) is kind


def test_sparse_rows_and_tables_of_distances() -> None:
    rows, X = TABLES["grid"]
    plain = BruteSearch(rows, Euclidean()).nearest(X, 4)
    for r, q in ((csr_array(rows), csr_array(X)), (rows, csr_array(X)), (csr_array(rows), X)):
        assert (BruteSearch(r, Euclidean()).nearest(q, 4).numbers == plain.numbers).all()
    D = cdist(X, rows)  # exact on a grid
    assert (BruteSearch(np.arange(300), Precomputed()).nearest(D, 4).numbers == plain.numbers).all()


def test_bad_input() -> None:
    with pytest.raises(BadInput, match="algorithm must be one of auto"):
        neighbour_search(np.zeros((3, 2)), Euclidean(), "annoy")
    with pytest.raises(BadInput, match="kd_tree: metric must be a Minkowski length"):
        neighbour_search(np.zeros((3, 2)), Minkowski(0.5), "kd_tree")
    with pytest.raises(BadInput, match="ball_tree: metric must be one of rows"):
        neighbour_search(np.zeros((3, 3)), Precomputed(), "ball_tree")


@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_many_rows_are_answered_in_their_own_order(offset: float) -> None:
    rng = np.random.default_rng(3)
    rows = np.column_stack([rng.normal(size=(2_100, 2)), np.full(2_100, 7.0), rng.integers(0, 3, 2_100)]) + offset
    rows[::50] = rows[0]  # ties
    asked = rows[rng.permutation(2_100)] + np.array([0.1, 0.0, 0.0, 0.0])
    asked[0] = offset + 1e6
    tree, brute = (neighbour_search(rows, Euclidean(), how).nearest(asked, 4) for how in ("kd_tree", "brute"))
    np.testing.assert_array_equal(tree.numbers, brute.numbers)
    np.testing.assert_allclose(tree.distance, brute.distance, rtol=1e-12)


@pytest.mark.parametrize("table", TABLES)
def test_a_tree_of_rows_in_order_names_them_as_they_came(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_search, "LARGE", 0)
    monkeypatch.setattr(loops, "WORTH", 0)
    rows, X = TABLES[table]
    mixed = np.random.default_rng(4).permutation(len(rows))
    k = min(5, len(rows))
    tree, brute = (neighbour_search(rows[mixed], Euclidean(), how) for how in ("kd_tree", "brute"))
    assert len(rows) == 1 or table == "equal rows" or not np.array_equal(tree._order, np.arange(len(rows)))
    np.testing.assert_array_equal(tree.nearest(X, k).numbers, brute.nearest(X, k).numbers)
    near = float(brute.nearest(X, k).distance.max())
    for mine, other in zip(tree.within(X, near), brute.within(X, near), strict=True):
        for a, b in zip(mine, other, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12)


@pytest.mark.parametrize("table", TABLES)
def test_rows_are_sorted_by_cell_as_numpy_sorts_them(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.ascontiguousarray(TABLES[table][0][::-1])
    rows[0, 0] = 1e100 if table == "plain" else rows[0, 0]
    monkeypatch.setattr(loops, "LEARNS", False)
    twin = neighbours_together(rows)
    monkeypatch.setattr(loops, "WORTH", 0)
    np.testing.assert_array_equal(neighbours_together(rows), twin)
    np.testing.assert_array_equal(np.sort(twin), np.arange(len(rows)))
