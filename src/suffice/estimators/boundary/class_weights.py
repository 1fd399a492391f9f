"""Weights of classes as scikit-learn's users give them: None, "balanced", or a mapping of labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import compute_class_weight

from suffice.core.block import Array
from suffice.core.errors import in_our_name


def class_weights(owner: str, given: Any, classes: Array, codes: Array, w: Array | None = None) -> Array:
    """The weight of each class (K,), read from how much of the rows it has: labels of rows are not looked at again.

    Parameters
    ----------
    owner : who asks
    given : None, "balanced" or {label: weight}
    classes : (K,) labels
    codes : (n,) numbers of the classes
    w : (n,) weights of the rows; None: each counts 1
    """
    if given is None:  # as scikit-learn says too, after checks that take as long as a small fit
        return np.ones(len(classes))
    weight = np.bincount(codes, w, minlength=len(classes)).astype(np.float64)
    with in_our_name(owner):
        found = compute_class_weight(given, classes=classes, y=classes, sample_weight=weight)
    return np.asarray(found, dtype=np.float64)
