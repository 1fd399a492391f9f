"""What a kind of distribution must offer: a family is summarized and estimated, a distribution is evaluated and sampled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from enum import Enum
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares


class Distribution(Protocol):
    """K fitted components: a frozen dataclass of parameter arrays, component axis first."""

    def log_density(self, part: Any) -> Array:
        """Log density of each row under each component (n, K); a missing cell adds nothing."""

    def cells(self, part: Any, k: int) -> Array:
        """Log density of each cell under component k (n, d), 0 where missing; its sum over a row is the log density."""

    def sample(self, components: Array, rng: np.random.Generator) -> Any:
        """One row for each entry of `components`."""

    def power(self, weights: Array) -> Distribution:
        """The distribution whose cells are raised to the powers `weights` (d,)."""


class Cellwise(ABC):
    """A distribution of independent columns that is evaluated cell by cell, in NumPy; also its own twin."""

    weights: Array  # (d,) power of each column

    @abstractmethod
    def log_cells(self, x: Array, k: int) -> Array:
        """Log density of each cell (n, d) under component k; anything where x is NaN."""

    @property
    @abstractmethod
    def K(self) -> int:
        """Number of components."""

    def cells(self, part: Array, k: int) -> Array:
        """Log density of each cell under component k (n, d), 0 where missing."""
        missing = np.isnan(part)
        logs = self.log_cells(np.where(missing, 1.0, part), k)
        with np.errstate(invalid="ignore"):
            return np.where(missing | (self.weights == 0.0), 0.0, logs * self.weights)

    def log_density(self, part: Array) -> Array:
        """Log density (n, K)."""
        return np.stack([self.cells(part, k).sum(axis=1) for k in range(self.K)], axis=1)

    def power(self, weights: Array) -> Self:
        """Raise each column to a power."""
        return replace(self, weights=self.weights * weights)  # type: ignore[type-var]


class Family(Protocol):
    """A kind of distribution, with its prior."""

    storage: ClassVar[Storage]  # the cells it can describe

    def summarize(self, part: Any, R: Shares) -> Any:
        """What is kept of the rows."""

    def estimate(self, summary: Any) -> Distribution:
        """The distribution that the summary says, prior included."""


@saved
class Reading(Enum):
    """What is read from the posterior over parameters."""

    MEAN = "mean"  # its mean: the plug-in estimate
    MODE = "mode"  # its mode: maximum a posteriori
    PREDICTIVE = "predictive"  # all of it: the parameters are integrated out
