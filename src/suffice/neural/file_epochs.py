"""Epochs over files: rows pass window after window, each in an order of its own. A window is all that memory holds.

A file that fits into one window is read whole, so that its net is that of memory. Of larger ones rows are shuffled
within their window, and windows come in the order of the files: rows that are sorted by class should be mixed first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import Said, bad
from suffice.core.folds import scrambled
from suffice.core.learner import Always, learn
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.estimators.algebras.gathering import Gathered
from suffice.estimators.algebras.in_memory import rows_in_memory
from suffice.estimators.boundary.opening import Opened
from suffice.estimators.design.coded_plan import CodedPlan, RawChunks
from suffice.estimators.design.gap_choice import takes_gaps
from suffice.estimators.design.table_design import design_from, feature_schema
from suffice.neural.gradient_descent import NetRows, Step, permutation
from suffice.sources.engines.file_source import FileSource

WINDOW = 1 << 14  # rows that are shuffled together, rounded up to whole batches
TargetOf = Callable[[Block], Array]  # what the output units should say to the rows of a block (n, t)


@dataclass(frozen=True)
class NetFile:
    """A file that is read epoch by epoch."""

    source: FileSource  # rows as numbers
    schema: Schema  # of those
    n: int


def rows_or_file(holder: Any, opened: Opened) -> tuple[Any, Any]:
    """A plan, and the rows in memory where they fill no more than a window, or the file."""
    source = opened.source
    raw: Any = replace(source, plan=RawChunks(holder._owner))  # type: ignore[type-var]
    schema, counted = learn(Always(_Count()), raw)
    n = int(counted.rows[0])
    if n <= WINDOW:
        return rows_in_memory(holder, opened, True)
    plan, before = opened.plan, holder._before
    assert isinstance(plan, CodedPlan)
    design = None if before is None else before.plan.design
    if design is None:
        design = design_from(plan.owner, raw.read_as(feature_schema(plan.owner, schema)), takes_gaps(holder))
    plan = plan.by(design)
    coded: Any = replace(source, plan=plan)  # type: ignore[type-var]
    return plan, NetFile(coded, learn(Always(_Count()), coded).schema, n)


@dataclass(frozen=True)
class FileRows:
    """The rows of a file as a net learns from them."""

    file: NetFile
    target: TargetOf
    targets: int  # output units
    n: int
    seed: int = 0
    share: float = 0.0  # of the rows is held out, by a hash of their numbers
    window: int = WINDOW

    kind = np.dtype(np.float64)

    @property
    def width(self) -> int:
        """Number of inputs."""
        return len(self.file.schema.columns)

    def visits(self, size: int) -> FileRows:
        """Windows of whole batches of `size` rows."""
        return replace(self, window=size * -(-WINDOW // size))

    def visit(self, rng: Any, step: Step) -> None:
        """One epoch: the rows of each window in an order that `rng` draws, or as they come where that is None."""
        waiting: list[NetRows] = []

        def leave(rows: NetRows) -> None:
            step(rows, np.arange(rows.n) if rng is None else permutation(rows.n, rng))

        def take(block: Block) -> None:
            waiting.append(self._rows(block, ~self._held(block)))
            while sum(rows.n for rows in waiting) >= self.window:
                whole = _together(waiting)
                waiting[:] = [whole.take(slice(self.window, None))]
                leave(whole.take(slice(0, self.window)))

        learn(Always(_Each(take)), self.file.source)
        if sum(rows.n for rows in waiting):
            leave(_together(waiting))

    def apart(self, owner: str, fraction: float, rng: Any) -> tuple[FileRows, NetRows]:
        """Rows to learn from, and rows held out: at most a window of them."""
        mine = replace(self, seed=int(rng.randint(np.iinfo(np.int32).max)), share=min(fraction, WINDOW / self.n))
        found: Any = learn(
            Always(_Gather(lambda block: mine._rows(block, mine._held(block)))), self.file.source
        ).summary
        if len(found.X) < 2:
            rule = "a share of at least 2 rows (The validation set is too small)"
            raise bad(owner, "validation_fraction", rule, fraction, "Give more rows.")
        return replace(mine, n=self.n - len(found.X)), NetRows(found.X, found.y, found.w)

    def _held(self, block: Block) -> Array:
        if not self.share > 0:
            return np.zeros(block.n, dtype=bool)
        return np.asarray(scrambled(block.numbers.astype(np.uint64), self.seed) < np.uint64(self.share * 2.0**64))

    def _rows(self, block: Block, which: Array) -> NetRows:
        some = block if which.all() else block.take(np.flatnonzero(which))
        return NetRows(np.asarray(some.parts[0], dtype=np.float64), self.target(some), some.w)


def classes_of_file(owner: str, file: NetFile) -> tuple[tuple[Any, ...], Array]:
    """All classes of a file, and the weight of the rows of each."""
    found: Any = learn(Always(_Classes()), file.source).summary
    if not found.labels:
        raise bad(owner, "y", "labels of rows that weigh something", Said("none"), "Give it rows.")
    return found.labels, np.asarray(found.tally.weight.value, dtype=np.float64)


def _together(parts: list[NetRows]) -> NetRows:
    if len(parts) == 1:
        return parts[0]
    w = None if parts[0].w is None else np.concatenate([np.asarray(part.w) for part in parts])
    return NetRows(np.concatenate([part.X for part in parts]), np.concatenate([part.T for part in parts]), w)


def _count(block: Block) -> Tally:
    return Tally.of(Shares.hard(np.zeros(block.n, dtype=np.int32), 1))


class _Count:
    """Counts rows."""

    def summarize(self, block: Block, model: None = None) -> Tally:
        return _count(block)


class _Classes:
    """Counts the rows of each class."""

    def summarize(self, block: Block, model: None = None) -> ByClass:
        assert isinstance(block.y, Coded)
        labels = block.y.labels[0]
        tally = Tally.of(Shares.hard(block.y.codes[:, 0], len(labels), block.w))
        return ByClass.of(labels, tally, tally)


@dataclass(frozen=True)
class _Each:
    """Hands on block after block, in the order of the file."""

    take: Callable[[Block], None]

    def summarize(self, block: Block, model: None = None) -> Tally:
        self.take(block)
        return _count(block)


@dataclass(frozen=True)
class _Gather:
    """Keeps some rows."""

    rows: Callable[[Block], NetRows]

    def summarize(self, block: Block, model: None = None) -> Gathered:
        rows = self.rows(block)
        return Gathered(rows.X, rows.T, rows.w)
