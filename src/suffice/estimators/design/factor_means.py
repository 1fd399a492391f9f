"""Means and deviations of factors: what one pass over the rows finds of the columns of a matrix. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.kinds import Storage
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.summary import Summary, Together
from suffice.core.tally import Tally
from suffice.estimators.design.factors import Factor, gap
from suffice.summaries.counts import Counts
from suffice.summaries.moments import Moments
from suffice.summaries.shifted_sums import refuse_vanishing

ENOUGH = 1_000  # rows of a block that say about where a column lies and how wide it is


def _some(part: Array, R: Shares) -> Moments:
    every = max(1, len(part) // ENOUGH)
    return Moments.of(part[::every], R[::every])


KEPT: dict[Storage, Callable[[Any, Shares], Summary]] = {Storage.NUMBERS: Moments.of, Storage.SYMBOLS: Counts.of}
THIN = {**KEPT, Storage.NUMBERS: _some}  # where a centre and a scale that are about right will do


def kept_of_parts(schema: Schema, parts: Sequence[Any], R: Shares, thin: bool = False) -> Together:
    """Moments of numbers and counts of symbols; a mean that stands for missing cells is that of all rows."""
    how = THIN if thin else KEPT
    return Together(tuple(how[storage](part, R) for (storage, _), part in zip(schema.parts, parts, strict=True)))


def factor_means(schema: Schema, kept: Together, tally: Tally, gaps: bool) -> dict[Factor, tuple[float, float]]:
    """Mean and standard deviation of every factor that was met, those of missing cells where there may be some."""
    found: dict[Factor, tuple[float, float]] = {}
    for (storage, places), some in zip(schema.parts, kept.parts, strict=True):
        names = [schema.columns[i].name for i in places]
        found |= _READ[storage](names, some, tally)
        found |= _gaps(names, some, tally) if gaps else {}
    return found


def _numbers(names: Sequence[Any], kept: Moments, tally: Tally) -> dict[Factor, tuple[float, float]]:
    """Mean and standard deviation of each column."""
    whole = kept.pooled()
    refuse_vanishing(whole)
    spread: Array = np.sqrt(whole.variance[0])
    return {Factor(name): (float(whole.mean.value[0, j]), float(spread[j])) for j, name in enumerate(names)}


def _symbols(names: Sequence[Any], kept: Counts, tally: Tally) -> dict[Factor, tuple[float, float]]:
    """Share of each level, and the standard deviation of its indicator."""
    out: dict[Factor, tuple[float, float]] = {}
    for j, name in enumerate(names):
        shares = kept.column(j).sum(axis=0) / tally.weight.value.sum()
        for level, share in zip(kept.labels[j], shares, strict=True):
            out[Factor(name, level, True)] = float(share), _deviation(float(share))
    return out


_READ: dict[Storage, Any] = {Storage.NUMBERS: _numbers, Storage.SYMBOLS: _symbols}


def _gaps(names: Sequence[Any], kept: Any, tally: Tally) -> dict[Factor, tuple[float, float]]:
    """Share of the missing cells of each column that has some, and the standard deviation of their indicator."""
    if isinstance(kept, Counts):
        places = kept.slices
        rows = np.array([kept.rows[:, at].sum() for at in places])
        weight = np.array([kept.weight[:, at].sum() for at in places])
    else:
        rows, weight = kept.rows.sum(axis=0), kept.weight.value.sum(axis=0)
    out: dict[Factor, tuple[float, float]] = {}
    for name, n, share in zip(names, rows, 1.0 - weight / tally.weight.value.sum(), strict=True):
        if n < tally.rows.sum():
            out[gap(name)] = float(share), _deviation(float(share))
    return out


def _deviation(share: float) -> float:
    """Standard deviation of an indicator that is 1 in this share of the rows."""
    return float(np.sqrt(max(share * (1.0 - share), 0.0)))
