"""Scores by a kernel and the rows that were ever wrong, as a value: saved to files, predicting on NumPy alone.

f(x) = sum_j alpha_j y_j k(x_j, x) + b          the label of x itself has no part in it
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadFile
from suffice.core.registry import saved
from suffice.estimators.origin import Origin
from suffice.margin.saved_scores import read_rows
from suffice.spaces.kernels import Kernel

CELLS = 1 << 20  # kernel values that are held at a time


@saved
@dataclass(frozen=True)
class KernelScores:
    """Above 0 the second of two classes, else the class with the largest score; what `load` gives back."""

    name: str  # of the estimator that learned it
    kernel: Kernel
    vectors: Array  # (m, d); (m,) numbers of rows where kernel values were given
    coef: Array  # (K', m) alpha_j y_j
    intercept: Array  # (K',)
    classes: tuple[Any, ...]
    origin: Origin

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        for piece, kind in (("name", str), ("kernel", Kernel), ("classes", tuple), ("origin", Origin)):
            if not isinstance(getattr(self, piece), kind):
                raise BadFile(f"its {piece} is no {kind.__name__}")
        K = len(self.classes)
        wanted = (1 if K == 2 else K, len(self.vectors))
        if np.shape(self.coef) != wanted or np.shape(self.intercept) != wanted[:1]:
            raise BadFile(f"its coefficients are not of shape {wanted}")

    @property
    def classes_(self) -> Array:
        """The class labels."""
        return self.origin.classes(self.classes)

    def scores(self, X: Array) -> Array:
        """f of each row and problem (n, K'), a block of rows at a time."""
        values, towards = np.empty((len(X), len(self.intercept))), self.kernel.towards(self.vectors)
        step = max(1, CELLS // max(1, len(self.vectors)))
        for start in range(0, len(X), step):
            values[start : start + step] = towards(X[start : start + step]) @ self.coef.T
        return values + self.intercept

    def decision_function(self, X: Any) -> Array:
        """Scores: (n,) for two classes, (n, K) for more."""
        rows = read_rows(self.name, X, self.origin)
        values = self.scores(rows.toarray() if hasattr(rows, "toarray") else rows)
        return values[:, 0] if len(self.classes) == 2 else values

    def predict(self, X: Any) -> Array:
        """The class of each row."""
        scores = self.decision_function(X)
        return np.asarray(self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)])

    def save(self, path: Any) -> None:
        """Write the model to a file again."""
        from suffice.persistence import save

        save(self, path)
