"""Tiles: machine instructions do what their NumPy says, to the last bit where nothing is rounded."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from suffice.numerics import loop as loops
from suffice.numerics import tiles
from suffice.numerics.loop import loop
from suffice.numerics.tile_code import HIGH, WIDE
from suffice.numerics.tiles import (
    add_big_tile,
    add_product,
    add_sharp_square,
    add_sharp_tile,
    add_small_tile,
    add_square,
    add_tall_tile,
    add_tile,
    ask_for_row,
    buffer,
    put_dots,
    put_tile,
    weigh_row,
    width,
)

RNG = np.random.default_rng(0)


@loop
def one_tile(A, B, G, i, j, rows):  # type: ignore[no-untyped-def]
    add_tile(A, B, G, i, j, rows)


@loop
def big_tile(A, B, G, i, j, rows):  # type: ignore[no-untyped-def]
    add_big_tile(A, B, G, i, j, rows)


@loop
def tall_tile(A, B, G, i, j, rows):  # type: ignore[no-untyped-def]
    add_tall_tile(A, B, G, i, j, rows)


@loop
def small_tile(A, B, G, i, j, rows):  # type: ignore[no-untyped-def]
    add_small_tile(A, B, G, i, j, rows)


@loop
def new_tile(A, B, G, i, j, rows):  # type: ignore[no-untyped-def]
    put_tile(A, B, G, i, j, rows)


@loop
def sharp_tile(A, B, G, E, i, j, rows):  # type: ignore[no-untyped-def]
    add_sharp_tile(A, B, G, E, i, j, rows)


@loop
def square(A, B, G, rows):  # type: ignore[no-untyped-def]
    add_square(A, B, G, rows)


@loop
def product(A, B, G, rows):  # type: ignore[no-untyped-def]
    add_product(A, B, G, rows)


@loop
def ask(X, rows):  # type: ignore[no-untyped-def]
    for r in rows:
        ask_for_row(X, r)
    return X[0, 0]


@loop
def sharp_square(A, B, G, E, rows):  # type: ignore[no-untyped-def]
    add_sharp_square(A, B, G, E, rows)


@loop
def dots(A, B, G, i, j):  # type: ignore[no-untyped-def]
    put_dots(A, B, G, i, j)


@loop
def weigh(X, centre, Z, A, first, r, k, b, w):  # type: ignore[no-untyped-def]
    weigh_row(X, centre, Z, A, first, r, k, b, w)


def whole_numbers(*shape: int) -> np.ndarray:
    """Cells whose products and sums are exact."""
    out = buffer(*shape)
    out[:] = RNG.integers(-9, 10, shape)
    return out


@pytest.mark.parametrize("rows", [1, 2, 7, 64])
@pytest.mark.parametrize(("i", "j"), [(0, 0), (4, 8), (12, 0), (16, 16)])
@pytest.mark.parametrize(
    ("compiled", "plain", "high", "wide"),
    [
        (one_tile, add_tile, HIGH, WIDE),
        (big_tile, add_big_tile, WIDE, WIDE),
        (new_tile, put_tile, HIGH, WIDE),
        (tall_tile, add_tall_tile, WIDE, HIGH),
        (small_tile, add_small_tile, HIGH, HIGH),
    ],
)
def test_a_tile_is_its_numpy(compiled: object, plain: object, high: int, wide: int, i: int, j: int, rows: int) -> None:
    A, B, G = whole_numbers(64, 24), whole_numbers(64, 24), whole_numbers(24, 24)
    mine, other = G.copy(), G.copy()
    compiled(A, B, mine, i, j, rows)  # type: ignore[operator]
    plain(A, B, other, i, j, rows)  # type: ignore[operator]
    assert np.array_equal(mine, other)
    outside = np.ones_like(G, dtype=bool)
    outside[i : i + high, j : j + wide] = False
    assert np.array_equal(mine[outside], G[outside])
    assert not np.array_equal(mine, G)


@pytest.mark.parametrize("columns", [1, 8, 9, 50, 64])
@pytest.mark.parametrize("step", [HIGH, WIDE])
def test_a_square_is_made_on_and_above_the_diagonal(columns: int, step: int) -> None:
    wide = width(columns, step)
    A, B = whole_numbers(30, wide), whole_numbers(30, wide)
    mine, plain = np.zeros((wide, wide)), np.zeros((wide, wide))
    square(A, B, mine, 30)
    add_square(A, B, plain, 30)
    assert np.array_equal(mine, plain)
    assert np.array_equal(np.triu(mine), np.triu(A.T @ B))


@pytest.mark.parametrize("columns", [1, 9, 64])
def test_a_product_is_made_whole(columns: int) -> None:
    wide = width(columns)
    A, B, G = whole_numbers(30, wide), whole_numbers(30, wide), whole_numbers(wide, wide)
    mine, plain = G.copy(), G.copy()
    product(A, B, mine, 30)
    add_product(A, B, plain, 30)
    assert np.array_equal(mine, plain)
    assert np.array_equal(mine, G + A.T @ B)


@pytest.mark.parametrize("X", [np.ones((5, 9)), np.ones((10, 9))[::2], np.ones((9, 5)).T, np.ones((1, 1))])
def test_asking_for_rows_changes_nothing_and_does_no_harm_beyond_the_last(X: np.ndarray) -> None:
    before = X.copy()
    assert ask(X, np.array([0, 4, 5, 10_000, 10**15, -3])) == 1.0
    assert np.array_equal(X, before)
    ask_for_row(X, 3)  # outside of a loop, nothing


def test_sharp_tiles_keep_what_they_round_off() -> None:
    A, B = buffer(40, 8), buffer(40, 8)
    A[:], B[:] = RNG.normal(size=(40, 8)), RNG.normal(size=(40, 8)) * 1e-3
    begun = np.full((8, 8), 1.5 * 2.0**3)
    G, E, plain = begun.copy(), np.zeros((8, 8)), begun.copy()
    sharp_square(A, B, G, E, 40)
    again, rest = begun.copy(), np.zeros((8, 8))
    for i in (0, 4):
        add_sharp_tile(A, B, again, rest, i, 0, 40)
    assert np.array_equal(G, again)
    assert np.array_equal(E, rest)
    square(A, B, plain, 40)
    lost = []
    for i in range(8):
        for j in range(i, 8):
            true = sum(Fraction(a) * Fraction(b) for a, b in zip(A[:, i].tolist(), B[:, j].tolist(), strict=True))
            size = float(np.sqrt((A[:, i] ** 2).sum() * (B[:, j] ** 2).sum()))
            assert abs(Fraction(G[i, j]) - Fraction(12) + Fraction(E[i, j]) - true) < 2.0**-90 * size
            lost.append(abs(float(Fraction(plain[i, j]) - Fraction(12) - true)) > 2.0**-70 * size)
    assert sum(lost) > 30  # of 36: what plain products round off is there to be kept


def test_one_sharp_tile_leaves_the_others_alone() -> None:
    A = whole_numbers(5, 16)
    G, E = np.full((16, 16), 1.5 * 2.0**20), np.zeros((16, 16))
    sharp_tile(A, A, G, E, 4, 8, 5)
    assert np.array_equal(G[4:8, 8:16] - 1.5 * 2.0**20, A[:, 4:8].T @ A[:, 8:16])
    assert (np.delete(G, np.s_[4:8], axis=0) == 1.5 * 2.0**20).all()
    assert not E.any()


def test_products_of_rows() -> None:
    A, B, G = whole_numbers(8, 24), whole_numbers(4, 24), whole_numbers(4, 8)
    mine, plain = G.copy(), G.copy()
    dots(A, B, mine, 4, 2)
    put_dots(A, B, plain, 4, 2)
    assert np.array_equal(mine, plain)
    assert np.array_equal(mine[2:4, 4:8], B[2:4] @ A[4:8].T)
    mine[2:4, 4:8] = G[2:4, 4:8]
    assert np.array_equal(mine, G)


def test_arrays_in_pieces_are_refused() -> None:
    A = whole_numbers(8, 16)
    with pytest.raises(Exception, match="every array must lie in one piece"):
        one_tile(A[:, ::2], A[:, ::2], np.zeros((8, 8)), 0, 0, 8)


def test_a_row_is_weighed() -> None:
    X, centre, Z, A, first = (whole_numbers(6, 24) for _ in range(5))
    before = Z.copy(), A.copy(), first.copy()
    weigh(X, centre, Z, A, first, 2, 3, 1, 0.5)
    plain = tuple(part.copy() for part in before)
    weigh_row(X, centre, *plain, 2, 3, 1, 0.5)
    for mine, other in zip((Z, A, first), plain, strict=True):
        assert np.array_equal(mine, other)


def test_buffers_begin_where_vectors_may() -> None:
    for shape in ((3, 8), (2, 5, 56), (1, 8)):
        made = buffer(*shape)
        assert made.shape == shape
        assert made.ctypes.data % 64 == 0
        assert made.flags.c_contiguous
        assert not made.any()
    assert all(width(columns) >= columns and width(columns) % WIDE == 0 for columns in range(1, 300))
    assert all(width(columns) % 64 for columns in range(1, 300))


def test_vectors_of_four_and_of_eight_lanes_say_the_same_to_the_last_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    A, B = (buffer(64, 24) for _ in range(2))
    A[:], B[:] = RNG.normal(size=(2, 64, 24))
    found = []
    for lanes in (4, tiles.longest()):
        monkeypatch.setattr(tiles, "longest", lambda lanes=lanes: lanes)
        big, sums, rests = buffer(24, 24), buffer(24, 24), buffer(24, 24)
        sums[:] = 2.0**60
        loops._compile(big_tile.plain, cached=False)(A, B, big, 8, 16, 64)
        loops._compile(sharp_tile.plain, cached=False)(A, B, sums, rests, 4, 8, 64)
        found.append((big, sums, rests))
    for short, long in zip(*found, strict=True):
        assert np.array_equal(short, long)
    np.testing.assert_allclose(found[0][0][8:16, 16:24], A[:, 8:16].T @ B[:, 16:24], rtol=1e-12, atol=1e-12)
