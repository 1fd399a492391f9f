"""Medoids, dense regions, kernels: against brute force and scikit-learn."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from sklearn.cluster import DBSCAN as TheirDBSCAN
from sklearn.datasets import make_circles, make_moons

from suffice import DBSCAN, KernelKMeans, KMeans, KMedoids
from suffice.clusters import dbscan, near_rows
from suffice.spaces import Manhattan


def test_swaps_find_the_best_or_nearly() -> None:
    """On 20 small tables: no swap is left that helps, and the best of all sets is found as a rule."""
    rng = np.random.default_rng(0)
    best_found = 0
    for _ in range(20):
        X = rng.normal(size=(12, 2))
        D = Manhattan().between(X)
        best = min(D[list(each)].min(axis=0).sum() for each in combinations(range(12), 3))
        costs = [KMedoids(3, metric="manhattan", method=way).fit(X).inertia_ for way in ("pam", "fasterpam")]
        for way in ("pam", "fasterpam"):
            model = KMedoids(3, metric="manhattan", method=way).fit(X)
            m = model.medoid_indices_
            assert model.inertia_ == pytest.approx(D[m].min(axis=0).sum(), rel=1e-12)
            for k in range(3):
                for x in range(12):
                    there = m.copy()
                    there[k] = x
                    assert D[there].min(axis=0).sum() >= model.inertia_ * (1 - 1e-12)
        best_found += min(costs) <= best * (1 + 1e-12)
    assert best_found >= 12


def test_alternation_samples_and_given_distances() -> None:
    X = np.random.default_rng(0).normal(size=(300, 2)) + np.repeat(np.eye(2) * 8, 150, axis=0)
    pam = KMedoids(2, method="pam").fit(X)
    assert KMedoids(2, method="alternate").fit(X).inertia_ >= pam.inertia_ * (1 - 1e-12)
    some = KMedoids(2, method="clara", random_state=0).fit(X)
    assert pam.inertia_ * (1 - 1e-12) <= some.inertia_ <= 1.1 * pam.inertia_
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    given = KMedoids(2, metric="precomputed").fit(D)
    assert given.inertia_ == pytest.approx(pam.inertia_, rel=1e-9)
    np.testing.assert_array_equal(given.predict(D), given.labels_)
    one = KMedoids(1).fit(X)
    assert one.medoid_indices_[0] == D.sum(axis=0).argmin()


@pytest.mark.parametrize("seed", range(6))
def test_dense_regions_are_scikit_learns(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = make_moons(200, noise=0.1, random_state=seed)[0] if seed % 2 else rng.normal(size=(200, 2))
    w = rng.integers(1, 4, 200) if seed % 3 else None
    for metric in ("euclidean", "manhattan", "cosine"):
        eps = 0.02 if metric == "cosine" else 0.2
        ours = DBSCAN(eps=eps, metric=metric).fit(X, sample_weight=w)
        theirs = TheirDBSCAN(eps=eps, metric=metric).fit(X, sample_weight=w)
        np.testing.assert_array_equal(ours.labels_, theirs.labels_)
        np.testing.assert_array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
        joined = ours.predict(X)
        apart = ours.kinds_ != "border"
        np.testing.assert_array_equal(joined[apart], ours.labels_[apart])
        assert (joined[~apart] >= 0).all()


def test_many_pairs_are_found_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).uniform(size=(3_000, 2)) * 20
    monkeypatch.setattr(near_rows, "FEW", 100)
    monkeypatch.setattr(dbscan, "KEPT", 100)
    ours, theirs = DBSCAN(eps=0.4, min_samples=6).fit(X), TheirDBSCAN(eps=0.4, min_samples=6).fit(X)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)


def test_kernel_k_means_is_k_means_under_a_linear_kernel() -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    start = np.arange(60) % 3
    means = np.stack([X[start == k].mean(axis=0) for k in range(3)])
    plain = KMeans(3, init=means, tol=0.0).fit(X)
    model = KernelKMeans(3, kernel="linear", init=start).fit(X)
    np.testing.assert_array_equal(model.labels_, plain.labels_)
    assert model.inertia_ == pytest.approx(plain.inertia_, rel=1e-10)
    np.testing.assert_array_equal(model.predict(X), model.labels_)


def test_kernels_part_rings() -> None:
    X, ring = make_circles(200, factor=0.2, noise=0.03, random_state=0)
    model = KernelKMeans(2, kernel="rbf", gamma=2.0, n_init=10, random_state=0).fit(X)
    assert abs(np.corrcoef(model.labels_, ring)[0, 1]) > 0.99
    w = np.random.default_rng(0).integers(1, 3, 200)
    start = np.arange(200) % 2
    weighed = KernelKMeans(2, gamma=2.0, init=start).fit(X, sample_weight=w)
    copied = KernelKMeans(2, gamma=2.0, init=np.repeat(start, w)).fit(np.repeat(X, w, axis=0))
    np.testing.assert_array_equal(np.repeat(weighed.labels_, w), copied.labels_)
    G = model.kernel_.between(X)
    given = KernelKMeans(2, kernel="precomputed", init=start).fit(G)
    np.testing.assert_array_equal(given.predict(G), given.labels_)


@pytest.mark.parametrize("columns", [3, 40])
def test_rows_at_the_radius_itself_are_near_however_many_columns_there_are(columns: int) -> None:
    rng = np.random.default_rng(0)
    X = np.zeros((400, columns))
    X[:, -3:] = rng.integers(0, 4, size=(400, 3))
    apart = ((X[:, None] - X[None]) ** 2).sum(axis=2)  # whole numbers: exact
    for square in (1, 2, 5):
        model = DBSCAN(eps=float(np.sqrt(square)), min_samples=25).fit(X)
        core = np.flatnonzero((apart <= square).sum(axis=1) >= 25)
        assert model.core_sample_indices_.tolist() == core.tolist()
        assert ((model.labels_ >= 0) == (apart[:, core] <= square).any(axis=1)).all()
        assert ((model.predict(X) >= 0) == (model.labels_ >= 0)).all()
        least = np.sqrt(apart[:, core].min(axis=1)) if len(core) else np.inf
        assert not len(core) or (-model.score_samples(X) == least).all()
