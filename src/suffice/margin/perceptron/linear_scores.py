"""Linear scores of classes, as a value: they predict on NumPy alone. score = x . coef + intercept"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import BadFile
from suffice.core.registry import saved
from suffice.estimators.reading import reading


@saved
@dataclass(frozen=True)
class LinearScores:
    """Above 0 the second of two classes, else the class with the largest score; and how they were learned."""

    classes: tuple[Any, ...]
    coef: Any  # (K', d) numbers; a sparse matrix while a user wants it so
    intercept: Array  # (K',)
    sweeps: int = 0  # of the last call
    steps: float = 1.0  # rows that were visited, and 1
    mistakes: Array | None = None  # (K',) updates so far
    clean: bool = False  # whether the last sweep was without mistakes

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        if not isinstance(self.classes, tuple):
            raise BadFile("its classes are no tuple")
        K = len(self.classes)
        if len(getattr(self.coef, "shape", ())) != 2 or self.coef.shape[0] != (1 if K == 2 else K):
            raise BadFile(f"its coefficients are not those of {K} classes")
        if np.shape(self.intercept) != self.coef.shape[:1]:
            raise BadFile(f"its coefficients are not of shape {self.coef.shape}")

    def scores(self, block: Block) -> Array:
        """Scores (n, K')."""
        found = block.parts[0] @ self.coef.T
        return np.asarray((found.toarray() if hasattr(found, "toarray") else found) + self.intercept)

    def sides(self, block: Block) -> Array:
        """The number of the class of each row (n,)."""
        scores = self.scores(block)
        return np.asarray((scores[:, 0] > 0).astype(int) if scores.shape[1] == 1 else scores.argmax(axis=1))


class LinearReadings:
    """What linear scores tell."""

    coef_ = reading("coef", "Weights (K', d).")
    intercept_ = reading("intercept", "Intercepts (K',).")
    n_iter_ = reading("sweeps", "Sweeps of the last call, of the class that took most.")
    t_ = reading("steps", "Rows that were visited, and 1.")
    mistakes_ = reading("mistakes", "Updates so far, of each row of `coef_`.")
    converged_ = reading("clean", "Whether the last sweep was without mistakes.")
