"""Non-negative factors as a value: rows as sums of parts. It maps rows on NumPy alone.

X ~ W H,     W, H >= 0          coordinate by coordinate (least squares), or by factors (any beta divergence)
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.reading import reading
from suffice.numerics.loop import available, loop
from suffice.numerics.threads import in_threads, processors
from suffice.projections.factors.beta_divergence import divergence, multiplied
from suffice.sources.tables.numbers import number_schema

WORTH = 500_000  # products a step from which the loop pays
SIDE_BY_SIDE = 64  # rows that the loop sees to at once, each number of theirs beside that of the next
SEVERAL_THREADS = 10_000_000  # products a step from which another thread begins before the step ends


@saved
@dataclass(frozen=True)
class NonnegativeModel:
    """Parts, and how the shares of new rows are found."""

    H: Array  # (k, d) parts
    error: float  # root of twice the divergence
    steps: int
    beta: float
    coordinates: bool  # whether coordinate by coordinate
    l1: float  # penalties of the shares W, a row
    l2: float
    max_iter: int
    tol: float

    def shares(self, X: Any) -> Array:
        """W (n, k) of other rows."""
        k = len(self.H)
        if not self.coordinates:
            W = np.full((X.shape[0], k), np.sqrt(max(float(X.mean()), 0.0) / k))
            return self._by_factors(X, W)
        return solve_rows(X, np.zeros((X.shape[0], k)), self.H, self.l1, self.l2, self.max_iter, self.tol)

    def _by_factors(self, X: Any, W: Array) -> Array:
        first = last = np.sqrt(2.0 * max(divergence(X, W, self.H, self.beta), 0.0))
        for step in range(1, self.max_iter + 1):
            W = multiplied(X, W, self.H, self.beta, self.l1, self.l2)
            if self.tol > 0 and step % 10 == 0:
                now = np.sqrt(2.0 * max(divergence(X, W, self.H, self.beta), 0.0))
                if (last - now) / max(first, np.finfo(float).tiny) < self.tol:
                    break
                last = now
        return W

    def map(self, block: Block) -> Block:
        """Rows as shares of the parts."""
        X = block.parts[0]
        kind = X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)
        return block._replace(parts=(self.shares(X.astype(np.float64)).astype(kind, copy=False),))

    def inverse(self, Z: Array) -> Array:
        """Rows that are such sums of the parts."""
        return np.asarray((Z @ self.H).astype(Z.dtype, copy=False))

    def map_schema(self, schema: Schema) -> Schema:
        """One column a part."""
        return number_schema(self.names_out(()), len(self.H))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """nmf0, nmf1, ..."""
        return tuple(f"nmf{j}" for j in range(len(self.H)))


def coordinate_step(W: Array, products: Array, cross: Array, order: Any) -> Array:
    """Each column of W once, to where the squared error is least; how far each row was from that (n,).

    Parameters
    ----------
    W : (n, k), changed in place
    products : H H' + penalty (k, k)
    cross : X H' - penalty (n, k)
    order : of the columns
    """
    off = np.zeros(len(W))
    if W.size * len(products) >= WORTH and available():
        cross, order, threads = np.ascontiguousarray(cross), np.asarray(order, dtype=np.int64), 1
        if W.size * len(products) >= SEVERAL_THREADS:
            threads = processors()
        edges = np.linspace(0, len(W), threads + 1).astype(int).tolist()

        def step(run: tuple[int, int], go_on: Any) -> None:
            rows = slice(*run)
            coordinate_loop(W[rows], products, cross[rows], order, off[rows])

        in_threads(step, list(pairwise(edges)), threads)
        return off
    for t in order:
        slope = W @ products[:, t] - cross[:, t]
        off += np.abs(np.where(W[:, t] == 0.0, np.minimum(slope, 0.0), slope))
        if products[t, t] != 0.0:
            W[:, t] = np.maximum(W[:, t] - slope / products[t, t], 0.0)
    return off


def solve_rows(X: Any, W: Array, H: Array, l1: float, l2: float, max_iter: int, tol: float) -> Array:
    """Shares of rows with the parts given, until all rows together are as near to the least error as `tol` says."""
    products, cross = H @ H.T + l2 * np.eye(len(H)), np.asarray(X @ H.T) - l1
    first = 0.0
    for step in range(max_iter):
        off = float(coordinate_step(W, products, cross, range(len(H))).sum())
        first = off if step == 0 else first
        if first == 0.0 or off / first <= tol:
            break
    return W


class NonnegativeReadings:
    """Parts, and how well they explain the rows."""

    components_ = reading("H", "Parts, one a row (k, d).")
    reconstruction_err_ = reading("error", "Root of twice the divergence of the rows from the product.")
    n_iter_ = reading("steps", "Number of iterations.")

    @property
    def n_components_(self: Any) -> int:
        """Number of parts."""
        return len(self._state()[0].model.H)


@saved
@dataclass(frozen=True)
class NonnegativePlan(NumberPlan):
    """Non-negative factors."""

    face: ClassVar[str] = "transformer"

    def readings(self) -> tuple[type[Any], ...]:
        """Parts and error."""
        return (NonnegativeReadings,)


@loop
def coordinate_loop(W, products, cross, order, off):  # type: ignore[no-untyped-def]
    """The same, some rows side by side."""
    n, k = W.shape
    w, c = np.empty((k, SIDE_BY_SIDE)), np.empty((k, SIDE_BY_SIDE))
    slope, far = np.empty(SIDE_BY_SIDE), np.empty(SIDE_BY_SIDE)
    w[:], c[:] = 0.0, 0.0
    for i in range(0, n, SIDE_BY_SIDE):
        m = min(SIDE_BY_SIDE, n - i)
        for t in range(m):
            for r in range(k):
                w[r, t], c[r, t] = W[i + t, r], cross[i + t, r]
        far[:] = 0.0
        for j in order:
            for t in range(SIDE_BY_SIDE):
                slope[t] = -c[j, t]
            for r in range(k):
                p = products[j, r]
                for t in range(SIDE_BY_SIDE):
                    slope[t] += w[r, t] * p
            for t in range(SIDE_BY_SIDE):
                old = w[j, t]
                far[t] += abs(min(slope[t], 0.0) if old == 0.0 else slope[t])
                if products[j, j] != 0.0:
                    w[j, t] = max(old - slope[t] / products[j, j], 0.0)
        for t in range(m):
            off[i + t] += far[t]
            for r in range(k):
                W[i + t, r] = w[r, t]
