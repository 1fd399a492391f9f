"""Passes that are cut: wide tables some columns at a time, sparse rows class by class, by one thread or two."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from suffice.core.block import Words
from suffice.core.shares import Shares
from suffice.numerics import loop
from suffice.summaries import cell_counts, power_sums
from suffice.summaries.cell_counts import count_words
from suffice.summaries.power_sums import BROAD, FIRST, HEAD, middle, scattered, twin


@pytest.mark.parametrize("weighted", [False, True], ids=["alike", "weighted"])
@pytest.mark.parametrize("idle", [False, True], ids=["one thread", "two"])
@pytest.mark.parametrize("n", [1, 70])
@pytest.mark.parametrize("order", ["C", "F"])
def test_columns_are_summed_some_at_a_time(
    n: int, idle: bool, weighted: bool, order: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In runs of columns: to the last bits as the twin, missing cells, rows of nobody and a constant column too."""
    monkeypatch.setattr(power_sums, "BROADEST", 500)
    rng = np.random.default_rng(0)
    X = 1e8 + rng.normal(size=(n, 2 * BROAD + 3))
    X[rng.random(X.shape) < 0.01] = np.nan
    X[:, BROAD] = 7.0
    X = np.asarray(X, order=order)
    codes = rng.integers(-1, 3, n).astype(np.int32)
    R, shift = Shares.hard(codes, 3, rng.integers(0, 3, n).astype(float) if weighted else None), middle(X)
    with loop.whole(X.size, idle=idle):
        rows, *sums = scattered(X, R, shift)
    rows_, *sums_ = twin(X, R, shift)
    assert np.array_equal(rows, rows_)
    for mine, other in zip(sums, sums_, strict=True):
        assert np.abs((mine - other).value).max() <= 2.0**-95 * np.abs(other.high).max()


def test_the_shift_of_a_wide_table_is_the_median_of_fewer_rows() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, HEAD // 4))
    X[:2, 0] = 1e139
    X[:5, 1] = np.nan
    X[1:4, 2] = np.nan, np.inf, 1e150
    found = middle(X)
    assert np.array_equal(found[3:], np.median(X[:5, 3:], axis=0))
    assert found[0] == np.median(X[:5, 0])
    assert found[1] == 0.0  # none of them is present
    assert found[2] == min(X[0, 2], X[4, 2])
    few = X[:, :3]
    assert middle(few)[1] == np.sort(few[5:FIRST, 1])[(FIRST - 6) // 2]


@pytest.mark.parametrize("threshold", [None, 0.5])
def test_few_words_take_the_loop_once_its_twin_was_waited_for(
    threshold: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fractions and ones, a row of nobody: as the twin, which is not asked then."""
    rng = np.random.default_rng(3)
    X = csr_array(rng.choice([0.0, 0.3, 1.0], size=(50, 20)))
    given = Words(X, range(20)), Shares.hard(rng.integers(-1, 2, 50).astype(np.int32), 2), threshold
    expected = count_words(*given)
    monkeypatch.setattr(loop, "LEARNS", True)
    monkeypatch.setattr(cell_counts._add_words, "waited", 1e9)
    monkeypatch.setattr(cell_counts, "_sparse_words", None)
    rows, weight = count_words(*given)
    assert np.array_equal(rows, expected[0])
    np.testing.assert_allclose(weight, expected[1], rtol=1e-14)


@pytest.mark.parametrize("idle", [False, True], ids=["one thread", "two"])
@pytest.mark.parametrize("threshold", [None, 0.0, 1.0])
@pytest.mark.parametrize("K", [1, 2, 5, 300])
def test_words_are_counted_class_by_class(K: int, threshold: float | None, idle: bool) -> None:
    """Classes without rows, rows of nobody, empty rows: as SciPy's products say."""
    rng = np.random.default_rng(2)
    X = csr_array(rng.poisson(0.3, size=(200, 40)).astype(float))
    codes = rng.integers(-1, max(K - 1, 1), 200).astype(np.int32)
    hot = np.zeros((200, K + 1))
    hot[np.arange(200), codes] = 1.0
    with loop.whole(loop.WORTH, idle=idle):
        rows, weight = count_words(Words(X, range(40)), Shares.hard(codes, K), threshold)
    cells: Any = X.toarray() if threshold is None else (X.toarray() > threshold).astype(float)
    assert np.array_equal(rows, (hot[:, :K].T @ (cells != 0)).astype(int))
    assert np.array_equal(weight, hot[:, :K].T @ cells)
