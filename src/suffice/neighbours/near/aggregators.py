"""How the targets of several neighbours become one: mean, median, mode, a quantile, or any function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved


class Aggregator(Protocol):
    """Several targets to one."""

    def of(self, targets: Array, weight: Array) -> Array:
        """One row (n, q) of the targets (n, m, q) of m neighbours with weights (n, m)."""


@saved
@dataclass(frozen=True)
class MeanTarget:
    """The weighted mean."""

    def of(self, targets: Array, weight: Array) -> Array:
        """sum w t / sum w, about the first target: an offset costs no digits."""
        first = targets[:, :1]
        total = weight.sum(axis=1)[:, None]
        return np.asarray(first[:, 0] + np.einsum("nm,nmq->nq", weight, targets - first) / total)


@saved
@dataclass(frozen=True)
class QuantileTarget:
    """The least target that a share of the weight does not exceed; at a tie, the middle of it and the next.

    >>> QuantileTarget(0.5).of(np.array([[[1.0], [5.0], [2.0]]]), np.ones((1, 3)))
    array([[2.]])
    """

    share: float

    def of(self, targets: Array, weight: Array) -> Array:
        """By sorting each target."""
        order = np.argsort(targets, axis=1, kind="stable")
        values = np.take_along_axis(targets, order, axis=1)
        w = np.take_along_axis(np.broadcast_to(weight[:, :, None], targets.shape), order, axis=1)
        reached, goal = np.cumsum(w, axis=1), self.share * w.sum(axis=1)
        slack = 1e-12 * reached[:, -1]
        low = (reached < (goal - slack)[:, None]).sum(axis=1)
        high = (reached <= (goal + slack)[:, None]).sum(axis=1)
        last = (w > 0).shape[1] - 1 - np.flip(w > 0, axis=1).argmax(axis=1)  # weightless targets are none
        low, high = np.minimum(low, last), np.minimum(high, last)
        pick = [np.take_along_axis(values, at[:, None], axis=1)[:, 0] for at in (low, self._next(w, high))]
        return np.asarray((pick[0] + pick[1]) / 2.0)

    @staticmethod
    def _next(w: Array, at: Array) -> Array:
        """The first place from `at` on that weighs something."""
        later = np.arange(w.shape[1])[None, :, None] >= at[:, None]
        return np.asarray(((w > 0) & later).argmax(axis=1))


@saved
@dataclass(frozen=True)
class ModeTarget:
    """The target of most weight; the least of equals."""

    def of(self, targets: Array, weight: Array) -> Array:
        """Row by row."""
        out = np.empty((targets.shape[0], targets.shape[2]))
        for i, q in np.ndindex(*out.shape):
            values, at = np.unique(targets[i, :, q], return_inverse=True)
            out[i, q] = values[np.bincount(at, weight[i]).argmax()]
        return out


@dataclass(frozen=True)
class GivenAggregator:
    """A function of the targets (m, q) of the neighbours of one row, the nearest first. Code: not saved to files."""

    function: Callable[[Array], Any]

    def of(self, targets: Array, weight: Array) -> Array:
        """Row by row; neighbours that do not count are left out."""
        out = np.empty((targets.shape[0], targets.shape[2]))
        for i in range(len(out)):
            given = self.function(targets[i][weight[i] > 0])
            try:
                found = np.asarray(given, dtype=np.float64)
            except (TypeError, ValueError):
                found = np.full(targets.shape[2], np.nan)
            if np.isnan(found).any():
                told = Said(type(given).__name__ if given is None or isinstance(given, str) else "NaN")
                raise bad("aggregate", "the function", "numbers", told, "Change it.", "must give")
            if found.size != targets.shape[2]:
                rule = f"{targets.shape[2]} numbers, one a target"
                raise bad("aggregate", "the function", rule, Said(f"shape {found.shape}"), "Use axis=0.", "must give")
            out[i] = found.ravel()
        return out


AGGREGATORS: Mapping[str, Aggregator] = {
    "mean": MeanTarget(),
    "median": QuantileTarget(0.5),
    "mode": ModeTarget(),
}


def read_aggregator(owner: str, given: Any) -> Aggregator:
    """By name, as a share for a quantile, or as a function.

    >>> read_aggregator("KNeighborsRegressor", "median")
    QuantileTarget(share=0.5)
    """
    if isinstance(given, str) and given in AGGREGATORS:
        return AGGREGATORS[given]
    if isinstance(given, Real) and not isinstance(given, bool) and 0.0 < float(given) < 1.0:
        return QuantileTarget(float(given))
    if callable(given):
        return GivenAggregator(given)
    rule = f"one of {', '.join(AGGREGATORS)}, a share between 0 and 1 for a quantile, or a function"
    raise bad(owner, "aggregate", rule, given, "Leave it 'mean'.")
