"""Products in tiles against BLAS, exact rationals and one another: components, weights, columns beside, nasty rows."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from suffice.core.errors import BadInput
from suffice.core.shares import Shares
from suffice.numerics import loop
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.sharp_products import sharp_moments
from suffice.summaries.soft_products import SoftProducts
from suffice.summaries.tiled_products import tiled_products

RNG = np.random.default_rng(3)


def both(X: Any, R: Shares, beside: Any = None, of: Any = FullMoments.of) -> Iterator[FullMoments]:
    """By NumPy and by the loop."""
    for cells in (0, loop.WORTH):
        with loop.whole(cells):
            yield of(X, R, np.append(X[0], [] if beside is None else beside[0]), beside)


def assert_same(a: FullMoments, b: FullMoments, rtol: float = 1e-13) -> None:
    assert a.rows.tolist() == b.rows.tolist()
    assert (a.weight.value == b.weight.value).all()
    np.testing.assert_allclose(a.mean.value, b.mean.value, rtol=rtol, atol=rtol)
    length = np.sqrt(np.diagonal(b.scatter.value, axis1=1, axis2=2))
    size = length[:, :, None] * length[:, None, :]
    assert (np.abs(a.scatter.value - b.scatter.value) <= rtol * size).all()


@pytest.mark.parametrize("n", [1, 63, 64, 65, 1000, 9000])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("K", [1, 3])
def test_the_loop_is_blas(n: int, weighted: bool, K: int) -> None:
    X, y = RNG.normal(size=(n, 5)), RNG.normal(size=(n, 2))
    w = RNG.integers(0, 3, n).astype(float) if weighted else None
    R = Shares.hard(RNG.integers(-1, K, n).astype(np.int32), K, w)
    assert_same(*both(X, R, y))


@pytest.mark.parametrize("d", [1, 7, 8, 63, 64, 65, 255, 256, 300])
def test_any_number_of_columns(d: int) -> None:
    X = RNG.normal(size=(150, d))
    assert_same(*both(X, Shares.hard(np.zeros(150, dtype=np.int32), 1)))


@pytest.mark.parametrize("kind", ["soft", "F", "float32", "strided", "ints"])
def test_rows_and_shares_of_any_make(kind: str) -> None:
    X = RNG.normal(size=(200, 4))
    R = Shares.hard(np.zeros(200, dtype=np.int32), 1)
    if kind == "soft":
        R = Shares.soft(RNG.dirichlet(np.ones(3), 200))
    else:
        X = {
            "F": np.asfortranarray(X),
            "float32": X.astype(np.float32),
            "strided": np.repeat(X, 2, axis=1)[:, ::2],
            "ints": np.rint(9 * X).astype(int),
        }[kind]
    assert_same(*both(X, R))


@pytest.mark.parametrize("apart", [1e4, 1e8])
def test_components_far_from_one_another_and_constant_columns(apart: float) -> None:
    X = np.round(RNG.normal(size=(500, 3)), 3)
    codes = RNG.integers(0, 2, 500).astype(np.int32)
    X[codes == 1] += apart
    X[:, 2] = 0.1
    for kept in both(X, Shares.hard(codes, 2)):
        assert (kept.scatter.value[:, 2] == 0.0).all()
        for k in (0, 1):
            assert kept.covariance[k] == pytest.approx(np.cov(X[codes == k].T, bias=True), rel=1e-7, abs=1e-7)


def test_rows_that_leave_where_they_began_go_the_other_way() -> None:
    """The first rows say where the centre is; those that follow lie 1e6 of their widths away."""
    X = np.concatenate([RNG.normal(size=(64, 2)), 1e6 + RNG.normal(size=(5, 2)), 1e6 + RNG.normal(size=(5000, 2))])
    assert_same(*both(X, Shares.hard(np.zeros(len(X), dtype=np.int32), 1)))
    found = tiled_products(X[:64], X[:64, :0], Shares.hard(np.zeros(64, dtype=np.int32), 1))
    centre, rows, weight, first, second = found
    assert (rows.tolist(), weight.tolist()) == ([64], [64.0])
    assert first[0] == pytest.approx(np.zeros(2), abs=1e-12)
    assert second[0] == pytest.approx((X[:64] - centre[0]).T @ (X[:64] - centre[0]), rel=1e-14)


@pytest.mark.parametrize("cell", [np.nan, np.inf, -np.inf, 1e200])
def test_a_bad_cell_is_refused_unless_it_is_nobodys(cell: float) -> None:
    X = RNG.normal(size=(300, 3))
    X[200, 1] = cell
    codes = np.zeros(300, dtype=np.int32)
    with loop.whole(loop.WORTH), pytest.raises(BadInput, match="column 1"):
        FullMoments.of(X, Shares.hard(codes, 1))
    codes[200] = -1
    with loop.whole(loop.WORTH):
        assert FullMoments.of(X, Shares.hard(codes, 1)).rows.tolist() == [299]


@pytest.mark.parametrize("offset", [0.0, 3.0, 1e8])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [5, 200])
def test_sharp_tiles_against_exact_rationals(offset: float, weighted: bool, n: int) -> None:
    X = RNG.normal(size=(n, 3)) * [1.0, 1e-3, 1e5] + offset
    w = RNG.uniform(0.5, 2.0, n) if weighted else None
    R = Shares.hard(np.zeros(n, dtype=np.int32), 1, w)
    true = rational_scatter(X, np.ones(n) if w is None else w)
    for kept in both(X, R, of=sharp_moments):
        S = kept.scatter
        for i in range(3):
            for j in range(3):
                found = Fraction(float(S.high[0, i, j])) + Fraction(float(S.low[0, i, j]))
                assert float(abs(found - true[i][j])) < 2.0**-84 * float(true[i][i] * true[j][j]) ** 0.5


def test_sharp_tiles_of_components_with_columns_beside() -> None:
    X, y = RNG.normal(1.0, size=(400, 4)), RNG.normal(5.0, size=(400, 1))
    X[:, 3] = 7.0
    R = Shares.hard(RNG.integers(-1, 3, 400).astype(np.int32), 3, RNG.integers(0, 2, 400).astype(float))
    assert_same(*both(X, R, y, of=sharp_moments), rtol=2.0**-52)


@pytest.mark.parametrize("n", [1, 64, 1000])
def test_soft_products_are_full_moments(n: int) -> None:
    X, share = RNG.normal(size=(n, 3)), RNG.dirichlet(np.ones(4), n)
    share[share < 0.1] = 0.0
    sums = SoftProducts(RNG.normal(size=(4, 3)))
    for some in np.array_split(np.arange(n), 3):
        sums.add(X[some], share[some].T)
    a, b = sums.moments(), FullMoments.of(X, Shares.soft(share))
    assert a.rows.tolist() == b.rows.tolist()
    np.testing.assert_allclose(a.weight.value, b.weight.value, rtol=1e-14)
    np.testing.assert_allclose(a.first.value, b.about(a.shift).first.value, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(a.second.value, b.about(a.shift).second.value, rtol=1e-12, atol=1e-12)


def test_soft_products_say_when_rows_are_far() -> None:
    sums = SoftProducts(np.zeros((1, 2)))
    sums.add(RNG.normal(size=(50, 2)), np.ones((1, 50)))
    assert sums.near()
    sums = SoftProducts(np.zeros((1, 2)))
    sums.add(1e6 + RNG.normal(size=(50, 2)), np.ones((1, 50)))
    assert not sums.near()


def rational_scatter(X: Any, w: Any) -> list[list[Fraction]]:
    rows, weights = [list(map(Fraction, row)) for row in X.tolist()], list(map(Fraction, w.tolist()))
    mean = [sum(a * row[j] for a, row in zip(weights, rows, strict=True)) / sum(weights) for j in range(3)]
    away = [[v - c for v, c in zip(row, mean, strict=True)] for row in rows]
    return [[sum(a * r[i] * r[j] for a, r in zip(weights, away, strict=True)) for j in range(3)] for i in range(3)]
