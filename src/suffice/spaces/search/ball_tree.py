"""A ball tree over any metric: rows in balls about one of them, halved by which of two far rows is nearer.

A ball is passed over where d(x, centre) - radius exceeds what is wanted: the triangle inequality. It pays where a
distance is dear, as a function of the user's or one of strings is; queries go down the tree together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.spaces.distances.distance import Distance
from suffice.spaces.search.found_neighbours import Nearest, Within, gathered, least_of_rows, read_count

CLOSE = 1e-10  # share of a distance that rounding may cost the triangle inequality


@dataclass(frozen=True)
class Ball:
    """Some rows about one of them."""

    centre: int  # number of the row in the middle
    radius: float
    rows: Array  # numbers of all rows inside
    halves: tuple[Ball, Ball] | None = None


@dataclass(frozen=True)
class BallTreeSearch:
    """Balls within balls; for every distance that keeps the triangle inequality."""

    rows: Any  # (m, d) or m rows of any kind
    distance: Distance
    leaf_size: int = 30

    @property
    def n(self) -> int:
        """How many rows it holds."""
        return int(self.rows.shape[0]) if hasattr(self.rows, "shape") else len(self.rows)

    @cached_property
    def _rows(self) -> Any:
        return _rows_of(self.rows)

    @cached_property
    def _tree(self) -> Ball:
        return self._ball(np.arange(self.n), 0)

    def _ball(self, rows: Array, centre: int) -> Ball:
        """Two far rows divide the others; where all are at one place, nothing does."""
        out = self._between(self._rows[[centre]], rows)[0]
        radius = float(out.max(initial=0.0))
        if len(rows) <= max(1, self.leaf_size) or radius == 0.0:
            return Ball(centre, radius, rows)
        first = int(rows[out.argmax()])
        to_first = self._between(self._rows[[first]], rows)[0]
        second = int(rows[to_first.argmax()])
        nearer = to_first <= self._between(self._rows[[second]], rows)[0]
        if nearer.all() or not nearer.any():
            return Ball(centre, radius, rows)
        return Ball(centre, radius, rows, (self._ball(rows[nearer], first), self._ball(rows[~nearer], second)))

    def _between(self, X: Any, rows: Array) -> Array:
        return self.distance.between(X, self._rows[rows])

    def nearest(self, X: Any, k: int) -> Nearest:
        """The k nearest rows."""
        X = _rows_of(X)
        k = read_count(k)
        best, at = np.full((len(X), k), np.inf), np.full((len(X), k), self.n, dtype=np.intp)
        if len(X):
            self._visit(self._tree, X, np.arange(len(X)), best, at)
        return Nearest(best, at)

    def _visit(self, ball: Ball, X: Any, who: Array, best: Array, at: Array) -> None:
        """Ask a ball for some queries, those left that may find something nearer."""
        who = who[self._least(ball, X[who]) <= best[who, -1] * (1.0 + CLOSE)]
        if not len(who):
            return
        if ball.halves is None:
            D = np.concatenate([best[who], self._between(X[who], ball.rows)], axis=1)
            index = np.concatenate([at[who], np.broadcast_to(ball.rows, (len(who), len(ball.rows)))], axis=1)
            by_number = np.argsort(index, axis=1, kind="stable")
            D, index = np.take_along_axis(D, by_number, axis=1), np.take_along_axis(index, by_number, axis=1)
            best[who], place = least_of_rows(D, best.shape[1])
            at[who] = np.take_along_axis(index, place, axis=1)
            return
        first, second = ball.halves
        nearer = self._least(first, X[who]) <= self._least(second, X[who])
        for half, some in ((first, nearer), (second, ~nearer), (second, nearer), (first, ~nearer)):
            self._visit(half, X, who[some], best, at)

    def _least(self, ball: Ball, X: Any) -> Array:
        """No row of the ball is nearer (n,)."""
        if not len(X):
            return np.empty(0)
        return np.asarray(self._between(X, np.array([ball.centre]))[:, 0] - ball.radius * (1.0 + CLOSE))

    def within(self, X: Any, radius: Any) -> Within:
        """All rows at most `radius` away."""
        X = _rows_of(X)
        radii = np.broadcast_to(np.asarray(radius, dtype=np.float64), (len(X),))
        found: list[list[tuple[Array, Array]]] = [[] for _ in range(len(X))]
        if len(X):
            self._gather(self._tree, X, np.arange(len(X)), radii, found)
        return gathered([_joined(pieces) for pieces in found])

    def _gather(self, ball: Ball, X: Any, who: Array, radii: Array, found: list[list[tuple[Array, Array]]]) -> None:
        who = who[self._least(ball, X[who]) <= radii[who] * (1.0 + CLOSE)]
        if not len(who):
            return
        if ball.halves is not None:
            for half in ball.halves:
                self._gather(half, X, who, radii, found)
            return
        D = self._between(X[who], ball.rows)
        for i, row in zip(who.tolist(), D, strict=True):
            kept = row <= radii[i]
            found[i].append((ball.rows[kept], row[kept]))


def _rows_of(X: Any) -> Array:
    """Rows of numbers, or of any kind."""
    X = X.toarray() if hasattr(X, "toarray") else X
    return X if isinstance(X, np.ndarray) else np.array(list(X), dtype=object)


def _joined(pieces: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    """One list in the order of the numbers."""
    if not pieces:
        return np.empty(0, dtype=np.intp), np.empty(0)
    index, d = (np.concatenate(part) for part in zip(*pieces, strict=True))
    order = np.argsort(index)
    return index[order], d[order]
