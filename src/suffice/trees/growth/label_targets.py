"""What trees of classes grow towards: one label a row or several (multi-output), with weights of rows and classes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.label_tables import label_columns
from suffice.trees.growth.growth_options import read_classes, weigh_classes
from suffice.trees.growth.targets import ClassSums, MultiOutputSums
from suffice.trees.impurities import ClassImpurity


class GrowthLabels(NamedTuple):
    """Labels of rows as a tree grows towards them."""

    target: ClassSums | MultiOutputSums
    classes: tuple[Any, ...]  # labels; of several outputs, a tuple of labels for each
    w: Array  # (n,) weights of rows, before those of classes

    @property
    def several(self) -> bool:
        """Whether a row has several labels."""
        return isinstance(self.target, MultiOutputSums)

    @property
    def by_output(self) -> tuple[tuple[Any, ...], ...]:
        """The classes of each output."""
        return self.classes if self.several else (self.classes,)

    @property
    def codes(self) -> Array:
        """Class numbers (n, q)."""
        return self.target.codes if self.several else self.target.codes[:, None]


def read_label_targets(owner: str, block: Block, class_weight: Any, measure: ClassImpurity) -> GrowthLabels:
    """The labels of a block, with weights of classes: None, "balanced", a dict, or a list of dicts, one an output."""
    y: Any = block.y
    if y.codes.shape[1] == 1:
        codes, classes, w = read_classes(owner, y, block.w)
        weighed = weigh_classes(owner, class_weight, codes, classes, w)
        return GrowthLabels(ClassSums(codes, len(classes), weighed, measure), classes, w)
    codes, outputs, w = _read_outputs(owner, y, block.w)
    weighed = _weigh_outputs(owner, class_weight, codes, outputs, w)
    return GrowthLabels(MultiOutputSums(codes, tuple(map(len, outputs)), weighed, measure), outputs, w)


def balanced(codes: Array, counts: Array) -> Array:
    """Weights of rows (n,) under which the classes of each output that was drawn weigh alike, rows drawn so often."""
    w = np.ones(len(codes))
    for t in range(codes.shape[1]):
        met = np.bincount(codes[:, t], counts)
        factors = np.divide(counts.sum(), (met > 0).sum() * met, out=np.zeros(len(met)), where=met > 0)
        w *= factors[codes[:, t]]
    return w


def _read_outputs(owner: str, y: Coded, w: Array | None) -> tuple[Array, tuple[tuple[Any, ...], ...], Array]:
    """Of several labels a row: class numbers (n, q), the classes of each output, and weights (n,)."""
    found = [read_classes(owner, column, w) for column in label_columns(y)]
    return np.column_stack([codes for codes, _, _ in found]), tuple(labels for _, labels, _ in found), found[0][2]


def _weigh_outputs(owner: str, given: Any, codes: Array, classes: tuple[tuple[Any, ...], ...], w: Array) -> Array:
    """Weights of rows times those of their class in every output."""
    q = len(classes)
    if isinstance(given, dict):
        rule = "one dict an output (For multi-output, class_weight should be a list of dicts)"
        raise bad(owner, "class_weight", rule, given, "Give a list.")
    if isinstance(given, list) and len(given) != q:
        rule = f"{q} dicts (number of elements in class_weight should match number of outputs.)"
        raise bad(owner, "class_weight", rule, Said(str(len(given))), "Give one for each output.")
    each = given if isinstance(given, list) else [given] * q
    for t in range(q):  # by numbers of rows, so that what one output weighs does not change what another says
        w = w * weigh_classes(owner, each[t], codes[:, t], classes[t], np.where(w > 0, 1.0, 0.0))
    return w
