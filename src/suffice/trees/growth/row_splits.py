"""Splits where losses do not add (absolute error): the rows of a node in the order of their cells, from either end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.trees.growth.bins import ColumnBins
from suffice.trees.growth.splits import NEAR, NONE_MET, Split, SplitLimits

EPSILON = float(np.finfo(np.float64).eps)


class _Side(NamedTuple):
    """Where the missing cells go: which child, and the rows that each child has before any known one."""

    missing: int
    left: Array
    right: Array


def search_rows(
    target: Any,
    bins: ColumnBins,
    column: int,
    known: tuple[Array, Array],
    gone: Array,
    limits: SplitLimits,
    loss: float,
    keeps: Callable[[Array, Array], bool],
) -> Split | None:
    """The best split of a node on one column of numbers.

    Parameters
    ----------
    target : how rows become losses
    known : rows whose cell is known, and its bin
    gone : rows whose cell is missing
    limits : what a child must have
    loss : of the node
    keeps : whether the answers to rows on either side keep to what is asked for
    """
    if bins.symbols:
        return None
    order = np.argsort(known[1], kind="stable")
    rows, codes = known[0][order], known[1][order]
    cuts = np.flatnonzero(codes[1:] != codes[:-1]) + 1
    best: Split | None = None
    for side in _sides(gone):
        found = _best_cut(target, rows, cuts, side, limits, loss, keeps) if len(cuts) else None
        if found is not None and (best is None or found[0] > best.gain + NEAR * loss):
            gain, cut = found
            left, right = int(codes[cut - 1]), int(codes[cut])
            places = np.unique(codes)
            parts = (places[places <= left], places[places >= right])
            best = Split(gain, gain, column, parts, side.missing, bins.between(left, right))
    apart = _apart(target, rows, gone, limits, loss, keeps)
    if apart is not None and (best is None or apart > best.gain + NEAR * loss):
        best = Split(apart, apart, column, (np.unique(codes), codes[:0]), 1, np.inf)
    return best


def _sides(gone: Array) -> Iterator[_Side]:
    """Missing cells right, then left; of a node without any, neither."""
    if not len(gone):
        yield _Side(NONE_MET, gone, gone)
        return
    yield _Side(1, gone[:0], gone)
    yield _Side(0, gone, gone[:0])


def _best_cut(
    target: Any, rows: Array, cuts: Array, side: _Side, limits: SplitLimits, loss: float, keeps: Any
) -> tuple[float, int] | None:
    """The gain and place of the first best boundary."""
    below = target.prefix_losses(np.concatenate([side.left, rows]))[len(side.left) :]
    above = target.prefix_losses(np.concatenate([side.right, rows[::-1]]))[len(side.right) :][::-1]
    w = np.cumsum(target.w[rows])[cuts - 1]
    total, left, right = float(target.w[rows].sum()), target.w[side.left].sum(), target.w[side.right].sum()
    allowed = (cuts + len(side.left) >= limits.rows) & (len(rows) - cuts + len(side.right) >= limits.rows)
    allowed &= (w + left >= limits.weight) & (total - w + right >= limits.weight - EPSILON)
    gains = np.where(allowed, loss - below[cuts] - above[cuts], -np.inf)
    while np.isfinite(gains.max()):
        at = int(np.flatnonzero(gains >= gains.max() - NEAR * loss)[0])
        cut = int(cuts[at])
        if keeps(np.concatenate([side.left, rows[:cut]]), np.concatenate([side.right, rows[cut:]])):
            return float(gains[at]), cut
        gains[at] = -np.inf
    return None


def _apart(target: Any, rows: Array, gone: Array, limits: SplitLimits, loss: float, keeps: Any) -> float | None:
    """What is gained where all that is known goes left, and what is missing right."""
    if not len(gone) or min(len(rows), len(gone)) < limits.rows:
        return None
    if min(target.w[rows].sum(), target.w[gone].sum()) < limits.weight or not keeps(rows, gone):
        return None
    return float(loss - target.loss_of(rows) - target.loss_of(gone))
