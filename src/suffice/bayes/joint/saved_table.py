"""A joint table as a file holds it. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.bayes.joint.table_axes import Axes
from suffice.core.block import Array
from suffice.core.registry import saved


@saved
@dataclass(frozen=True)
class SavedTable:
    """Names, values and counts: what the table is made of again."""

    names: tuple[str, ...]
    values: tuple[tuple[Any, ...], ...]
    counts: Array
    alpha: float
    found: tuple[str, ...]  # variables whose values were met, not declared

    def restored(self) -> Any:
        """The table."""
        from suffice.bayes.joint.joint_table import JointTable

        axes = Axes.of(dict(zip(self.names, self.values, strict=True)), max(self.counts.size, 1))
        counts = np.array(self.counts, dtype=np.float64).reshape(axes.shape)
        return JointTable._of(axes, counts, float(self.alpha), frozenset(self.found))
