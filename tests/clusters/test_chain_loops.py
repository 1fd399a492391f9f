"""Compiled trees: the merges of their NumPy twins, SciPy's heights, ties, weights, offsets, infinite distances."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import cdist

from suffice.clusters import linkage_tree
from suffice.clusters.hierarchies import merging
from suffice.clusters.hierarchies.chain_loops import euclidean_table
from suffice.clusters.hierarchies.spanning_loops import spanning_edges

REDUCIBLE = ("single", "complete", "average", "weighted", "ward")


@pytest.fixture
def looped(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Loops for tables of any size, where asked for."""
    return lambda: monkeypatch.setattr(merging, "pays", lambda cells: True)


@pytest.mark.parametrize("way", REDUCIBLE)
def test_fifty_tables_have_the_trees_of_scipy(way: str, looped: Any) -> None:
    """No ties in any of them: heights to 1e-10 (both round, with offsets too), and the same clusters at each."""
    rng = np.random.default_rng(3)
    looped()
    for trial in range(50):
        n, d = int(rng.integers(2, 150)), int(rng.integers(1, 12))
        X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4) + 100.0 * (trial % 3)
        ours, theirs = linkage_tree(X, way), linkage(X, way)
        np.testing.assert_allclose(ours.heights, theirs[:, 2], rtol=1e-10, atol=0)
        np.testing.assert_array_equal(ours.children, np.sort(theirs[:, :2], axis=1).astype(int))


@pytest.mark.parametrize("way", REDUCIBLE[:4])
def test_ties_and_weights_are_those_of_the_twin(way: str, looped: Any) -> None:
    rng = np.random.default_rng(4)
    grids = [rng.integers(0, 3, size=(n, 2)).astype(float) for n in (2, 3, 65, 130, 200)]
    tables = [(cdist(G, G), rng.integers(1, 4, len(G)).astype(float)) for G in grids]
    plain = [linkage_tree(D, way, "precomputed", sample_weight=w, algorithm="chain") for D, w in tables]
    looped()
    for (D, w), twin in zip(tables, plain, strict=True):
        tree = linkage_tree(D, way, "precomputed", sample_weight=w, algorithm="chain")
        np.testing.assert_array_equal(tree.children, twin.children)
        np.testing.assert_array_equal(tree.heights, twin.heights)


def test_spanning_tree_with_ties_is_that_of_the_twin() -> None:
    G = np.random.default_rng(5).integers(0, 4, size=(300, 3)).astype(float)
    pairs, lengths = spanning_edges(G)
    twin, theirs = merging.spanning_tree(lambda i: np.sqrt(((G - G[i]) ** 2).sum(axis=1)), len(G))
    np.testing.assert_array_equal(pairs, twin)
    np.testing.assert_array_equal(lengths, theirs)


ODD_ROWS = {
    "offset": lambda X: X + 1e8,
    "far offset": lambda X: X * 1e-3 + 1e8,
    "one far row": lambda X: np.vstack([X, np.full((1, X.shape[1]), 1e12)]),
    "tight": lambda X: np.where(np.arange(len(X))[:, None] < 150, X, 5.0 + 1e-7 * (X - 5.0) * 100.0),
    "tiny": lambda X: X * 1e-25,
    "huge": lambda X: X * 1e60,
    "twice": lambda X: np.vstack([X, X]),
    "one column": lambda X: X[:, :1],
    "all alike": lambda X: np.full_like(X, 7.0),
}


@pytest.mark.parametrize("odd", ODD_ROWS)
def test_spanning_trees_of_odd_rows_are_those_of_the_twin(odd: str) -> None:
    """What float32 rules out is never nearer."""
    rng = np.random.default_rng(6)
    X = ODD_ROWS[odd](np.vstack([rng.normal(size=(150, 6)), 5.0 + 0.01 * rng.normal(size=(150, 6))]))
    ours = spanning_edges(X)[1]
    theirs = merging.spanning_tree(lambda i: np.sqrt(((X - X[i]) ** 2).sum(axis=1)), len(X))[1]
    np.testing.assert_allclose(np.sort(ours), np.sort(theirs), rtol=1e-14, atol=0.0)


def test_wards_means_keep_their_digits(looped: Any) -> None:
    """Weights are copies; an offset of 1e8 changes heights by what it rounds off the rows."""
    rng = np.random.default_rng(6)
    X, w = rng.integers(-50, 50, size=(90, 3)) / 4.0, rng.integers(1, 4, 90)
    X += rng.permutation(90)[:, None] / 64.0
    looped()
    tree = linkage_tree(X, "ward", sample_weight=w)
    copies = linkage_tree(np.repeat(X, w, axis=0), "ward")
    np.testing.assert_allclose(tree.heights, copies.heights[-89:], rtol=1e-12)
    assert (copies.heights[:-89] == 0.0).all()
    np.testing.assert_allclose(linkage_tree(X + 2.0**26, "ward").heights, linkage_tree(X, "ward").heights, rtol=1e-13)


@pytest.mark.parametrize("way", ["single", "ward", "average"])
def test_distances_beyond_the_range_end_in_a_tree(way: str, looped: Any) -> None:
    looped()
    with np.errstate(over="ignore", invalid="ignore"):
        tree = linkage_tree(np.array([[0.0], [1.0], [1e200], [-1e200], [3e200]]), way)
    assert len(tree.children) == 4
    assert tree.heights[0] == 1.0


def test_the_table_is_symmetric_and_exact() -> None:
    G = np.random.default_rng(7).integers(0, 9, size=(130, 7)).astype(float)
    D = euclidean_table(G)
    np.testing.assert_array_equal(D, D.T)
    np.testing.assert_array_equal(D**2 > 0, cdist(G, G) > 0)
    np.testing.assert_allclose(D, cdist(G, G), rtol=1e-15)
