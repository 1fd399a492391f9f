"""Kernels whose values come from the user: a table worked out before, or a function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.spaces.kernels import Kernel


@saved
@dataclass(frozen=True)
class GivenKernel(Kernel):
    """A table of kernel values in place of rows: row i holds k of row i and each training row.

    Training rows have no inputs of their own, so `Z` is their numbers: `between(X, Z) = X[:, Z]`.
    """

    def between(self, X: Array, Z: Array | None = None) -> Array:
        """The columns of the table that Z names, or all."""
        X = np.asarray(X, dtype=np.float64)
        return X if Z is None else X[:, np.asarray(Z, dtype=np.intp).ravel()]

    def diagonal(self, X: Array) -> Array:
        """The diagonal of the table."""
        return np.diagonal(np.asarray(X, dtype=np.float64)).copy()


@dataclass(frozen=True)
class KernelFunction(Kernel):
    """A function of two sets of rows that gives the table of k between them. It is code: not saved to files."""

    function: Callable[[Array, Array], Any]

    def between(self, X: Array, Z: Array | None = None) -> Array:
        """What the function gives, checked for its shape."""
        other = X if Z is None else Z
        found = np.asarray(self.function(X, other), dtype=np.float64)
        if found.shape != (len(X), len(other)):
            rule = f"one that gives a table of {len(X)} x {len(other)} numbers for so many rows"
            raise bad(
                "KernelFunction", "function", rule, Said(f"one of shape {found.shape}"), "Give k(X, Z) -> (n, m)."
            )
        return found

    def diagonal(self, X: Array) -> Array:
        """One row at a time."""
        return np.array([self.between(X[i : i + 1])[0, 0] for i in range(len(X))], dtype=np.float64)
