"""Rows to start from are a summary that adds: whoever reads them, in whatever order, the same rows are drawn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import strategies as st

from suffice.core.block import Array, Block
from suffice.core.errors import NotASummary
from suffice.core.folds import scrambled
from suffice.core.learner import Always, learn
from suffice.mixtures.row_marks import MarkedRows, row_marks
from suffice.persistence import from_bytes, to_bytes
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.grid import Grid
from suffice.summaries.start_rows import DrawRows, StartRows
from suffice.testing.check import broken, hold


class Drawing(NamedTuple):
    """Rows, cut into three shards, and how many are drawn."""

    block: Block
    shards: tuple[Array, Array, Array]
    limit: int
    seed: int
    marked: bool  # by cells instead of numbers

    def of(self, rows: Array) -> StartRows:
        some = self.block.take(rows)
        if self.marked:
            return MarkedRows(self.seed, self.limit).summarize(some)
        return DrawRows(self.seed, self.limit).summarize(some)

    @property
    def parts(self) -> list[StartRows]:
        return [self.of(shard) for shard in self.shards]


@st.composite
def drawings(draw: st.DrawFn) -> Drawing:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(0, 40))
    X, w = rng.integers(0, 4, (n, 2)).astype(float), rng.integers(0, 3, n).astype(float)
    cuts = np.sort(rng.integers(0, n + 1, 2))
    a, b, c = np.split(rng.permutation(n), cuts)
    weights = w if draw(st.booleans()) else None
    return Drawing(Block((X,), w=weights), (a, b, c), draw(st.integers(1, 12)), 7, draw(st.booleans()))


def same(a: StartRows, b: StartRows) -> None:
    assert to_bytes(a) == to_bytes(b), f"{a} is not {b}"  # weights are whole: sums are exact


def adds(d: Drawing) -> None:
    """Associative, commutative, and any split is the whole."""
    a, b, c = d.parts
    same((a + b) + c, a + (b + c))
    same(a + b, b + a)
    same(StartRows.sum([c, a, b]), d.of(np.arange(d.block.n)))


def nothing(d: Drawing) -> None:
    """No rows add nothing; rows that weigh nothing are none."""
    a = d.of(np.arange(d.block.n))
    same(a + d.of(np.arange(0)), a)
    if d.block.w is not None:
        same(d.of(np.flatnonzero(d.block.w > 0)), a)


def scaled(d: Drawing) -> None:
    """Weights grow, rows stay."""
    a, b, _ = d.parts
    same((a + b).scale(2.0), a.scale(2.0) + b.scale(2.0))
    same(a.scale(1.0), a)


def saved(d: Drawing) -> None:
    """A file gives back what still adds."""
    a, b, _ = d.parts
    same(from_bytes(to_bytes(a)) + b, a + b)


def smallest(d: Drawing) -> None:
    """The rows of the smallest keys, each with the weight of all rows of its key."""
    w = np.ones(d.block.n) if d.block.w is None else d.block.w
    numbers = d.block.numbers.astype(np.uint64)
    keys = row_marks(d.block, d.seed) if d.marked else scrambled(numbers, d.seed)
    found = d.of(np.arange(d.block.n))
    expected = sorted(set(keys[w > 0].tolist()))[: d.limit]
    assert found.keys.tolist() == expected
    assert found.weight.tolist() == [w[keys == key].sum() for key in expected]
    assert found.total == w.sum()
    if not d.marked:
        assert np.array_equal(found.in_order().rows, d.block.parts[0][np.sort(found.numbers)])


LAWS = (adds, nothing, scaled, saved, smallest)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_law(law: Any) -> None:
    hold(law, drawings(), f"StartRows {law.__name__}")


def test_nothing_is_taken_away() -> None:
    rows = DrawRows(0, 3).summarize(Block((np.eye(4),)))
    with pytest.raises(NotASummary, match="StartRows: rows must only be added, got rows to take away"):
        rows - rows
    with pytest.raises(NotASummary, match="StartRows: can only be added to draws of the same size, got"):
        rows + DrawRows(0, 2).summarize(Block((np.eye(4),)))


def test_the_laws_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted defect: a sum keeps the first rows that came."""

    def careless(parts: Any) -> StartRows:
        return next((part for part in parts if len(part.keys)), parts[0])

    monkeypatch.setattr(StartRows, "sum", careless)
    assert broken(adds, drawings())


def test_draws_are_even_and_independent_of_threads_and_blocks() -> None:
    X = np.arange(60_000.0)[:, None]
    plans = Always(DrawRows(3, 2_000))
    one, four = (learn(plans, MemorySource(Grid(X), Grid(X).infer(), threads=t)).summary for t in (1, 4))
    assert to_bytes(one) == to_bytes(four)
    shares = np.histogram(one.numbers, bins=10, range=(0, 60_000))[0] / 2_000
    assert np.abs(shares - 0.1).max() < 5 * np.sqrt(0.09 / 2_000)  # five standard errors
    other = learn(Always(DrawRows(4, 2_000)), MemorySource(Grid(X), Grid(X).infer())).summary
    assert len(np.intersect1d(one.numbers, other.numbers)) < 200  # 67 are expected


@pytest.mark.parametrize("different", [3, 40, 10_000])
def test_few_of_many_rows_are_found_without_a_sort(different):
    rng = np.random.default_rng(different)
    keys = rng.integers(0, different, 500).astype(np.uint64)
    rows, w = rng.normal(size=(500, 2)), rng.integers(1, 4, 500).astype(float)
    found = StartRows.of(keys, np.arange(500)[::-1], rows, w, 5)
    smallest = np.unique(keys)[:5]
    assert found.keys.tolist() == smallest.tolist()
    assert found.weight.tolist() == [w[keys == key].sum() for key in smallest]
    last = [np.flatnonzero(keys == key).max() for key in smallest]  # numbers fall: the last has the smallest
    assert np.array_equal(found.rows, rows[last])
