"""Means in the space of a kernel, as a value: known by the rows that they are means of. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.reading import reading
from suffice.spaces.given_kernels import GivenKernel
from suffice.spaces.kernels import Kernel


def to_means(G: Array, own: Array, inner: Array, weight: Array) -> Array:
    """Squared distances to the means (n, K), from weighted sums of k over the clusters G (n, K)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(weight > 0, own[:, None] - 2.0 * G / weight + inner / weight**2, np.inf)


@saved
@dataclass(frozen=True)
class KernelMeans:
    """Rows, their clusters, and the kernel in whose space these have means."""

    rows: Any  # (n, d); the numbers of the rows (n,) where kernel values were given
    kernel: Kernel
    labels: Array  # (n,)
    share: Array  # (n,) weights
    inner: Array  # (K,) sum of w w' k within each cluster
    inertia: float
    steps: int
    settled: bool
    rule: str = "mean"

    def assign(self, block: Block) -> Array:
        """The nearest mean, or cluster by the printed rule (n,)."""
        return np.asarray(self._far(block).argmin(axis=1).astype(np.int32))

    def closeness(self, block: Block) -> Array:
        """Minus that distance (n,)."""
        return np.asarray(-self._far(block).min(axis=1))

    def _far(self, block: Block) -> Array:
        (X,) = block.parts
        K = len(self.inner)
        if isinstance(self.kernel, GivenKernel):
            k, own = np.asarray(X, dtype=np.float64), np.zeros(len(X))  # k(x, x) is the same for all clusters
        else:
            k, own = self.kernel.between(X, self.rows), self.kernel.diagonal(X)
        Z = np.zeros((len(self.labels), K))
        Z[np.arange(len(self.labels)), self.labels] = self.share
        if self.rule == "mean":
            return to_means(k @ Z, own, self.inner, Z.sum(axis=0))
        known = self.kernel.diagonal(self.rows)
        apart = np.sqrt(np.maximum(own[:, None] - 2.0 * k + known, 0.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(Z.sum(axis=0) > 0, apart @ Z / Z.sum(axis=0), np.inf)


class KernelReadings:
    """What partitions in the space of a kernel tell."""

    inertia_ = reading("inertia", "Weighted sum of squared distances to the own mean, in the space of the kernel.")
    n_iter_ = reading("steps", "Number of sweeps.")
    kernel_ = reading("kernel", "The kernel, with its numbers.")


@saved
@dataclass(frozen=True)
class KernelMeansPlan(NumberPlan):
    """Means in the space of a kernel."""

    face: ClassVar[str] = "clusterer"

    def readings(self) -> tuple[type[Any], ...]:
        """The kernel and the scatter."""
        return (KernelReadings,)
