"""Linear scores of classes from a file: they predict on NumPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadFile, Said, bad
from suffice.core.registry import saved
from suffice.estimators.origin import Origin


@saved
@dataclass(frozen=True)
class SavedScores:
    """score = x . coef + intercept: above 0 the second of two classes, else the class with the largest."""

    name: str  # of the estimator that learned it
    classes: tuple[Any, ...]
    coef: Array  # (K', d)
    intercept: Array  # (K',)
    origin: Origin

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        for piece, kind in (("name", str), ("classes", tuple), ("coef", np.ndarray), ("origin", Origin)):
            if not isinstance(getattr(self, piece), kind):
                raise BadFile(f"its {piece} is no {kind.__name__}")
        K = len(self.classes)
        shape = (1 if K == 2 else K, self.origin.width)
        if self.coef.shape != shape or np.shape(self.intercept) != shape[:1]:
            raise BadFile(f"its coefficients are not of shape {shape}")

    @property
    def classes_(self) -> Array:
        """The class labels."""
        return self.origin.classes(self.classes)

    def decision_function(self, X: Any) -> Array:
        """Scores: (n,) for two classes, (n, K) for more."""
        scores = np.asarray(read_rows(self.name, X, self.origin) @ self.coef.T + self.intercept)
        return np.asarray(scores[:, 0]) if len(self.classes) == 2 else scores

    def predict(self, X: Any) -> Array:
        """The class of each row."""
        scores = self.decision_function(X)
        return np.asarray(self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)])

    def save(self, path: Any) -> None:
        """Write the model to a file again."""
        from suffice.persistence import save

        save(self, path)


def read_rows(owner: str, X: Any, origin: Origin) -> Any:
    """Rows of numbers, like those of training: sparse ones by row, anything else as an array."""
    names = getattr(X, "columns", None)
    if origin.names is not None and names is not None and tuple(names) != tuple(origin.names):
        raise bad(owner, "the columns", f"named {list(origin.names)}", list(names), "Give the columns of training.")
    try:
        table = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(owner, "X", "rows of numbers", X, "Turn symbols into numbers first.") from None
    if table.ndim != 2:
        raise bad(owner, "X", "a table", Said(f"shape {table.shape}"), "One row is [[...]].")
    origin.check_width(owner, table)
    if not np.isfinite(table.data if hasattr(X, "tocsr") else table).all():
        raise bad(owner, "X", "finite", Said("NaN or infinity"), "Fill the missing cells first.")
    return table
