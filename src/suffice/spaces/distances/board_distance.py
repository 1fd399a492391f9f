"""Distances in moves of chess pieces: what a distance means depends on which moves there are.

| piece | its distance |
|---|---|
| king | Chebyshev |
| krook: one square along a row or column | Manhattan |
| rook | how many of row and column differ: the 0-norm |
| bishop | 1 or 2; no way to the other colour |
| bing: one square along a diagonal | Chebyshev on its colour; no way to the other |
| knight | by search: 3 to the next square, 2 to a diagonal neighbour, but 4 in a corner |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.spaces.distances.distance import Axioms, Distance, number_rows

# whether a piece moves by (a, b) >= 0 rows and columns, not both 0
MOVES: Mapping[str, Callable[[Array, Array], Array]] = {
    "king": lambda a, b: np.maximum(a, b) == 1,
    "krook": lambda a, b: a + b == 1,
    "rook": lambda a, b: (a == 0) | (b == 0),
    "bishop": lambda a, b: a == b,
    "bing": lambda a, b: (a == 1) & (b == 1),
    "knight": lambda a, b: a * b == 2,
}


@saved
@dataclass(frozen=True)
class BoardDistance(Distance):
    """The least number of moves from one square to another, infinite where there is no way.

    Parameters
    ----------
    piece : king, krook, rook, bishop, bing or knight
    size : of the board; squares are (row, column) from 0

    >>> BoardDistance("knight").pair([0, 0], [1, 1])
    4.0
    """

    piece: str
    size: int = 8

    def __post_init__(self) -> None:
        """Check the piece and the size."""
        if not isinstance(self.piece, str) or self.piece not in MOVES:
            raise bad(self, "piece", f"one of {', '.join(MOVES)}", self.piece, "Choose one of these.")
        if isinstance(self.size, bool) or not isinstance(self.size, int) or not 1 <= self.size <= 64:
            raise bad(self, "size", "a whole number from 1 to 64", self.size, "A chess board has 8.")

    @property
    def axioms(self) -> Axioms:
        """A metric, which may be infinite."""
        return Axioms.METRIC

    @cached_property
    def _table(self) -> Array:
        """Moves between all squares, by search."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import shortest_path

        row, column = np.divmod(np.arange(self.size**2), self.size)
        a, b = (np.abs(np.subtract.outer(x, x)) for x in (row, column))
        moves = MOVES[self.piece](a, b) & (a + b > 0)
        return np.asarray(shortest_path(csr_array(moves.astype(np.float64)), method="D", unweighted=True))

    def between(self, X: Any, Y: Any = None) -> Array:
        """From the table of all squares."""
        here = self._squares(X)
        there = here if Y is None else self._squares(Y)
        return np.asarray(self._table[np.ix_(here, there)])

    def _squares(self, X: Any) -> Array:
        given = number_rows(X, self)
        if np.ndim(X) != 2 or given.shape[1] != 2:
            raise bad(self, "X", "squares (row, column)", Said(f"shape {np.shape(X)}"), "Give whole numbers from 0.")
        with np.errstate(invalid="ignore"):
            squares = given.astype(np.intp)
        if (squares != given).any():
            raise bad(self, "X", "squares (row, column)", Said("parts of squares"), "Give whole numbers from 0.")
        if ((squares < 0) | (squares >= self.size)).any():
            raise bad(self, "X", f"squares from 0 to {self.size - 1}", Said("one off the board"), "Count from 0.")
        return np.asarray(squares[:, 0] * self.size + squares[:, 1])
