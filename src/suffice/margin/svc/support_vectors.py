"""A support vector machine that was learned, as a value: it predicts on NumPy alone.

f(x) = sum over support vectors of alpha_i y_i k(x_i, x) - t
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import BadFile
from suffice.core.registry import saved
from suffice.margin.perceptron.dense_rows import dense_rows
from suffice.margin.svc.one_versus_one import compact
from suffice.margin.svc.pairs_of_classes import SHAPES, pairs, votes
from suffice.spaces.kernels import Kernel, LinearKernel
from suffice.spaces.sparse_kernels import SparseKernel
from suffice.summaries.rows_summary import SparseCells

CELLS = 1 << 20  # kernel values that are held at a time


@saved
@dataclass(frozen=True)
class MachineSearch:
    """How the multipliers were found, and from what."""

    support: Array  # (m,) numbers of the rows that are support vectors
    bounds: Array  # (n,) C of each row, 0 where it weighs nothing
    shape: tuple[int, int]  # of the table
    class_weight: Array  # (K,)
    interval: Array  # (P, 2) of -t about the centre, where any is optimal
    gap: Array  # (P,) by how much the conditions of an optimum are missed
    steps: Array  # (P,)
    settled: bool
    rows: Array | None = None  # (m, d) the support vectors as they came, where `vectors` are about a centre


@saved
@dataclass(frozen=True)
class SupportVectors:
    """Support vectors with a multiplier for each pair of classes."""

    kernel: Kernel
    centre: Array  # (d,) taken off inputs first: 0 but for the linear kernel, where it changes t alone
    vectors: Array | SparseCells  # (m, d) about the centre; (m,) numbers of rows where kernel values were given
    coef: Array  # (m, P) multipliers of each pair, with the sign of the class
    intercept: Array  # (P,) -t
    classes: tuple[Any, ...]  # K labels; of two, a value of at least 0 is the second, of more, one above 0 is the first
    numbers: Array | None = None  # (K,) how many vectors each class has, which come in this order
    shape: str = "ovr"
    break_ties: bool = False
    search: MachineSearch | None = None

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        for piece, kind in (("kernel", Kernel), ("classes", tuple)):
            if not isinstance(getattr(self, piece), kind):
                raise BadFile(f"its {piece} is no {kind.__name__}")
        wanted = (self.rows.shape[0], len(pairs(len(self.classes))))
        if self.coef.shape != wanted or self.intercept.shape != wanted[1:] or self.shape not in SHAPES:
            raise BadFile(f"its multipliers are not of shape {wanted}")

    def scores(self, block: Block) -> Array:
        """f (n, 1) of two classes; of more, a score of each class (n, K), or with "ovo" of each pair."""
        return self.shaped(self.shape, block)

    def shaped(self, shape: str, block: Block) -> Array:
        """Scores in another shape."""
        values, K = self.values(self._read(block)), len(self.classes)
        return values if K == 2 else SHAPES[shape](values, K)

    def sides(self, block: Block) -> Array:
        """The number of the class of each row (n,): by the sign of f for two, else by vote, the first of equals."""
        values, K = self.values(self._read(block)), len(self.classes)
        if K == 2:
            return np.asarray((values[:, 0] >= 0).astype(np.intp))
        scores = SHAPES[self.shape](values, K) if self.break_ties else votes(values, K)
        return np.asarray(scores.argmax(axis=1))

    def likeliest(self, block: Block) -> Array:
        """The number of the class of each row (n,), by votes: what is most probable may be another."""
        return self.sides(block)

    @property
    def rows(self) -> Any:
        """The support vectors (m, d), an array or sparse."""
        return self.vectors.matrix if isinstance(self.vectors, SparseCells) else self.vectors

    @cached_property
    def _towards(self) -> Callable[[Any], Array]:
        """The kernel of such rows and the support vectors, which are centred once."""
        over = SparseKernel(self.kernel) if isinstance(self.vectors, SparseCells) else self.kernel
        return over.towards(self.rows)

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: what follows from them is found again."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def _read(self, block: Block) -> Any:
        """Rows in the form of the support vectors."""
        if not isinstance(self.vectors, SparseCells):
            return dense_rows(block)
        from scipy.sparse import csr_array

        return csr_array(block.parts[0])

    def values(self, X: Any) -> Array:
        """f of each pair of classes (n, P), a block of rows at a time."""
        if isinstance(self.kernel, LinearKernel):
            near = X if isinstance(self.vectors, SparseCells) else X - self.centre
            return np.asarray(near @ self.weights.T + self.intercept)
        n, towards = X.shape[0], self._towards
        values = np.empty((n, len(self.intercept)))
        step = max(1, CELLS // max(1, len(self.coef)))
        for start in range(0, n, step):
            values[start : start + step] = towards(X[start : start + step]) @ self.coef
        return values + self.intercept

    @cached_property
    def weights(self) -> Array:
        """w of each pair (P, d); only a linear kernel has them."""
        return np.ascontiguousarray((self.rows.T @ self.coef).T)

    @cached_property
    def norms(self) -> Array:
        """norm(w)^2 of each pair (P,), in the space of the kernel."""
        if isinstance(self.kernel, LinearKernel):
            return np.asarray((self.weights**2).sum(axis=1))
        result = np.zeros(len(self.intercept))
        towards = self._towards
        step = max(1, CELLS // max(1, len(self.coef)))
        for start in range(0, len(self.coef), step):
            part = slice(start, start + step)
            result += ((towards(self.rows[part]) @ self.coef) * self.coef[part]).sum(axis=0)
        return result

    @cached_property
    def offset(self) -> Array:
        """What t is less by when the machine is about 0 (P,)."""
        if isinstance(self.kernel, LinearKernel):
            return np.asarray(self.weights @ self.centre)
        return np.zeros(len(self.intercept))

    @cached_property
    def dual_coef(self) -> Array:
        """Multipliers in scikit-learn's form (K - 1, m)."""
        assert self.numbers is not None
        K = len(self.classes)
        return compact(self.coef, np.repeat(np.arange(K), self.numbers), K)
