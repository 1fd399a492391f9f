"""The loop of fuzzy c-means: what memberships and moments give, far offsets and rows at centres included."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from suffice import FuzzyCMeans
from suffice.clusters.centres.fuzzy_c_means import FuzzyPass
from suffice.clusters.centres.fuzzy_centres import FuzzyCentres
from suffice.clusters.centres.fuzzy_partition import memberships_of
from suffice.clusters.centres.fuzzy_rows import FuzzyRows
from suffice.clusters.centres.fuzzy_sums import _by_loop, _by_tables, add_shared, side_by_side
from suffice.numerics.loop import WORTH, whole
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.table import open_table
from suffice.summaries.moments import Moments


def _rows(n: int, offset: float) -> tuple[Any, Any]:
    X = np.random.default_rng(0).normal(size=(n, 3)) + offset
    X[5], X[6] = X[0], X[0]  # rows at a centre
    return X, X[:4].copy()


def _alike(a: Moments, b: Moments, scale: float) -> None:
    assert np.array_equal(a.rows, b.rows)
    np.testing.assert_allclose(a.weight.value, b.weight.value, rtol=1e-12)
    np.testing.assert_allclose(a.mean.value, b.mean.value, rtol=0, atol=1e-12 * scale)
    np.testing.assert_allclose(a.scatter.value, b.scatter.value, rtol=1e-9)


@pytest.mark.parametrize("m", [2.0, 1.2, 3.5])
@pytest.mark.parametrize("n", [1, 63, 64, 200])
def test_the_loop_is_its_twin(m: float, n: int) -> None:
    X, _ = _rows(max(n, 7), 0.0)
    X, centres = X[:n], np.random.default_rng(1).normal(size=(4, 3))
    w = np.arange(n) % 3 + 0.0 if n > 1 else None
    _alike(_by_loop(X, w, centres, m), _by_tables(X, w, centres, m), 1.0)


def test_rows_at_centres_and_two_centres_at_one_place() -> None:
    X, centres = _rows(100, 0.0)
    centres[3] = centres[0]
    mine = _by_loop(X, None, centres, 2.0)
    _alike(mine, _by_tables(X, None, centres, 2.0), 1.0)
    assert mine.weight.value[0, 0] == mine.weight.value[3, 0]


def test_an_offset_costs_nothing() -> None:
    near, far = (_by_loop(*_arguments(offset)) for offset in (0.0, 2.0**20))
    assert np.array_equal(far.weight.value, near.weight.value)
    assert np.array_equal(far.scatter.value, near.scatter.value)


def _arguments(offset: float) -> tuple[Any, None, Any, float]:
    X = np.round(np.random.default_rng(0).normal(size=(200, 3)) * 2.0**20) / 2.0**20
    return X + offset, None, X[:4] + offset, 2.0


def test_compiled_and_plain_are_one() -> None:
    X, centres = _rows(130, 0.0)
    sums = [(np.zeros(4, dtype=np.int64), np.zeros(4), np.zeros((4, 3)), np.zeros((4, 3))) for _ in range(2)]
    rows = side_by_side(X, None)
    add_shared(*rows, centres, 2.0, *sums[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        add_shared.plain(*rows, centres, 2.0, *sums[1])
    for a, b in zip(*sums, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13)


@pytest.mark.parametrize("m", [2.0, 1.5])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_passes_over_rows_in_memory_are_those_of_moments(m: float, weighted: bool, offset: float) -> None:
    X, _ = _rows(301, offset)
    centres, w = X[:4] + np.array([0.0, 0.25, 0.5]), np.arange(301) % 3 + 0.0
    centres[0] = X[0]
    source = MemorySource(open_table(X), open_table(X).infer(), None, w if weighted else None)
    with whole(WORTH):
        rows = FuzzyRows.of(source, 4)
    assert rows is not None
    assert FuzzyRows.of(replace(source, note=object()), 4) is None
    model, way = FuzzyCentres(centres, m=m), FuzzyPass()
    mine, spread = way.over_rows(rows, model)
    theirs, variance = way.over(source, model)
    np.testing.assert_allclose(mine.centres - offset, theirs.centres - offset, rtol=0, atol=1e-12 + 1e-15 * offset)
    np.testing.assert_allclose(mine.weight, theirs.weight, rtol=1e-12)
    np.testing.assert_allclose([mine.inertia, spread()], [theirs.inertia, variance()], rtol=1e-8 if offset else 1e-12)
    squares = ((X[:, None, :] - centres) ** 2).sum(axis=2)
    J = ((memberships_of(squares, m) ** m * squares).sum(axis=1) * (w if weighted else 1.0)).sum()
    np.testing.assert_allclose(mine.inertia, J, rtol=1e-13)


def test_threads_change_no_digit() -> None:
    X = np.random.default_rng(4).normal(size=(70_001, 3))
    rows = FuzzyRows(X, np.ones(len(X)), 1)
    one, three = (rows._replace(threads=threads).over(FuzzyCentres(X[:4], m=2.0)) for threads in (1, 3))
    np.testing.assert_array_equal(one.first, three.first)
    np.testing.assert_array_equal([*one.weight, one.J], [*three.weight, three.J])


def test_a_large_table_ends_where_memberships_say() -> None:
    X = np.random.default_rng(3).normal(size=(80_000, 5)) + 3.0 * (np.arange(80_000) % 2)[:, None]
    model = FuzzyCMeans(2, init=X[:2], tol=0.0, max_iter=4)
    with pytest.warns(UserWarning, match="centres still move"):
        model.fit(X)
    u = model.memberships(X) ** 2
    with pytest.warns(UserWarning, match="centres still move"):
        after = FuzzyCMeans(2, init=model.cluster_centers_, tol=0.0, max_iter=1).fit(X)
    np.testing.assert_allclose(after.cluster_centers_, (u.T @ X) / u.sum(axis=0)[:, None], rtol=0, atol=1e-12)
