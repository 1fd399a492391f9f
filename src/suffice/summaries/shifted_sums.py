"""Sums about a shift: moved to another, of rows that are shared among components, and refused where squares vanish.

Rows that are shared are added by matrix products, ten times faster than scattering for 20 components. A matrix product
rounds like a plain sum about the shift. Where a component lies so far from the shift that this would cost digits of its
variance, its columns are added once more about their own mean and moved to the shift as pairs.

Columns in units so small that their squares vanish would pass for constant. They are looked for in the sums of all
rows, when a model is estimated: rows of some block may well be smaller than that, as probabilities are, and count as
equal beside others.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact, two_sum
from suffice.core.errors import BadInput, Said, bad
from suffice.core.shares import Shares
from suffice.numerics.loop import CHUNK

FAR = 2.0**-10  # a scatter that is a smaller share of the sum of squares would have lost more than ten bits
SharedSums = tuple[Array, Pair, Pair, Pair]  # rows, weight, first, second; (K, d) each


def keeps_digits(weight: Array, first: Array, squares: Array) -> Array:
    """Whether a scatter can be read from sums about a point: that of a component without weight is none."""
    mean = np.divide(first, weight, out=np.zeros_like(first), where=weight > 0)
    return np.asarray(squares - first * mean >= FAR * squares)


def shared(X: Array, R: Shares, shift: Array) -> SharedSums:
    """Rows, weight, sum of w (x - shift) and of w (x - shift)^2; chunks are added as pairs."""
    d = X.shape[1]
    rows, sums = np.zeros((R.K, d), dtype=np.int64), [exact(np.zeros((R.K, d)))] * 3
    for a in range(0, len(X), CHUNK):
        some = R[a : a + CHUNK]
        x, share = X[a : a + CHUNK].astype(np.float64), some.dense()
        x[~some.claimed] = np.nan  # nobody's: not even its infinite cells count
        present = (~np.isnan(x)).astype(np.float64)
        rows += np.rint((share != 0.0).astype(np.float64).T @ present).astype(np.int64)
        sums = [old + new for old, new in zip(sums, _chunk(x, present, share, shift), strict=True)]
    weight, first, second = (pair.where(rows > 0) for pair in sums)
    return rows, weight, first, second


def _chunk(x: Array, present: Array, share: Array, shift: Array) -> tuple[Pair, Pair, Pair]:
    t = np.where(present > 0, x - shift, 0.0)
    weight, first, second = (exact(share.T @ cells) for cells in (present, t, t * t))
    mean = np.divide(first.high, weight.high, out=np.zeros_like(first.high), where=weight.high > 0)
    far = ~keeps_digits(weight.high, first.high, second.high)
    for k in np.flatnonzero(far.any(axis=1)):
        j = np.flatnonzero(far[k])
        centre = shift[j] + mean[k, j]
        z = np.where(present[:, j] > 0, x[:, j] - centre, 0.0)
        about_mean = exact(share[:, k] @ z), exact(share[:, k] @ (z * z))
        moved = move(Pair(weight.high[k, j], weight.low[k, j]), *about_mean, two_sum(centre, -shift[j]))
        for sums, new in zip((first, second), moved, strict=True):
            sums.high[k, j], sums.low[k, j] = new
    return weight, first, second


def move(weight: Pair, first: Pair, second: Pair, t: Pair) -> tuple[Pair, Pair]:
    """First and second sums about a shift that is less by t: S' = S + W t, Q' = Q + 2 t S + W t^2 = Q + t (S + S')."""
    moved = first + weight * t
    return moved, second + t * (first + moved)


NOWHERE = np.zeros(0, dtype=np.intp)
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
    """The places of columns whose numbers differ, all by less than can be squared."""
    squares, weight = sums.second.high, sums.weight.high
    squares = squares.diagonal(axis1=1, axis2=2) if squares.ndim == 3 else squares
    weight = weight[:, None] if weight.ndim == 1 else weight
    tiny = squares <= SMALLEST**2 * weight
    if not np.count_nonzero(tiny):
        return NOWHERE
    first = np.abs(sums.first.high)
    tiny &= first <= SMALLEST * weight
    return np.flatnonzero(tiny.all(axis=0) & ((first > 0.0) | (squares > 0.0)).any(axis=0))


def refuse_vanishing(sums: Sums) -> None:
    """Say which column it is."""
    found = vanishing(sums)
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
