"""The laws of summaries. Each takes a way to summarize and rows, and raises AssertionError where it is broken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from suffice.core.errors import NeverAdded, NotASummary
from suffice.core.summary import Summary, Together
from suffice.linear.terms import ByTerm, Factor
from suffice.persistence import from_bytes, to_bytes
from suffice.summaries.triangular import TriangularFactor
from suffice.testing.law import law, laws_of
from suffice.testing.rows import LawRows
from suffice.testing.sameness import Limits, assert_same, identical

Summarize = Callable[[LawRows], Any]
Law = Callable[[Summarize, LawRows], None]
ONLY_ADDED = (TriangularFactor,)  # no rows can be taken away from these, and they say so


@law
def associative(summarize: Summarize, rows: LawRows) -> None:
    """(a + b) + c = a + (b + c)."""
    a, b, c = map(summarize, rows.third())
    assert_same((a + b) + c, a + (b + c), rows.limits)


@law
def commutative(summarize: Summarize, rows: LawRows) -> None:
    """a + b = b + a, exactly but for rounding."""
    a, b, c = map(summarize, rows.third())
    assert_same(a + b, b + a, rows.limits)
    assert_same(type(a).sum([a, b, c]), type(a).sum([c, a, b]), rows.limits)


@law
def zero(summarize: Summarize, rows: LawRows) -> None:
    """No rows add nothing and take nothing away; all rows taken away leave exactly nothing."""
    a, nothing = summarize(rows), summarize(rows.at([]))
    for neutral in (a + nothing, nothing + a, type(a).sum([nothing, a, nothing])):
        assert_same(neutral, a, rows.limits)
    if _subtracts(a):
        assert_same(a - nothing, a, rows.limits)
        assert_same(a - a, nothing, Limits(0.0, np.zeros_like(rows.limits.reach)))


@law
def undone(summarize: Summarize, rows: LawRows) -> None:
    """(a + b) - b = a, and what b alone held leaves without a trace; so it does where all were summarized at once."""
    a, b, c = map(summarize, rows.third())
    if not _subtracts(a):
        return
    limits = rows.limits.after_forgetting()
    assert_same((a + b) - b, a, limits)
    assert_same((a + b + c) - a - c, b, limits)
    assert_same(summarize(rows) - a - c, b, limits)


@law
def never_added(summarize: Summarize, rows: LawRows) -> None:
    """More rows than there are cannot be taken away."""
    a, b, _ = map(summarize, rows.third())
    if _subtracts(a) and not _nothing(b):
        try:
            a - (a + b)
        except NeverAdded:
            return
        raise AssertionError("rows were taken away that were never added")


@law
def whole(summarize: Summarize, rows: LawRows) -> None:
    """Any split, in any order, with empty shards, is the whole."""
    parts = [summarize(shard) for shard in rows.shards()]
    assert_same(type(parts[0]).sum(parts), summarize(rows), rows.limits)


@law
def folded(summarize: Summarize, rows: LawRows) -> None:
    """The sum of many is the fold of +."""
    parts = [summarize(shard) for shard in rows.shards()]
    assert_same(type(parts[0]).sum(parts), reduce(add, parts), rows.limits)


@law
def copies(summarize: Summarize, rows: LawRows) -> None:
    """A row of weight w is w rows of weight 1, but for the number of rows; weight 0 is no row."""
    rows = replace(rows, w=np.floor(rows.weights))
    assert_same(summarize(rows), summarize(rows.copied()), rows.limits._replace(rows=False))
    live = np.flatnonzero(rows.weights > 0)
    assert_same(summarize(rows), summarize(rows.at(live)), rows.limits)


@law
def scaled(summarize: Summarize, rows: LawRows) -> None:
    """Scaling is weighing every row so much; it is linear, and 1 changes nothing."""
    a, b, _ = map(summarize, rows.third())
    assert_same(a.scale(1.0), a, rows.limits)
    assert_same((a + b).scale(0.7), a.scale(0.7) + b.scale(0.7), rows.limits)
    heavier = replace(rows, w=rows.weights * 4.0)
    assert_same(summarize(rows).scale(4.0), summarize(heavier), heavier.limits)


@law
def spread_out(summarize: Summarize, rows: LawRows) -> None:
    """Moving components is relabelling rows; dropping one drops its rows; moving them back is the identity."""
    a = summarize(rows)
    if hasattr(a, "align"):
        return _aligned(a, rows)
    index = np.roll(np.arange(rows.K), 1) * 2 + 1
    dropped = np.where(np.arange(rows.K) == 0, -1, index)
    assert_same(a.spread(index, 2 * rows.K), summarize(rows.relabelled(index, 2 * rows.K)), rows.limits)
    assert_same(a.spread(dropped, 2 * rows.K), summarize(rows.relabelled(dropped, 2 * rows.K)), rows.limits)
    back = np.full(2 * rows.K, -1)
    back[index] = np.arange(rows.K)
    assert_same(a.spread(index, 2 * rows.K).spread(back, rows.K), a, rows.limits)
    return None


def _aligned(a: Any, rows: LawRows) -> None:
    """Components with labels: longer lists and back again, whatever the order."""
    if isinstance(a, ByTerm):
        wider = ((Factor("zz"),), *reversed(a.terms))
        return assert_same(a.align(wider).align(a.terms), a, rows.limits)
    more = ("zz", *reversed(a.labels), "before")
    assert_same(a.align(more).align(a.labels), a, rows.limits)
    assert a.align(more).tally.rows.tolist() == [0, *reversed(a.tally.rows.tolist()), 0]
    return None


@law
def saved(summarize: Summarize, rows: LawRows) -> None:
    """A file gives back the same bits, and what it gives back still adds and subtracts."""
    a, b, _ = map(summarize, rows.third())
    loaded = from_bytes(to_bytes(a))
    assert identical(loaded, a), f"{a} was saved, {loaded} loaded"
    assert identical(loaded + b, a + b)
    if _subtracts(a):
        assert identical((loaded + b) - b, (a + b) - b)


@law
def values(summarize: Summarize, rows: LawRows) -> None:
    """Summaries are values: no verb changes them, and summarizing changes no row."""
    before = [_bytes(part) for part in rows.parts]
    a, b, _ = map(summarize, rows.third())
    kept = to_bytes(a), to_bytes(b)
    type(a).sum([a, b])
    (a + b) - b if _subtracts(a) else a + b, a.scale(0.5)
    if not hasattr(a, "align"):
        a.spread(np.arange(rows.K), rows.K + 1)
    summarize(rows)
    assert (to_bytes(a), to_bytes(b)) == kept, "a summary was changed by its verbs"
    assert [_bytes(part) for part in rows.parts] == before, "summarizing changed the rows"


def _subtracts(a: Summary) -> bool:
    """Whether rows can be taken away; a summary from which they cannot must refuse, whatever the rows."""
    if not isinstance(a, ONLY_ADDED):
        return True
    try:
        a - a
    except NotASummary:
        return False
    raise AssertionError("rows were taken away from what is only added to")


def _nothing(summary: Summary) -> bool:
    """No part of it holds a row."""
    parts = getattr(summary, "parts", ()) if isinstance(summary, Together) else ()
    inner = [value for value in vars(summary).values() if isinstance(value, Summary)]
    rows = getattr(summary, "rows", np.zeros(0))
    return not np.any(rows) and all(_nothing(part) for part in (*parts, *inner))


def _bytes(part: Any) -> Any:
    arrays = [part] if isinstance(part, np.ndarray) else [getattr(part, "codes", None), getattr(part, "counts", None)]
    return [getattr(array, "data", array).tobytes() for array in arrays if array is not None]


LAWS: Sequence[Law] = laws_of(__name__)
