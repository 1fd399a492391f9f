"""What a fitted filter tells of itself: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.estimators.reading import reading


class FilterReadings:
    """Scores, p-values, and which columns stay."""

    scores_ = reading("scored.scores", "The score of each column (d,).")
    pvalues_ = reading("scored.p_values", "The p-value of each column (d,); None where the score is no test.")

    def get_support(self: Any, indices: bool = False) -> Array:
        """Which columns stay: True or False of each (d,), or their numbers.

        Parameters
        ----------
        indices : whether to give numbers
        """
        mask = self._state()[0].model.support
        return np.flatnonzero(mask) if indices else mask.copy()
