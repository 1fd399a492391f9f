"""Labels as scikit-learn's users pass them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import column_or_1d

from suffice.core.block import Coded
from suffice.estimators.boundary.scikit_checks import in_our_name
from suffice.estimators.boundary.target import ClassTarget
from suffice.sources.tables.labels import code_labels


class LabelColumn(ClassTarget):
    """One label a row; scikit-learn warns of a column where a list of labels was due."""

    def _coded(self, owner: str, y: Any) -> Coded:
        return read_labels(owner, y)


def read_labels(owner: str, y: Any) -> Coded:
    """Labels as codes; scikit-learn warns of a column where a list of labels was due."""
    column = isinstance(y, list) and bool(y) and isinstance(y[0], list)
    if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biu":
        return code_labels(y)
    if column or isinstance(y, np.ndarray) or len(getattr(y, "shape", ())) == 2:
        with in_our_name(owner):
            y = column_or_1d(y, warn=True)
    return code_labels(y)
