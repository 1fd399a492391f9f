"""Cells of columns of counts: whole numbers within bounds. Moments would not show others, so each is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadInput, Said, bad
from suffice.core.shares import Shares
from suffice.numerics.loop import CHUNK, loop, pays


class CountCells(NamedTuple):
    """What the cells of a family must be.

    >>> CountCells("Poisson", 0.0).check(np.array([[2.0], [2.5]]), Shares.hard(np.array([0, 0]), 1), ("visits",), 100)
    Traceback (most recent call last):
        ...
    suffice.core.errors.BadInput: Poisson: the cells of column 'visits' must be whole numbers of at least 0, got 2.5 \
in row 101. Correct the cell, mark it as missing or choose another family.
    """

    owner: str
    lowest: float
    highest: float = np.inf

    def check(self, part: Array, R: Shares, names: Sequence[Any] = (), start: int = 0) -> None:
        """Refuse the first cell that is none, of a row that anybody claims; `start` is the number of the first row."""
        for a in range(0, len(part), CHUNK):
            x = np.asarray(part[a : a + CHUNK], dtype=np.float64)
            if self._any(x):
                odd = self.odd(x) & R[a : a + CHUNK].claimed[:, None]
                for row, column in np.argwhere(odd)[:1].tolist():
                    raise self._refused(x[row, column], names[column] if names else column, start + a + row)

    def odd(self, x: Array) -> Array:
        """Which cells are present and no such counts."""
        return np.asarray((x < self.lowest) | (x > self.highest) | ((x != np.floor(x)) & (x == x)))

    def _any(self, x: Array) -> bool:
        if pays(x.size):
            return bool(_any_odd(np.ascontiguousarray(x), self.lowest, self.highest))
        return bool(self.odd(x).any())

    def _refused(self, cell: float, column: Any, row: int) -> BadInput:
        bounded = np.isfinite(self.highest)
        rule = f"from {self.lowest:g} to {self.highest:g}" if bounded else f"of at least {self.lowest:g}"
        return bad(
            self.owner,
            f"the cells of column {column!r}",
            f"whole numbers {rule}",
            Said(f"{cell} in row {row}"),
            "Correct the cell, mark it as missing or choose another family.",
        )


@loop
def _any_odd(X, lowest, highest):  # type: ignore[no-untyped-def]
    """Whether any cell is present and no count."""
    n, d = X.shape
    for i in range(n):
        odd = 0
        for j in range(d):
            x = X[i, j]
            odd += (x < lowest) | (x > highest) | ((x != np.floor(x)) & (x == x))
        if odd:
            return True
    return False
