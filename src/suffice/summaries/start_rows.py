"""Rows to start from: those of the smallest keys, a summary that adds.

A key is a hash of a seed and of what a row is known by. Hashed by its number, every row has a key of its own, and some
rows are drawn evenly whoever reads them, in whatever order. Hashed by its cells, equal rows share a key and a fate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import NotASummary, Said, refusal
from suffice.core.folds import scrambled
from suffice.core.learner import Always, Learned, Source, learn
from suffice.core.registry import saved
from suffice.core.summary import Index, Summary


@saved
@dataclass(frozen=True)
class StartRows(Summary):
    """The rows of the `limit` smallest different keys, of all that weigh something.

    >>> rows = StartRows.drawn(Block((np.arange(100.0)[:, None],)), 0, 3)
    >>> rows.in_order().rows.ravel().tolist(), rows.total
    ([33.0, 53.0, 94.0], 100.0)
    """

    limit: int
    keys: Array  # (m,) unsigned, rising
    numbers: Array  # (m,) the smallest number of a row with that key
    rows: Array  # (m, d) that row
    weight: Array  # (m,) of all rows with that key
    total: float  # weight of all rows

    @classmethod
    def of(cls, keys: Array, numbers: Array, rows: Array, w: Array | None, limit: int) -> StartRows:
        """Of rows (n, d) with keys (n,) unsigned, numbers (n,) and weights (n,)."""
        w = np.ones(len(keys)) if w is None else np.asarray(w, dtype=np.float64)
        live = w > 0
        if not live.all():
            return replace(cls.of(keys[live], numbers[live], rows[live], w[live], limit), total=float(w.sum()))
        found, numbers, rows, weight = _smallest(keys, numbers, rows, w, limit)
        return cls(limit, found, numbers, rows, weight, float(w.sum()))

    @classmethod
    def drawn(cls, block: Block, seed: int, limit: int) -> StartRows:
        """Rows of numbers, drawn evenly: by a hash of the seed and the number of the row."""
        numbers = block.numbers
        X = np.asarray(block.parts[0], dtype=np.float64)
        return cls.of(scrambled(numbers.astype(np.uint64), seed), numbers, X, block.w, limit)

    @classmethod
    def sum(cls, parts: Sequence[StartRows]) -> StartRows:
        """The smallest of all."""
        limit = parts[0].limit
        if any(part.limit != limit for part in parts):
            sizes, remedy = [part.limit for part in parts], "Draw equally many rows everywhere."
            raise refusal(NotASummary, "StartRows", "", "draws of the same size", sizes, remedy, "can only be added to")
        keys, numbers, rows, w = (np.concatenate([getattr(part, name) for part in parts]) for name in _KEPT)
        found, numbers, rows, weight = _smallest(keys, numbers, rows, w, limit)
        return cls(limit, found, numbers, rows, weight, float(np.sum([part.total for part in parts])))

    def __sub__(self, other: StartRows) -> StartRows:
        """The rows that would take their place are gone."""
        remedy = "Draw from the rows that are left."
        raise refusal(NotASummary, self, "rows", "added", Said("rows to take away"), remedy, "must only be")

    def scale(self, factor: float) -> StartRows:
        """Every row weighs so many times as much."""
        return replace(self, weight=factor * self.weight, total=factor * self.total)

    def spread(self, index: Index, K: int) -> StartRows:
        """There is one component."""
        return self

    def in_order(self) -> StartRows:
        """The same, by the numbers of the rows."""
        order = np.argsort(self.numbers, kind="stable")
        return replace(self, **{name: getattr(self, name)[order] for name in _KEPT})


_KEPT = ("keys", "numbers", "rows", "weight")


def _smallest(keys: Array, numbers: Array, rows: Array, w: Array, limit: int) -> tuple[Array, Array, Array, Array]:
    """The smallest different keys, and what goes with each."""
    near = _near(keys, limit)
    if near is not None:
        return _smallest(keys[near], numbers[near], rows[near], w[near], limit)
    order = np.lexsort((numbers, keys))
    found, first, place = np.unique(keys[order], return_index=True, return_inverse=True)
    chosen = order[first[:limit]]
    weight = np.bincount(place, w[order], len(found)).astype(np.float64)[:limit]
    return found[:limit], numbers[chosen], rows[chosen], weight


def _near(keys: Array, limit: int) -> Array | None:
    """Where the smallest keys stand, if few of many are wanted and so many of these differ; the others need no sort."""
    if not 0 < 4 * limit < len(keys):
        return None
    near = np.flatnonzero(keys <= np.partition(keys, limit - 1)[limit - 1])
    return near if 4 * limit >= len(near) and len(np.unique(keys[near])) == limit else None


def drawn_rows(source: Source, seed: int, limit: int) -> Learned:
    """What the columns of a source are, and some rows of numbers, drawn evenly in one pass."""
    counted = getattr(source, "counted", None)  # rows in partitions have no numbers before they are counted
    return learn(Always(DrawRows(seed, limit)), source if counted is None else counted())


@dataclass(frozen=True)
class DrawRows:
    """Draws rows of numbers evenly in one pass."""

    seed: int
    limit: int

    def summarize(self, block: Block, model: None = None) -> StartRows:
        """Those of a block."""
        return StartRows.drawn(block, self.seed, self.limit)
