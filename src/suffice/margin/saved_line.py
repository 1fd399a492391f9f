"""A linear function from a file: it predicts on NumPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadFile
from suffice.core.registry import saved
from suffice.estimators.origin import Origin
from suffice.margin.saved_scores import read_rows


@saved
@dataclass(frozen=True)
class SavedLine:
    """y = x . coef + intercept."""

    name: str  # of the estimator that learned it
    coef: Array  # (d,)
    intercept: float
    origin: Origin

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        for piece, kind in (("name", str), ("coef", np.ndarray), ("intercept", float), ("origin", Origin)):
            if not isinstance(getattr(self, piece), kind):
                raise BadFile(f"its {piece} is no {kind.__name__}")
        if self.coef.shape != (self.origin.width,):
            raise BadFile(f"its coefficients are not of shape {(self.origin.width,)}")

    def predict(self, X: Any) -> Array:
        """The number of each row (n,)."""
        return np.asarray(read_rows(self.name, X, self.origin) @ self.coef + self.intercept)

    def save(self, path: Any) -> None:
        """Write the model to a file again."""
        from suffice.persistence import save

        save(self, path)
