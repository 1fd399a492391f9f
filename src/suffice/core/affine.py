"""Maps of columns: what scalers and encoders do to rows, and `push` does to what is kept of them.

z = (x - centre) / scale,     or     z = 1 if x is the category v, else 0

The law of every `push`: what is kept of mapped rows is what was kept of the rows, pushed. About its shift c a summary
holds x - c, and z - (c - centre) / scale is (x - c) / scale: a column far from 0 costs no digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact, two_sum


@dataclass(frozen=True)
class Affine:
    """One centre and one scale, never 0, a column.

    >>> Affine(("age",), np.array([40.0]), np.array([10.0])).rows(np.array([[45.0], [20.0]])).tolist()
    [[0.5], [-2.0]]
    """

    names: tuple[Any, ...]  # of the columns
    centre: Array  # (d,)
    scale: Array  # (d,)

    def rows(self, X: Array) -> Array:
        """Rows (n, d), mapped."""
        return np.asarray((X - self.centre) / self.scale)

    def shift(self, c: Array) -> Pair:
        """Where a shift goes (d,): the high half is the new shift, by the low one rows still lie beside it."""
        return two_sum(c, -self.centre) / exact(self.scale)

    def at(self, names: tuple[Any, ...]) -> Affine:
        """The map of some columns, in their order; those it does not know stay as they are."""
        place = {name: j for j, name in enumerate(self.names)}
        known = [place.get(name, -1) for name in names]
        centre, scale = np.append(self.centre, 0.0)[known], np.append(self.scale, 1.0)[known]
        return Affine(names, centre, scale)

    def beside(self, more: int) -> Affine:
        """The same, with so many columns beside that stay as they are."""
        names = (*self.names, *(None for _ in range(more)))
        return Affine(names, np.append(self.centre, np.zeros(more)), np.append(self.scale, np.ones(more)))


@dataclass(frozen=True)
class Indicated:
    """Each new column is the indicator of one category of one column of symbols."""

    names: tuple[Any, ...]  # of the new columns
    columns: tuple[Any, ...]  # names of the columns of symbols
    at: tuple[tuple[int, Any], ...]  # place of the column, and category, of each new one
