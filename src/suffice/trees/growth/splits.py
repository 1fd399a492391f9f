"""Splits of a node: which column, where, and what that gains. Searched in sums by bin, of memory or of a pass alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.trees.growth.bins import ColumnBins
from suffice.trees.growth.monotone import Fence

NONE_MET = -2  # of a node without missing cells: which child takes one is not known yet
NEAR = 1e-11  # gains closer than this share of the loss are equal: then the column looked at first, then the lower cut


@dataclass(frozen=True)
class Split:
    """Where a node is divided."""

    gain: float  # by how much the loss falls
    score: float  # by what splits are compared: the gain, or the gain per bit of the split
    column: int
    children: tuple[Array, ...]  # bins of each child; the missing cells are bin -1
    missing: int  # which child takes missing cells; -1: all by share
    threshold: float = np.nan  # NaN where symbols decide


@dataclass(frozen=True)
class SplitLimits:
    """What a child must have at least, and how splits are compared."""

    rows: int = 1
    weight: float = 0.0
    gain_ratio: bool = False
    missing: str = "best"  # "best", "branch" or "share"
    symbols: str = "each"  # "each" value a child, or two "groups"


def search(
    target: Any,
    bins: ColumnBins,
    column: int,
    cells: tuple[Array, Array, Array],
    gone: tuple[int, Array],
    limits: SplitLimits,
    fence: Fence | None = None,
) -> Split | None:
    """The best split of a node on one column.

    Parameters
    ----------
    target : how sums become losses
    bins, column : of the column
    cells : of each bin that has rows, in order: its number (B,), its rows (B,), its sums (B, s)
    gone : rows and sums of the missing cells
    limits : what a child must have
    fence : what the answers of children must keep to
    """
    places, counts, sums = cells
    if len(places) < 1 or (len(places) < 2 and not (gone[0] and limits.missing != "share")):
        return None
    if bins.symbols:
        way = SYMBOLS[limits.symbols]
        return way(target, bins, column, places, counts, sums, gone, limits, fence)
    return _in_order(target, bins, column, places, counts, sums, gone, limits, fence)


def _in_order(
    target: Any,
    bins: ColumnBins | None,
    column: int,
    places: Array,
    counts: Array,
    sums: Array,
    gone: tuple[int, Array],
    limits: SplitLimits,
    fence: Fence | None = None,
) -> Split | None:
    """One part below, one above; missing cells with either, apart, or shared."""
    upto, met = np.cumsum(sums, axis=0), np.cumsum(counts)
    total, n = upto[-1], int(met[-1])
    lost_rows, lost = gone
    whole = float(target.loss(total + lost))
    best: Split | None = None
    for way in _ways(upto, met, total, n, lost_rows, lost, limits.missing):
        losses = target.loss(way.left) + target.loss(way.right)
        allowed = (way.left_rows >= limits.rows) & (way.right_rows >= limits.rows)
        if limits.weight > 0:
            allowed &= (target.weight(way.left) >= limits.weight) & (target.weight(way.right) >= limits.weight)
        before = float(target.loss(total)) if way.missing == -1 else whole
        if way.missing == 2:
            losses = losses + float(target.loss(lost))
            allowed &= lost_rows >= limits.rows
        if fence is not None:
            allowed &= fence.keeps(target.order(way.left), target.order(way.right))
        gains = np.where(allowed, before - losses, -np.inf)
        scores = gains / _bits(target, way, lost) if limits.gain_ratio else gains
        at = _first_best(scores, whole)
        if at is None or (best is not None and scores[at] <= best.score + NEAR * whole):
            continue
        cut = len(places) if way.apart else at + 1
        threshold = np.nan if bins is None else np.inf
        if bins is not None and cut < len(places):
            threshold = bins.between(int(places[cut - 1]), int(places[cut]))
        parts = (places[:cut], places[cut:], places[:0])[: 3 if way.missing == 2 else 2]
        best = Split(float(gains[at]), float(scores[at]), column, parts, way.missing, threshold)
    return best


@dataclass(frozen=True)
class _Way:
    """Sums and rows left and right of every boundary, and which child takes the missing cells."""

    left: Array
    right: Array
    left_rows: Array
    right_rows: Array
    missing: int
    apart: bool = False  # whether all that is known is left, and what is missing right


def _ways(upto: Array, met: Array, total: Array, n: int, lost_rows: int, lost: Array, way: str) -> list[_Way]:
    left, right, below, above = upto[:-1], total - upto[:-1], met[:-1], n - met[:-1]
    if not lost_rows:
        return [_Way(left, right, below, above, -1 if way == "share" else NONE_MET)]
    if way == "share":
        return [_Way(left, right, below, above, -1)]
    apart = _Way(total[None], lost[None], np.array([n]), np.array([lost_rows]), 1, True)
    if way == "branch":
        return [_Way(left, right, below, above, 2), apart]
    return [
        _Way(left, right + lost, below, above + lost_rows, 1),
        _Way(left + lost, right, below + lost_rows, above, 0),
        apart,
    ]


def _first_best(scores: Array, whole: float) -> int | None:
    best = float(scores.max(initial=-np.inf))
    if not np.isfinite(best):
        return None
    return int(np.flatnonzero(scores >= best - NEAR * whole)[0])


def _bits(target: Any, way: _Way, lost: Array) -> Array:
    parts = [target.weight(way.left), target.weight(way.right)]
    if way.missing == 2:
        parts.append(np.full(len(way.left), float(target.weight(lost))))
    w = np.stack(parts, axis=-1)
    p = w / np.maximum(w.sum(axis=-1, keepdims=True), 1e-300)
    return np.asarray(np.maximum(-(p * np.log2(np.maximum(p, 1e-300))).sum(axis=-1), 1e-12))


def _each_symbol(
    target: Any,
    bins: ColumnBins,
    column: int,
    places: Array,
    counts: Array,
    sums: Array,
    gone: tuple[int, Array],
    limits: SplitLimits,
    fence: Fence | None = None,
) -> Split | None:
    """One child a symbol; missing cells to the heaviest, to a child of their own, or to all by share."""
    lost_rows, lost = gone
    if len(places) < 2 and not lost_rows:
        return None
    groups, rows, kids, missing = sums, counts, [places[i : i + 1] for i in range(len(places))], NONE_MET
    before = float(target.loss(sums.sum(axis=0) + lost))
    if lost_rows and (limits.missing == "branch" or len(places) < 2):
        groups, rows, missing = np.vstack([sums, lost]), np.append(counts, lost_rows), len(places)
        kids = [*kids, np.zeros(0, dtype=places.dtype)]
    elif limits.missing == "share":
        before, missing = float(target.loss(sums.sum(axis=0))), -1
    elif lost_rows:
        groups, rows = sums.copy(), counts.copy()
        trial = [float(target.loss(sums[i] + lost) - target.loss(sums[i])) for i in range(len(sums))]
        missing = int(np.argmin(trial))
        groups[missing] += lost
        rows[missing] += lost_rows
    if (rows < limits.rows).any() or (target.weight(groups) < limits.weight).any():
        return None
    gain = before - float(target.loss(groups).sum())
    score = gain
    if limits.gain_ratio:
        p = target.weight(groups) / target.weight(groups).sum()
        score = gain / max(float(-(p * np.log2(np.maximum(p, 1e-300))).sum()), 1e-12)
    return Split(gain, score, column, tuple(kids), missing)


def _groups_of_symbols(
    target: Any,
    bins: ColumnBins,
    column: int,
    places: Array,
    counts: Array,
    sums: Array,
    gone: tuple[int, Array],
    limits: SplitLimits,
    fence: Fence | None = None,
) -> Split | None:
    """Two groups of symbols, in the order of their shares or means, which is exact for two classes and for numbers."""
    order = np.argsort(target.order(sums), kind="stable")
    free = None if fence is None else replace(fence, sign=0)
    return _in_order(target, None, column, places[order], counts[order], sums[order], gone, limits, free)


SYMBOLS = {"each": _each_symbol, "groups": _groups_of_symbols}
