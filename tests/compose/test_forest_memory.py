"""Forests in passes keep sums, not rows: memory does not grow with the file."""

from __future__ import annotations

import gc
import tracemalloc
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice import Forest
from suffice.core.block import Block
from suffice.core.double_double import exact
from suffice.core.learner import Always, learn
from suffice.core.summary import Together, kept_bytes
from suffice.core.tally import Tally
from suffice.sources import Roles, open_rows
from suffice.sources.engines import file_source
from suffice.sources.engines.file_source import FileSource

RNG = np.random.default_rng(0)
X = RNG.integers(0, 30, (4_000, 2)).astype(float)
TABLE = pd.DataFrame(X, columns=["a", "b"]).assign(y=np.where(X.sum(axis=1) > 30, "yes", "no"))


def peak(chunks: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Bytes that a fit had at most, besides the rows themselves."""
    monkeypatch.setattr("suffice.trees.growth.table_trees.DRAWN", 500)
    rows = open_rows([TABLE] * chunks, Roles(target="y"))
    gc.collect()
    tracemalloc.start()
    try:
        Forest(1, max_depth=2, bins=16).fit(rows)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_nothing_is_kept_of_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer bytes are added than a row's node, its draw or its code would take."""
    peak(2, monkeypatch)  # what is loaded once is loaded
    few, many = 17, 42
    assert peak(many, monkeypatch) - peak(few, monkeypatch) < 4 * (many - few) * len(TABLE)


class Heavy:
    """Sums of 24 kilobytes."""

    def summarize(self, block: Block, model: None = None) -> Together:
        return Together((Tally(np.zeros(1_000, dtype=np.int64), exact(np.zeros(1_000))),))


class AsItIs:
    """A plan that takes chunks as they come."""

    def chunk(self, table: Any, schema: Any) -> Any:
        return table, schema


def test_heavy_summaries_are_added_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget holds for a pass, not for each of sixteen chunks."""
    added: list[int] = []
    whole = Tally.sum.__func__  # type: ignore[attr-defined]

    def counted(cls: Any, parts: Any) -> Any:
        added.append(len(parts))
        return whole(cls, parts)

    monkeypatch.setattr(Tally, "sum", classmethod(counted))
    rows = open_rows([TABLE[:9]] * 40, Roles(target="y"))
    for heavy, most in ((1 << 40, file_source.TOGETHER), (10_000, 2)):
        added.clear()
        monkeypatch.setattr(file_source, "HEAVY", heavy)
        learn(Always(Heavy()), FileSource(rows, AsItIs()))
        assert max(added) == most


def test_bytes_of_a_summary() -> None:
    tally = Tally(np.zeros(5, dtype=np.int64), exact(np.zeros(5)))
    assert kept_bytes(Together((tally, tally))) == 2 * (5 * 8 + 2 * 5 * 8)
    assert kept_bytes((("a", "b"), (), None, 3.0)) == 0
