"""The named options of perceptrons: penalties, what counts as a mistake, where to begin, when to stop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array
from suffice.margin.perceptron.flat_rows import FlatRows
from suffice.margin.perceptron.perceptron_sweep import PerceptronStep


@dataclass(frozen=True)
class PerceptronPenalty:
    """alpha ((1 - m)/2 norm(w)^2 + m sum |w|), with m the part that is on sizes."""

    strength: float  # 0: none
    on_sizes: float | None  # None: what the user says

    def step(self, rate: float, alpha: float, l1_ratio: float, share: float, boundary: float) -> PerceptronStep:
        """How weights move under it; shrinking ends at 0."""
        alpha, m = alpha * self.strength, l1_ratio if self.on_sizes is None else self.on_sizes
        shrink = max(0.0, 1.0 - (1.0 - m) * rate * alpha)
        return PerceptronStep(rate, shrink, m * rate * alpha, 0.5 * (1.0 - m) * alpha, m * alpha, share, boundary)


PENALTIES: Mapping[str | None, PerceptronPenalty] = {
    None: PerceptronPenalty(0.0, 0.0),
    "l2": PerceptronPenalty(1.0, 0.0),
    "l1": PerceptronPenalty(1.0, 1.0),
    "elasticnet": PerceptronPenalty(1.0, None),
}
BOUNDARIES: Mapping[str, float] = {"mistake": 1.0, "first": 0.0}  # whether rows of -1 may lie on the boundary
STOPS: Mapping[str, bool] = {"gain": False, "mistakes": True}  # whether only a sweep without mistakes ends it

Start = Callable[[FlatRows, Array, Array], tuple[Array, float]]  # rows, signs, weights -> coefficients, intercept


def at_zero(rows: FlatRows, signs: Array, w: Array) -> tuple[Array, float]:
    """Nothing is known yet."""
    return np.zeros(rows.width), 0.0


def at_means(rows: FlatRows, signs: Array, w: Array) -> tuple[Array, float]:
    """The bisector of the two means, w = mu+ - mu-, b = -w . (mu+ + mu-) / 2; zero where a side has no rows."""
    sides = [w * (signs == side) for side in (1.0, -1.0)]
    if not all(side.sum() > 0.0 for side in sides):
        return at_zero(rows, signs, w)
    above, below = (rows.mean(side) for side in sides)
    return above - below, -float((above - below) @ (above + below)) / 2.0


STARTS: Mapping[str, Start] = {"zero": at_zero, "means": at_means}
