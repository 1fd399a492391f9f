"""Cells as numbers of bins: the plan, and the model with the limits of each column. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.core.summary import Together
from suffice.features.column_plan import NumberCells
from suffice.numerics.loop import whole
from suffice.numerics.threads import in_threads, processors
from suffice.summaries.rankings import Rankings

DIVIDED = 200_000  # cells of rankings from which columns are cut in threads


@saved
@dataclass(frozen=True)
class BinPlan(NumberCells):
    """How columns are cut, and what becomes of a cell."""

    strategy: Any = None  # an object with `limits`
    encode: str = "ordinal"  # or "onehot"
    missing: str = "own"  # "own", "propagate" or "spread"

    @property
    def supervised(self) -> bool:  # type: ignore[override]
        """Whether cuts look at classes."""
        return bool(self.strategy.supervised)

    @property
    def face(self) -> str:  # type: ignore[override]
        """Whether rows come with labels."""
        return "supervised_transformer" if self.supervised else "transformer"

    @property
    def tells_bins(self) -> bool:
        """Whether rankings by class tell how much of each class lies in each bin, which is a number."""
        return self.encode == "ordinal"

    def keeps(self, schema: Schema) -> Any:
        """Rankings by class, or of all rows."""
        return self.supervised

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> Bins:
        """Limits of every column from its ranking."""
        rankings = kept.parts[1]
        assert isinstance(rankings, Rankings)
        found = _of_columns(lambda j: self._cut(rankings, j), rankings)
        cuts, shares = tuple(cut for cut, _ in found), tuple(share for _, share in found)
        ends = tuple((float(v[0]), float(v[-1])) if len(v) else (np.nan, np.nan) for v in rankings.values)
        return Bins(self.encode, self.missing, cuts, shares, ends)

    def _cut(self, rankings: Rankings, j: int) -> tuple[Array, Array]:
        """Limits of one column, and the share of the weight in each bin."""
        values, counts = rankings.values[j], rankings.weights(j).T
        weight = counts.sum(axis=1)
        if not weight.all():
            values, counts, weight = values[weight > 0], counts[weight > 0], weight[weight > 0]
        found = self.strategy.limits(self.owner, values, counts) if len(values) else np.zeros(0)
        cuts = np.asarray(found, dtype=np.float64)
        first = [0, *np.searchsorted(values, cuts).tolist(), len(values)]
        inside = np.array([weight[a:b].sum() for a, b in pairwise(first)])
        return cuts, inside / inside.sum() if inside.sum() > 0 else np.full(len(inside), 1.0 / len(inside))

    def readings(self) -> tuple[type[Any], ...]:
        """Cuts and numbers of bins."""
        return (BinReadings,)


def _of_columns(cut: Callable[[int], tuple[Array, Array]], rankings: Rankings) -> list[tuple[Array, Array]]:
    """What is found in each column, in threads where rankings are long."""

    def one(j: int, go_on: Any) -> tuple[Array, Array]:
        with whole(cells):
            return cut(j)

    columns, cells = range(len(rankings.values)), rankings.distinct * len(rankings.missing_rows)
    return in_threads(one, columns, processors() if cells >= DIVIDED else 1) if columns else []


class BinReadings:
    """Where columns are cut."""

    @property
    def cuts_(self: Any) -> list[Array]:
        """The limits between the bins of each column, rising; a value at a limit belongs to the bin above."""
        return list(self._state()[0].model.cuts)

    @property
    def n_bins_(self: Any) -> Array:
        """Number of bins of each column, that of missing cells left out."""
        return np.array([len(cuts) + 1 for cuts in self._state()[0].model.cuts])


@dataclass(frozen=True)
class Bins:
    """Limits of columns, and the number of the bin of each cell."""

    encode: str
    missing: str
    cuts: tuple[Array, ...]
    shares: tuple[Array, ...]  # of the weight of the rows in each bin
    ends: tuple[tuple[float, float], ...]

    @property
    def widths(self) -> list[int]:
        """Number of indicators of each column."""
        return [len(cuts) + 1 + (self.missing == "own") for cuts in self.cuts]

    def numbers(self, X: Array) -> Array:
        """The bin of each cell (n, d); NaN or one more than there are bins where it is missing."""
        out = np.empty(X.shape)
        for j, cuts in enumerate(self.cuts):
            out[:, j] = np.searchsorted(cuts, X[:, j], side="right")
        gone = np.isnan(X)
        if gone.any():
            own = [len(cuts) + 1.0 if self.missing == "own" else np.nan for cuts in self.cuts]
            out[gone] = np.broadcast_to(np.array(own), X.shape)[gone]
        return out

    def map(self, block: Block) -> Block:
        """Numbers of bins, or their indicators."""
        X = np.asarray(block.parts[0], dtype=np.float64)
        codes = self.numbers(X)
        if self.encode == "ordinal":
            return block._replace(parts=(codes,))
        return block._replace(parts=(self._indicators(codes),))

    def _indicators(self, codes: Array) -> Array:
        starts = np.concatenate([[0], np.cumsum(self.widths)])
        out = np.zeros((len(codes), int(starts[-1])))
        for j, share in enumerate(self.shares):
            here = ~np.isnan(codes[:, j])
            out[np.flatnonzero(here), starts[j] + codes[here, j].astype(np.intp)] = 1.0
            if not here.all():
                filled = share if self.missing == "spread" else np.full(len(share), np.nan)
                out[np.ix_(np.flatnonzero(~here), np.arange(starts[j], starts[j] + len(share)))] = filled
        return out

    def inverse(self, Z: Array) -> Array:
        """The middle of each bin; NaN for the bin of missing cells."""
        codes = Z
        if self.encode != "ordinal":
            starts = np.concatenate([[0], np.cumsum(self.widths)])
            both = zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
            codes = np.column_stack([Z[:, a:b].argmax(axis=1) for a, b in both]).astype(np.float64)
        out = np.full(codes.shape, np.nan)
        for j, (cuts, (low, high)) in enumerate(zip(self.cuts, self.ends, strict=True)):
            edges = np.concatenate([[min([low, *cuts[:1]])], cuts, [max([high, *cuts[-1:]])]])
            middle = np.append((edges[1:] + edges[:-1]) / 2.0, np.nan)
            known = ~np.isnan(codes[:, j])
            out[known, j] = middle[np.clip(codes[known, j], 0, len(cuts) + 1).astype(np.intp)]
        return out

    def map_schema(self, schema: Schema) -> Schema:
        """Numbers of bins."""
        return Schema(tuple(Column(name, Kind.QUANTITATIVE) for name in self.names_out(schema.names)))

    def names_out(self, names: Sequence[Any]) -> tuple[Any, ...]:
        """The names of the columns, with the number of the bin where there are indicators."""
        if self.encode == "ordinal":
            return tuple(names)
        both = zip(names, self.widths, strict=True)
        return tuple(f"{name}_{i}" for name, width in both for i in range(width))
