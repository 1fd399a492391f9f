"""Products that are compared in registers, and rows side by side: machine instructions do what their NumPy says."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.numerics import tile_code
from suffice.numerics.least_products import BROAD, least_products, squared_distance, turn_rows
from suffice.numerics.loop import Loop, loop
from suffice.numerics.tiles import buffer

RNG = np.random.default_rng(0)


def _least(A, B, found, i, j):  # type: ignore[no-untyped-def]
    least_products(A, B, found, i, j)


@loop
def turned(X, rows, count, middle, B):  # type: ignore[no-untyped-def]
    turn_rows(X, rows, count, middle, B)


@loop
def gap(X, Z, i, k):  # type: ignore[no-untyped-def]
    return squared_distance(X, Z, i, k)


def whole_numbers(*shape: int, limit: int = 9, kind: type = np.float64) -> np.ndarray:
    """Cells whose products and sums are exact; small ones have many ties."""
    out = buffer(*shape, kind=kind)
    out[:] = RNG.integers(-limit, limit + 1, shape)
    return out


def _empty(kind: type) -> np.ndarray:
    found = buffer(4, 72, kind=kind)
    found[:2], found[2] = np.inf, 0.0
    return found


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("lanes", [4, 8])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_least_two_and_the_first_of_equals(lanes: int, d: int, kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("suffice.numerics.least_products.longest", lambda: lanes)  # any processor can do with any
    compiled = Loop(_least) if lanes == tile_code.longest() else _compiled_anew()
    A, B = whole_numbers(d + 1, 16, limit=1, kind=kind), whole_numbers(d, 72, limit=1, kind=kind)
    mine, theirs = _empty(kind), _empty(kind)
    A[d, 13:] = np.inf  # columns that are not there
    for i in range(0, 16, 4):
        compiled(A, B, mine, i, BROAD)
        least_products(A, B, theirs, i, BROAD)
    np.testing.assert_array_equal(mine, theirs)
    here = slice(BROAD, 2 * BROAD)
    x = np.sort((A[:d, :13].T @ B[:, here]) + A[d, :13, None], axis=0)
    products = (A[:d, :13].T @ B[:, here]) + A[d, :13, None]
    np.testing.assert_array_equal(mine[:2, here], x[:2])
    np.testing.assert_array_equal(mine[2, here], products.argmin(axis=0))
    assert np.isinf(mine[:2, :BROAD]).all()
    assert np.isinf(mine[:2, 2 * BROAD :]).all()


def _compiled_anew() -> Loop:
    """A function of its own, as one that was compiled for other lanes is kept."""

    def another(A, B, found, i, j):  # type: ignore[no-untyped-def]
        least_products(A, B, found, i, j)

    return Loop(another)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("d", [1, 3, 4, 6, 8, 17])
@pytest.mark.parametrize("count", [1, 4, 6, 64])
def test_rows_side_by_side(d: int, count: int, kind: type) -> None:
    X, middle, B = whole_numbers(50, d, kind=kind), whole_numbers(d, kind=kind), buffer(d, 72, kind=kind)
    rows = RNG.integers(0, 50, count)
    B[:] = np.nan
    turned(X, rows, count, middle, B)
    np.testing.assert_array_equal(B[:, :count], (X[rows] - middle).T)
    behind = -count % 4
    np.testing.assert_array_equal(B[:, count : count + behind], np.repeat(B[:, count - 1 : count], behind, axis=1))
    assert np.isnan(B[:, count + behind :]).all()
    plain = buffer(d, 72, kind=kind)
    turn_rows(X, rows, count, middle, plain)
    np.testing.assert_array_equal(plain[:, : count + behind], B[:, : count + behind])


@pytest.mark.parametrize("d", [1, 3, 4, 6, 17])
def test_a_squared_distance(d: int) -> None:
    X, Z = whole_numbers(5, d), whole_numbers(3, d)
    label = np.array([2], dtype=np.int32)[0]
    assert gap(X, Z, 4, label) == squared_distance(X, Z, 4, label) == ((X[4] - Z[2]) ** 2).sum()
