"""k-means that remembers bounds of its rows: the same labels, sums and passes as without."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from suffice import KMeans
from suffice.clusters.centres import remembered_rows
from suffice.clusters.centres.moved_sums import MovedSums, add_moves
from suffice.clusters.centres.remembered_rows import RememberedRows
from suffice.clusters.centres.row_looks import move_rows
from suffice.core.block import Block
from suffice.core.shares import Shares
from suffice.numerics.loop import loop
from suffice.spaces import nearest_centre as assigning
from suffice.spaces.nearest_centre import nearest_centre
from suffice.summaries.moments import Moments

RNG = np.random.default_rng(0)
TABLES = {
    "blobs": make_blobs(3_000, 5, centers=12, random_state=0)[0],
    "uniform": RNG.uniform(size=(3_000, 4)),
    "far away": RNG.normal(size=(2_000, 3)) + 1e8,
    "ties": RNG.integers(0, 4, size=(2_000, 2)).astype(float),
    "constant columns": np.pad(RNG.normal(size=(1_500, 1)), ((0, 0), (0, 7)), constant_values=3.0),
    "beyond single precision": RNG.uniform(1, 2, size=(1_500, 5)) * 1e30,
    "below single precision": RNG.uniform(size=(1_500, 5)) * 1e-25,
    "nearer than single precision": RNG.uniform(size=(1_500, 5)) * 1e-4 + RNG.integers(0, 2, size=(1_500, 1)),
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
    rows = RememberedRows(X, None, len(centres), 1)
    monkeypatch.setattr(remembered_rows, "move_rows", move_rows.plain)
    for turn in range(6):
        rows.move_to(centres)
        if turn == 0:
            rows.total = rows.summarize(Block((X,), None, None, 0))
            rows.moved = MovedSums.empty(2, len(centres), rows.total.shift)
        else:
            rows.follow()
        away = np.sqrt(((X[:, None] - centres) ** 2).sum(axis=2))
        own = away[np.arange(len(X)), rows.labels]
        away[np.arange(len(X)), rows.labels] = np.inf
        assert (own <= rows.most).all()
        assert (away.min(axis=1) >= rows.least).all()
        np.testing.assert_array_equal(rows.labels, nearest_centre(X, centres))
        centres = np.array([X[rows.labels == k].mean(axis=0) for k in range(12)])
    assert sum(looked for looked, _ in rows.looked) < 0.6 * len(X)
    again = Moments.of(X, Shares.hard(rows.labels, len(centres), None), rows.total.shift)
    for mine, theirs in zip(rows.total.sums, again.sums, strict=True):
        np.testing.assert_allclose(mine.value, theirs.value, rtol=1e-13)


def test_small_and_single_clusterings_remember_nothing() -> None:
    model = KMeans(3, n_init=1, random_state=0).fit(TABLES["blobs"][:100])
    assert model.labels_.shape == (100,)
    assert KMeans(1).fit(TABLES["ties"]).inertia_ > 0


@pytest.mark.parametrize("d", [1, 4, 6, 9])
def test_rows_move_between_sums(d: int) -> None:
    """From one centre to another: machine instructions do what their NumPy says, and what they round off is kept."""
    X, shift = RNG.normal(size=(40, d)) * 10.0 ** RNG.integers(-8, 9, size=(40, 1)), RNG.normal(size=d)
    mine, theirs = (MovedSums.empty(1, 3, shift) for _ in range(2))
    w = RNG.uniform(0.5, 2.0, size=40)
    listed = np.arange(40), RNG.integers(0, 2, 40), np.full(40, 2)
    move_listed(X, w, listed, 40, mine.of_run(0))
    move_listed.plain(X, w, listed, 40, theirs.of_run(0))
    np.testing.assert_array_equal(mine.rows, theirs.rows)
    np.testing.assert_array_equal(mine.weight, theirs.weight)
    np.testing.assert_array_equal(mine.sums, theirs.sums)
    exact = sum(Fraction(term) for term in w * (X[:, 0] - shift[0]))
    found = sum(Fraction(half) for half in mine.sums[0, 2, :2, 0])
    assert abs(found - exact) <= 1e-25 * float(sum(abs(w * X[:, 0])))


@loop
def move_listed(X, w, listed, count, sums):  # type: ignore[no-untyped-def]
    add_moves(X, w, listed, count, sums)
