"""Clusters on the sources' rows: scatter, stationary splits, medoids, silhouettes, Rand values, messages."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from suffice import DBSCAN, AffinityPropagation, FuzzyCMeans, KernelKMeans, KMeans, KMedoids
from suffice.clusters import (
    LabelTable,
    adjusted_rand,
    check_partition,
    defuzzify,
    is_stationary,
    kernel_step,
    printed_step,
    propagate,
    scatter_matrix,
    scatter_parts,
    silhouettes,
    stationary_partitions,
    swap_gains,
)
from suffice.clusters.affinity_messages import availabilities, responsibilities
from suffice.clusters.centres.scatter import set_partitions
from suffice.core.errors import BadInput
from suffice.spaces import Euclidean, LinearKernel, Manhattan

FIVE = np.array([[0, 3], [3, 3], [3, 0], [-2, -4], [-4, -2]], dtype=float)
LINE = np.array([[8.0], [44.0], [50.0], [58.0], [84.0]])
SIX = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])


def test_scatter_of_five_points() -> None:
    """G.N53, G.G113: S = [[38, 25], [25, 38]], trace 76, mean 0."""
    assert scatter_matrix(FIVE).tolist() == [[38, 25], [25, 38]]
    parts = scatter_parts(FIVE, np.zeros(5))
    assert (parts.scatter, parts.mean.tolist()) == (76.0, [0.0, 0.0])


def test_scatter_of_two_and_three() -> None:
    """G.N54, G.G114, G.G115: the parts of the first split; S2 = [[26, 10], [10, 8]]."""
    parts = scatter_parts(FIVE, [0, 0, 1, 1, 1])
    assert parts.means.tolist() == [[1.5, 3.0], [-1.0, -2.0]]
    assert parts.within[0].tolist() == [[4.5, 0.0], [0.0, 0.0]]
    assert parts.within[1].tolist() == [[26.0, 10.0], [10.0, 8.0]]
    assert parts.between.tolist() == [[7.5, 15.0], [15.0, 30.0]]
    assert (parts.traces, parts.between_trace) == ((4.5, 34.0), 37.5)
    np.testing.assert_allclose(parts.within.sum(axis=0) + parts.between, parts.total, rtol=0, atol=1e-12)


def test_scatter_of_three_and_two() -> None:
    """G.N55, G.G116: the other split, which is the best of all 15."""
    labels = [0, 0, 0, 1, 1]
    parts = scatter_parts(FIVE, labels)
    assert parts.means.tolist() == [[2.0, 2.0], [-3.0, -3.0]]
    assert parts.within[0].tolist() == [[6.0, -3.0], [-3.0, 6.0]]
    assert parts.within[1].tolist() == [[2.0, -2.0], [-2.0, 2.0]]
    assert parts.between.tolist() == [[30.0, 30.0], [30.0, 30.0]]
    assert (parts.traces, parts.between_trace) == ((12.0, 4.0), 60.0)
    every = [sum(scatter_parts(FIVE, each).traces) for each in set_partitions(5, 2)]
    assert (len(every), min(every)) == (15, 16.0)
    assert KMeans(2, n_init=10, init="random", random_state=0).fit(FIVE).inertia_ == pytest.approx(16.0, rel=1e-12)


def test_four_stationary_splits() -> None:
    """G.N57, G.G119: {8, 44, 50, 58, 84} has four splits in two that k-means leaves alone, and no fifth."""
    found = stationary_partitions(LINE)
    means = [sorted(scatter_parts(LINE, labels).means.ravel().tolist()) for labels, _ in found]
    assert means == [[8, 59], [26, 64], [34, 71], [40, 84]]
    assert [scatter for _, scatter in found] == [932, 1280, 1370, 1464]
    assert scatter_parts(LINE, np.zeros(5)).scatter == pytest.approx(3012.8, rel=1e-14)
    ends = [KMeans(2, init=LINE[list(pair)], tol=0.0).fit(LINE).inertia_ for pair in combinations(range(5), 2)]
    assert sorted(np.unique(np.round(ends, 9), return_counts=True)[1].tolist()) == [2, 2, 3, 3]
    assert not is_stationary(LINE, [0, 1, 0, 1, 1])


def test_scatter_never_rises() -> None:
    """G.N57d: in random runs no pass raises the inertia, while no cluster is empty."""
    rng = np.random.default_rng(3)
    for seed in range(300):
        X = rng.normal(size=(12, 2))
        told = KMeans(3, init="random", n_init=1, tol=0.0, random_state=seed).fit(X).scatters_
        assert all(b <= a * (1 + 1e-12) for a, b in pairwise(told)), told


def test_starts_outside_the_rows_leave_clusters_empty() -> None:
    """G.N57e, G.G117: arbitrary starts leave a cluster without rows more often than not; none is at the end."""
    rng = np.random.default_rng(0)
    empty = 0
    for _ in range(80):
        X, start = rng.uniform(size=(20, 2)), rng.uniform(-1, 2, size=(4, 2))
        first = ((X[:, None] - start) ** 2).sum(axis=2).argmin(axis=1)
        empty += len(np.unique(first)) < 4
        assert len(np.unique(KMeans(4, init=start).fit(X).labels_)) == 4
    assert empty > 20


def test_medoids_of_the_line() -> None:
    """G.N57f, G.G121, G.G122: the least total distance is 48, by 8 and 50 or by 8 and 58."""
    D = Manhattan().between(LINE)
    costs = {pair: D[list(pair)].min(axis=0).sum() for pair in combinations(range(5), 2)}
    assert [pair for pair, cost in costs.items() if cost == 48.0] == [(0, 2), (0, 3)]
    assert min(costs.values()) == 48.0
    for method in ("pam", "fasterpam"):
        model = KMedoids(2, method=method, metric="manhattan").fit(LINE)
        assert model.inertia_ == 48.0
        assert sorted(model.medoid_indices_.tolist()) in ([0, 2], [0, 3])
    assert KMedoids(2, method="alternate", metric="manhattan").fit(LINE).inertia_ >= 48.0


def test_all_swaps_of_a_round() -> None:
    """G.N58: a round of PAM judges K (n - K) swaps by all rows: 21 for 10 rows and 3 medoids, each exactly."""
    rng = np.random.default_rng(1)
    X, medoids = rng.normal(size=(10, 2)), np.array([1, 4, 7])
    D = Euclidean().between(X)
    gains, now = swap_gains(D, np.ones(10), medoids), D[medoids].min(axis=0).sum()
    swaps = [(x, k) for x in range(10) if x not in medoids for k in range(3)]
    assert len(swaps) == 21
    for x, k in swaps:
        there = medoids.copy()
        there[k] = x
        assert gains[x, k] == pytest.approx(D[there].min(axis=0).sum() - now, abs=1e-12)


def test_silhouettes_of_five_points() -> None:
    """G.N59, G.E13, G.G125, G.G127: own row left out, as is meant; counted, as the letter says."""
    labels = [0, 0, 0, 1, 1]
    found = silhouettes(FIVE, labels, "sqeuclidean")
    np.testing.assert_allclose(found.values, [0.712766, 0.878378, 0.712766, 0.857143, 0.857143], atol=5e-7)
    assert found.mean == pytest.approx(0.803639, abs=5e-7)
    counted = silhouettes(FIVE, labels, "sqeuclidean", own=True)
    np.testing.assert_allclose(counted.values, [0.808511, 0.918919, 0.808511, 0.928571, 0.928571], atol=5e-7)
    assert counted.mean == pytest.approx(0.878617, abs=5e-7)
    np.testing.assert_allclose(found.by_cluster, [found.values[:3].mean(), found.values[3:].mean()], rtol=1e-14)
    assert silhouettes(FIVE, [0, 0, 0, 0, 1]).values[4] == 0.0  # alone


def test_the_rule_in_print_is_not_kernel_k_means() -> None:
    """G.N69, G.N69a, G.E15, G.G140: on a line both rules keep the four splits; in the plane the printed one does not,
    and the mean squared distance keeps two of the four."""
    K, ones = LinearKernel().between(LINE), np.ones(5)
    splits = [labels for labels, _ in stationary_partitions(LINE)]
    for labels in splits:
        assert (kernel_step(K, labels, ones, 2)[0] == labels).all()
        assert (printed_step(K, labels, ones, 2)[0] == labels).all()
    squared = Euclidean().between(LINE) ** 2
    kept = []
    for labels in splits:
        mean = np.stack([squared[:, labels == k].mean(axis=1) for k in (0, 1)], axis=1)
        kept.append(bool((mean.argmin(axis=1) == labels).all()))
    assert kept == [True, False, True, False]
    four, parts = np.array([[5.0, 1.0], [0.0, 1.0], [2.0, 4.0], [2.0, 0.0]]), np.array([1, 0, 1, 1])
    K, ones = LinearKernel().between(four), np.ones(4)
    assert is_stationary(four, parts)
    assert (kernel_step(K, parts, ones, 2)[0] == parts).all()
    assert printed_step(K, parts, ones, 2)[0].tolist() == [1, 0, 1, 0]
    D = Euclidean().between(four)
    assert (D[3, 1], D[3, parts == 1].mean()) == (pytest.approx(2.236, abs=5e-4), pytest.approx(2.387, abs=5e-4))
    assert KernelKMeans(2, kernel="linear", rule="printed", init=parts).fit(four).labels_.tolist() != parts.tolist()


def test_the_rule_in_print_may_rise() -> None:
    """G.N69d: one printed step raises its own total from 27.94 to 28.51."""
    X, labels = np.array([[2, -5], [8, -1], [2, 9], [7, 5], [3, -4]], dtype=float), np.array([1, 0, 1, 1, 1])
    K, ones = LinearKernel().between(X), np.ones(5)
    new, before = printed_step(K, labels, ones, 2)
    assert before == pytest.approx(27.94, abs=5e-3)
    assert printed_step(K, new, ones, 2)[1] == pytest.approx(28.51, abs=5e-3)


def test_rescaling_an_axis_flips_the_best_split() -> None:
    """G.G124: only traces count, so that the unit of a column decides."""
    X = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]])
    wide, flat = (stationary_partitions(X * scale)[0][0].tolist() for scale in ([1.0, 1.0], [0.2, 1.0]))
    assert (wide, flat) == ([0, 0, 1, 1], [0, 1, 0, 1])


def test_silhouettes_of_pairs() -> None:
    """C.R35, C.M18.07."""
    found = silhouettes([[0.0], [1.0], [10.0], [11.0]], [0, 0, 1, 1])
    np.testing.assert_allclose(found.values, [0.904762, 0.894737, 0.894737, 0.904762], atol=5e-7)


def test_pairs_of_two_labellings() -> None:
    """C.R37, C.M20.08, C.M20.09, C.M20.10: TP 2, TN 8, FP 1, FN 4."""
    table = LabelTable.of([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2])
    p = table.pairs
    assert (p.both, p.neither, p.second, p.first) == (2, 8, 1, 4)
    told = (table.rand, table.adjusted_rand, table.precision, table.recall, table.f1)
    np.testing.assert_allclose(told, [0.6667, 0.2424, 0.6667, 0.3333, 0.4444], atol=5e-5)


def test_the_adjusted_rand_index_ends_at_minus_a_half() -> None:
    """C.E23: over all pairs of labellings of up to 5 rows the least is -1/2, not -1."""
    least = {}
    for n in range(2, 6):
        every = [labels for K in range(1, n + 1) for labels in set_partitions(n, K)]
        least[n] = min(adjusted_rand(a, b) for a in every for b in every)
    assert min(least.values()) == pytest.approx(-0.5, abs=1e-12)


def test_fuzzy_c_means_of_six_points() -> None:
    """C.R43, C.M20.01, C.M20.02, C.M20.03, C.E37: centres, a membership, J; memberships are a fuzzy partition."""
    model = FuzzyCMeans(2, m=2.0, init=[[0.0], [12.0]], tol=1e-13).fit(SIX)
    np.testing.assert_allclose(model.cluster_centers_.ravel(), [0.997976, 11.002024], atol=5e-7)
    U = model.memberships(SIX)
    assert U[2, 0] == pytest.approx(0.987761, abs=5e-7)
    assert model.objective_ == pytest.approx(3.959193, abs=5e-7)
    assert check_partition(U).holds
    assert defuzzify(U).tolist() == model.labels_.tolist() == [0, 0, 0, 1, 1, 1]
    assert not check_partition([[1.0, 0.0], [1.0, 0.0]]).clusters  # a cluster with nothing
    told = model.scatters_
    assert all(b <= a * (1 + 1e-12) for a, b in pairwise(told))


def test_the_exponent_of_memberships() -> None:
    """C.E20: 2 / (m - 1) on the norm is best for the centres; on its square it is not, and m = 1 is refused."""
    X = np.array([[0.0], [1.0], [3.0], [4.0]])
    model = FuzzyCMeans(2, m=1.5, init=[[0.0], [4.0]], tol=1e-12).fit(X)
    d2, U = model.cluster_centers_.ravel() - X, model.memberships(X)
    d2 = d2**2
    other = d2 ** (-2.0 / 0.5)
    other /= other.sum(axis=1, keepdims=True)
    assert (U**1.5 * d2).sum() == pytest.approx(model.objective_, rel=1e-9)
    assert (U**1.5 * d2).sum() < (other**1.5 * d2).sum()
    with pytest.raises(ValueError, match="m"):
        FuzzyCMeans(2, m=1.0).fit(X)


def test_six_points_by_several_roads() -> None:
    """C.R44, C.M17.03, C.M17.06, C.M17.08: k-means 1 and 11, SSE 4; medoids 1 and 11, cost 4; mean silhouette."""
    model = KMeans(2, random_state=0).fit(SIX)
    assert sorted(model.cluster_centers_.ravel().tolist()) == [1.0, 11.0]
    assert model.inertia_ == pytest.approx(4.0, rel=1e-14)
    medoids = KMedoids(2, method="pam").fit(SIX)
    assert (sorted(medoids.cluster_centers_.ravel().tolist()), medoids.inertia_) == ([1.0, 11.0], 4.0)
    assert silhouettes(SIX, model.labels_).mean == pytest.approx(0.865657, abs=5e-7)
    from suffice.clusters import linkage_tree, ward_increase

    assert ward_increase(SIX[:3], SIX[3:]) == 150.0
    assert linkage_tree(SIX, "ward").heights[-1] ** 2 / 2 == pytest.approx(150.0, rel=1e-12)


def test_dbscan_of_four_points() -> None:
    """C.R45, C.M18.02: labels 0 0 0 and noise; only 1 is core, as a row counts itself."""
    model = DBSCAN(eps=1.0, min_samples=3).fit([[0.0], [1.0], [2.0], [10.0]])
    assert (model.labels_.tolist(), model.core_sample_indices_.tolist()) == ([0, 0, 0, -1], [1])
    assert model.kinds_.tolist() == ["border", "core", "border", "noise"]


def similarities(X: np.ndarray, preference: float) -> np.ndarray:
    S = -((X[:, None] - X) ** 2).sum(axis=2)
    np.fill_diagonal(S, preference)
    return S


def test_messages_need_damping() -> None:
    """C.R46, C.E24, C.M18.01: damped, 1 and 11 are the exemplars; undamped all stay alone, and blobs flip for ever."""
    S = similarities(SIX, -20.0)
    damped, plain = propagate(S, damping=0.5), propagate(S, damping=0.0)
    assert damped.settled
    assert SIX[damped.exemplars].ravel().tolist() == [1.0, 11.0]
    assert len(plain.exemplars) in (0, 6) or not plain.settled
    model = AffinityPropagation(preference=-20.0, random_state=0).fit(SIX)
    assert model.cluster_centers_.ravel().tolist() == [1.0, 11.0]
    X = make_blobs(60, centers=3, random_state=0)[0]
    S = similarities(X, float(np.median(similarities(X, 0.0))))
    ends = [propagate(S, damping=0.0, max_iter=steps) for steps in (200, 201, 202)]
    assert not any(end.settled for end in ends)
    np.testing.assert_allclose(ends[0].responsibility, ends[2].responsibility, rtol=1e-9)  # of period 2
    assert np.abs(ends[0].responsibility - ends[1].responsibility).max() > 1.0
    assert 2 <= len(propagate(S, damping=0.7).exemplars) <= 6


def test_the_first_messages() -> None:
    """C.E15, C.E33: first responsibilities are similarities less the best rival; availabilities are at most 0, on the
    diagonal at least 0."""
    S = np.array([[-2.0, -1.0, -4.0], [-1.0, -2.0, -9.0], [-4.0, -9.0, -2.0]])
    R = responsibilities(S, np.zeros((3, 3)))
    assert R[0].tolist() == [-1.0, 1.0, -3.0]
    assert S[0, 1] == -1.0 != R[0, 1]
    A = availabilities(R)
    assert (A[~np.eye(3, dtype=bool)] <= 0).all()
    assert (np.diagonal(A) >= 0).all()
    assert A[0, 0] == max(0.0, R[1, 0]) + max(0.0, R[2, 0])
    assert A[0, 1] == min(0.0, R[1, 1] + max(0.0, R[2, 1]))


def test_few_rows_for_many_clusters() -> None:
    with pytest.raises(BadInput, match="n_samples=5 should be >= n_clusters=6"):
        KMeans(6).fit(FIVE)
