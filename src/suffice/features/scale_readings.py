"""What a fitted scaler tells of itself: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array


class ScaleReadings:
    """Means, variances and scales of the columns, and how many rows they come from."""

    @property
    def mean_(self: Any) -> Array | None:
        """Mean of each column (d,); None where columns are neither centred nor divided."""
        model = self._state()[0].model
        return np.asarray(model.mean) if model.centred or model.divided else None

    @property
    def var_(self: Any) -> Array | None:
        """Variance of each column (d,); None where columns are not divided."""
        model = self._state()[0].model
        return np.asarray(model.variance) if model.divided else None

    @property
    def scale_(self: Any) -> Array | None:
        """What each column is divided by (d,): its deviation, 1 where it is constant; None where columns are not."""
        model = self._state()[0].model
        return np.asarray(model.scale) if model.divided else None

    @property
    def n_samples_seen_(self: Any) -> Any:
        """Number of rows, or their weight; one a column where cells were missing."""
        moments = self._state()[0].model.moments
        rows, weight = moments.rows[0], moments.weight.value[0]
        seen = rows if np.array_equal(rows, weight) else weight
        return seen[0] if np.ptp(seen) == 0 else seen
