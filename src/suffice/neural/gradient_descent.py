"""Gradient descent by epochs: online, in mini-batches or in one batch; with rows held out to stop by.

A full batch in given order is deterministic: only batches that are drawn make the descent stochastic (C.E31).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from suffice.core.block import Array
from suffice.neural.backpropagation import backpropagate
from suffice.neural.flat_weights import FlatWeights
from suffice.neural.net_record import NetRecord
from suffice.neural.net_weights import NetWeights
from suffice.neural.online_epoch import online_epoch, pays
from suffice.neural.optimizers import Momentum, Optimizer, OptimizerOptions, OptimizerState

AT_MOST = 200  # rows of a mini-batch, unless it is said


class NetRows(NamedTuple):
    """Rows, targets and weights."""

    X: Any  # (n, d)
    T: Array  # (n, t)
    w: Array | None

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def width(self) -> int:
        """Number of inputs."""
        return int(self.X.shape[1])

    @property
    def targets(self) -> int:
        """Number of output units."""
        return int(self.T.shape[1])

    @property
    def kind(self) -> Any:
        """Type of the numbers."""
        return self.X.dtype

    def visits(self, size: int) -> MemoryVisits:
        """All rows at once, in orders that are drawn one from the other."""
        return MemoryVisits(self)

    def take(self, rows: Any, room: Array | None = None) -> NetRows:
        """Some of them; into `room`, where there is some, as getting it anew takes as long as filling it."""
        out = None if room is None else room[: len(rows)]
        X = self.X[rows] if out is None else np.take(self.X, rows, axis=0, out=out, mode="clip")
        return NetRows(X, self.T[rows], None if self.w is None else self.w[rows])

    def room(self, size: int) -> Array | None:
        """Where so many rows fit; None for sparse ones."""
        return np.empty((size, self.X.shape[1]), dtype=self.X.dtype) if isinstance(self.X, np.ndarray) else None


Step = Callable[[NetRows, Array], None]  # learns from rows in an order


class MemoryVisits:
    """Rows in memory, epoch after epoch."""

    def __init__(self, rows: NetRows) -> None:
        """Begin with the order of the rows."""
        self.rows, self.order = rows, np.arange(rows.n)

    def visit(self, rng: Any, step: Step) -> None:
        """One epoch, in an order that `rng` stirs, or as before where that is None."""
        if rng is not None:
            self.order = self.order[permutation(self.rows.n, rng)]
        step(self.rows, self.order)


class NetDescent(NamedTuple):
    """What training gave."""

    net: NetWeights
    record: NetRecord
    settled: bool


@dataclass(frozen=True)
class GradientDescent:
    """Epochs of steps, until the loss of training, or the score of rows held out, no longer gets better."""

    owner: str
    optimizer: OptimizerOptions
    alpha: float
    batch: int | None  # rows of a step; None: all, but at most AT_MOST; 0: all
    shuffled: bool
    max_iter: int
    tol: float
    patience: float
    verbose: bool
    summed: bool = False  # whether a step is the sum over its rows, not their mean

    def run(
        self,
        parameters: FlatWeights,
        rows: Any,
        rng: Any,
        before: NetRecord,
        score: Callable[[NetWeights], float] | None = None,
        *,
        once: bool = False,
    ) -> NetDescent:
        """Train in place.

        Parameters
        ----------
        parameters : weights to begin with; they are changed
        rows : to learn from: `NetRows` in memory, or `FileRows`
        rng : of the orders
        before : what was recorded of earlier calls
        score : of rows held out, the higher the better; the weights of the best epoch are kept
        once : whether to stop after one epoch, and to go on with the optimizer as it was
        """
        size = self._size(rows.n)
        steps = (1 if once else self.max_iter) * -(-rows.n // size)
        optimizer = self.optimizer.begin(parameters.flat, before.optimizer if once else None, steps)
        best, settled, progress = parameters.value() if score else None, False, Progress(before)
        visits = rows.visits(size)
        try:
            for _ in range(1 if once else self.max_iter):
                error = self._epoch(parameters, visits, rng, size, optimizer)
                told = None if score is None else score(parameters.net)
                if progress.after(error, told, rows.n, self.tol, self.verbose):
                    best = parameters.value()
                optimizer.ended(progress.rows)
                if progress.in_vain > self.patience:
                    settled = optimizer.stops()
                    if settled:
                        break
                    progress.in_vain = 0
        except KeyboardInterrupt:
            warnings.warn(f"{self.owner}: training was interrupted; the weights so far are kept.", stacklevel=7)
        return NetDescent(best or parameters.value(), progress.record(optimizer.state()), settled or once)

    def _size(self, n: int) -> int:
        if self.batch is None:
            return min(AT_MOST, n)
        if self.batch == 0:
            return n
        if self.batch > n:
            told = f"batch_size is {self.batch}, and there are {n} rows (Got `batch_size` larger than sample size"
            warnings.warn(f"{self.owner}: {told}. It is going to be clipped). All of them make a batch.", stacklevel=8)
        return min(self.batch, n)

    def _epoch(self, parameters: FlatWeights, visits: Any, rng: Any, size: int, optimizer: Optimizer) -> float:
        """The mean error of the rows, each before the step it had a part in."""
        total = over = 0.0

        def step(rows: NetRows, order: Array) -> None:
            nonlocal total, over
            error, weight = self._steps(parameters, rows, order, size, optimizer)
            total, over = total + error, over + weight

        visits.visit(rng if self.shuffled else None, step)
        return total / (over or 1.0)

    def _steps(
        self, parameters: FlatWeights, rows: NetRows, order: Array, size: int, optimizer: Optimizer
    ) -> tuple[float, float]:
        """The sum of the errors of these rows, and what to divide it by."""
        if size == 1 and isinstance(optimizer, Momentum) and pays(parameters, rows.X, rows.n * self.max_iter):
            error = online_epoch(parameters, *rows, order, self.alpha, optimizer, self.summed)
            return error, rows.n if rows.w is None else float(rows.w.sum())
        gradient, total = np.empty_like(parameters.flat), 0.0
        whole = size >= len(order) and not self.shuffled
        room = None if whole else rows.room(size)
        for start in range(0, len(order), size):
            some = rows if whole else rows.take(order[start : start + size], room)
            if some.w is not None and not some.w.any():
                continue  # rows that weigh nothing move nothing
            total += some.n * backpropagate(parameters, *some, self.alpha, gradient)
            if self.summed:
                gradient *= some.n if some.w is None else some.w.sum()
            optimizer.step(parameters.flat, gradient)
        return total, len(order)


class Progress:
    """Errors by epoch while they come."""

    def __init__(self, before: NetRecord) -> None:
        """Go on with what was recorded."""
        self.epochs, self.rows, self.in_vain = 0, before.rows, before.in_vain
        self.losses = [float(loss) for loss in before.losses]
        self.scores = None if before.scores is None else [float(score) for score in before.scores]
        self.best_loss, self.best_score = before.best_loss, before.best_score

    def after(self, error: float, score: float | None, n: int, tol: float, verbose: bool) -> bool:
        """Take in another epoch; whether it is the best so far by rows held out."""
        self.epochs, self.rows = self.epochs + 1, self.rows + n
        self.losses.append(error)
        if verbose:
            print(f"Iteration {self.epochs}, loss = {error:.8f}")
        if score is None:
            best = np.inf if self.best_loss is None else self.best_loss
            self.in_vain = self.in_vain + 1 if error > best - tol else 0
            self.best_loss = min(best, error)
            return False
        if verbose:
            print(f"Validation score: {score:f}")
        best = -np.inf if self.best_score is None else self.best_score
        self.in_vain = self.in_vain + 1 if score < best + tol else 0
        self.scores = [*(self.scores or []), score]
        self.best_score = score if score > best else best
        return score > best

    def record(self, optimizer: OptimizerState) -> NetRecord:
        """As a value."""
        return NetRecord(
            self.epochs,
            self.rows,
            np.array(self.losses),
            None if self.scores is None else np.array(self.scores),
            self.losses[-1] if self.losses else float("nan"),
            self.best_loss,
            self.best_score,
            self.in_vain,
            optimizer,
        )


def permutation(n: int, rng: Any) -> Array:
    """As scikit-learn draws it."""
    order = np.arange(n)
    rng.shuffle(order)
    return order


def warn_unsettled(owner: str, max_iter: int, level: int) -> None:
    """Say once that epochs ran out."""
    told = f"{max_iter} epochs passed before the loss settled (Maximum iterations ({max_iter}) reached)"
    warnings.warn(f"{owner}: {told}: to go on, raise max_iter.", ConvergenceWarning, stacklevel=level)
