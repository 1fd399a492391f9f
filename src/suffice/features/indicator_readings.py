"""What a fitted encoder tells of itself: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.features.categories import FEW, category_array


class IndicatorReadings:
    """The categories of the columns, and which of them have no indicator."""

    @property
    def categories_(self: Any) -> list[Array]:
        """The categories of each column, in order; a missing cell is the last: NaN."""
        return [category_array(some) for some in self._state()[0].model.categories]

    @property
    def drop_idx_(self: Any) -> Array | None:
        """The place of the category that is dropped in each column, None where none is; None where none may be."""
        model = self._state()[0].model
        if model.plan.drop is None:
            return None
        out = np.empty(len(model.dropped), dtype=object)
        for j, place in enumerate(model.dropped):
            group = None if place is None else model.groups[j][place]
            first = model.few[j][0] if group is FEW else group
            out[j] = None if place is None else model.categories[j].index(first)
        return out

    @property
    def infrequent_categories_(self: Any) -> list[Array | None]:
        """The categories of each column that share an indicator; None where none do."""
        model = self._state()[0].model
        return [category_array(some) if some else None for some in model.few or ((),) * len(model.categories)]
