"""The classes that scikit-learn's `partial_fit` asks for in its first call."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.multiclass import unique_labels

from suffice.core.block import Array
from suffice.core.errors import BadInput
from suffice.estimators.boundary.scikit_checks import in_our_name


def first_classes(owner: str, classes: Any) -> Array:
    """All classes that may ever come, of the first call."""
    if classes is None:
        raise BadInput(
            f"{owner}: classes must be passed on the first call to partial_fit, got None. Give all labels that may "
            "ever come, or use NaiveBayes, which meets them as they come."
        )
    with in_our_name(owner):
        given: Array = unique_labels(classes)
    return given


def same_classes(owner: str, classes: Any, known: Array) -> None:
    """Refuse other classes in a later call."""
    if not np.array_equal(known, first_classes(owner, classes)):
        raise BadInput(
            f"{owner}: classes must be those of the first call (`classes={classes!r}` is not the same as on last call "
            f"to partial_fit, was: {known!r}), got others. Leave them out."
        )
