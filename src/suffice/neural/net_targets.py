"""Labels as targets of output units, checked once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import canonical
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.targets import read_labels
from suffice.neural.file_epochs import NetFile, classes_of_file


class ClassTargets(NamedTuple):
    """The class of each row as a number, and all classes."""

    codes: Array  # (n,)
    classes: tuple[Any, ...]

    @classmethod
    def of(cls, owner: str, y: Coded, declared: tuple[Any, ...] | None) -> ClassTargets:
        """Those that occur, or those that were named before."""
        classes = canonical(y.labels[0]) if declared is None else declared
        place = {label: k for k, label in enumerate(classes)}
        refuse_strange(owner, y.labels[0], classes)
        return cls(np.array([place[label] for label in y.labels[0]], dtype=np.int64)[y.codes[:, 0]], classes)

    def units(self, kind: Any) -> Array:
        """0 or 1 for each output unit (n, t): one unit for two classes, else one a class."""
        return class_units(self.codes, len(self.classes), kind)

    def weights(self, w: Array | None) -> Array:
        """The weight of the rows of each class (K,)."""
        return np.bincount(self.codes, w, minlength=len(self.classes)).astype(np.float64)


class FileTargets(NamedTuple):
    """The classes of a file, and the weight of the rows of each; a block says the class of its own rows."""

    owner: str
    classes: tuple[Any, ...]
    seen: Array  # (K,)

    @classmethod
    def of(cls, owner: str, file: NetFile, declared: tuple[Any, ...] | None) -> FileTargets:
        """Those that occur, or those that were named before."""
        labels, seen = classes_of_file(owner, file)
        classes = labels if declared is None else declared
        refuse_strange(owner, labels, classes)
        known = dict(zip(labels, seen.tolist(), strict=True))
        return cls(owner, classes, np.array([known.get(label, 0.0) for label in classes]))

    def of_block(self, block: Block) -> Array:
        """What the output units should say to the rows of a block (n, t)."""
        assert isinstance(block.y, Coded)
        live = [block.y.labels[0][k] for k in np.unique(block.y.codes[:, 0]).tolist()]  # a row of weight 0 may be odd
        place = {label: k for k, label in enumerate(self.classes)}
        own = np.array([place.get(label, 0) for label in block.y.labels[0]], dtype=np.int64)
        refuse_strange(self.owner, live, self.classes)
        return class_units(own[block.y.codes[:, 0]], len(self.classes), np.float64)


def class_units(codes: Array, K: int, kind: Any) -> Array:
    """0 or 1 for each output unit (n, t): one unit for two classes, else one a class."""
    if K <= 2:
        return np.asarray(codes[:, None].astype(kind))
    return np.asarray((codes[:, None] == np.arange(K)).astype(kind))


def refuse_strange(owner: str, labels: Sequence[Any], classes: tuple[Any, ...]) -> None:
    """Refuse a label that is none of the classes."""
    strange = [label for label in labels if label not in classes]
    if strange:
        rule = f"among the classes {list(classes)} (`y` has classes not in `self.classes_`)"
        raise bad(owner, "labels", rule, strange[0], "Name it in the first call.")


class LabelTargets(NamedTuple):
    """Which of several labels each row has."""

    has: Array  # (n, K), 0 or 1
    classes: tuple[Any, ...]

    @classmethod
    def of(cls, owner: str, has: Array, declared: tuple[Any, ...] | None) -> LabelTargets:
        """Labels are numbered, unless they were named before."""
        classes = tuple(range(has.shape[1])) if declared is None else declared
        if len(classes) != has.shape[1]:
            rule = f"one column for each of the labels {list(classes)}"
            raise bad(owner, "y", rule, Said(f"{has.shape[1]} columns"), "Name as many classes as y has columns.")
        return cls(has, classes)

    def units(self, kind: Any) -> Array:
        """As they are (n, K)."""
        return self.has.astype(kind)

    def weights(self, w: Array | None) -> Array:
        """The weight of the rows that have each label (K,)."""
        return np.asarray((self.has if w is None else self.has * w[:, None]).sum(axis=0), dtype=np.float64)


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
