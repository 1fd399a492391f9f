"""A support vector machine that was learned, as a value: it is saved to files and predicts on NumPy alone.

f(x) = sum over support vectors of alpha_i y_i k(x_i, x) - t
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadFile
from suffice.core.registry import saved
from suffice.estimators.origin import Origin
from suffice.margin.pairs_of_classes import SHAPES, pairs, votes
from suffice.margin.saved_scores import read_rows
from suffice.spaces.kernels import Kernel, LinearKernel

CELLS = 1 << 20  # kernel values that are held at a time


@saved
@dataclass(frozen=True)
class VectorMachine:
    """Support vectors with a multiplier for each pair of classes; what `load` gives back."""

    name: str  # of the estimator that learned it
    kernel: Kernel
    centre: Array  # (d,) taken off inputs first: 0 but for the linear kernel, where it changes t alone
    vectors: Array  # (m, d) about the centre; (m,) numbers of rows where kernel values were given
    coef: Array  # (m, P) multipliers of each pair, with the sign of the class
    intercept: Array  # (P,) -t
    classes: tuple[Any, ...]  # K labels; of two, a value of at least 0 is the second, of more, one above 0 is the first
    origin: Origin
    shape: str = "ovr"
    break_ties: bool = False

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        kinds = (("name", str), ("kernel", Kernel), ("classes", tuple), ("origin", Origin))
        for piece, kind in kinds:
            if not isinstance(getattr(self, piece), kind):
                raise BadFile(f"its {piece} is no {kind.__name__}")
        wanted = (len(self.vectors), len(pairs(len(self.classes))))
        if self.coef.shape != wanted or self.intercept.shape != wanted[1:] or self.shape not in SHAPES:
            raise BadFile(f"its multipliers are not of shape {wanted}")

    @property
    def classes_(self) -> Array:
        """The class labels."""
        return self.origin.classes(self.classes)

    def decision_function(self, X: Any) -> Array:
        """f(x): (n,) for two classes; for more, a score of each class (n, K), or with "ovo" of each pair."""
        values = self.values(self._rows(X))
        return values[:, 0] if len(self.classes) == 2 else SHAPES[self.shape](values, len(self.classes))

    def predict(self, X: Any) -> Array:
        """The class of each row: by the sign of f for two, else by vote, the first of equals."""
        return self.classes_[self.winners(self._rows(X))]

    def winners(self, X: Array) -> Array:
        """The number of the class of each row (n,)."""
        values, K = self.values(X), len(self.classes)
        if K == 2:
            return np.asarray((values[:, 0] >= 0).astype(np.intp))
        scores = SHAPES[self.shape](values, K) if self.break_ties else votes(values, K)
        return np.asarray(scores.argmax(axis=1))

    def values(self, X: Array) -> Array:
        """f of each pair of classes (n, P), a block of rows at a time."""
        if isinstance(self.kernel, LinearKernel):
            return np.asarray((X - self.centre) @ self.weights.T + self.intercept)
        values, towards = np.empty((len(X), len(self.intercept))), self.kernel.towards(self.vectors)
        step = max(1, CELLS // max(1, len(self.vectors)))
        for start in range(0, len(X), step):
            values[start : start + step] = towards(X[start : start + step]) @ self.coef
        return values + self.intercept

    @cached_property
    def weights(self) -> Array:
        """w of each pair (P, d); only a linear kernel has them."""
        return np.asarray(self.coef.T @ self.vectors)

    @cached_property
    def norms(self) -> Array:
        """norm(w)^2 of each pair (P,), in the space of the kernel."""
        if isinstance(self.kernel, LinearKernel):
            return np.asarray((self.weights**2).sum(axis=1))
        result = np.zeros(len(self.intercept))
        towards = self.kernel.towards(self.vectors)
        step = max(1, CELLS // max(1, len(self.vectors)))
        for start in range(0, len(self.vectors), step):
            part = slice(start, start + step)
            result += ((towards(self.vectors[part]) @ self.coef) * self.coef[part]).sum(axis=0)
        return result

    def save(self, path: Any) -> None:
        """Write the model to a file again."""
        from suffice.persistence import save

        save(self, path)

    def _rows(self, X: Any) -> Array:
        rows = read_rows(self.name, X, self.origin)
        return np.asarray(rows.toarray() if hasattr(rows, "tocsr") else rows)
