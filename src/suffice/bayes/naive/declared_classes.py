"""The classes that scikit-learn's `partial_fit` asks for in its first call."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.multiclass import unique_labels

from suffice.core.block import Array
from suffice.core.errors import Said, bad, in_our_name


def first_classes(owner: str, classes: Any) -> Array:
    """All classes that may ever come, of the first call."""
    if classes is None:
        remedy = "Give all labels that may ever come, or use NaiveBayes, which meets them as they come."
        raise bad(owner, "classes", "passed on the first call to partial_fit", None, remedy)
    with in_our_name(owner):
        given: Array = unique_labels(classes)
    return given


def same_classes(owner: str, classes: Any, known: Array) -> None:
    """Refuse other classes in a later call."""
    if not np.array_equal(known, first_classes(owner, classes)):
        told = f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {known!r}"
        raise bad(owner, "classes", f"those of the first call ({told})", Said("others"), "Leave them out.")
