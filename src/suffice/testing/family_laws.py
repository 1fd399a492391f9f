"""The laws of families. Each takes a family and rows, and raises AssertionError where it is broken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Coded, Words
from suffice.core.shares import Shares
from suffice.numerics import loop
from suffice.summaries.pattern_moments import PatternMoments
from suffice.testing.law import law, laws_of
from suffice.testing.rows import LawRows
from suffice.testing.sameness import assert_same, identical

CLOSE = 1e-12
Law = Callable[[Any, LawRows], None]


@law
def whole(family: Any, rows: LawRows) -> None:
    """Any split, in any order, gives the distribution of the whole."""
    parts = [family.summarize(shard.part, shard.shares) for shard in rows.shards()]
    summed = family.estimate(type(parts[0]).sum(parts))
    assert_same_density(summed, _fit(family, rows), rows)


@law
def copies(family: Any, rows: LawRows) -> None:
    """A row of weight w counts as w rows, a row of weight 0 as none."""
    rows = replace(rows, w=np.floor(rows.weights))
    assert_same_density(_fit(family, rows), _fit(family, rows.copied()), rows)


@law
def cells(family: Any, rows: LawRows) -> None:
    """The log densities of the cells of a row sum to the row's; a missing cell adds exactly nothing."""
    distribution = _fit(family, rows)
    for part in (rows.part, rows.query[0]):
        logs = distribution.log_density(part)
        for k in range(rows.K):
            each = distribution.cells(part, k)
            assert_close(each.sum(axis=1), logs[:, k], 1.0 + np.abs(_finite(each)).sum(axis=1))
            assert not each[_missing(part, each.shape)].any(), "a missing cell has a density"


@law
def shares(family: Any, rows: LawRows) -> None:
    """Hard labels and the same labels as shares keep the same of the rows."""
    rows = replace(rows, w=rows.weights)
    hard = family.summarize(rows.part, rows.shares)
    one_hot = (rows.codes[:, None] == np.arange(rows.K)) * rows.weights[:, None]
    limits = rows.limits._replace(moments=2.0**-53 * max(rows.n, 1))  # plain sums about the shift
    assert_same(family.summarize(rows.part, Shares.soft(one_hot)), hard, limits)


@law
def missing(family: Any, rows: LawRows) -> None:
    """A missing cell is as if it were not there, and changes no statistic of another column: not one bit."""
    part = rows.part
    if isinstance(part, Words):
        return _missing_documents(family, rows)
    gap = _missing(part, (0, 0))
    gap[:: max(rows.K, 2), 0] = True  # more of them, only in the first column
    holed = replace(rows, parts=(_without(part, gap),))
    if isinstance(family.summarize(part, rows.shares), PatternMoments):
        return _missing_patterns(family, holed, gap)
    others = range(1, gap.shape[1])
    before, after = (family.summarize(r.part, r.shares).columns(others) for r in (rows, holed))
    assert identical(after, before), f"{before} became {after}"
    there = holed.at(np.flatnonzero(~gap[:, 0]))
    first, without = (family.summarize(r.part, r.shares).columns([0]) for r in (holed, there))
    assert_same(first, without, rows.limits._replace(reach=rows.limits.reach[:1]))
    return None


def _missing_patterns(family: Any, rows: LawRows, gap: Array) -> None:
    """Where columns are kept together, rows that lack a cell change nothing in what is kept of the complete ones."""
    live = rows.shares.claimed
    there = rows.at(np.flatnonzero(live & ~gap.any(axis=1)))
    mine, whole = (family.summarize(r.part, r.shares).complete for r in (rows, there))
    assert_same(mine, whole, rows.limits)


def _missing_documents(family: Any, rows: LawRows) -> None:
    """A row without a document is as if it were not there."""
    absent = rows.part.missing
    there = rows if absent is None else rows.at(np.flatnonzero(~absent))
    assert_same(family.summarize(rows.part, rows.shares), family.summarize(there.part, there.shares), rows.limits)


@law
def routes(family: Any, rows: LawRows) -> None:
    """The compiled loops and their NumPy twins keep and say the same."""
    kept, distribution = family.summarize(rows.part, rows.shares), _fit(family, rows)
    logs = [distribution.log_density(part) for part in (rows.part, rows.query[0])]
    with loop.whole(loop.WORTH):  # these rows are said to be part of a large table
        looped = family.summarize(rows.part, rows.shares)
        again = [distribution.log_density(part) for part in (rows.part, rows.query[0])]
    assert_same(looped, kept, rows.limits)
    for part, mine, theirs in zip((rows.part, rows.query[0]), again, logs, strict=True):
        for k in range(rows.K):
            size = np.abs(_finite(distribution.cells(part, k))).sum(axis=1)
            assert_close(mine[:, k], theirs[:, k], 1.0 + size)


def assert_same_density(a: Any, b: Any, rows: LawRows) -> None:
    """The same density of rows seen and unseen, within rounding of its largest term."""
    for part in (rows.part, rows.query[0]):
        for k in range(rows.K):
            size = np.abs(_finite(b.cells(part, k))).sum(axis=1)
            assert_close(a.log_density(part)[:, k], b.log_density(part)[:, k], 1.0 + size)


def assert_close(a: Array, b: Array, size: Array) -> None:
    """Equal where infinite, else within 1e-12 of the size."""
    assert not np.isnan(a).any(), f"a log density is not a number: {a}"
    assert not np.isnan(b).any(), f"a log density is not a number: {b}"
    with np.errstate(invalid="ignore"):
        near = (a == b) | (np.abs(a - b) <= CLOSE * size)
    assert near.all(), f"{a[~near]} and {b[~near]}, apart by {np.abs(a - b)[~near]}, allowed {(CLOSE * size)[~near]}"


def _fit(family: Any, rows: LawRows) -> Any:
    return family.estimate(family.summarize(rows.part, rows.shares))


def _finite(logs: Array) -> Array:
    return np.where(np.isfinite(logs), logs, 0.0)


def _missing(part: Any, shape: tuple[int, ...]) -> Array:
    if isinstance(part, Words):
        absent = np.zeros(shape[0], dtype=bool) if part.missing is None else part.missing
        return np.broadcast_to(absent[:, None], shape)
    return np.array(part.codes < 0 if isinstance(part, Coded) else np.isnan(part))


def _without(part: Any, gap: Array) -> Any:
    if isinstance(part, Coded):
        return part._replace(codes=np.where(gap, -1, part.codes))
    return np.where(gap, np.nan, part)


LAWS: Sequence[Law] = laws_of(__name__)
