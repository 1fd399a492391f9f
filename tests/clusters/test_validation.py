"""Measures of clusterings: scikit-learn's numbers, weights as copies, shards that add, how many clusters."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import make_blobs

from suffice import KMeans
from suffice.clusters import (
    LabelTable,
    adjusted_rand,
    calinski_harabasz,
    check_separated,
    choose_clusters,
    cohesion,
    davies_bouldin,
    gap_statistic,
    scatter_parts,
    separation,
    silhouettes,
    stability,
    sum_of_squares,
)
from suffice.clusters.validation import silhouettes as blocks
from suffice.core.errors import BadInput

X, GROUPS = make_blobs(150, 3, centers=4, cluster_std=1.5, random_state=1)
OTHERS = np.random.default_rng(0).integers(0, 5, 150)
W = np.random.default_rng(1).integers(0, 4, 150)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "sqeuclidean", "cosine"])
def test_silhouettes_are_scikit_learns(metric: str) -> None:
    for labels in (GROUPS, OTHERS):
        found = silhouettes(X, labels, metric)
        np.testing.assert_allclose(found.values, metrics.silhouette_samples(X, labels, metric=metric), atol=1e-10)
        assert found.mean == pytest.approx(metrics.silhouette_score(X, labels, metric=metric), abs=1e-10)
        copied = silhouettes(np.repeat(X, W, axis=0), np.repeat(labels, W), metric)
        weighed = silhouettes(X, labels, metric, sample_weight=W)
        assert weighed.mean == pytest.approx(copied.mean, abs=1e-10)
        np.testing.assert_allclose(np.repeat(weighed.values, W), copied.values, atol=1e-10)
    D = metrics.pairwise_distances(X, metric="euclidean")
    given = silhouettes(D, GROUPS, "precomputed").values
    np.testing.assert_allclose(given, silhouettes(X, GROUPS).values, atol=1e-10)


def test_the_loop_sums_as_its_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    for far in (0.0, 2.0**27):
        rows = np.round(X * 1024) / 1024
        twin = silhouettes(rows, OTHERS, sample_weight=W).values
        with monkeypatch.context() as patch:
            patch.setattr(blocks, "pays", lambda cells: True)
            looped = silhouettes(rows + far, OTHERS, sample_weight=W).values
        np.testing.assert_allclose(looped, twin, atol=1e-12)


def test_silhouettes_hold_no_table_of_pairs() -> None:
    rows = np.random.default_rng(0).normal(size=(6000, 4))
    labels = np.arange(6000) % 3
    silhouettes(rows[:100], labels[:100])
    tracemalloc.start()
    silhouettes(rows, labels)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6  # all pairs would be 288e6


def test_measures_are_scikit_learns() -> None:
    for labels in (GROUPS, OTHERS):
        expected = metrics.calinski_harabasz_score(X, labels)
        assert calinski_harabasz(X, labels) == pytest.approx(expected, rel=1e-10)
        assert davies_bouldin(X, labels) == pytest.approx(metrics.davies_bouldin_score(X, labels), rel=1e-10)
        copied = np.repeat(X, W, axis=0), np.repeat(labels, W)
        for measure in (calinski_harabasz, davies_bouldin, sum_of_squares):
            assert measure(X, labels, sample_weight=W) == pytest.approx(measure(*copied), rel=1e-9)
    assert sum_of_squares(X, GROUPS) == pytest.approx(sum(scatter_parts(X, GROUPS).traces), rel=1e-12)


def test_cohesion_and_separation() -> None:
    """Over pairs and to the mean: sum of squares to the mean = sum over pairs / n."""
    pairs, mean = cohesion(X, GROUPS), cohesion(X, GROUPS, over="prototype")
    np.testing.assert_allclose(pairs / np.bincount(GROUPS), mean, rtol=1e-9)
    between = separation(X, GROUPS, metric="manhattan")
    D = metrics.pairwise_distances(X, metric="manhattan")
    assert between[0, 1] == pytest.approx(D[np.ix_(GROUPS == 0, GROUPS == 1)].sum(), rel=1e-10)
    means = scatter_parts(X, GROUPS).means
    apart = separation(X, GROUPS, over="prototype", metric="euclidean")
    np.testing.assert_allclose(apart, metrics.pairwise_distances(means), atol=1e-9)


def test_well_separated_or_a_row_that_shows_why_not() -> None:
    assert check_separated([[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1]).holds
    found = check_separated([[0.0], [1.0], [1.5], [6.0]], [0, 0, 1, 1])
    assert not found.holds
    assert (found.row, found.inside, found.outside) == (1, 0, 2)


def test_tables_of_labels_add() -> None:
    """Shards in any order give the table of the whole, from which all is read."""
    whole = LabelTable.of(GROUPS, OTHERS)
    shards = LabelTable.of(GROUPS[90:], OTHERS[90:]) + LabelTable.of(GROUPS[:90], OTHERS[:90])
    for name in ("rand", "adjusted_rand", "precision", "recall", "f1", "mutual_information", "homogeneity"):
        assert getattr(shards, name) == pytest.approx(getattr(whole, name), abs=1e-12)
    copied = LabelTable.of(np.repeat(GROUPS, W), np.repeat(OTHERS, W))
    assert LabelTable.of(GROUPS, OTHERS, W).adjusted_rand == pytest.approx(copied.adjusted_rand, abs=1e-12)


def test_two_labellings_as_scikit_learn_compares_them() -> None:
    for a, b in ((GROUPS, OTHERS), (GROUPS, GROUPS), (np.zeros(9), np.arange(9)), ([0, 0, 1, 1], [0, 1, 0, 1])):
        table = LabelTable.of(a, b)
        assert table.rand == pytest.approx(metrics.rand_score(a, b), abs=1e-12)
        assert table.adjusted_rand == pytest.approx(metrics.adjusted_rand_score(a, b), abs=1e-12)
        assert table.mutual_information == pytest.approx(metrics.mutual_info_score(a, b), abs=1e-12)
        expected = metrics.normalized_mutual_info_score(a, b)
        assert table.normalized_mutual_information == pytest.approx(expected, abs=1e-12)
        assert table.homogeneity == pytest.approx(metrics.homogeneity_score(a, b), abs=1e-12)
        assert table.completeness == pytest.approx(metrics.completeness_score(a, b), abs=1e-12)
        ((tn, fp), (fn, tp)) = metrics.pair_confusion_matrix(a, b) // 2
        p = table.pairs
        assert (p.neither, p.second, p.first, p.both) == (tn, fp, fn, tp)


def test_how_many_clusters() -> None:
    rows = make_blobs(90, 2, centers=[[0, 0], [9, 0], [0, 9]], cluster_std=0.7, random_state=0)[0]
    for by in ("silhouette", "calinski_harabasz", "davies_bouldin"):
        assert choose_clusters(rows, range(2, 6), by=by).best == 3
    assert gap_statistic(rows, range(1, 5), references=5).best == 3
    flat = np.random.default_rng(0).uniform(size=(300, 2))
    assert gap_statistic(flat, range(1, 4), references=8).best == 1
    steady, shaky = (stability(lambda k=k: KMeans(k, random_state=0), rows, times=5).mean() for k in (3, 5))
    assert steady > 0.99 > shaky


def test_weights_of_a_sum_of_1_say_what_their_multiples_do() -> None:
    few = np.random.default_rng(2).uniform(0.2, 1.0, 150)
    whole = silhouettes(X, GROUPS, sample_weight=few)
    for factor in (0.5, 1e-3, 1.0 / few.sum()):
        found = silhouettes(X, GROUPS, sample_weight=factor * few)
        np.testing.assert_allclose(found.values, whole.values, rtol=1e-9)
        assert found.mean == pytest.approx(whole.mean, rel=1e-9)
    for measure in (calinski_harabasz, adjusted_rand):
        with pytest.raises(BadInput, match=r"sample_weight must be of .*weight w is w copies, got 0.*Multiply"):
            measure(GROUPS if measure is adjusted_rand else X, OTHERS, sample_weight=np.full(150, 1e-3))


def test_pairs_of_less_than_one_row_are_none() -> None:
    pairs = LabelTable.of([0, 0, 1, 1], [0, 1, 1, 1], [1.5, 0.3, 1.0, 1.0]).pairs
    assert min(pairs.both, pairs.first, pairs.second, pairs.neither) >= 0.0
    nothing = LabelTable.of([0, 1], [0, 1], [0.0, 0.0])
    assert (nothing.mutual_information, nothing.normalized_mutual_information) == (0.0, 1.0)


def test_davies_bouldin_knows_no_units() -> None:
    for unit in (1e-12, 1e-9, 1e9):
        assert davies_bouldin(unit * X, GROUPS) == pytest.approx(davies_bouldin(X, GROUPS), rel=1e-9)
    assert davies_bouldin([[0.1], [0.1], [0.1], [0.3], [0.3]], [0, 0, 0, 1, 1]) == 0.0


def test_distances_that_are_no_numbers_are_refused_not_0() -> None:
    holed = np.array([[np.nan, np.nan], [1.0, 2.0], [0.0, 1.0], [5.0, 5.0]])
    for ask in (silhouettes, cohesion, separation, check_separated):
        told = f"{ask.__name__}: metric must be a number between each two rows, got rows 0"
        with pytest.raises(BadInput, match=told):
            ask(holed, [0, 0, 1, 1], metric="nan_euclidean")


@pytest.mark.parametrize("labels", [["a", None, "b", "a"], ["a", 1, "a", 1]])
def test_labels_without_an_order_are_refused(labels: list) -> None:
    mixed = np.array(labels, dtype=object)
    with pytest.raises(BadInput, match="silhouettes: labels must be of one type, got "):
        silhouettes([[0.0], [1.0], [2.0], [3.0]], mixed)
    with pytest.raises(BadInput, match="LabelTable: groups must be of one type, got "):
        adjusted_rand(mixed, [0, 0, 1, 1])
