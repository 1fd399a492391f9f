"""Rows that are kept whole add as lists do: in the order of the parts."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.core.block import Block, Coded
from suffice.core.errors import BadInput, NotASummary
from suffice.estimators.algebras.gathering import Gathered, gathered
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.sources import Roles, open_rows
from suffice.sources.engines.file_source import FileSource


def part(first: int, n: int) -> Gathered:
    X = np.arange(first, first + n, dtype=float)[:, None]
    y = Coded(np.arange(n, dtype=np.int32)[:, None] % 2, (("a", "b"),))
    return Gathered.of(Block((X,), y, np.full(n, 2.0)))


def test_rows_one_after_the_other() -> None:
    a, b, c = part(0, 3), part(3, 0), part(3, 2)
    for whole in ((a + b) + c, a + (b + c), Gathered.sum([a, b, c])):
        assert whole.X.ravel().tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
        assert whole.y == ["a", "b", "a", "a", "b"]
        assert whole.w is not None
        assert whole.w.tolist() == [2.0] * 5
    assert a.scale(0.5).w.tolist() == [1.0] * 3  # type: ignore[union-attr]
    assert a.spread([0], 1) is a
    with pytest.raises(NotASummary, match="Gathered: rows must only be added, got rows to take away"):
        a - a


def test_rows_of_a_source() -> None:
    chunks = [{"x": [1.0, 2.0], "t": [0.5, None], "w": [1, 2]}, {"x": [3.0], "t": [1.5], "w": [3]}]
    rows = open_rows(chunks, Roles(weight="w"))
    source = gathered("Me", FileSource(rows, NumberPlan("Me"), number="t"), None)
    (X,), y, w = source.block(slice(0, 2)).parts, source.y, source.w
    assert (X.tolist(), np.asarray(y).tolist(), np.asarray(w).tolist()) == ([[1.0], [3.0]], [[0.5], [1.5]], [1.0, 3.0])
    words = open_rows([{"x": ["a", "b"]}])
    with pytest.raises(BadInput, match="Me: the features must be columns of numbers, got 'x', which is categorical"):
        gathered("Me", FileSource(words, NumberPlan("Me")), None)
