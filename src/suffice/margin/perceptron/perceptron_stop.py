"""When a perceptron has learned enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from suffice.core.block import Array
from suffice.margin.perceptron.perceptron_sweep import PerceptronSweep, Weights


class Stop(Protocol):
    """Asked after every sweep."""

    def done(self, found: PerceptronSweep, weights: Weights) -> bool:
        """Whether no other sweep is needed."""


@dataclass
class CleanSweep:
    """Done after a sweep that changed nothing: every row is on its side."""

    def done(self, found: PerceptronSweep, weights: Weights) -> bool:
        """No mistakes."""
        return found.changes == 0


@dataclass
class NoGain:
    """Done when a value has not fallen by more than `tol` below its least, so many sweeps in a row.

    `tol` None: never.
    """

    value: Callable[[PerceptronSweep, Weights], float]
    tol: float | None
    patience: int
    best: float = field(default=float("inf"), init=False)
    waited: int = field(default=0, init=False)

    def done(self, found: PerceptronSweep, weights: Weights) -> bool:
        """Compare with the least so far."""
        if self.tol is None:
            return False
        now = self.value(found, weights)
        self.waited = self.waited + 1 if now > self.best - self.tol else 0
        self.best = min(self.best, now)
        return self.waited >= self.patience


def by_loss(n: int) -> Callable[[PerceptronSweep, Weights], float]:
    """Loss and penalty of n rows, each."""
    return lambda found, _: found.objective / n


def by_held_out(table: Any, signs: Array, w: Array) -> Callable[[PerceptronSweep, Weights], float]:
    """Less the share of rows held out that lie on their side; the boundary belongs to -1."""

    def wrong(found: PerceptronSweep, weights: Weights) -> float:
        positive = table @ weights.coef + weights.intercept > 0.0
        return -float(((positive == (signs > 0.0)) * w).sum() / w.sum())

    return wrong
