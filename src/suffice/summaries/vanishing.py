"""Columns in units so small that their squares vanish: said in one sentence, where they would pass for constant.

Looked for in the sums of all rows, when a model is estimated: rows of some block may well be smaller than that, as
probabilities are, and count as equal beside others.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair
from suffice.core.errors import BadInput, Said, bad

SMALLEST = 1e-140  # squares of smaller differences lose their digits, and then themselves


class Sums(Protocol):
    """Weight, sums and sums of squares about a shift: moments of columns, or of columns and their products."""

    @property
    def weight(self) -> Pair:
        """(K,) or (K, d)."""

    @property
    def first(self) -> Pair:
        """(K, d)."""

    @property
    def second(self) -> Pair:
        """(K, d) or (K, d, d)."""


def vanishing(sums: Sums) -> Array:
    """Whether the numbers of a column differ, all by less than can be squared (d,)."""
    first, squares, weight = np.abs(sums.first.high), sums.second.high, sums.weight.high
    squares = np.diagonal(squares, axis1=1, axis2=2) if squares.ndim == 3 else squares
    weight = weight[:, None] if weight.ndim == 1 else weight
    tiny = (squares <= SMALLEST**2 * weight) & (first <= SMALLEST * weight)
    return np.asarray(tiny.all(axis=0) & ((first > 0.0) | (squares > 0.0)).any(axis=0))


def refuse_vanishing(sums: Sums) -> None:
    """Say which column it is."""
    found = np.flatnonzero(vanishing(sums))
    if len(found):
        raise vanished("X", f"column {found[0]}")


def refuse_tiny(X: Array, name: str | None = None) -> None:
    """The same of rows in memory (n, d), none missing."""
    extent = X.max(axis=0, initial=-np.inf) - X.min(axis=0, initial=np.inf)
    found = np.flatnonzero((extent > 0.0) & (extent < SMALLEST))
    if len(found):
        raise vanished("X", f"column {found[0]}") if name is None else vanished("fit", name)


def vanished(owner: str, name: str) -> BadInput:
    """The error."""
    rule = f"of numbers that are equal or differ by more than {SMALLEST:g}"
    return bad(owner, name, rule, Said("smaller differences, whose squares vanish"), "Take another unit.")
