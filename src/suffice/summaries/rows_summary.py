"""RowsSummary: the rows themselves, where they take less room than products of their columns.

With more columns than rows, or with sparse rows, n rows of d cells are fewer numbers than d^2 products, and all that
least squares asks can be worked out of them. Rows add one after the other and are taken away by finding them again, to
the last bit. What needs products of columns has them made of the rows (`full`), if there is room for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from suffice.core.affine import Affine, Linear
from suffice.core.block import Array
from suffice.core.errors import Said, bad, never_added
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary
from suffice.numerics.loop import CHUNK
from suffice.numerics.memory import memory
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.least_squares import Chunk, LeastSquaresSummary, Triangle

WIDE = 100  # columns from which more columns than rows are reason enough to keep the rows


@saved
@dataclass(frozen=True)
class SparseCells:
    """Sparse rows: the cells that are stored, their columns, and where each row begins."""

    data: Array  # (stored,)
    indices: Array  # (stored,)
    indptr: Array  # (n + 1,)
    width: int

    @cached_property
    def matrix(self) -> Any:
        """As SciPy has it (n, width)."""
        from scipy.sparse import csr_array

        return csr_array((self.data, self.indices, self.indptr), shape=(len(self.indptr) - 1, self.width), copy=False)


@saved
@dataclass(frozen=True)
class RowsSummary(Summary):
    """Rows as they are, each with its component and its weight.

    >>> kept = RowsSummary.of(np.array([[1.0, 2.0, 4.0], [2.0, 3.0, 5.0]]), Shares.hard(np.zeros(2, dtype=int), 1))
    >>> (kept + kept - kept).rows.tolist(), kept.full.moments.rows.tolist()
    ([2], [2])
    """

    cells: Array | SparseCells  # (n, d)
    Y: Array  # (n, t) targets: columns after those of the cells
    codes: Array  # (n,) int32, the component
    weights: Array  # (n,)
    K: int

    algebra: ClassVar[str] = "rows"

    @classmethod
    def of(cls, X: Array, R: Shares, Y: Array | None = None) -> RowsSummary:
        """Keep the rows X (n, d), an array or sparse, and Y (n, t), with shares R; a copy, as theirs may change."""
        Y = np.empty((X.shape[0], 0)) if Y is None else Y
        at, entry = np.nonzero(R.live)
        every = len(at) == len(R.codes) and R.codes.shape[1] == 1
        some = X if every else X[at]
        codes = np.asarray(R.codes[at, entry], dtype=np.int32)
        weights = np.array(R.share[at, entry], dtype=np.float64)
        return cls(kept_cells(some, fresh=not every), np.array(Y[at], dtype=np.float64), codes, weights, R.K)

    @classmethod
    def sum(cls, parts: Sequence[RowsSummary]) -> RowsSummary:
        """One after the other; sparse where any of them is."""
        live = [part for part in parts if len(part.codes)] or list(parts[:1])
        if len(live) == 1:
            return live[0]
        Y, codes, weights = (np.concatenate([getattr(part, f) for part in live]) for f in ("Y", "codes", "weights"))
        return cls(_stacked([part.cells for part in live]), Y, codes, weights, live[0].K)

    def __sub__(self, other: RowsSummary) -> RowsSummary:
        """Without these rows, each of which must be here, with its weight."""
        away, left = Counter(other.row_values()), []
        for i, key in enumerate(self.row_values() if away else ()):
            if away.get(key, 0):
                away[key] -= 1
            else:
                left.append(i)
        if any(away.values()):
            raise never_added("the rows", f"{sum(away.values())} that are not among those kept")
        return self.some(np.array(left, dtype=np.intp)) if away else self

    def scale(self, factor: float) -> RowsSummary:
        """Weights decay."""
        kept = self if factor else self.some(np.zeros(0, dtype=np.intp))
        return RowsSummary(kept.cells, kept.Y, kept.codes, kept.weights * factor, self.K)

    def spread(self, index: Index, K: int) -> RowsSummary:
        """Move components."""
        codes = np.append(np.asarray(index, dtype=np.int32), -1)[self.codes].astype(np.int32)
        kept = self if (codes >= 0).all() else self.some(np.flatnonzero(codes >= 0))
        return RowsSummary(kept.cells, kept.Y, codes[codes >= 0], kept.weights, K)

    def some(self, rows: Array) -> RowsSummary:
        """Some of the rows."""
        return RowsSummary(
            kept_cells(self.X[rows], fresh=True), self.Y[rows], self.codes[rows], self.weights[rows], self.K
        )

    @property
    def X(self) -> Any:
        """The rows without their targets (n, d), an array or sparse."""
        return self.cells.matrix if isinstance(self.cells, SparseCells) else self.cells

    @property
    def sparse(self) -> bool:
        """Whether only cells that are not 0 are stored."""
        return isinstance(self.cells, SparseCells)

    @property
    def width(self) -> int:
        """Number of columns, without targets."""
        return int(self.X.shape[1])

    @property
    def rows(self) -> Array:
        """Rows of each component (K,)."""
        return np.bincount(self.codes, minlength=self.K).astype(np.int64)

    @property
    def weight(self) -> Array:
        """Weight of each component (K,)."""
        return np.bincount(self.codes, self.weights, self.K)

    def fewest(self) -> Array:
        """Every row has every column."""
        return self.rows

    def row_values(self) -> Iterator[tuple[Any, ...]]:
        """Each row as a value: its component, weight, targets and cells."""
        others = zip(self.codes.tolist(), self.weights.tolist(), (self.Y + 0.0).tolist(), strict=True)
        for i, (code, weight, y) in enumerate(others):
            yield code, weight, tuple(y), _key(self.cells, i)

    @cached_property
    def full(self) -> LeastSquaresSummary:
        """Products of the columns, made of the rows; refused where there is no room for them."""
        d = self.width + self.Y.shape[1]
        need = 4 * 8 * self.K * d**2
        if need > memory() // 2:
            rule = "so few that products of all pairs of them fit into half of the memory"
            remedy = "Use fewer columns, or another solver."
            raise bad("X", "the columns", rule, Said(f"{d:,}, for {need:,} bytes"), remedy)
        return LeastSquaresSummary.of_chunks(self._chunks)

    def _chunks(self) -> Iterator[Chunk]:
        for a in range(0, max(len(self.codes), 1), CHUNK):
            X, rows = self.X[a : a + CHUNK], slice(a, a + CHUNK)
            dense = X.toarray() if self.sparse else X
            yield dense, self.Y[rows], Shares.hard(self.codes[rows], self.K, self.weights[rows])

    @property
    def moments(self) -> FullMoments:
        """Of the columns and targets."""
        return self.full.moments

    def triangle(self, k: int = 0) -> Triangle:
        """Of one component."""
        return self.full.triangle(k)

    def push(self, by: Affine | Linear) -> LeastSquaresSummary:
        """What is kept of the rows once their columns are mapped."""
        return self.full.push(by)

    def columns(self, places: Index) -> RowsSummary:
        """What is kept of some columns, in rising order, targets last."""
        at, d = np.asarray(places, dtype=np.intp), self.width
        if np.array_equal(at, np.arange(d + self.Y.shape[1])):
            return self
        cells = kept_cells(self.X[:, at[at < d]], fresh=True)
        return RowsSummary(cells, self.Y[:, at[at >= d] - d], self.codes, self.weights, self.K)

    def among(self, places: Index, m: int) -> RowsSummary:
        """The same columns at some places of m, in rising order; the others were 0 in every row."""
        from scipy.sparse import csr_array

        at = np.asarray(places, dtype=np.intp)[: self.width]
        width = m - self.Y.shape[1]
        place = csr_array((np.ones(len(at)), (np.arange(len(at)), at)), shape=(len(at), width))
        return RowsSummary(kept_cells(self.X @ place, fresh=True), self.Y, self.codes, self.weights, self.K)

    def labelled(self, Y: Array, weight: Array) -> RowsSummary:
        """All components as one, where rows of component k have targets Y[k] (K, t) and weigh weight[k] as much."""
        nobody = np.zeros_like(self.codes)
        kept = RowsSummary(self.cells, Y[self.codes], nobody, self.weights * weight[self.codes], 1)
        return kept if kept.weights.all() else kept.some(np.flatnonzero(kept.weights))


def keeps_rows(X: Any) -> bool:
    """Whether rows are kept as they are: sparse ones, and those of a table with more columns than rows."""
    n, d = X.shape
    return hasattr(X, "indptr") or (d >= WIDE and n < d)


def added(parts: Sequence[Any]) -> Any:
    """Rows while they are fewer than columns or sparse, else products of columns; once products, always products."""
    if not any(isinstance(part, RowsSummary) for part in parts):
        return LeastSquaresSummary.sum(parts)
    if all(isinstance(part, RowsSummary) for part in parts):
        kept = RowsSummary.sum(parts)
        if keeps_rows(kept.X):
            return kept
    return LeastSquaresSummary.sum([products_of(part) for part in parts])


def without(whole: Any, part: Any) -> Any:
    """The rows of one that are not those of the other, in whichever form they are kept."""
    if isinstance(whole, RowsSummary) and isinstance(part, RowsSummary):
        return whole - part
    return products_of(whole) - products_of(part)


def products_of(part: Any) -> LeastSquaresSummary:
    """Products of columns, made of the rows where these were kept."""
    products: LeastSquaresSummary = part.full if isinstance(part, RowsSummary) else part
    return products


def kept_cells(X: Any, fresh: bool = False) -> Array | SparseCells:
    """A copy of the rows in float64; the rows themselves where nobody else has them, as they were just picked out."""
    if not hasattr(X, "indptr"):
        return np.asarray(X, dtype=np.float64) if fresh else np.array(X, dtype=np.float64)
    own = X.tocsr()
    if not fresh and X.has_canonical_format:  # SciPy's own copy asks again whether these belong together
        return SparseCells(np.array(own.data, dtype=np.float64), own.indices.copy(), own.indptr.copy(), int(X.shape[1]))
    own = own if fresh else own.copy()
    if not X.has_canonical_format:
        own.sum_duplicates()
    return SparseCells(np.asarray(own.data, dtype=np.float64), own.indices, own.indptr, int(own.shape[1]))


def _stacked(parts: Sequence[Array | SparseCells]) -> Array | SparseCells:
    if not any(isinstance(part, SparseCells) for part in parts):
        return np.concatenate(parts)  # type: ignore[arg-type]
    from scipy.sparse import csr_array, vstack

    return kept_cells(
        vstack([part.matrix if isinstance(part, SparseCells) else csr_array(part) for part in parts], "csr"),
        fresh=True,
    )


def _key(cells: Array | SparseCells, i: int) -> Any:
    """The cells of a row as a value; 0 is 0, whatever its sign and whether or not it is stored."""
    if isinstance(cells, SparseCells):
        run = slice(int(cells.indptr[i]), int(cells.indptr[i + 1]))
        data = cells.data[run]
        return cells.indices[run][data != 0].astype(np.int64).tobytes(), data[data != 0].tobytes()
    row = cells[i]
    return np.flatnonzero(row).astype(np.int64).tobytes(), row[row != 0].tobytes()
