"""What a fitted encoder tells of itself: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.features.indicators import category_array


class IndicatorReadings:
    """The categories of the columns, and which of them have no indicator."""

    @property
    def categories_(self: Any) -> list[Array]:
        """The categories of each column, in order; a missing cell is the last: NaN, or None among texts."""
        return [category_array(some) for some in self._state()[0].model.categories]

    @property
    def drop_idx_(self: Any) -> Array | None:
        """The place of the category that is dropped in each column, None where none is; None where none may be."""
        model = self._state()[0].model
        if model.plan.drop is None:
            return None
        return np.array(model.dropped, dtype=object)
