"""Labels as targets of output units, checked once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.by_class import canonical
from suffice.core.errors import bad
from suffice.estimators.boundary.targets import read_labels


class ClassTargets(NamedTuple):
    """The class of each row as a number, and all classes."""

    codes: Array  # (n,)
    classes: tuple[Any, ...]

    @classmethod
    def of(cls, owner: str, y: Coded, declared: tuple[Any, ...] | None) -> ClassTargets:
        """Those that occur, or those that were named before."""
        classes = canonical(y.labels[0]) if declared is None else declared
        place = {label: k for k, label in enumerate(classes)}
        strange = [label for label in y.labels[0] if label not in place]
        if strange:
            rule = f"among the classes {list(classes)} (`y` has classes not in `self.classes_`)"
            raise bad(owner, "labels", rule, strange[0], "Name it in the first call.")
        return cls(np.array([place[label] for label in y.labels[0]], dtype=np.int64)[y.codes[:, 0]], classes)

    def units(self, kind: Any) -> Array:
        """0 or 1 for each output unit (n, t): one unit for two classes, else one a class."""
        if len(self.classes) <= 2:
            return self.codes[:, None].astype(kind)
        return np.asarray((self.codes[:, None] == np.arange(len(self.classes))).astype(kind))

    def weights(self, w: Array | None) -> Array:
        """The weight of the rows of each class (K,)."""
        return np.bincount(self.codes, w, minlength=len(self.classes)).astype(np.float64)


def declared_classes(owner: str, classes: Any, known: tuple[Any, ...] | None) -> tuple[Any, ...]:
    """Classes of a call of `partial_fit`: named in the first, the same in later ones."""
    if classes is None:
        if known is None:
            rule = "given in the first call (classes must be passed on the first call to partial_fit)"
            raise bad(owner, "classes", rule, None, "Give all labels that may ever come.")
        return known
    labels = canonical(read_labels(owner, classes).labels[0])
    if known is not None and labels != known:
        rule = f"{list(known)} (not the same as on last call to partial_fit)"
        raise bad(owner, "classes", rule, list(labels), "Name all classes in the first call.")
    return labels
