"""What classifiers by linear scores tell of themselves, as estimators and from files. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.estimators.holder import Holder


class Scoring:
    """Coefficients of the scores and their names."""

    @property
    def coef_(self: Holder) -> Array:
        """Coefficients: (1, p) for two classes, (K, p) for more."""
        return self._origin.typed(self._state()[0].model.coef)

    @property
    def intercept_(self: Holder) -> Array:
        """Scores at 0: (1,) for two classes, (K,) for more."""
        return self._origin.typed(self._state()[0].model.intercept)

    def get_feature_names_out(self: Holder, input_features: Any = None) -> Array:
        """The name of each coefficient."""
        return np.array(self._state()[0].model.names, dtype=object)
