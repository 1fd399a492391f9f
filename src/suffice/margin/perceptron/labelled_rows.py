"""Labels of rows, coded in the order of the classes. Labels scikit-learn's users pass, checked once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.by_class import canonical
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.targets import read_labels
from suffice.sources.tables.labels import numbers_of


def code_classes(owner: str, y: Coded, declared: tuple[Any, ...] | None = None) -> tuple[Array, tuple[Any, ...]]:
    """The number of the class of each row (n,), and the classes in order.

    Parameters
    ----------
    owner : who asks
    y : labels of the rows, coded as they came
    declared : classes that were named before; None: those that occur
    """
    classes = canonical(y.labels[0]) if declared is None else declared
    codes = numbers_of(owner, y, classes, "Name it in the first call.")
    if len(classes) < 2:
        rule = "of at least 2 classes (The number of classes has to be greater than one)"
        raise bad(owner, "y", rule, Said(f"{len(classes)} class"), "Give it rows of another class.")
    return codes, classes


class Weighing(NamedTuple):
    """The rows that weigh something: a row of weight 0 is no row, and a class of such rows no class."""

    rows: Array  # (m,) their numbers
    codes: Array  # (m,) the number of the class of each
    classes: tuple[Any, ...]
    w: Array | None  # (m,)

    @classmethod
    def of(cls, owner: str, codes: Array, classes: tuple[Any, ...], w: Array | None) -> Weighing:
        """Of at least two classes."""
        if w is None:
            return cls(np.arange(len(codes)), codes, classes, None)
        rows = np.flatnonzero(w)
        numbers = np.unique(codes[rows])
        if len(numbers) < 2:
            rule = "of at least 2 classes in rows that weigh something (The number of classes has to be above one)"
            raise bad(owner, "y", rule, Said("1 class"), "Give it rows of another class.")
        kept = tuple(classes[k] for k in numbers)
        return cls(rows, np.searchsorted(numbers, codes[rows]), kept, w[rows])


def declare(owner: str, classes: Any) -> tuple[Any, ...]:
    """Classes named beforehand, in order."""
    if classes is None:
        rule = "given in the first call (classes must be passed on the first call to partial_fit)"
        raise bad(owner, "classes", rule, None, "Give all labels that may ever come.")
    return canonical(read_labels(owner, classes).labels[0])
