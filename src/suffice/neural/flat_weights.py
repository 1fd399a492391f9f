"""All weights of a net laid end to end, so that a step moves them in one go. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.neural.activations import ACTIVATIONS, Activation
from suffice.neural.net_weights import NetWeights
from suffice.neural.output_layers import OUTPUT_LAYERS, OutputLayer


@dataclass(frozen=True)
class FlatWeights:
    """Weights of all layers, then intercepts of all layers, in one array that steps change in place.

    >>> FlatWeights(np.zeros(9), (2, 2, 1), "relu", "logistic", "log_loss").coefs[0].shape
    (2, 2)
    """

    flat: Array
    sizes: tuple[int, ...]  # units of each layer
    hidden: str
    output: str
    loss: str

    @classmethod
    def drawn(
        cls, sizes: tuple[int, ...], hidden: str, output: str, loss: str, kind: Any, rng: Any, start: float | None
    ) -> FlatWeights:
        """Small random weights: within +-start, or within what Glorot and Bengio recommend for the sizes of layers."""
        coefs, intercepts = [], []
        for a, b in pairwise(sizes):
            reach = float(np.sqrt(ACTIVATIONS[hidden].breadth / (a + b))) if start is None else start
            coefs.append(rng.uniform(-reach, reach, (a, b)).ravel())
            intercepts.append(rng.uniform(-reach, reach, b))
        return cls(np.concatenate([*coefs, *intercepts]).astype(kind, copy=False), sizes, hidden, output, loss)

    @classmethod
    def of(cls, net: NetWeights, loss: str) -> FlatWeights:
        """The same weights, in an array of their own."""
        flat = np.concatenate([array.ravel() for array in (*net.coefs, *net.intercepts)])
        return cls(flat, net.sizes, net.hidden, net.output, loss)

    def at(self, flat: Array) -> FlatWeights:
        """Other weights of the same net."""
        return FlatWeights(flat, self.sizes, self.hidden, self.output, self.loss)

    @property
    def weights(self) -> int:
        """How many of the numbers are weights, which decay, and no intercepts."""
        return sum(a * b for a, b in pairwise(self.sizes))

    @cached_property
    def coefs(self) -> tuple[Array, ...]:
        """Views of the weights of each layer."""
        shapes = list(pairwise(self.sizes))
        ends = np.cumsum([a * b for a, b in shapes])
        return tuple(self.flat[end - a * b : end].reshape(a, b) for end, (a, b) in zip(ends, shapes, strict=True))

    @cached_property
    def intercepts(self) -> tuple[Array, ...]:
        """Views of the intercepts of each layer."""
        ends = self.weights + np.cumsum(self.sizes[1:])
        return tuple(self.flat[end - b : end] for end, b in zip(ends, self.sizes[1:], strict=True))

    @property
    def activation(self) -> Activation:
        """Of hidden units."""
        return ACTIVATIONS[self.hidden]

    @property
    def layer(self) -> OutputLayer:
        """Outputs and their error."""
        return OUTPUT_LAYERS[self.loss, self.output]

    @cached_property
    def net(self) -> NetWeights:
        """The net, over these very arrays."""
        return NetWeights(self.coefs, self.intercepts, self.hidden, self.output)

    def value(self) -> NetWeights:
        """The net as a value of its own."""
        coefs, intercepts = (tuple(a.copy() for a in arrays) for arrays in (self.coefs, self.intercepts))
        return NetWeights(coefs, intercepts, self.hidden, self.output)
