"""Shattering: whether hypotheses give every labelling of some rows, by trying each; and the VC dimension.

Half-spaces in D columns: a labelling is given if a linear program finds w, b with y_i (w.x_i + b) >= 1. VC = D + 1: the
corners of a simplex are shattered, and of D + 2 rows some labelling has two crossing hulls (Radon).

Reference: V. Vapnik and A. Chervonenkis, On the uniform convergence of relative frequencies of events (1971).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.evaluation.theory.hypotheses import Hypotheses
from suffice.margin.svc.separation import separable

MOST = 16  # rows whose labellings are enumerated: 65,536


@dataclass(frozen=True)
class HalfSpaces:
    """All hyperplanes in any number of columns, asked one labelling at a time.

    >>> HalfSpaces().realises(np.array([[0.0], [1.0], [2.0]]), np.array([1, 0, 1]))
    False
    """

    def realises(self, X: Array, y: Array) -> bool:
        """Whether a hyperplane has the class on one side and the rest on the other, by linear programming."""
        return separable(X, np.where(y, 1.0, -1.0))


@dataclass(frozen=True)
class Shattering:
    """The labellings of some rows that hypotheses give, and those they do not."""

    given: Array  # (a, m)
    missing: Array  # (b, m)

    @property
    def shattered(self) -> bool:
        """Whether every labelling is given."""
        return not len(self.missing)


def labellings(space: Hypotheses | HalfSpaces, X: Any) -> Shattering:
    """Try every labelling of some rows.

    Parameters
    ----------
    space : `HalfSpaces`, or a set of hypotheses that can be listed
    X : (m, d) rows, at most 16

    >>> triangle = labellings(HalfSpaces(), [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> triangle.shattered, len(triangle.given)
    (True, 8)
    """
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or not 1 <= len(rows) <= MOST or not np.isfinite(rows).all():
        raise bad("labellings", "X", f"a table of 1 to {MOST} rows of finite numbers", Said(f"shape {rows.shape}"))
    every = np.array(list(product([False, True], repeat=len(rows))))
    if isinstance(space, HalfSpaces):  # a labelling and its opposite are given by the same hyperplane
        half = [space.realises(rows, y) for y in every[: len(every) // 2]]
        told = np.array([*half, *half[::-1]])
    else:
        known = {tuple(pattern) for pattern in space.predict(space.candidates(rows), rows).tolist()}
        told = np.array([tuple(y) in known for y in every.tolist()])
    return Shattering(every[told], every[~told])


def shatters(space: Hypotheses | HalfSpaces, X: Any) -> bool:
    """Whether hypotheses give every labelling of some rows; stops at the first they do not."""
    rows = np.asarray(X, dtype=np.float64)
    if not isinstance(space, HalfSpaces) or rows.ndim != 2 or len(rows) > MOST:
        return labellings(space, X).shattered
    halves = product([False, True], repeat=len(rows) - 1)
    return all(space.realises(rows, np.array([False, *rest])) for rest in halves)


def largest_shattered(space: Hypotheses | HalfSpaces, sets: Iterable[Any]) -> int:
    """The size of the largest of some sets of rows that is shattered: the VC dimension is at least that.

    >>> from suffice.evaluation import Intervals
    >>> largest_shattered(Intervals(), ([[float(i)] for i in range(m)] for m in range(1, 6)))
    2
    """
    return max((len(rows) for rows in sets if shatters(space, rows)), default=0)


def linear_dimension(columns: int) -> int:
    """The VC dimension of hyperplanes with an intercept in so many columns: one more than those.

    >>> linear_dimension(4)
    5
    """
    if columns < 1:
        raise bad("linear_dimension", "columns", "at least 1", columns)
    return int(columns) + 1
