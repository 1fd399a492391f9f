"""Answers that may only rise, or only fall, with a column, as in scikit-learn.

Children on either side of a split on such a column must answer in its order, or the split is not taken; what grows from
them stays on its side of the middle between the two. Splits on other columns are free, but their answers are clipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad


@dataclass(frozen=True)
class Fence:
    """What the answers of the children of a node must keep to."""

    low: float = -np.inf
    high: float = np.inf
    sign: int = 0  # 1: the right child answers no less than the left; -1: no more; 0: whatever

    def keeps(self, left: Array, right: Array) -> Array:
        """Which pairs of answers are within the bounds, and in order; of a column that is free, all."""
        if self.sign == 0:
            return np.ones(np.shape(left), dtype=bool)
        least, most = np.minimum(left, right), np.maximum(left, right)
        return np.asarray((least >= self.low) & (most <= self.high) & ((left - right) * self.sign <= 0))

    def sides(self, left: float, right: float) -> tuple[Fence, Fence]:
        """The bounds of the children: where the column has an order to keep, the middle is between them."""
        middle = left / 2.0 + right / 2.0
        if self.sign > 0:
            return Fence(self.low, middle), Fence(middle, self.high)
        if self.sign < 0:
            return Fence(middle, self.high), Fence(self.low, middle)
        return Fence(self.low, self.high), Fence(self.low, self.high)


def clipped(value: Array, fence: Fence, classes: bool) -> Array:
    """What a node keeps (V,), its answer within the bounds: a number, or the share of the second class."""
    if not classes:
        return np.asarray(np.clip(value, fence.low, fence.high))
    weight = float(value.sum())
    if len(value) < 2 or not weight > 0 or fence.low <= value[1] / weight <= fence.high:
        return value
    share = min(max(value[1] / weight, fence.low), fence.high)
    return weight * np.array([1.0 - share, share])


def read_monotone(owner: str, given: Any, d: int, target: Any) -> tuple[int, ...] | None:
    """The sign of each column (d,): 1 rising, -1 falling, 0 either; None where nothing is asked for.

    Parameters
    ----------
    owner, given, d : of messages, what users gave, number of columns
    target : what is predicted
    """
    if given is None:
        return None
    if target.outputs > 1:
        rule = "None for several targets (Monotonicity constraints are not supported with multiple output)"
        raise bad(owner, "monotonic_cst", rule, Said("signs"), "Fit a tree to each target.")
    signs = np.atleast_1d(np.asarray(given))
    if signs.shape != (d,):
        rule = f"one sign a column (monotonic_cst has shape {len(signs)} but the input data X has {d} features.)"
        raise bad(owner, "monotonic_cst", rule, Said(f"{signs.size} signs"), "Give 0 where a column is free.")
    if not np.isin(signs, (-1, 0, 1)).all():
        told = f"monotonic_cst must be None or an array-like of -1, 0 or 1, but got {np.unique(signs)}"
        raise bad(owner, "monotonic_cst", f"-1, 0 or 1 for each column ({told})", given, "Correct it.")
    if hasattr(target, "K") and target.K > 2:
        rule = "None for several classes (Monotonicity constraints are not supported with multiclass classification)"
        raise bad(owner, "monotonic_cst", rule, Said("signs"), "Use OneVsRestClassifier around a tree.")
    return tuple(int(sign) for sign in signs)
