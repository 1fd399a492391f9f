"""Rows from files and streams as a source that can be passed over again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.kinds import Storage
from suffice.core.loop import whole
from suffice.core.schema import Schema
from suffice.core.summary import Summary
from suffice.sources.analyzer import Analyzer
from suffice.sources.memory import cut
from suffice.sources.parts import refuse_strangers
from suffice.sources.rows import Rows


@dataclass(frozen=True)
class RowPasses:
    """Rows of one schema, which a pass of its own has found."""

    rows: Rows
    schema: Schema
    n: int
    kinds: Mapping[Any, Any] = field(default_factory=dict)
    analyzer: Analyzer | None = None

    @classmethod
    def of(
        cls, owner: str, rows: Any, kinds: Mapping[Any, Any] | None = None, analyzer: Analyzer | None = None
    ) -> RowPasses:
        """Read all rows once, to learn what their columns are."""
        if not isinstance(rows, Rows):
            raise bad(owner, "rows", "made by open_rows", rows, "Use fit for a table in memory.")
        schema, n = Schema(()), 0
        for chunk in rows.chunks(kinds, analyzer):
            schema, n = chunk.schema, n + chunk.table.n
        if not n:
            raise bad(owner, "the rows", "at least one", Said("none"), "Check the path and the format.")
        return cls(rows, schema.declare(owner, kinds or {}), n, kinds or {}, analyzer)

    def reduce(self, summarize: Callable[[Block], Summary]) -> Summary:
        """One pass: summarize every block and add."""
        total: Summary | None = None
        for block in self.blocks():
            summary = summarize(block)
            total = summary if total is None else total + summary
        assert total is not None
        return total

    def map(self, predict: Callable[[Block], Array]) -> Array:
        """Apply to every block, in the order of the rows."""
        return np.concatenate([predict(block) for block in self.blocks()])

    def blocks(self) -> Iterator[Block]:
        """All rows, read with the one schema."""
        with whole(self.n * max(len(self.schema.columns), 1)):
            for chunk in self.rows.chunks(self.kinds, self.analyzer):
                for some in cut(slice(0, chunk.table.n), chunk.table.at_once(self.schema)):
                    parts = chunk.table.parts(self.schema, some)
                    refuse_strangers(self.schema, parts, chunk.start + some.start)
                    yield Block(parts, None, None if chunk.w is None else chunk.w[some], chunk.start + some.start)

    def numbers(self, owner: str, most: int, rng: Any) -> tuple[Array, Array | None]:
        """Rows drawn evenly, at most so many, as an array (n, d), and their weights; every feature must be a number."""
        odd = [column for column in self.schema.features if column.kind.storage is not Storage.NUMBERS]
        if odd or not self.schema.features:
            came = f"{odd[0].name!r}, which is {odd[0].kind.value}" if odd else Said("none")
            raise bad(owner, "the features", "columns of numbers", Said(str(came)), "Use MixedMixture for other kinds.")
        chosen = np.sort(rng.choice(self.n, size=min(most, self.n), replace=False))
        rows: list[Array] = []
        weights: list[Array] = []
        for block in self.blocks():
            mine = chosen[(chosen >= block.start) & (chosen < block.start + block.n)] - block.start
            rows.append(np.asarray(block.parts[0], dtype=np.float64)[mine])
            weights.append(np.ones(len(mine)) if block.w is None else block.w[mine])
        w = np.concatenate(weights)
        return np.concatenate(rows), None if (w == 1.0).all() else w
