"""The dual of a support vector machine, climbed on working sets.

A few hundred rows that are out of order are put in order by steps on pairs, with the square of the kernel matrix that
belongs to them; then all rows learn what changed, by matrix products. Rows that sit at a bound with something to spare
are left aside for a while: the same ascent runs on the others, as on one large working set.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array
from suffice.margin.svc.box_constraints import BoxConstraints
from suffice.margin.svc.free_vectors import finish
from suffice.margin.svc.kernel_rows import WHOLE, KernelRows, WholeMatrix
from suffice.margin.svc.sequential_minimal import take_steps
from suffice.numerics.loop import available, pays

SET = 384  # rows of a working set: its square of a megabyte stays in the second-level cache
NEW = SET // 4  # of these, the ones that change from one working set to the next
NEARER = 0.2  # share of the gap of all rows that a working set is brought down to
REST = 16  # working sets between two looks at which rows may be left aside
ASIDE = 0.6  # share of the rows that is worth going on with alone
PAUSE = 5  # steps a row before equations are worth a try: columns of unlike scale would take millions
EPS = float(np.finfo(np.float64).eps)
SLOW = 10_000  # steps after which compiled ones are worth waiting for


@dataclass
class Patience:
    """Steps taken, and how many may be."""

    most: int
    cells: int
    taken: int = 0

    @property
    def spent(self) -> bool:
        """Whether no more may be taken."""
        return self.taken >= self.most

    @property
    def compiled(self) -> bool:
        """Whether compiled steps pay: for many rows, after many steps, or because numba is there already."""
        waited = self.taken > SLOW or "numba" in sys.modules
        return pays(self.cells) or (waited and available())

    def walk(self, K: Array, box: BoxConstraints, tol: float) -> float:
        """Steps on a working set until it is in order; where they are many, a look at the equations of free rows.

        By how much it is still out of order; infinity where that is not known.
        """
        while not self.spent:
            most = min(PAUSE * len(box.g), self.most - self.taken)
            steps, gap = take_steps(K, box.g, box.beta, box.lo, box.hi, tol, most, self.compiled)
            self.taken += steps
            if steps < most or not gap > tol:
                return gap
            finish(WholeMatrix(K), box)
        return np.inf


def climb(rows: KernelRows, box: BoxConstraints, tol: float, patience: Patience) -> float:
    """Put all rows in order, in place; how far they still are from it."""
    scale = float(np.maximum.reduce(rows.diagonal, initial=0.0))
    chosen, K, sets = np.empty(0, dtype=np.intp), np.empty((0, 0)), 0
    while True:
        top, bottom = box.ends()
        gap = top - bottom
        if not gap > max(tol, _noise(box, scale)) or patience.spent:
            return gap
        sets += 1
        if sets % REST == 0 and (active := _active(box, top, bottom)) is not None:
            part = box.take(active)
            climb(rows.among(active), part, max(tol, 0.1 * gap), patience)
            changed = _learn(rows, box, active, part)
        else:
            chosen, K = _choose(rows, box, chosen, K)
            if len(chosen) == len(box.g):
                before = box.beta.copy()
                left = patience.walk(K, box, tol)
                if left <= tol:
                    return left
                changed = bool(np.count_nonzero(before != box.beta))
            else:
                part = box.take(chosen)
                patience.walk(K, part, max(0.5 * tol, NEARER * gap))
                changed = _learn(rows, box, chosen, part)
        if not changed:
            return gap


def _noise(box: BoxConstraints, scale: float) -> float:
    """What rounding leaves of g: no step can do better."""
    return 16.0 * EPS * float(np.maximum.reduce(np.abs(box.beta), initial=0.0)) * scale


def _active(box: BoxConstraints, top: float, bottom: float) -> Array | None:
    """The rows to go on with alone, if leaving the others aside pays."""
    active = np.flatnonzero(~box.idle(top, bottom))
    return active if SET < len(active) <= ASIDE * len(box.g) else None


def _learn(rows: KernelRows, box: BoxConstraints, some: Array, part: BoxConstraints) -> bool:
    """Let all rows know what changed in some; whether anything did."""
    delta = part.beta - box.beta[some]
    moved = delta.nonzero()[0]
    if not len(moved):
        return False
    box.beta[some] = part.beta
    box.g -= rows.times(some[moved], delta[moved])
    return True


def _choose(rows: KernelRows, box: BoxConstraints, before: Array, K: Array) -> tuple[Array, Array]:
    """The next working set and its square: most of the one before, and the rows most out of order."""
    n = len(box.g)
    if n <= SET or (n <= WHOLE and isinstance(rows, WholeMatrix)):  # the square is there
        every = before if len(before) else np.arange(n)
        return every, K if len(before) else rows.square(every)
    kept = before[NEW:]
    new = _most_out_of_order(box, kept, SET - len(kept))
    chosen = np.concatenate([kept, new])
    square = np.empty((len(chosen), len(chosen)))
    old = len(kept)
    square[:old, :old] = K[NEW:, NEW:]
    square[old:, old:] = rows.square(new)
    square[old:, :old] = rows.block(new, kept)
    square[:old, old:] = square[old:, :old].T
    return chosen, square


def _most_out_of_order(box: BoxConstraints, without: Array, count: int) -> Array:
    """Half of them the largest g of rows that may rise, half the least of rows that may sink."""
    rising, sinking = box.beta < box.hi, box.beta > box.lo
    rising[without] = sinking[without] = False
    high = _largest(np.where(rising, box.g, -np.inf), count // 2)
    sinking[high] = False
    return np.concatenate([high, _largest(np.where(sinking, -box.g, -np.inf), count - len(high))])


def _largest(values: Array, count: int) -> Array:
    """Where the largest values are, those of -inf excepted."""
    rest = max(0, len(values) - count)
    some = np.argpartition(values, min(rest, len(values) - 1))[rest:]
    return np.asarray(some[values[some] > -np.inf])
