"""What a kind of distribution must offer: families summarize and estimate, distributions are evaluated and sampled."""

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
        """Log density of each row under each component (n, K); -inf where a cell is impossible.

        A missing cell adds nothing, nor does an infinite number. It may have a `log_evidence` beside it: the same but
        for what all components of a row share, so that a cell which is impossible under every one of them adds nothing
        either. That is what a posterior is made of: such a cell says nothing about which of them it was.
        """

    def cells(self, part: Any, k: int) -> Array:
        """Log density of each cell under component k (n, d), 0 where missing; its sum over a row is the log density."""

    def sample(self, components: Array, rng: np.random.Generator) -> Any:
        """One row for each entry of `components`."""

    def power(self, weights: Array) -> Distribution:
        """The distribution whose cells are raised to the powers `weights` (d,); samples are of the one before."""


class Cellwise(ABC):
    """A distribution of independent columns that is evaluated cell by cell, in NumPy; also its own twin."""

    weights: Array  # (d,) power of each column
    lowest: ClassVar[float] = -np.inf  # smallest cell there can be
    whole: ClassVar[bool] = False  # whether cells are whole numbers, whose probabilities sum to 1, or densities

    @property
    def highest(self) -> float:
        """Largest cell there can be."""
        return np.inf

    @property
    @abstractmethod
    def K(self) -> int:
        """Number of components."""

    @abstractmethod
    def log_cells(self, x: Array, k: int) -> Array:
        """Log density of each cell (n, d) under component k; x holds no missing or impossible cell."""

    def log_density(self, part: Array) -> Array:
        """Log density (n, K)."""
        out = np.empty((self.K, len(part)))
        for k in range(self.K):
            out[k] = self.cells(part, k).sum(axis=1)
        return out.T

    def log_evidence(self, part: Array) -> Array:
        """Log density (n, K) without the cells that are impossible under every component."""
        out, nobody = np.empty((self.K, len(part))), self._nobody(part)
        for k in range(self.K):
            out[k] = np.where(nobody, 0.0, self.cells(part, k)).sum(axis=1)
        return out.T

    def _nobody(self, part: Array) -> Array:
        """Which cells (n, d) are impossible under every component; most are possible under the first."""
        nobody = np.ones(part.shape, dtype=bool)
        for k in range(self.K):
            if nobody.any():
                nobody &= np.isneginf(self.cells(part, k))
        return nobody

    def cells(self, part: Array, k: int) -> Array:
        """Powers of the densities of each cell under component k, as logs (n, d), 0 where missing or infinite."""
        x = np.asarray(part, dtype=np.float64)
        told, possible = np.isfinite(x), self.possible(x)
        with np.errstate(invalid="ignore", over="ignore"):  # 0 times infinity, and cells too far out to be squared
            logs = np.where(possible, self.log_cells(np.where(possible, x, 1.0), k), -np.inf)
            return np.where(told & (self.weights != 0.0), logs * self.weights, 0.0)

    def possible(self, x: Array) -> Array:
        """Which cells there can be at all."""
        inside = (x >= self.lowest) & (x <= self.highest) & np.isfinite(x)
        return np.asarray(inside & (x == np.floor(x)) if self.whole else inside)

    def power(self, weights: Array) -> Self:
        """Raise each column to a power."""
        return replace(self, weights=self.weights * weights)  # type: ignore[type-var]


class Family(Protocol):
    """A kind of distribution, with its prior."""

    storage: ClassVar[Storage]  # the cells it can describe

    def summarize(self, part: Any, R: Shares) -> Any:
        """What is kept of the rows."""

    def estimate(self, summary: Any) -> Distribution:
        """The distribution that the summary says, prior included.

        A component about which neither rows nor the prior say anything takes the distribution of all rows together.
        """


@saved
class Reading(Enum):
    """What is read from the posterior over parameters."""

    MEAN = "mean"  # its mean: the plug-in estimate
    MODE = "mode"  # its mode: maximum a posteriori
    PREDICTIVE = "predictive"  # all of it: the parameters are integrated out
