"""Steps downhill: gradient descent with momentum, and Adam, in place on all weights at once. No scikit-learn.

momentum   v <- momentum v - rate g,     theta <- theta + v,     or theta + momentum v - rate g (Nesterov)
Adam       m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) g^2,  theta <- theta - rate_t m / (sqrt(v) + eps)

Reference: D. Kingma and J. Ba, Adam: a method for stochastic optimization (2015).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadFile
from suffice.core.registry import saved
from suffice.numerics.loop import loop

CHEAP = 10  # weights that NumPy steps while it would read one cell of a table
SLOWEST = 1e-6  # rate from which an adaptive schedule stops
EASE = 5.0  # what an adaptive schedule divides the rate by


@saved
@dataclass(frozen=True)
class OptimizerState:
    """Where steps go on from: what was kept of earlier gradients."""

    rate: float
    steps: int
    kept: tuple[Array, ...]  # velocities; or means of gradients and of their squares

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        if not isinstance(self.kept, tuple) or any(np.ndim(each) != 1 for each in self.kept):
            raise BadFile("what its optimizer kept is no list of numbers")


class Optimizer(Protocol):
    """A way to step downhill."""

    rate: float

    def step(self, flat: Array, gradient: Array) -> None:
        """Move the weights."""

    def ended(self, rows: int) -> None:
        """An epoch ended, after so many rows in all."""

    def stops(self) -> bool:
        """Whether a loss that no longer falls ends the training; else the rate was lowered instead."""

    def state(self) -> OptimizerState:
        """What to go on from."""


@dataclass(frozen=True)
class OptimizerOptions:
    """What is asked of steps."""

    kind: str  # "sgd" or "adam"
    rate: float
    schedule: str = "constant"  # or "invscaling", "adaptive"
    power: float = 0.5
    momentum: float = 0.9
    nesterov: bool = True
    beta_1: float = 0.9
    beta_2: float = 0.999
    epsilon: float = 1e-8

    def begin(self, flat: Array, before: OptimizerState | None, steps: int = 1) -> Optimizer:
        """For these weights, from rest or from where steps ended; `steps` says how many there may be."""
        return KINDS[self.kind](self, flat, before, steps)


class Momentum:
    """Gradient descent with momentum."""

    arrays: ClassVar[int] = 1

    def __init__(self, options: OptimizerOptions, flat: Array, before: OptimizerState | None, steps: int = 1) -> None:
        """From rest, or from where steps ended."""
        self.options, self.rate, self.steps = options, options.rate, 0
        self.velocity, self._spare = np.zeros_like(flat), np.empty_like(flat)
        if before is not None and [len(each) for each in before.kept] == [len(flat)]:
            self.rate, self.steps, self.velocity = before.rate, before.steps, before.kept[0].copy()

    def step(self, flat: Array, gradient: Array) -> None:
        """Move the weights."""
        self.steps += 1
        gradient *= self.rate
        self.velocity *= self.options.momentum
        self.velocity -= gradient
        if self.options.nesterov:
            np.multiply(self.velocity, self.options.momentum, out=self._spare)
            self._spare -= gradient
            flat += self._spare
        else:
            flat += self.velocity

    def ended(self, rows: int) -> None:
        """The rate falls with the rows visited, if the schedule says so."""
        if self.options.schedule == "invscaling":
            self.rate = self.options.rate / (rows + 1) ** self.options.power

    def stops(self) -> bool:
        """An adaptive schedule lowers the rate first."""
        if self.options.schedule != "adaptive" or self.rate <= SLOWEST:
            return True
        self.rate /= EASE
        return False

    def state(self) -> OptimizerState:
        """What to go on from."""
        return OptimizerState(self.rate, self.steps, (self.velocity.copy(),))


class Adam:
    """Steps of about the size of the rate, whatever the size of the gradient."""

    arrays: ClassVar[int] = 2

    def __init__(self, options: OptimizerOptions, flat: Array, before: OptimizerState | None, steps: int = 1) -> None:
        """From rest, or from where steps ended."""
        self.options, self.rate, self.steps = options, options.rate, 0
        self._cells = flat.size * steps // CHEAP
        self.mean, self.squares = np.zeros_like(flat), np.zeros_like(flat)
        self._spare = np.empty_like(flat)
        if before is not None and [len(each) for each in before.kept] == [len(flat)] * 2:
            self.rate, self.steps = before.rate, before.steps
            self.mean, self.squares = (each.copy() for each in before.kept)

    def step(self, flat: Array, gradient: Array) -> None:
        """Move the weights."""
        b1, b2, epsilon = self.options.beta_1, self.options.beta_2, self.options.epsilon
        self.steps += 1
        self.rate = self.options.rate * float(np.sqrt(1.0 - b2**self.steps)) / (1.0 - b1**self.steps)
        if _adam_step.pays(self._cells):
            factors = np.array([b1, 1.0 - b1, b2, 1.0 - b2, epsilon, self.rate], dtype=flat.dtype)
            _adam_step(flat, gradient, self.mean, self.squares, factors)
        else:
            _adam_step.instead(self._step, flat, gradient)

    def _step(self, flat: Array, gradient: Array) -> None:
        """The same by NumPy, array by array; the gradient is written over."""
        b1, b2, spare = self.options.beta_1, self.options.beta_2, self._spare
        self.mean *= b1
        np.multiply(gradient, 1.0 - b1, out=spare)
        self.mean += spare
        self.squares *= b2
        gradient *= gradient
        gradient *= 1.0 - b2
        self.squares += gradient
        np.sqrt(self.squares, out=spare)
        spare += self.options.epsilon
        np.divide(self.mean, spare, out=spare)
        spare *= self.rate
        flat -= spare

    def ended(self, rows: int) -> None:
        """Nothing changes between epochs."""

    def stops(self) -> bool:
        """Always."""
        return True

    def state(self) -> OptimizerState:
        """What to go on from."""
        return OptimizerState(self.rate, self.steps, (self.mean.copy(), self.squares.copy()))


KINDS: Mapping[str, type[Momentum] | type[Adam]] = {"sgd": Momentum, "adam": Adam}


@loop
def _adam_step(flat: Any, gradient: Any, mean: Any, squares: Any, factors: Any) -> Any:
    b1, c1, b2, c2, epsilon, rate = factors[0], factors[1], factors[2], factors[3], factors[4], factors[5]
    for i in range(flat.shape[0]):
        g = gradient[i]
        mean[i] = mean[i] * b1 + g * c1
        squares[i] = squares[i] * b2 + g * g * c2
        flat[i] -= mean[i] / (np.sqrt(squares[i]) + epsilon) * rate
