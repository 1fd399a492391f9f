"""What one-pass transformers owe: shards, orders, copies and forgotten rows change nothing that they learn.

A model is made anew by `make`; what it has learned is read by `told`, with the sizes that rounding is a share of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.testing.law import law, laws_of
from suffice.testing.rows import LawRows

TOLERANCE = 1e-10


@dataclass(frozen=True)
class Subject:
    """A transformer under law."""

    name: str
    make: Callable[[], Any]
    table: Callable[[Any], Any]  # part -> X
    told: Callable[[Any, Any], list[tuple[Any, Any]]]  # model, X -> values, and sizes of their rounding
    labelled: bool = False  # whether it learns from labels: those are the components of the rows
    whole: bool = False  # whether only whole weights add exactly, and what it tells is exact

    def given(self, rows: LawRows) -> LawRows:
        """Rows with weights that it takes."""
        return replace(rows, w=np.floor(rows.weights)) if self.whole else rows

    def labels(self, rows: LawRows) -> Array | None:
        """One label a row."""
        return np.maximum(rows.codes, 0) if self.labelled else None


@law
def whole(subject: Subject, rows: LawRows) -> None:
    """Any split, in any order."""
    rows = subject.given(rows)
    pieces = [piece for piece in np.split(rows.order, list(rows.cuts)) if _some(rows.at(piece))]
    if not pieces:
        return
    first, *rest = (_fit(subject, rows.at(piece)) for piece in pieces)
    together = rows.at(np.sort(np.concatenate(pieces)))  # a shard without cells is no table
    _same(subject, first.merge(*rest), _fit(subject, together), together)


@law
def order(subject: Subject, rows: LawRows) -> None:
    """Rows may come in any order."""
    rows = subject.given(rows)
    if _some(rows):
        _same(subject, _fit(subject, rows.at(np.arange(rows.n)[::-1])), _fit(subject, rows), rows)


@law
def copies(subject: Subject, rows: LawRows) -> None:
    """A row of weight w is w rows."""
    rows = replace(rows, w=np.floor(rows.weights))
    if _some(rows):
        _same(subject, _fit(subject, rows.copied()), _fit(subject, rows), rows)


@law
def forgetting(subject: Subject, rows: LawRows) -> None:
    """What was forgotten was never there."""
    rows = subject.given(rows)
    a, b, _ = rows.third()
    if _some(a) and _some(b):
        both = _fit(subject, a).merge(_fit(subject, b))
        left = both.forget(subject.table(a.part), subject.labels(a), sample_weight=a.w)
        _same(subject, left, _fit(subject, b), rows)


LAWS = laws_of(__name__)


def _some(rows: LawRows) -> bool:
    """Whether there is a row that weighs something, and a cell in it."""
    part = rows.part
    cells = ~np.isnan(part) if isinstance(part, np.ndarray) else part.codes >= 0
    return bool(rows.n and cells[rows.weights > 0].any())


def _fit(subject: Subject, rows: LawRows) -> Any:
    return subject.make().fit(subject.table(rows.part), subject.labels(rows), sample_weight=rows.w)


def _same(subject: Subject, mine: Any, theirs: Any, rows: LawRows) -> None:
    both = zip(subject.told(mine, rows.part), subject.told(theirs, rows.part), strict=True)
    for (a, size), (b, _) in both:
        if isinstance(a, list):
            assert a == b
        else:
            _near(a, b, size)


def _near(a: Array, b: Array, size: Array) -> None:
    assert np.array_equal(np.isnan(a), np.isnan(b))
    gap = np.abs(np.nan_to_num(a) - np.nan_to_num(b))
    assert (gap <= TOLERANCE * np.nan_to_num(size)).all(), f"{a} is not {b}"
