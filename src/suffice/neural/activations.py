"""Activations of hidden units, and their derivatives written by their own values. No scikit-learn.

logistic s = 1 / (1 + exp(-z)), s' = s (1 - s);   tanh' = 1 - tanh^2;   relu = max(0, z);   identity
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from suffice.core.block import Array


@dataclass(frozen=True)
class Activation:
    """What a unit makes of its weighted sum.

    >>> ACTIVATIONS["relu"].of(np.array([[-1.0, 2.0]])).tolist()
    [[0.0, 2.0]]
    """

    code: int  # for loops
    apply: Callable[[Array], None]  # z -> s, in place
    times_slope: Callable[[Array, Array], None]  # s, delta -> delta *= ds/dz, in place
    breadth: float  # of the range that weights are drawn from: sqrt(breadth / (fan in + fan out)), after Glorot

    def of(self, Z: Array) -> Array:
        """s of z, as a new array."""
        values = np.array(Z)
        self.apply(values)
        return values


def _same(Z: Array) -> None:
    """Nothing to do."""


def _logistic(Z: Array) -> None:
    expit(Z, out=Z)


def _tanh(Z: Array) -> None:
    np.tanh(Z, out=Z)


def _relu(Z: Array) -> None:
    np.maximum(Z, 0.0, out=Z)


def _unit_slope(S: Array, delta: Array) -> None:
    """The slope is 1."""


def _logistic_slope(S: Array, delta: Array) -> None:
    delta *= S
    delta *= 1.0 - S


def _tanh_slope(S: Array, delta: Array) -> None:
    delta *= 1.0 - S * S


def _relu_slope(S: Array, delta: Array) -> None:
    delta *= S > 0.0


ACTIVATIONS: Mapping[str, Activation] = {
    "identity": Activation(0, _same, _unit_slope, 6.0),
    "logistic": Activation(1, _logistic, _logistic_slope, 2.0),
    "tanh": Activation(2, _tanh, _tanh_slope, 6.0),
    "relu": Activation(3, _relu, _relu_slope, 6.0),
}
