"""Products of columns of rows that are shared among components, about a centre for each, by a loop."""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import exact, two_sum
from suffice.core.moved_sums import moved
from suffice.numerics.loop import inner, loop
from suffice.numerics.tiles import ROWS, add_square, buffer, mirrored, weigh_row, width
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.shifted_sums import keeps_digits
from suffice.summaries.tiled_products import FOLD


class SoftProducts:
    """Sums over rows that come by and by, of which share[k] belongs to component k."""

    def __init__(self, centre: Array) -> None:
        """Sums are about centre[k] (K, d)."""
        (K, self.d), wide = centre.shape, width(centre.shape[1])
        self.rows, self.weight = np.zeros(K, dtype=np.int64), np.zeros(K)
        self.centre, self.first = buffer(2, K, wide)
        self.centre[:, : self.d] = centre
        self.some, self.second = buffer(2, K, wide, wide)
        self.cells, self.away, self.heavy = buffer(3, ROWS, wide)

    def add(self, X: Array, share: Array) -> None:
        """Add rows X (n, d) with shares (K, n)."""
        X, share = (np.ascontiguousarray(part, dtype=np.float64) for part in (X, share))
        _add_soft(X, share, *self.loan(), self.second)

    def loan(self) -> tuple[Array, ...]:
        """What `add_shared` is called with."""
        return self.centre, self.cells, self.away, self.heavy, self.rows, self.weight, self.first, self.some

    def near(self) -> bool:
        """Whether the rows of every component lie so near its centre that no digits are lost."""
        squares = np.diagonal(self.second, axis1=1, axis2=2)
        return bool(keeps_digits(self.weight[:, None], self.first, squares).all())

    def moments(self) -> FullMoments:
        """All of them, as pairs."""
        centre, first, weight = self.centre[:, : self.d], self.first[:, : self.d], exact(self.weight)
        second = mirrored(self.second[:, : self.d, : self.d])
        sums = moved(weight, exact(first), exact(second), two_sum(centre, -centre[0]))
        return FullMoments(centre[0].copy(), self.rows, weight, *sums)


@loop
def _add_soft(  # type: ignore[no-untyped-def]
    X, share, centre, cells, away, heavy, rows, weight, first, some, second
):
    """Rows by the dozen."""
    n, d = X.shape
    for start in range(0, n, ROWS):
        here = min(ROWS, n - start)
        for r in range(here):
            for j in range(d):
                cells[r, j] = X[start + r, j]
        add_shared(here, share, start, centre, cells, away, heavy, rows, weight, first, some)
        if (start // ROWS) % FOLD == FOLD - 1 or start + ROWS >= n:
            second += some
            some[:] = 0.0


@inner
def add_shared(
    n: int,
    share: Array,
    start: int,
    centre: Array,
    cells: Array,
    away: Array,
    heavy: Array,
    rows: Array,
    weight: Array,
    first: Array,
    some: Array,
) -> None:
    """Add the first n rows of `cells`, component by component; a row of no share takes no time."""
    for k in range(centre.shape[0]):
        b = 0
        total = 0.0
        for r in range(n):
            w = share[k, start + r]
            if w != 0.0:
                weigh_row(cells, centre, away, heavy, first, r, k, b, w)
                total += w
                b += 1
        if b > 0:
            add_square(heavy, away, some[k], b)
            rows[k] += b
            weight[k] += total
