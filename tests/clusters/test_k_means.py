"""k-means: starts, restarts, empty clusters, files, scikit-learn's ends, other exemplars, images."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.cluster import KMeans as TheirKMeans
from sklearn.datasets import make_blobs

import suffice
from suffice import BisectingKMeans, FuzzyCMeans, KExemplars, KMeans, MiniBatchKMeans
from suffice.clusters import STARTS, quantise_image, scatter_parts
from suffice.clusters.centres.centre_starts import plus_plus_rows
from suffice.sources import Format, open_rows
from suffice.spaces import nearest_centre as assigning
from suffice.spaces.nearest_centre import nearest_centre

X, GROUPS = make_blobs(600, 4, centers=5, random_state=0)


@pytest.mark.parametrize("seed", range(8))
def test_from_the_same_start_the_objective_is_scikit_learns(seed: int) -> None:
    """To 1e-12, with weights too, and far from the origin."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(150, 3)) + rng.integers(0, 4, size=(150, 1)) + 1e3 * (seed % 2)
    start, w = rows[:4].copy(), rng.integers(1, 5, 150).astype(float) if seed % 3 else None
    ours = KMeans(4, init=start, tol=0.0).fit(rows, sample_weight=w)
    theirs = TheirKMeans(4, init=start, tol=0.0, n_init=1).fit(rows, sample_weight=w)
    assert ours.inertia_ <= theirs.inertia_ * (1 + 1e-12)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    assert ours.n_iter_ == theirs.n_iter_


@pytest.mark.parametrize("init", STARTS)
def test_starts_lead_to_the_blobs(init: str) -> None:
    model = KMeans(5, init=init, n_init=10, random_state=0).fit(X)
    assert model.inertia_ == pytest.approx(sum(scatter_parts(X, GROUPS).traces), rel=1e-9)


def test_forgy_takes_copies_of_rows() -> None:
    rows = X.copy()
    start = STARTS["random"](rows, np.ones(len(rows)), 3, np.random.RandomState(0))
    assert all((rows == row).all(axis=1).any() for row in start)
    start += 1.0
    np.testing.assert_array_equal(rows, X)
    assert len(np.unique(STARTS["random"](rows, np.ones(len(rows)), 600, np.random.RandomState(0)), axis=0)) == 600


def test_random_partition_begins_near_the_middle() -> None:
    start = STARTS["random-partition"](X, np.ones(len(X)), 4, np.random.RandomState(0))
    spread = np.linalg.norm(start - X.mean(axis=0), axis=1).max()
    assert spread < 0.3 * np.linalg.norm(X - X.mean(axis=0), axis=1).max()


def test_plus_plus_draws_by_squared_distance() -> None:
    """Of three rows at 0, 1 and 3, after 0 the row at 3 follows with a chance of 9 / 10."""
    rows = np.array([[0.0], [1.0], [3.0]])
    seconds = [
        chosen[1]
        for seed in range(3000)
        if (chosen := plus_plus_rows(rows, np.ones(3), 2, np.random.RandomState(seed), trials=1))[0] == 0
    ]
    assert np.mean(np.array(seconds) == 2) == pytest.approx(0.9, abs=0.03)


def test_restarts_keep_the_best() -> None:
    one = [KMeans(5, init="random", n_init=1, random_state=seed).fit(X).inertia_ for seed in range(6)]
    assert KMeans(5, init="random", n_init=12, random_state=0).fit(X).inertia_ <= min(one) * (1 + 1e-9)


def test_an_empty_cluster_moves_to_the_farthest_point() -> None:
    rows = np.array([[0.0], [1.0], [2.0], [50.0]])
    model = KMeans(2, init=[[1.0], [500.0]], max_iter=1).fit(rows)
    assert model.cluster_centers_.ravel().tolist() == [1.0, 50.0]
    weighed = KMeans(2, init=[[1.0], [500.0]], max_iter=1).fit(rows, sample_weight=[1, 1, 1, 3])
    copied = KMeans(2, init=[[1.0], [500.0]], max_iter=1).fit(np.repeat(rows, [1, 1, 1, 3], axis=0))
    np.testing.assert_allclose(weighed.cluster_centers_, copied.cluster_centers_, rtol=1e-14)


def written(folder: Path, rows: Any) -> Path:
    path = folder / "rows.csv"
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow([f"c{j}" for j in range(rows.shape[1])])
        out.writerows([[repr(float(cell)) for cell in row] for row in rows])
    return path


@pytest.mark.parametrize(
    "make",
    [
        lambda: KMeans(5, init=X[:5], tol=0.0),
        lambda: FuzzyCMeans(5, init=X[:5], max_iter=15),
        lambda: BisectingKMeans(4, random_state=0),
    ],
    ids=["KMeans", "FuzzyCMeans", "BisectingKMeans"],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_files_give_the_model_of_memory(make: Any, tmp_path: Path) -> None:
    """To 1e-10, in chunks; rows of files keep no labels."""
    here = make().fit(X)
    there = make().fit(open_rows(written(tmp_path, X), format=Format(block=4000)))
    np.testing.assert_allclose(there.cluster_centers_, here.cluster_centers_, rtol=1e-10)
    named = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    np.testing.assert_array_equal(there.predict(named), here.labels_)
    assert not hasattr(there, "labels_")
    there.save(tmp_path / "m")
    loaded = suffice.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.predict(X), here.labels_)
    np.testing.assert_array_equal(loaded.cluster_centers_, there.cluster_centers_)


def test_offsets_cost_no_digits() -> None:
    """A table 1e8 away has the clusters it has here, to what storing it left."""
    there = np.round(X * 1024) / 1024
    far = there + 2.0**27
    here = KMeans(5, init=there[:5], tol=0.0).fit(there)
    moved = KMeans(5, init=far[:5], tol=0.0).fit(far)
    np.testing.assert_array_equal(moved.labels_, here.labels_)
    assert moved.inertia_ == pytest.approx(here.inertia_, rel=1e-12)
    np.testing.assert_allclose(moved.transform(far), here.transform(there), rtol=1e-6)


def test_nearest_centres_of_sparse_rows() -> None:
    rows = sp.random(200, 30, density=0.2, format="csr", random_state=0)
    centres = np.random.default_rng(0).normal(size=(7, 30))
    expected = ((rows.toarray()[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(nearest_centre(rows, centres), expected)


def test_nasty_rows() -> None:
    flat = np.column_stack([X[:, 0], np.full(len(X), 7.0)])
    assert KMeans(3, random_state=0).fit(flat).cluster_centers_[:, 1].tolist() == [7.0] * 3
    assert KMeans(1).fit([[3.0, 4.0]]).cluster_centers_.tolist() == [[3.0, 4.0]]
    w = np.ones(len(X))
    w[:300] = 0.0
    some = KMeans(3, init=X[300:303], tol=0.0).fit(X, sample_weight=w)
    alone = KMeans(3, init=X[300:303], tol=0.0).fit(X[300:])
    np.testing.assert_allclose(some.cluster_centers_, alone.cluster_centers_, rtol=1e-12)
    assert len(some.labels_) == len(X)


def test_batches_come_near() -> None:
    whole = KMeans(5, n_init=5, init="random", random_state=0).fit(X).inertia_
    batches = MiniBatchKMeans(5, random_state=0, batch_size=100).fit(X)
    assert batches.inertia_ <= 1.2 * whole
    model = MiniBatchKMeans(5, random_state=0)
    for start in range(0, 600, 100):
        model.partial_fit(X[start : start + 100])
    assert (model.n_steps_, model.counts_.sum()) == (6, pytest.approx(600.0))


def test_bisecting_splits_the_worst() -> None:
    rows = np.array([[0.0], [0.1], [10.0], [10.1], [30.0], [36.0]])
    worst = BisectingKMeans(3, random_state=0, n_init=3).fit(rows)
    assert sorted(worst.cluster_centers_.ravel().round(6).tolist()) == [0.05, 10.05, 33.0]
    heavy = BisectingKMeans(3, random_state=0, n_init=3, bisecting_strategy="largest_cluster").fit(rows)
    assert heavy.labels_.max() == 2
    np.testing.assert_array_equal(worst.predict(rows), worst.labels_)


def test_other_distances_have_other_exemplars() -> None:
    """The median for Manhattan: it minimises what is counted; the direction for cosines."""
    rows = np.array([[0.0], [1.0], [5.0], [100.0]])
    model = KExemplars(1, init=[[0.0]]).fit(rows)
    assert model.inertia_ == np.abs(rows - 3.0).sum() == np.abs(rows - np.median(rows)).sum()
    assert KExemplars(1, distance="euclidean").fit(rows).cluster_centers_[0, 0] == rows.mean()
    rays = np.array([[1.0, 0.1], [5.0, 0.2], [0.1, 2.0], [0.3, 9.0]])
    round_ = KExemplars(2, distance="cosine", init=[[1.0, 0.0], [0.0, 1.0]]).fit(rays)
    np.testing.assert_allclose(np.linalg.norm(round_.cluster_centers_, axis=1), 1.0, rtol=1e-14)
    np.testing.assert_array_equal(round_.fit(rays * [[9.0], [1.0], [4.0], [2.0]]).labels_, [0, 0, 1, 1])
    for distance in ("manhattan", "euclidean"):
        same = KExemplars(5, distance=distance, init=X[:5]).fit(X)
        assert same.inertia_ <= KExemplars(5, distance=distance, init=X[:5], max_iter=1).fit(X).inertia_


def test_images_in_few_colours() -> None:
    rng = np.random.default_rng(0)
    picture = rng.integers(0, 256, size=(30, 40, 3)).astype(np.uint8)
    errors = []
    for colours in (8, 64):
        palette = quantise_image(picture, colours)
        assert palette.image.shape == picture.shape
        assert palette.image.dtype == np.uint8
        assert len(np.unique(palette.image.reshape(-1, 3), axis=0)) <= colours
        errors.append(palette.error)
        assert palette.error == pytest.approx(((picture.astype(float) - palette.image) ** 2).mean(), rel=1e-12)
    assert errors[1] < errors[0]
    assert quantise_image(picture, 8).bits == 3
    assert quantise_image(np.zeros((4, 4)), 64).error == 0.0


@pytest.mark.parametrize(("n", "K"), [(1, 1), (3, 2), (9, 4), (101, 30)])
def test_the_loop_assigns_as_its_twin(n: int, K: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(n).normal(size=(n, 5))
    centres = np.random.default_rng(K).normal(size=(K, 5))
    twin = nearest_centre(rows, centres)
    monkeypatch.setattr(assigning, "tiles_pay", lambda cells, columns: True)
    np.testing.assert_array_equal(nearest_centre(rows, centres), twin)


@pytest.mark.parametrize("make", [KMeans, MiniBatchKMeans, BisectingKMeans])
def test_long_indices_of_sparse_rows_change_nothing(make: type) -> None:
    rng = np.random.default_rng(0)
    short = sp.csr_matrix(np.round(rng.normal(size=(200, 12)) * (rng.random((200, 12)) < 0.4), 1))
    long = short.copy()
    long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
    ours, same = make(3, random_state=0).fit(long), make(3, random_state=0).fit(short)
    np.testing.assert_array_equal(ours.cluster_centers_, same.cluster_centers_)
    np.testing.assert_array_equal(ours.predict(long), same.labels_)


def test_directions_of_the_shortest_rows_are_directions() -> None:
    rows = 1e-200 * np.random.default_rng(0).normal(size=(30, 3))
    centres = KExemplars(2, distance="cosine", random_state=0).fit(rows).cluster_centers_
    np.testing.assert_allclose(np.linalg.norm(centres, axis=1), 1.0, rtol=1e-12)
