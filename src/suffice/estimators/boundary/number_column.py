"""Numbers to predict, one a row, as scikit-learn's users pass them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import column_or_1d

from suffice.estimators.boundary.scikit_checks import in_our_name
from suffice.estimators.boundary.table_rows import as_numpy
from suffice.estimators.boundary.target import NumberTarget, ReadTarget
from suffice.estimators.boundary.targets import read_targets


class NumberColumn(NumberTarget):
    """One number a row; scikit-learn warns of a column where a list of numbers was due."""

    def read(self, owner: str, y: Any) -> ReadTarget:
        """Numbers (n, 1)."""
        read_targets(owner, y)
        with in_our_name(owner):
            return ReadTarget(column_or_1d(as_numpy(y), dtype=np.float64, warn=True)[:, None])
