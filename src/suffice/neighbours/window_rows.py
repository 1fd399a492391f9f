"""A window at every row, as a value: it predicts on NumPy alone.

f(x) = 1 / (W h^d) sum_i w_i K((x - x_i) / h)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.estimators.boundary.legacy_random import legacy_random
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.reading import reading
from suffice.families.windows.weighted_points import Points
from suffice.families.windows.window_sums import log_sums
from suffice.families.windows.windows import Window


@saved
@dataclass(frozen=True)
class WindowRows:
    """Rows, their weights, and the window around each."""

    rows: Array  # (n, d)
    weight: Array | None  # (n,)
    bandwidth: float
    window: Window
    rtol: float = 0.0  # relative and absolute error of a density that is allowed
    atol: float = 0.0

    @cached_property
    def points(self) -> Points:
        """The rows that weigh something."""
        return Points.of(self.rows, self.weight)

    def log_density(self, block: Block) -> Array:
        """log p(x) of each row (n,)."""
        (X,), points = block.parts, self.points
        log_top = -points.d * np.log(self.bandwidth) - self.window.log_volume(points.d)  # of one window: none is higher
        with np.errstate(over="ignore"):
            error = max(self.rtol, float(self.atol * np.exp(-log_top)))
        sums = log_sums(points, X, self.bandwidth, self.window, min(error, 0.1))
        return np.asarray(sums + (log_top - np.log(points.total)))

    def draw(self, n: int, rng: Any) -> Array:
        """New rows (n, d): a row by its weight, and a draw from its window."""
        w = np.ones(len(self.rows)) if self.weight is None else self.weight
        reached = np.cumsum(w)
        at = np.searchsorted(reached, rng.uniform(0, 1, size=n) * reached[-1], side="right")
        at = np.minimum(at, np.flatnonzero(w)[-1])
        return np.asarray(self.rows[at] + self.bandwidth * self.window.draw(n, self.rows.shape[1], rng))


class WindowReadings:
    """What a window density tells beside densities."""

    bandwidth_ = reading("bandwidth", "The bandwidth.")

    def score(self: Any, X: Any, y: Any = None) -> float:
        """Log density of all rows together.

        Parameters
        ----------
        X : rows like those of training
        y : not used
        """
        return np.sum(self.score_samples(X))  # type: ignore[no-any-return]

    def sample(self: Any, n_samples: int = 1, random_state: Any = None) -> Array:
        """New rows: a row of training by its weight, and a draw from its window.

        Parameters
        ----------
        n_samples : how many
        random_state : seed, or generator of NumPy's older kind
        """
        model: WindowRows = self._state()[0].model
        if isinstance(n_samples, bool) or not (isinstance(n_samples, Integral) and n_samples >= 1):
            raise bad(self._owner, "n_samples", "a whole number of at least 1", n_samples, "Say how many to draw.")
        return model.draw(int(n_samples), legacy_random(self._owner, random_state))


@saved
@dataclass(frozen=True)
class WindowPlan(NumberPlan):
    """A window density."""

    face: ClassVar[str] = "density"

    def readings(self) -> tuple[type[Any], ...]:
        """Bandwidth and draws."""
        return (WindowReadings,)
