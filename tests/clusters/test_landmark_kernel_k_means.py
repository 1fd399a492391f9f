"""Kernel k-means in the span of landmarks: bounds that hold, k-means where the span is all, files as memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice import KMeans, LandmarkKernelKMeans, load
from suffice.clusters import kernel_step
from suffice.spaces import LandmarkMap, LinearKernel, RbfKernel


def _rings(n: int = 120) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    turn, ring = rng.uniform(0, 2 * np.pi, n), np.arange(n) % 2
    return np.stack([np.cos(turn), np.sin(turn)], axis=1) * (1.0 + 4.0 * ring)[:, None], ring


X, RING = _rings()


@pytest.mark.parametrize("landmarks", [2, 5, 40, 120])
def test_the_inertia_of_the_whole_space_is_within_the_bounds(landmarks: int) -> None:
    model = LandmarkKernelKMeans(3, gamma=0.3, landmarks=landmarks, random_state=0).fit(X)
    w, K = np.ones(len(X)), RbfKernel(0.3).between(X)
    whole = kernel_step(K, model.labels_, w, 3)[1]
    slack = 1e-9 * len(X)
    assert model.inertia_ - slack <= whole <= model.inertia_ + model.outside_ + slack
    assert (model.outside_ < 1e-6) == (landmarks == 120)


def test_the_linear_kernel_is_k_means() -> None:
    start = X[[0, 1, 2]]
    mine = LandmarkKernelKMeans(3, kernel="linear", landmarks=10, init=start, random_state=0).fit(X)
    theirs = KMeans(3, init=start, tol=0.0, n_init=1).fit(X)
    assert np.array_equal(mine.labels_, theirs.labels_)
    np.testing.assert_allclose(mine.inertia_, theirs.inertia_, rtol=1e-10)
    assert mine.outside_ < 1e-9 * (X**2).sum()


def test_rings_that_no_line_parts() -> None:
    near = X[RING == 0]
    model = LandmarkKernelKMeans(2, gamma=0.05, landmarks=30, init=[near.mean(axis=0), [5.0, 0.0]], random_state=0).fit(
        X
    )
    assert len({(a, b) for a, b in zip(model.labels_, model.predict(X), strict=True)}) == 2
    assert np.array_equal(model.predict(X), model.labels_)


def test_files_give_the_model_of_memory(tmp_path: Path) -> None:
    path, rows = tmp_path / "rows.csv", pd.DataFrame(X, columns=["a", "b"])
    np.savetxt(path, X, delimiter=",", header="a,b", comments="", fmt="%.17g")
    given: dict[str, Any] = {"n_clusters": 2, "gamma": 0.3, "landmarks": X[:20], "init": X[:2]}
    far, near = LandmarkKernelKMeans(**given).fit(path), LandmarkKernelKMeans(**given).fit(X)
    np.testing.assert_allclose(far.inertia_, near.inertia_, rtol=1e-12)
    np.testing.assert_allclose(far.outside_, near.outside_, rtol=1e-10)
    assert np.array_equal(far.predict(rows), near.labels_)
    assert not hasattr(far, "labels_")
    far.save(tmp_path / "m")
    again = load(tmp_path / "m")
    np.testing.assert_array_equal(again.score_samples(rows), far.score_samples(rows))
    assert again.outside_ == far.outside_
    assert again.kernel_ == RbfKernel(0.3)


def test_weights_are_copies_and_copies_of_landmarks_do_no_harm() -> None:
    w = np.arange(120) % 3
    given: dict[str, Any] = {"n_clusters": 2, "gamma": 0.3, "init": X[:2]}
    mine = LandmarkKernelKMeans(**given, landmarks=X[:20]).fit(X, sample_weight=w)
    copies = LandmarkKernelKMeans(**given, landmarks=np.repeat(X[:20], 2, axis=0)).fit(np.repeat(X, w, axis=0))
    np.testing.assert_allclose(mine.inertia_, copies.inertia_, rtol=1e-7)
    np.testing.assert_allclose(mine.outside_, copies.outside_, rtol=1e-7)
    assert np.array_equal(mine.predict(X), copies.predict(X))


def test_the_map_has_the_inner_products_of_its_landmarks() -> None:
    mapping = LandmarkMap.of(X[:15], RbfKernel(0.3))
    F = mapping.of_rows(X[:15])
    np.testing.assert_allclose(F @ F.T, RbfKernel(0.3).between(X[:15]), atol=1e-9)
    assert mapping.outside(X[:15], F).max() < 1e-9
    assert LandmarkMap.of(X, LinearKernel()).whitener.shape[1] == 2


BAD = [
    ({"landmarks": [[1.0]]}, "finite rows of 2 columns"),
    ({"landmarks": [[np.nan, 1.0]]}, "finite rows of 2 columns"),
    ({"landmarks": 0}, "landmarks"),
    ({"init": [[1.0, 2.0]]}, "2 rows"),
    ({"init": "best"}, "init"),
    ({"kernel": "precomputed"}, "kernel"),
    ({"kernel": "sigmoid", "gamma": 5.0, "coef0": -3.0}, "no eigenvalue below 0"),
    ({"n_clusters": 500}, "at least n_clusters rows"),
]


@pytest.mark.parametrize("given", BAD, ids=lambda case: str(case[1]))
def test_bad_input_gets_one_sentence(given: Any) -> None:
    with pytest.raises(ValueError, match=r"\.$") as caught:
        LandmarkKernelKMeans(**{"n_clusters": 2, **given[0]}).fit(X)
    assert given[1] in str(caught.value)
    assert "\n" not in str(caught.value)
