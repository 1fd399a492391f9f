"""The bins of scikit-learn's KBinsDiscretizer, from rankings: the plan and the models. No scikit-learn."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.core.summary import Together
from suffice.features.column_plan import NumberCells
from suffice.summaries.quantiles import CONVENTIONS, quantile, whole
from suffice.summaries.rankings import Rankings

FEW = 24  # edges that cells are compared with one by one
NARROW = 1e-8  # bins of at most this width are removed
OF_FRACTIONS = ("averaged_inverted_cdf", "inverted_cdf")  # quantiles that need no number of rows
STEPS, SETTLED = 300, 1e-4  # of k-means, as scikit-learn's


@saved
@dataclass(frozen=True)
class KBinPlan(NumberCells):
    """How many bins, where their edges lie, and what becomes of a cell."""

    bins: int | tuple[int, ...] = 5
    strategy: str = "quantile"
    encode: str = "onehot"
    method: str = "averaged_inverted_cdf"
    kind: str | None = None  # NumPy's name for the type of the result

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> KBins:
        """Edges of every column."""
        rankings = kept.parts[1]
        assert isinstance(rankings, Rankings)
        d = len(rankings.values)
        bins = (self.bins,) * d if isinstance(self.bins, int) else self.bins
        if len(bins) != d:
            rule = f"a number or one for each of the {d} columns"
            raise bad(self.owner, "n_bins", rule, Said(f"{len(bins)} numbers"), "Give one number a column.")
        edges = tuple(self._edges(rankings, j, bins[j]) for j in range(d))
        return (KBinIndicators if self.encode == "onehot" else KBins)(self, edges)

    def _edges(self, rankings: Rankings, j: int, bins: int) -> Array:
        values, weight = rankings.values[j], rankings.weight[0, rankings.slices[j]]
        if not len(values) or values[0] == values[-1]:
            warnings.warn(f"Feature {j} is constant and will be replaced with 0.", UserWarning, stacklevel=2)
            return np.array([-np.inf, np.inf])
        edges = _EDGES[self.strategy](values, weight, bins, self.method)
        if self.strategy != "uniform":
            edges = edges[np.ediff1d(edges, to_begin=np.inf) > NARROW]
            if len(edges) - 1 != bins:
                warnings.warn(
                    f"Bins whose width are too small (i.e., <= 1e-8) in feature {j} are removed. Consider decreasing "
                    "the number of bins.",
                    UserWarning,
                    stacklevel=2,
                )
        return np.asarray(edges)

    def readings(self) -> tuple[type[Any], ...]:
        """Edges and numbers of bins."""
        return (KBinReadings,)


def _uniform(values: Array, weight: Array, bins: int, method: str) -> Array:
    return np.linspace(values[0], values[-1], bins + 1)


def _quantiles(values: Array, weight: Array, bins: int, method: str) -> Array:
    shares = np.linspace(0, 100, bins + 1) / 100.0
    if whole(weight):
        return quantile(values, weight, shares, CONVENTIONS[method], True)
    if method not in OF_FRACTIONS:
        rule = f"one of {', '.join(OF_FRACTIONS)} where weights are not whole numbers"
        raise bad("KBinsDiscretizer", "quantile_method", rule, method, "The others count rows.")
    reached = weight.cumsum()
    at = np.minimum(np.searchsorted(reached, shares * reached[-1]), len(values) - 1)
    if method == "inverted_cdf":
        return np.asarray(values[at])
    tie = reached[at] == shares * reached[-1]
    above = values[np.minimum(at + 1, len(values) - 1)]
    return np.asarray(np.where(tie, (values[at] + above) / 2.0, values[at]))


def _means(values: Array, weight: Array, bins: int, method: str) -> Array:
    """Lloyd's steps from evenly spaced centres, on distinct values with their weights."""
    middle = float(np.average(values, weights=weight))
    x = values - middle
    even = np.linspace(values[0], values[-1], bins + 1)
    centres = (even[1:] + even[:-1]) * 0.5 - middle
    tol = SETTLED * float(np.average(x * x, weights=weight))
    before: Array | None = None
    for _ in range(STEPS):
        owner = np.searchsorted((centres[1:] + centres[:-1]) / 2.0, x, side="left")
        if before is not None and np.array_equal(owner, before):
            break
        mass, sums = np.bincount(owner, weight, bins), np.bincount(owner, weight * x, bins)
        if not mass.all():
            _refill(x, weight, owner, centres, mass, sums)
        new = np.sort(np.where(mass > 0, sums / np.where(mass > 0, mass, 1.0), centres))
        moved, centres, before = float(((new - centres) ** 2).sum()), new, owner
        if moved <= tol:
            break
    centres = centres + middle
    return np.concatenate([[values[0]], (centres[1:] + centres[:-1]) * 0.5, [values[-1]]])


def _refill(x: Array, weight: Array, owner: Array, centres: Array, mass: Array, sums: Array) -> None:
    """Centres without rows move to the rows that are farthest from theirs, as scikit-learn's do."""
    empty = np.flatnonzero(mass == 0)
    far = np.argsort(-np.abs(x - centres[owner]), kind="stable")
    rows = np.repeat(far, np.minimum(weight[far], len(empty)).astype(np.intp))[: len(empty)]
    for k, i in zip(empty.tolist(), rows.tolist(), strict=False):
        sums[owner[i]] -= x[i]
        mass[owner[i]] -= 1.0
        sums[k], mass[k] = x[i], 1.0


_EDGES: dict[str, Any] = {"uniform": _uniform, "quantile": _quantiles, "kmeans": _means}


class KBinReadings:
    """Edges and numbers of bins."""

    @property
    def bin_edges_(self: Any) -> Array:
        """The edges of each column, as an array of arrays."""
        edges = self._state()[0].model.edges
        out = np.empty(len(edges), dtype=object)
        for j, some in enumerate(edges):
            out[j] = some
        return out

    @property
    def n_bins_(self: Any) -> Array:
        """Number of bins of each column."""
        return np.array([len(some) - 1 for some in self._state()[0].model.edges])


def _place(x: Array, edges: Array, number: Array) -> None:
    """How many edges are at most each cell (n,); few are compared one by one, without jumps. NaN has the last."""
    if len(edges) > FEW:
        number[:] = np.searchsorted(edges, x, side="right")
        return
    number[:] = 0
    below = np.empty(len(x), dtype=bool)
    for edge in edges:
        np.less(x, edge, out=below)
        np.logical_not(below, out=below)
        number += below


@dataclass(frozen=True)
class KBins:
    """Edges of columns, the outer ones included."""

    plan: KBinPlan
    edges: tuple[Array, ...]

    def numbers(self, X: Array) -> Array:
        """The bin of each cell (n, d), as small whole numbers."""
        columns = np.ascontiguousarray(X.T)
        out = np.empty(columns.shape, dtype=np.min_scalar_type(max(map(len, self.edges), default=0)))
        for x, edges, number in zip(columns, self.edges, out, strict=True):
            _place(x, edges[1:-1], number)
        return out.T

    def map(self, block: Block) -> Block:
        """Numbers of bins, or dense indicators."""
        X = block.parts[0]
        codes, kind = self.numbers(np.asarray(X)), self._kind(X.dtype)
        return block._replace(
            parts=((self._indicators(codes) if "onehot" in self.plan.encode else codes).astype(kind),)
        )

    def _kind(self, cells: Any) -> Any:
        """The type of what comes out: what was asked for, else that of the cells."""
        return self.plan.kind or (cells if cells in (np.float32, np.float64) else np.float64)

    def _indicators(self, codes: Array) -> Array:
        starts = self.starts
        out = np.zeros((len(codes), int(starts[-1])))
        np.put_along_axis(out, codes + starts[:-1], 1.0, axis=1)
        return out

    @property
    def starts(self) -> Array:
        """Where the indicators of each column begin, and how many there are."""
        return np.concatenate([[0], np.cumsum([len(edges) - 1 for edges in self.edges])])

    def inverse(self, Z: Array) -> Array:
        """The middle of each bin."""
        codes = Z
        if "onehot" in self.plan.encode:
            starts = self.starts.tolist()
            codes = np.column_stack([Z[:, a:b].argmax(axis=1) for a, b in itertools.pairwise(starts)])
        out = np.empty(codes.shape, dtype=Z.dtype if Z.dtype.kind == "f" else np.float64)
        with np.errstate(invalid="ignore"):
            for j, edges in enumerate(self.edges):
                out[:, j] = ((edges[1:] + edges[:-1]) * 0.5)[codes[:, j].astype(np.int64)]
        return out

    def map_schema(self, schema: Schema) -> Schema:
        """Numbers."""
        return Schema(tuple(Column(name, Kind.QUANTITATIVE) for name in self.names_out(schema.names)))

    def names_out(self, names: Sequence[Any]) -> tuple[Any, ...]:
        """column, or column_bin."""
        if "onehot" not in self.plan.encode:
            return tuple(names)
        both = zip(names, self.edges, strict=True)
        return tuple(f"{name}_{float(i)}" for name, edges in both for i in range(len(edges) - 1))


@dataclass(frozen=True)
class KBinIndicators(KBins):
    """The same, as a sparse matrix of indicators."""

    def codes(self, block: Block) -> Array:
        """The place of the indicator that is 1 (n, d)."""
        return np.asarray(self.numbers(np.asarray(block.parts[0])) + self.starts[:-1])

    def finish(self, codes: Array, cells: Any = None) -> Any:
        """Codes of all rows as a sparse matrix, of the type of their cells."""
        from scipy.sparse import csr_matrix

        n, d = codes.shape
        ones = np.ones(n * d, dtype=self._kind(cells))
        ends = np.arange(0, n * d + 1, d, dtype=np.int32)
        return csr_matrix((ones, codes.ravel().astype(np.int32), ends), shape=(n, int(self.starts[-1])))
