"""TriangularFactor: the triangle that least squares needs of the rows, per component; merged by QR, never squared.

    T'T = sum_i w_i z_i z_i',   z_i = (1, x_i - c)

A matrix of products squares the condition number of its columns and so loses twice the digits. The first column of ones
makes one triangle serve with and without an intercept: below its first row it is the triangle of the centred columns.
Householder's QR errs relative to the length of each column about the shift, whatever the units of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np

from suffice.core.added_columns import AddedColumns
from suffice.core.affine import Affine, Linear
from suffice.core.bad_cells import bad_cell
from suffice.core.block import Array
from suffice.core.errors import NotASummary, Said, refusal
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, spread
from suffice.core.tally import Tally
from suffice.numerics.blas_threads import one_thread_if_small
from suffice.numerics.loop import CHUNK
from suffice.summaries.power_sums import LARGEST, middle

FEW = 256  # rows of which a triangle is made by one thread anyway


@saved
@dataclass(frozen=True)
class TriangularFactor(Summary):
    """Rows and the upper triangle of (1, x - shift), per component; no cell may be missing. It is only ever added to.

    >>> X = np.array([[1e8], [1e8 + 2.0]])
    >>> TriangularFactor.of(X, Shares.hard(np.array([0, 0]), 1)).triangle[0].round(3)
    array([[1.414, 1.414],
           [0.   , 1.414]])
    """

    shift: Array  # (m,)
    rows: Array  # (K,) int64
    triangle: Array  # (K, m + 1, m + 1), no entry of a diagonal below 0

    @classmethod
    def of(cls, X: Array, R: Shares, shift: Array | None = None) -> TriangularFactor:
        """Summarize the rows X (n, m) with shares R."""
        shift = middle(X) if shift is None else shift
        triangle = np.zeros((R.K, len(shift) + 1, len(shift) + 1))
        for a in range(0, len(X), CHUNK):
            x, some = np.asarray(X[a : a + CHUNK], dtype=np.float64), R[a : a + CHUNK]
            _check_cells(x, some)
            for k in np.unique(some.codes[some.live]):
                row, entry = np.nonzero((some.codes == k) & some.live)
                root = np.sqrt(some.share[row, entry])[:, None]
                triangle[k] = _stacked(triangle[k], np.hstack([root, root * (x[row] - shift)]))
        return cls(shift, Tally.of(R).rows, triangle)

    @classmethod
    def sum(cls, parts: Sequence[TriangularFactor]) -> TriangularFactor:
        """Bring all to one shift, then make one triangle of those on top of one another."""
        live = [part for part in parts if part.rows.any()]
        if len(live) <= 1:
            return live[0] if live else parts[0]
        shift = live[0].shift
        moved = [part.about(shift).triangle for part in live]
        triangle = np.stack([_stacked(*triangles) for triangles in zip(*moved, strict=True)])
        return cls(shift, np.sum([part.rows for part in live], axis=0), triangle)

    def __sub__(self, other: TriangularFactor) -> TriangularFactor:
        """Refused: what is left of the digits could be none."""
        raise refusal(
            NotASummary,
            "TriangularFactor",
            "rows",
            "added",
            Said("rows to take away"),
            "Use LeastSquaresSummary, which keeps the products of columns beside it.",
            "must only be",
        )

    def scale(self, factor: float) -> TriangularFactor:
        """Weights decay."""
        return TriangularFactor(self.shift, self.rows, self.triangle * np.sqrt(factor))

    def spread(self, index: Index, K: int) -> TriangularFactor:
        """Move components."""
        return TriangularFactor(self.shift, spread(self.rows, index, K), spread(self.triangle, index, K))

    def about(self, shift: Array) -> TriangularFactor:
        """The same rows about another shift: only the first row of a triangle changes."""
        if shift is self.shift or np.array_equal(shift, self.shift):
            return self
        triangle = self.triangle.copy()
        triangle[:, 0, 1:] += (self.shift - shift) * triangle[:, 0, :1]
        return TriangularFactor(shift, self.rows, triangle)

    def push(self, by: Affine | Linear | AddedColumns) -> TriangularFactor:
        """What is kept of the rows once their columns are mapped."""
        where, triangle = by.shift(self.shift), by.triangles(self.triangle)
        triangle[:, 0, 1:] += where.low * triangle[:, 0, :1]
        if not isinstance(by, Affine):
            triangle = np.stack([triangle_of(T) for T in triangle])
        return TriangularFactor(where.high, self.rows, triangle)

    def among(self, places: Index, m: int) -> TriangularFactor:
        """The same columns at some places of m, in rising order; the others were 0 in every row."""
        wide, shift = np.zeros((len(self.rows), m + 1, m + 1)), np.zeros(m)
        at = np.append(0, np.asarray(places, dtype=np.intp) + 1)
        wide[:, : len(at), at] = self.triangle  # a column of zeros moves those after it to the right: still a triangle
        shift[at[1:] - 1] = self.shift
        return TriangularFactor(shift, self.rows, wide)


def triangle_of(A: Array) -> Array:
    """The upper triangle T (m, m) with T'T = A'A, no entry of its diagonal below 0."""
    n, m = A.shape
    T = np.zeros((m, m))
    if n and m:
        # of many rows and 20 columns, two threads that wait for each other take forty times as long as one
        with one_thread_if_small(m) if n > FEW else nullcontext():
            T[: min(n, m)] = np.linalg.qr(A, mode="r")
        T[np.diagonal(T) < 0] *= -1.0
    return T


def _stacked(*pieces: Array) -> Array:
    """One triangle of pieces on top of one another; those that are empty are left out, which saves most of the work."""
    live = [piece for piece in pieces if len(piece) and piece.any()]
    return triangle_of(np.vstack(live)) if live else pieces[0]


def _check_cells(X: Array, R: Shares) -> None:
    """Refuse rows with missing or too large cells."""
    odd = ~(np.abs(X) <= LARGEST)
    if odd.any() and (odd := odd & R.claimed[:, None]).any():
        rule = f"present, finite and at most {LARGEST:g} in size for least squares"
        raise bad_cell(X, odd, rule, "Fill it in or leave the row out.")
