"""Where parameters may lie, and free coordinates for them: any real vector is a parameter.

Optimisers and random walks move in free coordinates u; a density of theta gains |d theta / d u| there, a likelihood
does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy.special import expit, log_expit, log_softmax, logit

from suffice.core.block import Array
from suffice.core.errors import bad


class Range(Protocol):
    """A set of parameter vectors with free coordinates."""

    def free(self, theta: Array) -> Array:
        """Free coordinates of a parameter inside."""

    def natural(self, u: Array) -> Array:
        """The parameter with these free coordinates."""

    def log_jacobian(self, u: Array) -> float:
        """Log of the volume of theta per volume of u."""

    def holds(self, theta: Array) -> bool:
        """Whether a parameter lies inside."""


@dataclass(frozen=True)
class ParameterBox:
    """Every number between bounds of its own; None is no bound. Logs and log odds of the distances are free.

    >>> box = ParameterBox(((None, None), (0.0, None), (0.0, 1.0)))
    >>> box.free(np.array([3.0, 1.0, 0.5]))
    array([3., 0., 0.])
    """

    bounds: tuple[tuple[float | None, float | None], ...]

    def __post_init__(self) -> None:
        """Refuse bounds that leave no room."""
        for low, high in self.bounds:
            if low is not None and high is not None and not low < high:
                raise bad(
                    "ParameterBox", "bounds", "pairs whose first is below the second", (low, high), "Exchange them."
                )

    def free(self, theta: Array) -> Array:
        """Number by number."""
        return np.array([_free(x, *ends) for x, ends in zip(theta, self.bounds, strict=True)])

    def natural(self, u: Array) -> Array:
        """Number by number."""
        return np.array([_natural(x, *ends) for x, ends in zip(u, self.bounds, strict=True)])

    def log_jacobian(self, u: Array) -> float:
        """Sum over the numbers."""
        return float(sum(_log_slope(x, *ends) for x, ends in zip(u, self.bounds, strict=True)))

    def holds(self, theta: Array) -> bool:
        """Whether every number is strictly between its bounds."""
        if len(theta) != len(self.bounds):
            return False
        return all((a is None or x > a) and (b is None or x < b) for x, (a, b) in zip(theta, self.bounds, strict=True))


@dataclass(frozen=True)
class Simplex:
    """Probabilities that sum to 1; log ratios to the last are free.

    >>> Simplex().natural(np.array([0.0, np.log(2.0)]))
    array([0.25, 0.5 , 0.25])
    """

    def free(self, theta: Array) -> Array:
        """Log ratios to the last."""
        logs = np.log(theta)
        return np.asarray(logs[:-1] - logs[-1])

    def natural(self, u: Array) -> Array:
        """Exponentials, divided by their sum."""
        return np.asarray(np.exp(log_softmax(np.append(u, 0.0))))

    def log_jacobian(self, u: Array) -> float:
        """Sum of the logs of all probabilities."""
        return float(log_softmax(np.append(u, 0.0)).sum())

    def holds(self, theta: Array) -> bool:
        """Whether they are above 0 and sum to 1."""
        return bool(len(theta) > 1 and (theta > 0).all() and abs(theta.sum() - 1.0) < 1e-9)


def read_range(owner: str, within: Any, d: int) -> Range:
    """None for all reals, pairs of bounds, or a range."""
    if within is None:
        return ParameterBox(((None, None),) * d)
    if not isinstance(within, Sequence):
        return within  # type: ignore[no-any-return]
    if len(within) != d or any(len(pair) != 2 for pair in within):
        raise bad(owner, "within", f"a (low, high) pair for each of {d} parameters", within, "None is no bound.")
    return ParameterBox(tuple((low, high) for low, high in within))


def _free(x: float, low: float | None, high: float | None) -> float:
    if low is None and high is None:
        return float(x)
    if high is None:
        return float(np.log(x - (low or 0.0)))
    return float(-np.log(high - x)) if low is None else float(logit((x - low) / (high - low)))


def _natural(u: float, low: float | None, high: float | None) -> float:
    if low is None and high is None:
        return float(u)
    with np.errstate(over="ignore"):
        if high is None:
            return float(np.exp(u)) + (low or 0.0)
        return float(high - np.exp(-u)) if low is None else float(low + (high - low) * expit(u))


def _log_slope(u: float, low: float | None, high: float | None) -> float:
    if low is None and high is None:
        return 0.0
    if high is None:
        return float(u)
    return float(-u) if low is None else float(np.log(high - low) + log_expit(u) + log_expit(-u))
