"""Trees: SciPy's on random tables, weights, cuts, constraints, partitions, splits from the top."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, fcluster, linkage
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import AgglomerativeClustering as TheirTree
from sklearn.neighbors import kneighbors_graph

from suffice import AgglomerativeClustering, KMeans
from suffice.clusters import LINKAGES, InfeasibleLinks, LinkConstraints, adjusted_rand, divide, linkage_tree
from suffice.clusters.hierarchies import merging
from suffice.clusters.hierarchies.divisive import best_split
from suffice.core.errors import BadInput
from suffice.testing.cluster_laws import same_partition


@pytest.mark.parametrize("way", LINKAGES)
def test_linkage_matrices_are_scipys(way: str) -> None:
    """On 50 random tables; random numbers have no ties, where rules for them differ."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        X = rng.normal(size=(int(rng.integers(2, 30)), int(rng.integers(1, 5))))
        theirs = linkage(X, way)
        np.testing.assert_allclose(linkage_tree(X, way).matrix(), theirs, rtol=1e-9, atol=1e-9)
        slow = linkage_tree(X, way, algorithm="nearest pair")
        np.testing.assert_allclose(slow.matrix(), theirs, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(slow.cophenetic(), squareform(cophenet(theirs)), rtol=1e-9, atol=1e-9)


def test_any_distance_and_given_ones() -> None:
    X = np.random.default_rng(1).normal(size=(20, 3))
    for metric in ("manhattan", "chebyshev", "cosine"):
        mine = linkage_tree(X, "average", metric).matrix()
        scipys = {"manhattan": "cityblock"}.get(metric, metric)
        np.testing.assert_allclose(mine, linkage(X, "average", scipys), rtol=1e-9)
        D = squareform(pdist(X, scipys))
        np.testing.assert_allclose(linkage_tree(D, "average", "precomputed").matrix(), mine, rtol=1e-9)
        single = linkage_tree(X, "single", metric).matrix()
        np.testing.assert_allclose(single, linkage(X, "single", scipys), rtol=1e-9)


@pytest.mark.parametrize("way", LINKAGES)
def test_a_weight_is_a_size(way: str) -> None:
    rng = np.random.default_rng(2)
    for _ in range(5):
        X, w = rng.normal(size=(12, 2)), rng.integers(1, 4, 12)
        weighed, copied = linkage_tree(X, way, sample_weight=w), linkage_tree(np.repeat(X, w, axis=0), way)
        expected = np.sort(copied.heights)[w.sum() - 12 :]
        np.testing.assert_allclose(np.sort(weighed.heights), expected, atol=1e-7)
        assert weighed.sizes[-1] == w.sum()


def test_cuts() -> None:
    """By number, as scikit-learn numbers them; by height, as SciPy does; at the widest gap."""
    X = np.concatenate([np.random.default_rng(m).normal(9 * m, 1, size=(10, 2)) for m in range(3)])
    tree = linkage_tree(X, "average")
    for k in range(1, 31):
        theirs = TheirTree(k, linkage="average").fit(X).labels_
        np.testing.assert_array_equal(tree.cut(k), theirs)
    for height in (0.5, 2.0, 5.0, 50.0):
        flat = fcluster(linkage(X, "average"), height, "distance")
        assert same_partition(tree.cut_height(height), flat)
    assert same_partition(tree.cut_gap(), np.repeat([0, 1, 2], 10))
    with pytest.raises(BadInput, match="Cannot extract more clusters than samples: 31 clusters"):
        tree.cut(31)


def test_nested_partitions_and_cophenetic_correlation() -> None:
    X = np.array([[0.0], [1.0], [5.0], [7.0]])
    tree = linkage_tree(X, "complete")
    assert tree.partitions() == [
        [[0], [1], [2], [3]],
        [[0, 1], [2], [3]],
        [[0, 1], [2, 3]],
        [[0, 1, 2, 3]],
    ]
    D = squareform(pdist(X))
    expected = cophenet(linkage(X, "complete"), pdist(X))[0]
    assert tree.cophenetic_correlation(D) == pytest.approx(expected, rel=1e-12)
    x, y = tree.lines()
    assert (y[:, 1] == tree.heights).all()
    assert x.shape == (3, 4)


@pytest.mark.parametrize("way", ["ward", "complete", "average", "single"])
def test_only_linked_clusters_join(way: str) -> None:
    """Along the graph of ten nearest neighbours, as scikit-learn does."""
    X = np.random.default_rng(0).normal(size=(80, 3))
    graph = kneighbors_graph(X, 10, include_self=False)
    ours = AgglomerativeClustering(6, linkage=way, connectivity=graph, compute_distances=True).fit(X)
    theirs = TheirTree(6, linkage=way, connectivity=graph, compute_distances=True).fit(X)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_allclose(np.sort(ours.distances_), np.sort(theirs.distances_), rtol=1e-9)


def test_rows_that_must_and_must_not_be_together() -> None:
    X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    labels = AgglomerativeClustering(2, linkage="complete", must_link=[(0, 5)]).fit(X).labels_
    assert labels[0] == labels[5]
    labels = AgglomerativeClustering(3, linkage="average", cannot_link=[(0, 1), (3, 4)]).fit(X).labels_
    assert labels[0] != labels[1]
    assert labels[3] != labels[4]
    both = AgglomerativeClustering(2, linkage="average", must_link=[(0, 3)], cannot_link=[(3, 4)]).fit(X).labels_
    assert both[0] == both[3] != both[4]


def test_a_certificate_where_links_contradict() -> None:
    with pytest.raises(InfeasibleLinks, match="by way of 0 - 1 - 2") as error:
        AgglomerativeClustering(2, must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2)]).fit(np.eye(4))
    assert error.value.path == (0, 1, 2)
    with pytest.raises(BadInput, match="n_clusters must be at least 3"):
        AgglomerativeClustering(2, cannot_link=[(0, 1), (1, 2), (0, 2)]).fit(np.eye(4))
    assert LinkConstraints.of(4, [(0, 1), (1, 2)]).groups().tolist() == [0, 0, 0, 1]


def test_the_best_of_all_splits() -> None:
    """For few rows all 2^(n - 1) - 1; a helper comes near."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        X = rng.normal(size=(8, 2))
        right = best_split(X)
        parts = [((X[side] - X[side].mean(axis=0)) ** 2).sum() for side in (right, ~right)]
        helped = KMeans(2, n_init=20, init="random", random_state=0).fit(X).inertia_
        assert sum(parts) <= helped * (1 + 1e-9)
    with pytest.raises(BadInput, match="at most 16 rows"):
        divide(rng.normal(size=(20, 2)), 2, "exhaustive")


def test_divided_from_the_top() -> None:
    X = np.concatenate([np.random.default_rng(m).normal(9 * m, 1, size=(5, 2)) for m in range(3)])
    for helper in ("k-means", "exhaustive", lambda: AgglomerativeClustering(2)):
        tree = divide(X, 3, helper)
        assert adjusted_rand(tree.cut(3), np.repeat([0, 1, 2], 5)) == 1.0
        assert len(tree.splits) == 2
        assert all(fall > 0 for fall in tree.falls)
    whole = divide(X[:4])
    assert sorted(whole.cut(4).tolist()) == [0, 1, 2, 3]


def test_a_new_row_joins_the_nearest() -> None:
    X = np.array([[0.0], [1.0], [10.0], [12.0]])
    model = AgglomerativeClustering(2, linkage="centroid").fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert model.predict([[4.0]])[0] == model.labels_[1]
    given = AgglomerativeClustering(2, linkage="average", metric="precomputed").fit(squareform(pdist(X)))
    np.testing.assert_array_equal(given.predict(np.abs(np.array([[4.0]]) - X.T)), [given.labels_[1]])


@pytest.mark.parametrize("way", [name for name, linkage in LINKAGES.items() if linkage.reducible])
def test_the_loop_merges_as_its_twin(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    for n in (2, 3, 40):
        X, w = rng.normal(size=(n, 2)), rng.integers(1, 4, n)
        twin = linkage_tree(X, way, sample_weight=w, algorithm="chain").matrix()
        with monkeypatch.context() as patch:
            patch.setattr(merging, "pays", lambda cells: True)
            looped = linkage_tree(X, way, sample_weight=w, algorithm="chain").matrix()
            single = linkage_tree(X, "single").heights
        np.testing.assert_allclose(looped, twin, rtol=1e-12)
        np.testing.assert_allclose(single, linkage_tree(X, "single").heights, rtol=1e-12)


@pytest.mark.parametrize("linkage", ["single", "complete", "average", "weighted"])
def test_distances_that_are_no_numbers_are_refused_and_merging_ends(linkage: str) -> None:
    def far(x: np.ndarray, y: np.ndarray) -> float:
        return np.nan if x[0] == y[0] == 1.0 else abs(x[0] - y[0])

    told = "AgglomerativeClustering: metric must be a number between each two rows, got rows 1 and 1, "
    with pytest.raises(BadInput, match=told) as caught:
        AgglomerativeClustering(2, metric=far, linkage=linkage).fit(np.arange(6.0)[:, None])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("linkage", ["single", "complete", "average", "weighted"])
def test_distances_that_differ_both_ways_are_refused(linkage: str) -> None:
    D = np.abs(np.subtract.outer(np.arange(6.0), np.arange(6.0)))
    D[0, 1] = 3.0
    told = "X must be distances that are the same both ways, got 3 from row 0 to row 1 and 1 back"
    with pytest.raises(BadInput, match=f"AgglomerativeClustering: {told}"):
        AgglomerativeClustering(2, metric="precomputed", linkage=linkage).fit(D)
    D[0, 1] = 1.0 + 1e-13
    assert linkage_tree(D, linkage, "precomputed").n == 6


def test_linked_rows_without_a_distance_are_refused() -> None:
    with pytest.raises(BadInput, match="AgglomerativeClustering: metric must be a number between linked rows"):
        AgglomerativeClustering(2, metric=lambda x, y: np.nan, linkage="average", connectivity=np.ones((5, 5))).fit(
            np.arange(5.0)[:, None]
        )
