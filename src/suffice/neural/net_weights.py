"""The weights of a net, as a value: it answers on NumPy and SciPy alone.

s_0 = x,     s_l = activation(s_(l-1) W_l + b_l),     answers s_L by the activation of the outputs
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadFile, bad
from suffice.core.registry import saved
from suffice.neural.activations import ACTIVATIONS
from suffice.neural.output_layers import OUTPUTS

AT_ONCE = 8192  # rows that are answered together, so that hidden layers of large tables need little room


@saved
@dataclass(frozen=True)
class NetWeights:
    """Weights and intercepts of each layer, and the activations.

    >>> net = NetWeights((np.array([[1.0], [1.0]]),), (np.array([-1.5]),), "relu", "logistic")
    >>> (net.outputs(np.array([[1.0, 1.0], [0.0, 1.0]])) > 0.5).ravel().tolist()
    [True, False]
    """

    coefs: tuple[Array, ...]  # (units of a layer, units of the next) each
    intercepts: tuple[Array, ...]  # (units of the next layer,) each
    hidden: str  # one of ACTIVATIONS
    output: str  # one of OUTPUTS

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        if self.hidden not in ACTIVATIONS or self.output not in OUTPUTS:
            raise BadFile(f"its activations are {self.hidden!r} and {self.output!r}")
        if not self.coefs or len(self.coefs) != len(self.intercepts):
            raise BadFile("its layers have no weights, or not as many intercepts")
        shapes = [np.shape(coef) for coef in self.coefs]
        if any(len(shape) != 2 for shape in shapes):
            raise BadFile("the weights of a layer are no table")
        if any(a[1] != b[0] for a, b in pairwise(shapes)):
            raise BadFile("its layers do not follow one another")
        if any(np.shape(b) != a[1:] for a, b in zip(shapes, self.intercepts, strict=True)):
            raise BadFile("its intercepts are not one a unit")

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Units of each layer, the inputs first."""
        return (self.coefs[0].shape[0], *(coef.shape[1] for coef in self.coefs))

    def sums(self, X: Any) -> Array:
        """The weighted sums z of the output units (n, t), before their activation."""
        return self._by_rows(X, lambda some: self.through(some, 0, len(self.coefs)))

    def outputs(self, X: Any) -> Array:
        """What the output units answer (n, t)."""
        answers = self.sums(X)
        OUTPUTS[self.output](answers)
        return answers

    def hidden_outputs(self, X: Any, layer: int) -> Array:
        """What the units of a hidden layer answer (n, units); layers are numbered from 1, or from the last by -1."""
        last = len(self.coefs) - 1
        which = layer if layer > 0 else last + 1 + layer
        if not 1 <= which <= last:
            rule = f"a hidden layer, 1 to {last}, or -1 for the last" if last else "of a net that has a hidden layer"
            raise bad("hidden_outputs", "layer", rule, layer, "Inputs and outputs are not hidden.")
        return self._by_rows(X, lambda some: self.through(some, 0, which))

    def through(self, rows: Any, first: int, last: int) -> Array:
        """Rows of layer `first` as they arrive at layer `last`; the sums z where that is the layer of the outputs."""
        for level in range(first, last):
            rows = np.asarray(rows @ self.coefs[level])
            rows += self.intercepts[level]
            if level < len(self.coefs) - 1:
                ACTIVATIONS[self.hidden].apply(rows)
        return np.asarray(rows)

    def _by_rows(self, X: Any, answer: Any) -> Array:
        n = X.shape[0]
        if n <= AT_ONCE:
            return np.asarray(answer(X))
        return np.concatenate([answer(X[start : start + AT_ONCE]) for start in range(0, n, AT_ONCE)])
