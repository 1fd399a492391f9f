"""Learning a perceptron: sweep after sweep over the rows, one two-sided problem for two classes, else one a class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.margin.perceptron.flat_rows import FlatRows
from suffice.margin.perceptron.perceptron_options import Start
from suffice.margin.perceptron.perceptron_order import as_they_come, shuffled
from suffice.margin.perceptron.perceptron_stop import CleanSweep, NoGain, Stop, by_held_out, by_loss
from suffice.margin.perceptron.perceptron_sweep import PerceptronStep, PerceptronSweep, Weights, loop_pays, sweep


class Sides(NamedTuple):
    """A problem of two sides."""

    signs: Array  # (n,) 1 for the class, -1 for the rest
    gains: Array  # (n,) how much a row counts when it is wrong


class PerceptronRun(NamedTuple):
    """What the sweeps over one problem gave."""

    coef: Array  # (d,)
    intercept: float
    sweeps: int
    mistakes: int
    clean: bool  # whether the last sweep changed nothing


def one_against_rest(codes: Array, by_class: Array, w: Array) -> list[Sides]:
    """The second of two classes against the first; of more, each against all others, which then weigh 1.

    Parameters
    ----------
    codes : (n,) numbers of the classes
    by_class : (K,) weights of the classes
    w : (n,) weights of the rows
    """
    K = len(by_class)
    if K == 2:
        return [Sides(np.where(codes == 1, 1.0, -1.0), w * by_class[codes])]
    return [Sides(np.where(codes == k, 1.0, -1.0), w * np.where(codes == k, by_class[k], 1.0)) for k in range(K)]


@dataclass(frozen=True)
class PerceptronTraining:
    """How the two sides of a table are learned."""

    owner: str
    step: PerceptronStep
    begin: Start
    shuffle: bool
    max_iter: int
    until_clean: bool  # stop only after a sweep without mistakes
    tol: float | None
    patience: int
    apart: Array | None = None  # (n,) rows that are held out
    problems: int = 1  # how many problems of two sides are learned from these rows

    def run(
        self, rows: FlatRows, sides: Sides, w: Array, seed: int, start: tuple[Array, float] | None = None
    ) -> PerceptronRun:
        """Sweep until there is no need to.

        Once a sweep has changed nothing no later one will, unless a penalty moves the weights: such sweeps are counted,
        not made.

        Parameters
        ----------
        rows, sides : the table and the sides of its rows
        w : (n,) weights of the rows
        seed : of the orders
        start : coefficients and intercept; None: where `begin` says
        """
        coef, intercept = self.begin(rows, sides.signs, w) if start is None else start
        weights = Weights.of(coef, intercept if self.step.share or start is not None else 0.0)
        orders, stop = self._orders(w, seed), self._stop(rows, sides, w)
        mistakes, found, sweeps = 0, PerceptronSweep(1, 0.0), 0
        for sweeps in range(1, self.max_iter + 1):
            if found.changes or self.step.penalised:
                compiled = loop_pays(self.step, sweeps * rows.cells * self.problems)
                found = sweep(rows, next(orders), sides.signs, sides.gains, weights, self.step, compiled)
                mistakes += found.changes
                self._refuse_overflow(weights, sweeps)
            if stop.done(found, weights):
                break
        return PerceptronRun(weights.coef, weights.intercept, sweeps, mistakes, found.changes == 0)

    def _orders(self, w: Array, seed: int) -> Iterator[Array]:
        """Until a clean sweep, which is no rule of scikit-learn's, a row of weight 0 is no row: the order has none."""
        used = np.flatnonzero(w) if self.until_clean else np.arange(len(w))
        orders = shuffled(len(used), seed) if self.shuffle else as_they_come(len(used))
        if len(used) < len(w):
            orders = (used[order] for order in orders)
        held = self.apart
        return orders if held is None else (order[~held[order]] for order in orders)

    def _stop(self, rows: FlatRows, sides: Sides, w: Array) -> Stop:
        if self.until_clean:
            return CleanSweep()
        if self.apart is None:
            return NoGain(by_loss(rows.n), self.tol, self.patience)
        held = self.apart
        return NoGain(by_held_out(rows.table[held], sides.signs[held], w[held]), self.tol, self.patience)

    def _refuse_overflow(self, weights: Weights, sweeps: int) -> None:
        if not weights.finite:
            rule = f"finite (Floating-point under-/overflow occurred at epoch #{sweeps})"
            raise bad(self.owner, "the weights", rule, Said("infinity"), "Scale the columns, or lower the rate.")
