"""Probabilities of cells that are linear in a parameter: a value, which can be written to a file.

p_c(theta) = start_c + slopes_c . theta
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved


@saved
@dataclass(frozen=True)
class LinearCells:
    """Cells for `HiddenCounts`.

    Parameters
    ----------
    start : probability of each cell where the parameter is 0
    slopes : how much each grows with the parameter; a row for each cell where there are several parameters

    >>> LinearCells((0.5, 0.0, 0.0, 0.5), (0.0, 1.0, 2.0, -3.0))(0.125).tolist()
    [0.5, 0.125, 0.25, 0.125]
    """

    start: tuple[float, ...]
    slopes: tuple[Any, ...]

    def __post_init__(self) -> None:
        """Refuse cells of which one has no slope."""
        if len(self.start) != len(self.slopes) or np.asarray(self.slopes, dtype=np.float64).ndim not in (1, 2):
            raise bad(self, "slopes", f"one for each of {len(self.start)} cells", self.slopes, "Use 0 for none.")

    def __call__(self, theta: Any) -> Array:
        """Probabilities of all cells (C,)."""
        slopes = np.asarray(self.slopes, dtype=np.float64)
        moved = slopes @ np.asarray(theta, dtype=np.float64) if slopes.ndim == 2 else slopes * float(theta)
        return np.asarray(np.asarray(self.start, dtype=np.float64) + moved)
