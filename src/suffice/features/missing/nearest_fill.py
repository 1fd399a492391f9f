"""Missing cells from the rows that are nearest over the cells that both have. No scikit-learn.

distance(x, y) = sqrt(d / seen * sum over the cells that both have of (x_j - y_j)^2),     seen = how many those are
x_j = mean of y_j over the k nearest rows y that have it, by equal weights or by 1 / distance
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.core.schema import Column
from suffice.features.column_plan import NumberCells
from suffice.features.missing.fill_readings import NearestFillReadings
from suffice.features.missing.filled_columns import FilledColumns, as_number
from suffice.numerics.loop import loop, pays

CELLS = 4_000_000  # distances that are held at a time


@saved
@dataclass(frozen=True)
class NearestFillPlan(NumberCells):
    """Rows of numbers, some of them missing."""

    def readings(self) -> tuple[type[Any], ...]:
        """A report."""
        return (NearestFillReadings,)


def equal(distances: Array) -> Array:
    """Each neighbour counts the same (m, k)."""
    return np.ones_like(distances)


def inverse(distances: Array) -> Array:
    """By 1 / distance; where rows coincide they alone count (m, k)."""
    same = distances == 0.0
    with np.errstate(divide="ignore"):
        return np.where(same.any(axis=1, keepdims=True), same.astype(np.float64), 1.0 / distances)


WEIGHTS: dict[str, Callable[[Array], Array]] = {"uniform": equal, "distance": inverse}


@saved
@dataclass(frozen=True)
class NearestFill(FilledColumns):
    """The rows, and how many neighbours a cell is read from."""

    rows: Array  # (n, d) NaN where missing
    k: int
    weights: Any = "uniform"  # one of WEIGHTS, or a function of distances (m, k)
    indicate: bool = False
    keep_empty: bool = False
    missing: float | None = None  # the number that means missing; None: NaN does
    metric: Any = None  # a function of two rows and of missing_values, in place of the distance above

    @property
    def keeps_empty(self) -> bool:
        """Whether columns without any cell stay."""
        return self.keep_empty

    @property
    def indicates(self) -> bool:
        """Whether indicators are added."""
        return self.indicate

    @cached_property
    def empty(self) -> Array:  # type: ignore[override]
        """Which columns had no cell (d,)."""
        return np.asarray(~self.there.any(axis=1))

    @cached_property
    def lacking(self) -> Array:  # type: ignore[override]
        """Which columns lacked cells (d,)."""
        return np.asarray(~self.there.all(axis=1))

    @cached_property
    def there(self) -> Array:
        """Which cells are, one array a column (d, n), as numbers that loops multiply by."""
        return np.ascontiguousarray(~np.isnan(self.rows).T, dtype=np.float64)

    @cached_property
    def cells(self) -> Array:
        """Cells, one array a column (d, n), 0 where missing."""
        return np.ascontiguousarray(np.nan_to_num(self.rows).T)

    @cached_property
    def means(self) -> Array:
        """Mean of the cells of each column (d,), 0 where it has none."""
        return np.asarray(self.cells.sum(axis=1) / np.maximum(self.there.sum(axis=1), 1.0))

    def filled(self, X: Array) -> Array:
        """Rows with nothing missing (n, d)."""
        gaps, out = np.isnan(X), np.array(X, dtype=np.float64)
        some = np.flatnonzero(gaps.any(axis=1))
        wanted = np.flatnonzero(gaps.any(axis=0) & self.there.any(axis=1))
        step = max(1, CELLS // max(1, len(self.rows)))
        for start in range(0, len(some), step):
            at = some[start : start + step]
            near, apart = self._nearest(X[at], gaps[at], wanted)
            for i, j in enumerate(wanted):
                lacks = gaps[at, j]
                out[at[lacks], j] = self._read(int(j), near[i, lacks], apart[i, lacks])
        empty = ~self.there.any(axis=1)
        out[:, empty] = np.where(gaps[:, empty], 0.0, out[:, empty])
        return out

    def _nearest(self, X: Array, gaps: Array, wanted: Array) -> tuple[Array, Array]:
        """For each wanted column and row, the k nearest rows that have a cell there, and how far they are."""
        k = min(self.k, len(self.rows))
        near = np.full((len(wanted), len(X), k), -1, dtype=np.int64)
        apart = np.full((len(wanted), len(X), k), np.inf)
        if self.metric is not None:
            _choose(self._measured(X), self.there, wanted, near, apart)
        else:
            find: Any = _nearest if pays(len(X) * self.rows.size) else _twin
            find(np.nan_to_num(X), gaps, self.cells, self.there, wanted, near, apart)
        return near, np.sqrt(apart)

    def _measured(self, X: Array) -> Array:
        """Squares of distances of rows and those of training (m, n), by a function; infinite where it gives NaN."""
        found = [[float(self.metric(x, row, missing_values=np.nan)) for row in self.rows] for x in X]
        squares = np.array(found, dtype=np.float64).reshape(len(X), len(self.rows)) ** 2
        return np.where(np.isnan(squares), np.inf, squares)

    def _read(self, j: int, near: Array, apart: Array) -> Array:
        """Cells of a column (m,) from their neighbours (m, k)."""
        weigh = WEIGHTS[self.weights] if isinstance(self.weights, str) else self.weights
        found = near >= 0
        given = weigh(np.where(found, apart, np.nan))
        weight = np.where(found, 1.0 if given is None else given, 0.0)  # a function may leave them alike
        total = weight.sum(axis=1)
        sums = (weight * self.cells[j, near]).sum(axis=1)
        return np.asarray(np.where(total > 0.0, sums / np.where(total > 0.0, total, 1.0), self.means[j]))

    def lacks(self, X: Array) -> Array:
        """Rows of numbers (n, d), NaN where missing."""
        cells = np.asarray(X, dtype=np.float64)
        return cells if self.missing is None else np.where(cells == self.missing, np.nan, cells)

    def map(self, block: Block) -> Block:
        """Rows with nothing missing, then indicators."""
        X = np.asarray(block.parts[0])
        kind = X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)
        cells = self.lacks(X)
        rows, gaps = self.filled(cells), np.isnan(cells)
        places = range(X.shape[1])
        together = self.together(len(X), {j: rows[:, j] for j in places}, {j: gaps[:, j] for j in places}, kind)
        return block._replace(parts=(together,))

    def filled_kind(self, column: Column) -> Column:
        """Means of neighbours are any numbers."""
        return as_number(column)


def _twin(X: Array, gaps: Array, cells: Array, there: Array, wanted: Array, near: Array, apart: Array) -> None:
    """The loop, in NumPy: column after column, in the same order of additions."""
    d = X.shape[1]
    total, seen = np.zeros((len(X), cells.shape[1])), np.zeros((len(X), cells.shape[1]))
    for j in range(d):
        both = there[j] * ~gaps[:, j, None]
        total += both * (X[:, j, None] - cells[j]) ** 2
        seen += both
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = np.where(seen > 0.0, total * (d / seen), np.inf)
    _choose(squares, there, wanted, near, apart)


def _choose(squares: Array, there: Array, wanted: Array, near: Array, apart: Array) -> None:
    """The k nearest rows that have each wanted cell, of squares of distances (m, n)."""
    for i, j in enumerate(wanted):
        from_j = np.where(there[j] > 0.0, squares, np.inf)
        order = np.argsort(from_j, axis=1, kind="stable")[:, : near.shape[2]]
        apart[i] = np.take_along_axis(from_j, order, axis=1)
        near[i] = np.where(np.isfinite(apart[i]), order, -1)


@loop
def _nearest(X, gaps, cells, there, wanted, near, apart):  # type: ignore[no-untyped-def]
    """Distances of a row to all others, then the k smallest for each cell that it lacks."""
    d, n = cells.shape
    k = near.shape[2]
    total, seen = np.empty(n), np.empty(n)
    for r in range(len(X)):
        total[:] = 0.0
        seen[:] = 0.0
        for j in range(d):
            if not gaps[r, j]:
                x = X[r, j]
                for t in range(n):
                    both = there[j, t]
                    total[t] += both * (x - cells[j, t]) ** 2
                    seen[t] += both
        for t in range(n):
            total[t] = total[t] * (d / seen[t]) if seen[t] > 0.0 else np.inf
        for i in range(len(wanted)):
            j = wanted[i]
            if not gaps[r, j]:
                continue
            last = np.inf  # the largest of the k that were found so far
            for t in range(n):
                square = total[t]
                if square < last and there[j, t] > 0.0:
                    e = k - 1
                    while e > 0 and apart[i, r, e - 1] > square:
                        apart[i, r, e] = apart[i, r, e - 1]
                        near[i, r, e] = near[i, r, e - 1]
                        e -= 1
                    apart[i, r, e] = square
                    near[i, r, e] = t
                    last = apart[i, r, k - 1]
