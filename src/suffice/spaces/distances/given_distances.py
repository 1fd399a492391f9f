"""Distances that come from the user: a table worked out before, a function, a kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.spaces.distances.distance import Axioms, Distance
from suffice.spaces.kernels import Kernel


@saved
@dataclass(frozen=True)
class Precomputed(Distance):
    """A table of distances in place of rows: row i holds d of row i and each known row.

    Known rows have no inputs of their own, so `Y` is their numbers: `between(X, Y) = X[:, Y]`.
    """

    given: ClassVar[bool] = True

    @property
    def axioms(self) -> Axioms:
        """Those of the table, which nobody has checked."""
        return Axioms.UNKNOWN

    def between(self, X: Any, Y: Any = None) -> Array:
        """The columns of the table that Y names, or all."""
        table = full_table(X)
        return table if Y is None else table[:, np.asarray(Y, dtype=np.intp).ravel()]


def full_table(X: Any) -> Array:
    """Distances as an array; cells that a sparse table does not hold are infinitely far, those it holds may be 0."""
    if not hasattr(X, "tocsr"):
        return np.asarray(X, dtype=np.float64)
    cells = X.tocoo()
    table = np.full(X.shape, np.inf)
    table[cells.row, cells.col] = cells.data
    return table


@dataclass(frozen=True)
class DistanceFunction(Distance):
    """A function of two rows that gives a number, or of two tables that gives a table. Code: not saved to files.

    Parameters
    ----------
    function : d(x, y), or D(X, Y) where `tables`
    tables : whether it takes two sets of rows at once
    arguments : further keyword arguments
    known : which axioms it keeps, if you know: trees are used for a metric alone
    owner : who asks, for messages

    >>> DistanceFunction(lambda x, y: abs(len(x) - len(y))).between(["a", "bcd"]).tolist()
    [[0.0, 2.0], [2.0, 0.0]]
    """

    function: Callable[..., Any]
    tables: bool = False
    arguments: Mapping[str, Any] = field(default_factory=dict)
    known: Axioms = Axioms.UNKNOWN
    owner: str = field(default="DistanceFunction", compare=False)

    given: ClassVar[bool] = True

    @property
    def axioms(self) -> Axioms:
        """What the user says."""
        return self.known

    def between(self, X: Any, Y: Any = None) -> Array:
        """What the function gives, for each pair in turn or for all."""
        X = X.toarray() if hasattr(X, "toarray") else X
        other = X if Y is None else (Y.toarray() if hasattr(Y, "toarray") else Y)
        if not self.tables:
            found = [[self._number(self.function(x, y, **self.arguments)) for y in other] for x in X]
            return np.array(found, dtype=np.float64).reshape(len(X), len(other))
        table = np.asarray(self.function(X, other, **self.arguments), dtype=np.float64)
        if table.shape != (len(X), len(other)):
            rule = f"one that gives a table of {len(X)} x {len(other)} numbers for so many rows"
            raise bad(self, "function", rule, Said(f"one of shape {table.shape}"), "Give D(X, Y) -> (n, m).")
        return table

    def _number(self, found: Any) -> float:
        try:
            return float(found)
        except (TypeError, ValueError):
            rule, told = "one that gives a number for two rows", Said(f"one that gives {type(found).__name__}")
            raise bad(self, "function", rule, told, "Give d(x, y) -> float.") from None


@saved
@dataclass(frozen=True)
class KernelCosine(Distance):
    """d(x, y) = 1 - k(x, y) / sqrt(k(x, x) k(y, y)): cosine distance in the space of a kernel. A dissimilarity.

    A row of kernel 0 with itself has no direction: it is at 1 from all others.

    >>> from suffice.spaces import LinearKernel
    >>> KernelCosine(LinearKernel()).pair([1.0, 0.0], [0.0, 3.0])
    1.0
    """

    kernel: Kernel

    @property
    def axioms(self) -> Axioms:
        """The triangle inequality fails."""
        return Axioms.DISSIMILARITY

    def between(self, X: Any, Y: Any = None) -> Array:
        """From the kernel's table."""
        k = self.kernel
        X = np.asarray(X, dtype=np.float64)
        own = np.sqrt(k.diagonal(X))
        theirs = own if Y is None else np.sqrt(k.diagonal(np.asarray(Y, dtype=np.float64)))
        lengths = np.multiply.outer(own, theirs)
        table = k.between(X, None if Y is None else np.asarray(Y, dtype=np.float64))
        found = 1.0 - np.divide(table, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        np.clip(found, 0.0, 2.0, out=found)
        if Y is None:
            np.fill_diagonal(found, 0.0)
        return np.asarray(found)


@saved
@dataclass(frozen=True)
class KernelDistance(Distance):
    """d(x, y) = sqrt(k(x, x) - 2 k(x, y) + k(y, y)): the Euclidean distance of rows in the space of a kernel.

    A pseudo-metric in general: (x.y)^2 puts x and -x at 0.

    >>> from suffice.spaces import LinearKernel
    >>> KernelDistance(LinearKernel()).pair([0.0, 0.0], [3.0, 4.0])
    5.0
    """

    kernel: Kernel

    @property
    def axioms(self) -> Axioms:
        """All but: distinct rows may be at 0."""
        return Axioms.PSEUDO

    def between(self, X: Any, Y: Any = None) -> Array:
        """From the kernel's table; what rounding leaves below 0 is 0."""
        k = self.kernel
        own = k.diagonal(X)
        theirs = own if Y is None else k.diagonal(Y)
        found = np.sqrt(np.maximum(np.add.outer(own, theirs) - 2.0 * k.between(X, Y), 0.0))
        if Y is None:
            np.fill_diagonal(found, 0.0)
        return np.asarray(found)
