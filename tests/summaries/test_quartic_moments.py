"""Products of squares, by BLAS and in tiles, against exact rationals and one another."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from math import fsum, prod

import numpy as np
import pytest

from suffice.core.block import Array
from suffice.core.errors import BadInput
from suffice.core.shares import Shares
from suffice.numerics import loop
from suffice.summaries import quartic_moments
from suffice.summaries.quartic_moments import QuarticMoments

RNG = np.random.default_rng(8)


def both(X: Array, R: Shares) -> Iterator[QuarticMoments]:
    """By NumPy and by the loop."""
    for cells in (0, loop.WORTH):
        with loop.whole(cells):
            yield QuarticMoments.of(X, R)


def rational_central(X: Array, w: Array) -> Array:
    """Sums of w u_j^2 u_l^2 about the mean, without rounding before the end."""
    rows, weights = [list(map(Fraction, row)) for row in X.tolist()], list(map(Fraction, w.tolist()))
    d, total = len(rows[0]), sum(weights)
    mean = [sum(a * row[j] for a, row in zip(weights, rows, strict=True)) / total for j in range(d)]
    squares = [[(row[j] - mean[j]) ** 2 for row in rows] for j in range(d)]
    return np.array([[float(sum(map(prod, zip(weights, a, b, strict=True)))) for a in squares] for b in squares])


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [2, 64, 65, 200])
def test_against_exact_rationals(n: int, weighted: bool, offset: float) -> None:
    X = RNG.normal(size=(n, 3)) * [1.0, 10.0, 1e4] + offset
    w = RNG.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    true = rational_central(X, w)
    R = Shares.hard(np.zeros(n, dtype=np.int32), 1, w if weighted else None)
    for found in both(X, R):
        np.testing.assert_allclose(found.central[0], true, rtol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("apart", [0.0, 1000.0])
def test_components_halves_and_forgetting_against_exact_rationals(offset: float, apart: float) -> None:
    rng = np.random.default_rng(2)
    codes, w = rng.integers(0, 2, 40), rng.uniform(0.5, 2.0, 40)
    cells = np.rint(rng.normal(size=(40, 3)) * [1.0, 2.0, 0.1] * 2.0**20) / 2.0**20 + offset
    cells[codes == 1] += apart
    R = Shares.hard(codes, 2, w)
    halves = QuarticMoments.of(cells[:15], R[:15]) + QuarticMoments.of(cells[15:], R[15:])
    again = (halves + QuarticMoments.of(cells[:9], R[:9])) - QuarticMoments.of(cells[:9], R[:9])
    for k in range(2):
        true = rational_central(cells[codes == k], w[codes == k])
        for found in (QuarticMoments.of(cells, R), halves, again):
            np.testing.assert_allclose(found.central[k], true, rtol=1e-12)


@pytest.mark.parametrize("n", [1, 63, 1000, 9000])
@pytest.mark.parametrize("shares", ["hard", "weighted", "soft"])
def test_the_loop_is_blas(n: int, shares: str) -> None:
    X, codes = RNG.normal(size=(n, 9)), RNG.integers(-1, 3, n).astype(np.int32)
    R = {
        "hard": Shares.hard(codes, 3),
        "weighted": Shares.hard(codes, 3, RNG.integers(0, 3, n).astype(float)),
        "soft": Shares.soft(RNG.dirichlet(np.ones(3), n)),
    }[shares]
    a, b = both(X, R)
    assert a.full.rows.tolist() == b.full.rows.tolist()
    assert a.full.weight.value.tolist() == b.full.weight.value.tolist()
    for mine, other in ((a.full.second, b.full.second), (a.third, b.third), (a.fourth, b.fourth)):
        np.testing.assert_allclose(mine.value, other.value, rtol=1e-12, atol=1e-11 * n)
    assert np.array_equal(b.fourth.value, np.swapaxes(b.fourth.value, 1, 2))
    np.testing.assert_allclose(a.central, b.central, rtol=1e-11)


def test_rows_far_from_where_they_began_go_the_other_way(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.concatenate([RNG.normal(size=(64, 2)), 1e6 + RNG.normal(size=(80_000, 2))])
    R, asked = Shares.hard(np.zeros(len(X), dtype=np.int32), 1), []
    plain = quartic_moments._chunk
    monkeypatch.setattr(quartic_moments, "_chunk", lambda *given: (asked.append(1), plain(*given))[1])
    a, b = both(X, R)
    assert len(asked) == 2 * 5  # chunks, of which the loop asked for half
    np.testing.assert_allclose(a.central, b.central, rtol=1e-12)


@pytest.mark.parametrize("cell", [np.nan, np.inf, 1e80])
def test_a_cell_that_is_missing_or_too_large_is_refused_unless_it_is_nobodys(cell: float) -> None:
    X, codes = RNG.normal(size=(300, 3)), np.zeros(300, dtype=np.int32)
    X[200, 1] = cell
    for worth in (0, loop.WORTH):
        codes[200] = 0
        with (
            loop.whole(worth),
            pytest.raises(BadInput, match=r"X: column 1 must be present and at most .* for fourth powers, got"),
        ):
            QuarticMoments.of(X, Shares.hard(codes, 1))
        codes[200] = -1
        with loop.whole(worth):
            assert QuarticMoments.of(X, Shares.hard(codes, 1)).full.rows.tolist() == [299]


@pytest.mark.parametrize("offset", [0.0, 1e8, -1e8])
def test_one_column_of_many_chunks_is_what_the_general_way_says(offset):
    rng = np.random.default_rng(11)
    X = np.sort(rng.gamma(2.0, size=(50_000, 1)), axis=0) + offset  # sorted: chunks have means of their own
    got = QuarticMoments.of(X, Shares.hard(np.zeros(50_000, dtype=np.int32), 1))
    whole = QuarticMoments.of(X, Shares.hard(np.zeros(50_000, dtype=np.int32), 2))
    assert got.full.rows[0] == 50_000
    u = X[:, 0] - offset
    exact = u - fsum(u) / len(u)
    for power, mine, other in (
        (2, got.full.scatter.value[0, 0, 0], whole.full.scatter.value[0, 0, 0]),
        (3, got.third_central[0, 0], whole.third_central[0, 0]),
        (4, got.central[0, 0, 0], whole.central[0, 0, 0]),
    ):
        assert mine == pytest.approx(fsum(exact**power), rel=2e-12)
        assert mine == pytest.approx(other, rel=1e-12)


def test_a_mean_is_rounded_once_wherever_the_shift_lies_and_however_rows_are_cut() -> None:
    """10 / 3 to the last place: both halves of its pair are read."""
    for shift in np.linspace(-10.0, 10.0, 81):
        for rows in permutations([5.0, 3.0, 2.0]):
            X, c = np.array(rows)[:, None], np.array([shift])
            parts = [
                QuarticMoments.of(x, Shares.hard(np.zeros(len(x), dtype=np.int32), 1), c) for x in (X[:1], X[1:], X)
            ]
            for found in (parts[0] + parts[1], parts[2]):
                assert found.full.mean.value[0, 0] == 10.0 / 3.0
