"""k-means that remembers bounds of its rows: the same labels, sums and passes as without."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from suffice import KMeans
from suffice.clusters.centres import remembered_rows
from suffice.clusters.centres.remembered_rows import Movement, RememberedRows
from suffice.spaces import nearest_centre as assigning
from suffice.spaces.nearest_centre import nearest_centre

RNG = np.random.default_rng(0)
TABLES = {
    "blobs": make_blobs(3_000, 5, centers=12, random_state=0)[0],
    "uniform": RNG.uniform(size=(3_000, 4)),
    "far away": RNG.normal(size=(2_000, 3)) + 1e8,
    "ties": RNG.integers(0, 4, size=(2_000, 2)).astype(float),
    "constant columns": np.pad(RNG.normal(size=(1_500, 1)), ((0, 0), (0, 7)), constant_values=3.0),
    "one column": RNG.exponential(size=(1_000, 1)) ** 3,
}


def _fitted(X: Any, K: int, w: Any, seed: int, **options: Any) -> KMeans:
    start = X[np.random.default_rng(seed).choice(len(X), K, replace=False)]
    return KMeans(K, init=start, n_init=1, **options).fit(X, sample_weight=w)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    ("K", "weighed", "options"),
    [(2, True, {}), (9, False, {"tol": 0.0}), (30, True, {"max_iter": 6}), (130, True, {"max_iter": 5})],
)
@pytest.mark.filterwarnings("ignore:Number of distinct clusters")
def test_remembered_passes_are_plain_passes(
    name: str, K: int, weighed: bool, options: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Labels and number of passes exactly, centres to the last digits: empty clusters, ties, weight 0, offsets."""
    X = TABLES[name]
    w = RNG.integers(0, 3, len(X)).astype(float) if weighed else None
    plain = _fitted(X, K, w, 1, **options)
    monkeypatch.setattr(assigning, "tiles_pay", lambda cells, columns: True)
    ours = _fitted(X, K, w, 1, **options)
    np.testing.assert_array_equal(ours.labels_, plain.labels_)
    assert ours.n_iter_ == plain.n_iter_
    np.testing.assert_allclose(ours.cluster_centers_, plain.cluster_centers_, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(ours.scatters_, plain.scatters_, rtol=1e-12, atol=1e-25)
    np.testing.assert_array_equal(ours.labels_, ours.predict(X))


def test_bounds_hold_and_spare_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """No row is nearer to another centre than its bound says; of separate blobs most rows are looked at once."""
    monkeypatch.setattr(assigning, "tiles_pay", lambda cells, columns: True)
    X, centres = TABLES["blobs"], TABLES["blobs"][:12].copy()
    rows, looked = RememberedRows(len(X), *centres.shape), []
    seen = remembered_rows.nearest_in_buffer
    monkeypatch.setattr(remembered_rows, "nearest_in_buffer", lambda *given: looked.append(1) or seen(*given))
    monkeypatch.setattr(remembered_rows, "_move_rows", remembered_rows._move_rows.plain)
    from suffice.core.block import Block

    for _ in range(6):
        before = centres if rows.movement is None else rows.movement.centres
        rows.movement = Movement.between(before, centres)
        looked.clear()
        rows.summarize(Block((X,), None, None, 0))
        away = np.sqrt(((X[:, None] - centres) ** 2).sum(axis=2))
        own = away[np.arange(len(X)), rows.labels]
        away[np.arange(len(X)), rows.labels] = np.inf
        assert (own <= rows.most).all()
        assert (away.min(axis=1) >= rows.least).all()
        np.testing.assert_array_equal(rows.labels, nearest_centre(X, centres))
        centres = np.array([X[rows.labels == k].mean(axis=0) for k in range(12)])
    assert len(looked) < 0.6 * len(X) / 64


def test_small_and_single_clusterings_remember_nothing() -> None:
    model = KMeans(3, n_init=1, random_state=0).fit(TABLES["blobs"][:100])
    assert model.labels_.shape == (100,)
    assert KMeans(1).fit(TABLES["ties"]).inertia_ > 0
