"""A linear function, as a value: it predicts on NumPy alone. y = x . coef + intercept"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import BadFile
from suffice.core.registry import saved
from suffice.estimators.reading import reading


@saved
@dataclass(frozen=True)
class LinearFunction:
    """Coefficients and intercept, and how they were learned."""

    coef: Array  # (d,)
    intercept: float
    sweeps: int = 0
    squared_residuals: float = float("nan")

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        if np.ndim(self.coef) != 1 or not isinstance(self.intercept, float):
            raise BadFile("its coefficients are not one number a column and an intercept")

    def predict(self, block: Block) -> Array:
        """The number of each row (n, 1)."""
        return np.asarray(block.parts[0] @ self.coef + self.intercept)[:, None]


class LineReadings:
    """What a linear function tells."""

    coef_ = reading("coef", "Weights (d,).")
    intercept_ = reading("intercept", "The intercept.")
    n_iter_ = reading("sweeps", "Sweeps of the last call.")
    squared_residuals_ = reading("squared_residuals", "Their weighted sum, after the last sweep.")
