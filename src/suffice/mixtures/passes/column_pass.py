"""A pass over many complete rows under normals whose columns vary alone: one loop, 64 rows at a time.

    log tau_k p(x | k) = h_k - sum_j a_kj (x_j - m_kj)^2,      sums_k = sum_i r_ik (z, z^2),    z = x_i - m_k

As in `tiled_pass`, sums are about the mean that each component has in the pass, from the differences themselves, and
nothing of size n K leaves the cache. So are densities where means lie far apart; where they do not, rows less a common
centre are scaled and moved by one fused operation a cell, which is half the work:

    a_kj (x_j - m_kj)^2 = (s_kj (x_j - c_j) - l_kj)^2,      s^2 = a,    l = s (m - c)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact, two_sum
from suffice.families.normals.normal import Normals
from suffice.mixtures.passes.row_shares import divide_rows
from suffice.numerics.loop import fma, inner, loop
from suffice.numerics.tile_code import WIDE
from suffice.numerics.tiles import AHEAD, ROWS, add_spread, ask_for_row, buffer, width
from suffice.summaries.moments import Moments
from suffice.summaries.shifted_sums import keeps_digits, move
from suffice.summaries.tiled_products import FOLD

DEEP = 4  # columns that are gone over at a time
CLOSE = 1024.0  # standard deviations from the centre to which a fused operation loses less than 1e-12 of one


class ColumnSums:
    """Parameters of the components, padded to whole tiles, and the sums of a pass."""

    def __init__(self, normals: Normals, log_weights: Array) -> None:
        """Sums are about the means."""
        height, half = normals.terms
        K, self.d = half.shape
        wide = width(self.d)
        self.high, self.low, self.half = buffer(3, K, wide)
        for mine, theirs in zip((self.high, self.low, self.half), (*normals.mean, half), strict=True):
            mine[:, : self.d] = theirs
        self.centre, self.root, self.level = buffer(wide), buffer(K, wide), buffer(K, wide)
        self._scale(normals.mean, half)
        self.base = height.sum(axis=1) + log_weights
        self.rows, self.weights = np.zeros(K, dtype=np.int64), np.zeros((K, ROWS))
        self.sums, self.some = buffer(2, K, wide), buffer(2, K, wide)
        self.cells, self.side, self.share = buffer(ROWS, wide), buffer(wide, ROWS), buffer(K, ROWS)

    def _scale(self, mean: Pair, half: Array) -> None:
        """Fused parameters, where all means are close to each other."""
        with np.errstate(over="ignore", invalid="ignore"):  # means too far apart to be close
            centre, root = mean.high.mean(axis=0), np.sqrt(half)
            level = root * ((mean.high - centre) + mean.low)
        if (np.abs(level) <= CLOSE).all():
            self.centre[: self.d], self.root[:, : self.d], self.level[:, : self.d] = centre, root, level
            self.half = buffer(0, self.half.shape[1])

    def loan(self) -> tuple[Array, ...]:
        """What the loop is called with."""
        given = self.high, self.low, self.half, self.base, self.centre, self.root, self.level
        return *given, self.cells, self.side, self.share, self.rows, self.weights, *self.some, *self.sums

    @property
    def weight(self) -> Array:
        """Of each component (K,)."""
        return np.asarray(self.weights.sum(axis=1))

    def near(self) -> bool:
        """Whether the rows of every component lie so near its mean that no digits are lost."""
        first, second = self.sums[:, :, : self.d]
        return bool(keeps_digits(self.weight[:, None], first, second).all())

    def moments(self) -> Moments:
        """All of them about the mean of the first component, moved there as pairs."""
        centre, shape = self.high[:, : self.d], (len(self.rows), self.d)
        first, second = (exact(np.ascontiguousarray(half[:, : self.d])) for half in self.sums)
        weight = exact(np.broadcast_to(self.weight[:, None], shape).copy())
        sums = move(weight, first, second, two_sum(centre, -centre[0]))
        return Moments(centre[0].copy(), np.broadcast_to(self.rows[:, None], shape).copy(), weight, *sums)


def column_sums(X: Array, w: Array | None, normals: Any, log_weights: Array, hard: bool) -> tuple[ColumnSums, Any, int]:
    """Sums of rows (n, d), what they add to the log-likelihood, and how many are impossible."""
    sums = ColumnSums(normals, log_weights)
    return sums, *_add_rows(X, w, hard, *sums.loan())


@loop
def _add_rows(  # type: ignore[no-untyped-def]
    X,
    w,
    hard,
    high,
    low,
    half,
    base,
    centre,
    root,
    level,
    cells,
    side,
    share,
    rows,
    weights,
    some,
    squares,
    first,
    second,
):
    """Log densities, then shares in their place, then sums; and how many rows are impossible."""
    n, d = X.shape
    K = base.shape[0]
    top, total = np.zeros(ROWS), np.zeros(ROWS)
    height, odd = 0.0, 0
    for start in range(0, n, ROWS):
        here = min(ROWS, n - start)
        for r in range(here):
            ask_for_row(X, start + r + AHEAD)
            for j in range(d):
                cells[r, j] = X[start + r, j]
                side[j, r] = X[start + r, j] - centre[j]
        if len(half):
            log_columns(side, high, low, half, base, (d + DEEP - 1) // DEEP, share)
        else:
            log_close_columns(side, root, level, base, (d + DEEP - 1) // DEEP, share)
        added, strange = divide_rows(share, hard, w, start, here, top, total)
        height += added
        odd += strange
        for k in range(K):
            met = 0
            for r in range(here):
                met += share[k, r] != 0.0
                weights[k, r] += share[k, r]
            rows[k] += met
            if met > 0:
                for j in range(0, d, WIDE):
                    add_spread(cells, high, share, some, squares, k, j, here)
        if (start // ROWS) % FOLD == FOLD - 1 or start + ROWS >= n:
            first += some
            second += squares
            some[:] = 0.0
            squares[:] = 0.0
    return height, odd


@inner
def log_columns(side: Array, high: Array, low: Array, half: Array, base: Array, runs: int, out: Array) -> None:
    """out[k, r] = base_k - sum_j half_kj (side[j, r] - mean_kj)^2, four columns at a time."""
    for k in range(len(base)):
        for r in range(ROWS):
            out[k, r] = base[k]
        for run in range(runs):
            j = DEEP * run
            m0, m1, m2, m3 = high[k, j], high[k, j + 1], high[k, j + 2], high[k, j + 3]
            e0, e1, e2, e3 = low[k, j], low[k, j + 1], low[k, j + 2], low[k, j + 3]
            a0, a1, a2, a3 = half[k, j], half[k, j + 1], half[k, j + 2], half[k, j + 3]
            for r in range(ROWS):
                z0, z1 = (side[j, r] - m0) - e0, (side[j + 1, r] - m1) - e1
                z2, z3 = (side[j + 2, r] - m2) - e2, (side[j + 3, r] - m3) - e3
                one = fma(-a1 * z1, z1, fma(-a0 * z0, z0, out[k, r]))
                out[k, r] = fma(-a3 * z3, z3, fma(-a2 * z2, z2, one))


@inner
def log_close_columns(side: Array, root: Array, level: Array, base: Array, runs: int, out: Array) -> None:
    """out[k, r] = base_k - sum_j (root_kj side[j, r] - level_kj)^2, four columns at a time."""
    for k in range(len(base)):
        for r in range(ROWS):
            out[k, r] = base[k]
        for run in range(runs):
            j = DEEP * run
            s0, s1, s2, s3 = root[k, j], root[k, j + 1], root[k, j + 2], root[k, j + 3]
            l0, l1, l2, l3 = level[k, j], level[k, j + 1], level[k, j + 2], level[k, j + 3]
            for r in range(ROWS):
                z0, z1 = fma(s0, side[j, r], -l0), fma(s1, side[j + 1, r], -l1)
                z2, z3 = fma(s2, side[j + 2, r], -l2), fma(s3, side[j + 3, r], -l3)
                one = fma(-z1, z1, fma(-z0, z0, out[k, r]))
                out[k, r] = fma(-z3, z3, fma(-z2, z2, one))
