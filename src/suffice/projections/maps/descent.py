"""Gradient descent with momentum, and a size of step for each coordinate, as t-SNE goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array

EARLY, LOOK = 250, 50  # steps with larger probabilities; how often the end is looked for


class Descent(NamedTuple):
    """How to go down."""

    rate: float
    exaggeration: float
    max_iter: int
    patience: int
    least: float  # norm of a gradient at which it ends


class Descended(NamedTuple):
    """Where it ended."""

    places: Array
    cost: float
    steps: int


def descend(make: Callable[[Any], Any], P: Any, Y: Array, how: Descent) -> Descended:
    """First with probabilities times a factor, so that groups form, then as they are."""
    early = min(EARLY, how.max_iter)
    Y, _, steps = _phase(make(P * how.exaggeration), Y, how, 0.5, range(early), EARLY)
    gradient = make(P)
    if how.max_iter > EARLY:
        Y, _cost, steps = _phase(gradient, Y, how, 0.8, range(steps + 1, how.max_iter), how.patience)
    return Descended(Y, float(gradient(Y)[0]), steps)


def _phase(
    gradient: Any, Y: Array, how: Descent, momentum: float, numbers: range, patience: int
) -> tuple[Array, float, int]:
    update, gains = np.zeros_like(Y), np.ones_like(Y)
    best, at, cost, step = np.inf, numbers.start, np.inf, numbers.start
    for step in numbers:
        asked = (step + 1) % LOOK == 0
        cost, slope = gradient(Y, asked)
        with np.errstate(over="ignore", invalid="ignore"):
            gains = np.maximum(np.where(update * slope < 0.0, gains + 0.2, gains * 0.8), 0.01)
            update = momentum * update - how.rate * gains * slope
            Y = Y + update
        if asked:
            if cost < best:
                best, at = cost, step
            elif step - at > patience:
                break
            if np.linalg.norm(gains * slope) <= how.least:
                break
        if not np.isfinite(Y).all():
            break
    return Y, float(cost), step
