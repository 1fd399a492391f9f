"""Trees on the sources' rows: linkages of two sets, the grid, falling levels, spanning trees, pixels of digits."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree
from sklearn.datasets import load_digits
from sklearn.feature_extraction.image import grid_to_graph

from suffice import FeatureAgglomeration
from suffice.clusters import linkage_between, linkage_tree, silhouettes, ward_increase
from suffice.spaces import Euclidean

GRID = np.array([[1, 0], [1, 1], [2, 0], [2, 1], [3, 0], [3, 1], [0, 0], [0, 1]], dtype=float)  # columns A B C D
LINKAGES = ("single", "complete", "average", "centroid")


def test_linkages_of_two_sets() -> None:
    """C.R36, C.M19.05, C.M19.06, C.M19.07, C.M19.08, C.M19.09, C.M19.10, G.G129."""
    A, B = [[0, 0], [0, 1]], [[4, 0], [4, 2], [5, 1]]
    told = [linkage_between(A, B, way) for way in ("single", "complete", "average", "median_of_pairs", "centroid")]
    np.testing.assert_allclose(told, [4, 5.099020, 4.469561, 4.297621, 4.362084], atol=5e-7)
    assert ward_increase(A, B) == pytest.approx(22.833333, abs=5e-7)
    assert linkage_between(A, B, "ward") ** 2 / 2 == pytest.approx(22.833333, abs=5e-7)


def test_linkages_may_coincide() -> None:
    """G.N60, G.E22: of {0} and {1, 2} average and centroid are equal."""
    assert [linkage_between([[0.0]], [[1.0], [2.0]], way) for way in LINKAGES] == [1.0, 2.0, 1.5, 1.5]


def test_the_grid_under_complete_linkage() -> None:
    """G.N61, G.N61d, G.G131, G.G134: the nearest pair of lowest numbers first; other rules for ties give others."""
    tree = linkage_tree(GRID, "complete", algorithm="nearest pair")
    np.testing.assert_allclose(tree.heights, [1, 1, 1, 1, sqrt(2), sqrt(5), sqrt(10)], rtol=1e-14)
    assert tree.children[:4].tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert tree.children[4:].tolist() == [[8, 9], [10, 12], [11, 13]]  # A with B, then C, then D
    other = linkage_tree(GRID[[6, 7, 0, 1, 2, 3, 4, 5]], "complete", algorithm="nearest pair")
    np.testing.assert_allclose(np.sort(other.heights)[4:], [sqrt(2), sqrt(2), sqrt(10)], rtol=1e-14)


def test_irregular_grid_merges_alike() -> None:
    """G.N61b: small irregularities break the ties, and all four linkages merge E, then C, then D."""
    at = {"A": 1.002, "B": 2.0, "C": 3.001, "D": 0.0}
    X = np.array([[at[column], y] for column in "ABCD" for y in (0.0, 0.99)])
    for way in LINKAGES:
        tree = linkage_tree(X, way)
        sets = [sorted({"ABCD"[leaf // 2] for leaf in tree.leaves(8 + i)}) for i in range(7)]
        assert sets[4:] == [["A", "B"], ["A", "B", "C"], ["A", "B", "C", "D"]], way
        nearer = X.copy()
        nearer[6:, 0] += 0.0015
        moved = linkage_tree(nearer, way)
        sets = [sorted({"ABCD"[leaf // 2] for leaf in moved.leaves(8 + i)}) for i in range(7)]
        assert "D" in sets[5] or "D" in sets[4], way


def test_the_grid_under_centroid_linkage() -> None:
    """G.N62, G.G133: level of E is that of A."""
    np.testing.assert_allclose(linkage_tree(GRID, "centroid").heights, [1, 1, 1, 1, 1, 1.5, 2], rtol=1e-12)


def test_the_grid_under_single_linkage() -> None:
    """G.N63, G.G130, G.G132: all levels are 1; average linkage keeps them apart."""
    np.testing.assert_allclose(linkage_tree(GRID, "single").heights, np.ones(7), rtol=1e-14)
    average = linkage_tree(GRID, "average", algorithm="nearest pair").heights
    np.testing.assert_allclose(average, [1, 1, 1, 1, 1.207107, 1.662570, 2.135427], atol=5e-7)


def test_a_level_falls() -> None:
    """G.N64, G.G138: centroid linkage goes from 1 down to 0.9, average linkage does not."""
    X = [[0.0, 0.0], [1.0, 0.0], [0.5, 0.9]]
    centroid, average = linkage_tree(X, "centroid"), linkage_tree(X, "average")
    np.testing.assert_allclose(centroid.heights, [1.0, 0.9], rtol=1e-12)
    assert (centroid.monotone, centroid.inversions.tolist()) == (False, [1])
    np.testing.assert_allclose(average.heights, [1.0, 1.029563], atol=5e-7)
    assert average.monotone
    assert sorted(centroid.cut(2).tolist()) == [0, 0, 1] or sorted(centroid.cut(2).tolist()) == [0, 1, 1]


def test_only_centroid_linkage_falls() -> None:
    """G.N65: over 300 sets of 15 points."""
    rng = np.random.default_rng(0)
    falls = dict.fromkeys(LINKAGES, 0)
    for _ in range(300):
        X = rng.uniform(size=(15, 2))
        for way in LINKAGES:
            falls[way] += not linkage_tree(X, way).monotone
    assert [falls[way] for way in LINKAGES[:3]] == [0, 0, 0]
    assert 50 < falls["centroid"] < 200


def test_single_linkage_is_a_spanning_tree() -> None:
    """G.N70, G.E14, G.G135: levels are the sorted edges of a spanning tree, with no table of distances held."""
    X = np.random.default_rng(7).normal(size=(25, 2))
    edges = np.sort(minimum_spanning_tree(Euclidean().between(X)).data)
    for algorithm in ("spanning tree", "chain", "nearest pair"):
        np.testing.assert_allclose(linkage_tree(X, "single", algorithm=algorithm).heights, edges, rtol=1e-12)


def test_digits_in_sixteen_groups_of_pixels() -> None:
    """C.W36, C.E19, C.M19.16: 8 x 8 images, (1797, 64) to (1797, 16) and back."""
    X = load_digits().data
    assert X.shape == (1797, 64)
    groups = FeatureAgglomeration(16, connectivity=grid_to_graph(8, 8)).fit(X)
    small = groups.transform(X)
    assert small.shape == (1797, 16)
    back = groups.inverse_transform(small)
    assert back.shape == X.shape
    assert sorted(np.bincount(groups.labels_).tolist(), reverse=True) == [16, 13, 5, 4, 4, 3, *[2] * 9, 1]
    assert ((X - back) ** 2).mean() == pytest.approx(8.3377, abs=5e-5)
    kept = 1.0 - ((X - back) ** 2).sum() / ((X - X.mean(axis=0)) ** 2).sum()
    assert 100 * kept == pytest.approx(55.59, abs=5e-3)


def test_uniform_rows_yield_a_tree_too() -> None:
    """G.G139: silhouettes tell that there is nothing in it."""
    rng = np.random.default_rng(0)
    flat = rng.uniform(size=(60, 2))
    lumps = np.concatenate([rng.normal(m, 0.05, size=(20, 2)) for m in (0.0, 1.0, 2.0)])
    found = [silhouettes(X, linkage_tree(X, "complete").cut(3)).mean for X in (flat, lumps)]
    assert found[0] < 0.5 < 0.9 < found[1]
    gaps = [np.diff(linkage_tree(X, "complete").heights).max() for X in (flat, lumps)]
    assert gaps[0] < gaps[1]
