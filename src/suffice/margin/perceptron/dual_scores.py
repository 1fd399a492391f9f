"""Scores by a kernel and the rows that were ever wrong, as a value: they predict on NumPy alone.

f(x) = sum_j alpha_j y_j k(x_j, x) + b          the label of x itself has no part in it
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import BadFile
from suffice.core.registry import saved
from suffice.estimators.reading import reading
from suffice.margin.perceptron.dense_rows import dense_rows
from suffice.spaces.kernels import Kernel, LinearKernel

CELLS = 1 << 20  # kernel values that are held at a time


@saved
@dataclass(frozen=True)
class DualSearch:
    """How often rows were wrong."""

    support: Array  # (m,) numbers of the rows that were ever wrong
    counts: Array  # (K', m) how often
    n: int  # number of all rows
    sweeps: int
    clean: bool  # whether the last sweep was without mistakes

    @property
    def alpha(self) -> Array:
        """How often each row was wrong (K', n)."""
        alpha = np.zeros((len(self.counts), self.n), dtype=self.counts.dtype)
        alpha[:, self.support] = self.counts
        return alpha


@saved
@dataclass(frozen=True)
class DualScores:
    """Above 0 the second of two classes, else the class with the largest score."""

    kernel: Kernel
    vectors: Array  # (m, d); (m,) numbers of rows where kernel values were given
    coef: Array  # (K', m) alpha_j y_j
    intercept: Array  # (K',)
    classes: tuple[Any, ...]
    search: DualSearch | None = None

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        for piece, kind in (("kernel", Kernel), ("classes", tuple)):
            if not isinstance(getattr(self, piece), kind):
                raise BadFile(f"its {piece} is no {kind.__name__}")
        K = len(self.classes)
        wanted = (1 if K == 2 else K, len(self.vectors))
        if np.shape(self.coef) != wanted or np.shape(self.intercept) != wanted[:1]:
            raise BadFile(f"its coefficients are not of shape {wanted}")

    def scores(self, block: Block) -> Array:
        """f of each row and problem (n, K'), some rows at a time."""
        X = dense_rows(block)
        values, towards = np.empty((len(X), len(self.intercept))), self.kernel.towards(self.vectors)
        step = max(1, CELLS // max(1, len(self.vectors)))
        for start in range(0, len(X), step):
            values[start : start + step] = towards(X[start : start + step]) @ self.coef.T
        return values + self.intercept

    def sides(self, block: Block) -> Array:
        """The number of the class of each row (n,)."""
        scores = self.scores(block)
        return np.asarray((scores[:, 0] > 0).astype(int) if scores.shape[1] == 1 else scores.argmax(axis=1))


class DualReadings:
    """What such scores tell."""

    kernel_ = reading("kernel", "The kernel.")
    alpha_ = reading("search.alpha", "How often each row was wrong (K', n).")
    support_ = reading("search.support", "Numbers of the rows that were ever wrong (m,).")
    support_vectors_ = reading("vectors", "The rows that were ever wrong (m, d).")
    dual_coef_ = reading("coef", "alpha_j y_j of these rows, times their weights (K', m).")
    intercept_ = reading("intercept", "Intercepts (K',).")
    n_iter_ = reading("search.sweeps", "Sweeps, of the class that took most.")
    converged_ = reading("search.clean", "Whether the last sweeps were without mistakes.")

    @property
    def mistakes_(self: Any) -> Array:
        """Number of mistakes of each problem (K',)."""
        return np.asarray(self._state()[0].model.search.counts.sum(axis=1))

    @property
    def coef_(self: Any) -> Array:
        """The weights w = sum_j alpha_j y_j x_j (K', d) of a linear kernel."""
        model = self._state()[0].model
        if not isinstance(model.kernel, LinearKernel):
            raise AttributeError(f"{self._owner}: coef_ must be asked of a linear kernel, got {model.kernel!r}.")
        return np.asarray(model.coef @ model.vectors)
