"""SquaredErrorParts: how much of a squared error is bias, variance and noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.decide.read_wishes import as_numbers
from suffice.estimators.boundary.targets import read_weights


@dataclass(frozen=True, eq=False)
class SquaredErrorParts:
    """Squared error = bias^2 + variance + noise, exactly, for every row and hence in the mean.

        bias^2 = (mean of predictions - mean of targets)^2
        variance = mean of (prediction - mean of predictions)^2,   noise = mean of (target - mean of targets)^2

    The means are over the models that predict a row, and over the targets that were measured for it: with one target a
    row there is no noise, or rather, it is part of the bias. `squared_error` is the mean over all pairs of the two.

    >>> parts = SquaredErrorParts.of([[1.0, 4.0], [3.0, 4.0]], [2.0, 6.0])
    >>> parts.bias_squared, parts.variance, parts.squared_error
    (2.0, 0.5, 2.5)

    References
    ----------
    S. Geman, E. Bienenstock and R. Doursat, Neural networks and the bias/variance dilemma (1992).
    """

    bias_by_row: Array  # (n,) mean prediction - mean target, with its sign; NaN where no model predicts
    variance_by_row: Array  # (n,)
    noise_by_row: Array  # (n,)
    weight: Array  # (n,) of the rows, 0 where no model predicts

    @classmethod
    def of(cls, predictions: Any, y: Any, sample_weight: Any = None) -> SquaredErrorParts:
        """The parts of the error of several models.

        Parameters
        ----------
        predictions : (M, n) of M models for n rows; NaN where a model does not predict a row
        y : (n,) targets, or (n, R) of R measurements of each row
        sample_weight : one weight a row, at least 0
        """
        made = as_numbers(cls.__name__, "predictions", "numbers", predictions)
        t = as_numbers(cls.__name__, "y", "numbers", y)
        if made.ndim != 2 or not made.size:
            raise bad(cls.__name__, "predictions", "a table, a line for each model", Said(f"shape {made.shape}"))
        if np.isinf(made).any() or np.isnan(made).all():
            rule = "finite, NaN where there is none, and one at least"
            raise bad(cls.__name__, "predictions", rule, Said("infinite ones, or none"))
        t = t[:, None] if t.ndim == 1 else t
        if t.ndim != 2 or len(t) != made.shape[1] or not t.shape[1] or not np.isfinite(t).all():
            rule = f"finite, one target or more for each of the {made.shape[1]} rows"
            raise bad(cls.__name__, "y", rule, Said(f"shape {np.shape(y)}"), "Leave rows without a target out.")
        w = read_weights(cls.__name__, sample_weight, len(t))
        return cls._from(made, t, np.ones(len(t)) if w is None else w)

    @classmethod
    def _from(cls, made: Array, t: Array, w: Array) -> SquaredErrorParts:
        """All is measured from the first target of a row, so that far offsets cost no digits."""
        known = ~np.isnan(made)
        times = known.sum(axis=0)
        seen = np.where(times > 0, times, np.nan)
        apart, measured = np.where(known, made - t[:, 0], 0.0), t - t[:, :1]
        middle, target = apart.sum(axis=0) / seen, measured.mean(axis=1)
        variance = np.where(known, (apart - middle) ** 2, 0.0).sum(axis=0) / seen
        noise = ((measured - target[:, None]) ** 2).mean(axis=1)
        return cls(middle - target, variance, noise, np.where(times > 0, w, 0.0))

    @property
    def bias_squared(self) -> float:
        """Mean of the squared bias of the rows."""
        return self._mean(self.bias_by_row**2)

    @property
    def variance(self) -> float:
        """Mean of the variance of the rows."""
        return self._mean(self.variance_by_row)

    @property
    def noise(self) -> float:
        """Mean of the noise of the rows."""
        return self._mean(self.noise_by_row)

    @property
    def squared_error(self) -> float:
        """The mean squared error, which is the sum of the three."""
        return self._mean(self.bias_by_row**2 + self.variance_by_row + self.noise_by_row)

    def __str__(self) -> str:
        """The parts and their sum."""
        parts = {"bias^2": self.bias_squared, "variance": self.variance, "noise": self.noise}
        lines = [f"{name:<15}{value:.6g}" for name, value in {**parts, "squared error": self.squared_error}.items()]
        return "\n".join(lines)

    __repr__ = __str__

    def _mean(self, values: Array) -> float:
        live = self.weight > 0.0
        return float(np.average(values[live], weights=self.weight[live])) if live.any() else float("nan")
