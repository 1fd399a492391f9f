"""Rankings: the distinct values of each column in order, with the rows and weights of each component.

    rows[k, v] = number of rows of component k whose cell is v,   weight[k, v] = sum of their w

What a sorted column can say, this can say: quantiles, thresholds, cumulative tables. It is as long as there are
distinct values, so that its size is bounded only if their number is.

Rankings add by merging the sorted values; a value whose last row is taken away is dropped, because the exact row
counts, not the weights, decide what exists. NaN is a missing cell and counted apart; -0.0 is 0.0; minus and plus
infinity are values like others, the first and the last, because ranks need no arithmetic. Whole weights add and
subtract exactly, others like float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import exact
from suffice.core.errors import NotASummary, Said, bad, never_added, refusal
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, spread
from suffice.core.tally import remaining, remaining_weight
from suffice.summaries.cell_counts import count_whole_numbers
from suffice.summaries.quantiles import quantile, read_convention, read_shares, stands_for_all, whole
from suffice.summaries.ranks.class_ranks import Dealt, class_ranks, deals
from suffice.summaries.ranks.column_ranks import beside, by_sorting, of_columns, ranked, weighed
from suffice.summaries.sparse_sums import sparse_ranks

NARROW = (np.uint8, np.uint16, np.uint32)
Cells = tuple[Array, Array]  # rows int64 and weight of the same shape


class Cumulative(NamedTuple):
    """How much of each component has been met at each value, on the way through the values of a column."""

    values: Array  # (V_j,) rising or falling
    rows: Array  # (K, V_j) int64
    weight: Array  # (K, V_j)


@saved
@dataclass(frozen=True)
class Rankings(Summary):
    """Exact row counts and weights per component and distinct value; the values of all columns side by side.

    >>> shards = [np.array([[1.0], [3.0], [np.nan]]), np.array([[2.0], [3.0], [7.0]])]
    >>> a, b = (Rankings.of(X, Shares.hard(np.array([0, 1, 1]), 2)) for X in shards)
    >>> (a + b).values, (a + b).rows.tolist()
    ((array([1., 2., 3., 7.]),), [[1, 1, 0, 0], [0, 0, 2, 1]])
    >>> (a + b - a).values
    (array([2., 3., 7.]),)
    >>> (a + b).quantile(0.5).ravel(), (a + b).pooled().quantile(0.5).ravel()
    (array([1.5, 3. ]), array([3.]))
    """

    values: tuple[Array, ...]  # d arrays of distinct values, rising, V in all
    rows: Array  # (K, V) int64
    weight: Array  # (K, V)
    missing_rows: Array  # (K, d) int64
    missing_weight: Array  # (K, d)

    def __post_init__(self) -> None:
        """Make whole what came from a file."""
        if self.rows.dtype != np.int64 and self.rows.dtype.kind == "u":
            object.__setattr__(self, "rows", self.rows.astype(np.int64))
        if self.weight.shape == (len(self.rows), 0) and self.rows.size:
            object.__setattr__(self, "weight", self.rows.astype(np.float64))

    def saved_form(self) -> dict[str, Array]:
        """What a file holds instead: counts in as few bytes as hold them, and no weights where they are the counts.

        Where values seldom repeat this is 9 bytes a value, not 24.
        """
        most = self.rows.max(initial=0)
        narrow: type[Any] = next((t for t in NARROW if most <= np.iinfo(t).max), np.int64)
        alike = self.rows.size > 0 and np.array_equal(self.rows, self.weight)
        return {"rows": self.rows.astype(narrow)} | ({"weight": self.weight[:, :0]} if alike else {})

    @classmethod
    def of(cls, X: Array, R: Shares) -> Rankings:
        """Rank the cells of each column of X (n, d), an array or sparse, NaN where missing, with shares R."""
        if hasattr(X, "tocsr"):
            values, *cells = sparse_ranks(X, R)
            return cls(tuple(values), *cells)
        counted = of_columns(lambda some: count_whole_numbers(X, some, R), X.shape[1])
        others = [j for j, found in enumerate(counted) if found is None]
        if len(others) == len(counted):
            return cls._by_sorting(X, R)
        rest = cls._by_sorting(X[:, others], R)
        place = {j: i for i, j in enumerate(others)}
        columns = (rest.columns([place[j]]) if f is None else cls(*weighed(*f, R)) for j, f in enumerate(counted))
        return cls._side_by_side(list(columns))

    @classmethod
    def _by_sorting(cls, X: Array, R: Shares) -> Rankings:
        """Columns of any numbers."""
        if R.K == 1 and R.codes.shape[1] == 1 and R.alike:  # nobody asks which row has which value
            share = float(R.share.flat[0])
            some = X if share and R.codes.min() >= 0 else X[R.live[:, 0]]
            columns = of_columns(lambda of: [by_sorting(cells, share) for cells in beside(some, of)], X.shape[1])
        elif deals(X, R):
            return cls._of_dealt(class_ranks(X, R))
        else:
            live = R.live
            columns = of_columns(lambda of: [ranked(x, R, live) for x in X[:, of.start : of.stop].T], X.shape[1])
        return cls._side_by_side([cls(*column) for column in columns]) if columns else cls.empty(R.K, 0)

    @classmethod
    def _of_dealt(cls, dealt: Dealt) -> Rankings:
        """Rows and weights are filled in when they are first asked for: a fit may need no more than one column of them
        at a time, and their pages cost more than sorting.
        """
        made = cls.__new__(cls)
        missing = {"missing_rows": dealt.missing, "missing_weight": dealt.missing * dealt.share}
        for name, value in {"values": dealt.values, "dealt": dealt, **missing}.items():
            object.__setattr__(made, name, value)
        return made

    def __getattr__(self, name: str) -> Any:
        """Rows and weights that nobody asked for yet."""
        dealt = self.__dict__.get("dealt") if name in ("rows", "weight") else None
        if dealt is not None:
            for field, cells in zip(("rows", "weight"), dealt.tables(), strict=True):
                object.__setattr__(self, field, cells)
            self.__dict__.pop("dealt", None)
        if name not in self.__dict__:  # another thread may have been quicker
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        return self.__dict__[name]

    def weights(self, j: int) -> Array:
        """Weights of the values of column j (K, V_j)."""
        dealt = self.__dict__.get("dealt")
        return self.weight[:, self.slices[j]] if dealt is None else dealt.weights(j)

    @property
    def distinct(self) -> int:
        """Number of different values of all columns."""
        return sum(map(len, self.values))

    @classmethod
    def empty(cls, K: int, d: int) -> Rankings:
        """No rows."""
        return cls((np.zeros(0),) * d, *_no_cells(K, 0), *_no_cells(K, d))

    @classmethod
    def sum(cls, parts: Sequence[Rankings]) -> Rankings:
        """Merge the sorted values, then add."""
        _check_alike(parts)
        merged = [_merged(same) for same in zip(*(part.values for part in parts), strict=True)]
        values = tuple(union for union, _ in merged)
        starts = _starts(values)
        rows, weight = _no_cells(len(parts[0].rows), starts[-1])
        for i, part in enumerate(parts):
            at = _joined([start + places[i] for start, (_, places) in zip(starts[:-1], merged, strict=True)])
            rows[:, at] += part.rows
            weight[:, at] += part.weight
        missing_rows = np.sum([part.missing_rows for part in parts], axis=0)
        return cls(values, rows, weight, missing_rows, np.sum([part.missing_weight for part in parts], axis=0))

    def __sub__(self, other: Rankings) -> Rankings:
        """Take rows away, and with its last row the value."""
        _check_alike([self, other])
        pairs = zip(self.values, other.values, strict=True)
        at = _joined([self.slices[j].start + _found(j, mine, theirs) for j, (mine, theirs) in enumerate(pairs)])
        taken = _no_cells(*self.rows.shape)
        taken[0][:, at], taken[1][:, at] = other.rows, other.weight
        left = _left((self.rows, self.weight), taken)
        missing = (self.missing_rows, self.missing_weight), (other.missing_rows, other.missing_weight)
        return Rankings(self.values, *left, *_left(*missing))._live()

    def scale(self, factor: float) -> Rankings:
        """Weights decay."""
        return Rankings(self.values, self.rows, self.weight * factor, self.missing_rows, self.missing_weight * factor)

    def spread(self, index: Index, K: int) -> Rankings:
        """Move components; a value that only dropped components had goes with them."""
        cells = (self.rows, self.weight, self.missing_rows, self.missing_weight)
        return Rankings(self.values, *(spread(side, index, K) for side in cells))._live()

    def columns(self, places: Index) -> Rankings:
        """The rankings of some columns."""
        at = _joined([np.arange(self.slices[j].start, self.slices[j].stop) for j in places])
        chosen = np.asarray(places, dtype=np.intp)
        missing = self.missing_rows[:, chosen], self.missing_weight[:, chosen]
        return Rankings(tuple(self.values[j] for j in places), self.rows[:, at], self.weight[:, at], *missing)

    def among(self, places: Index, d: int) -> Rankings:
        """The same columns at some places of d; the others have no values."""
        mine = self.columns(np.argsort(places))
        wide = Rankings.empty(len(self.rows), d)
        values = dict(zip(sorted(places), mine.values, strict=True))
        missing = wide.missing_rows, wide.missing_weight
        for theirs, cells in zip(missing, (self.missing_rows, self.missing_weight), strict=True):
            theirs[:, np.asarray(places, dtype=np.intp)] = cells
        return Rankings(tuple(values.get(j, np.zeros(0)) for j in range(d)), mine.rows, mine.weight, *missing)

    def pooled(self) -> Rankings:
        """All components as one (K = 1)."""
        cells = (self.rows, self.weight, self.missing_rows, self.missing_weight)
        return Rankings(self.values, *(side.sum(axis=0, keepdims=True) for side in cells))

    def fewest(self) -> Array:
        """As many rows as a column has cells, missing ones included (K,)."""
        cells = np.array([self.rows[:, s].sum(axis=1) for s in self.slices], dtype=np.int64)
        return np.asarray((cells.T.reshape(self.missing_rows.shape) + self.missing_rows).max(axis=1, initial=0))

    @cached_property
    def slices(self) -> list[slice]:
        """Where the values of each column lie on the axis V."""
        return [slice(a, b) for a, b in pairwise(_starts(self.values))]

    def cumulative(self, j: int, falling: bool = False) -> Cumulative:
        """Rows and weights of column j with cells of at most each value; with `falling`, of at least each value.

        The values come in the order they are met, so that the tables rise either way: rising ones for distribution
        functions, falling ones for the thresholds of scores.
        """
        if isinstance(j, bool) or not isinstance(j, int | np.integer) or not 0 <= j < len(self.values):
            raise bad(self, "j", f"the number of a column, from 0 to {len(self.values) - 1}", j)
        way = slice(None, None, -1 if falling else 1)
        rows, weight = (side[:, self.slices[j]][:, way] for side in (self.rows, self.weight))
        return Cumulative(self.values[j][way], rows.cumsum(axis=1), weight.cumsum(axis=1))

    def quantile(self, q: Any, method: str = "linear") -> Array:
        """Weighted quantiles (*q.shape, K, d); NaN where there is no row. Missing cells are left out.

        Between minus and plus infinity lies no number: a quantile there is NaN, unless it is one of the two.

        Parameters
        ----------
        q : shares from 0 to 1, one or an array
        method : one of the nine conventions of `numpy.quantile`. A whole weight counts as so many copies; where weights
            are not whole numbers, only "inverted_cdf" is defined: the first value whose cumulative share reaches q
        """
        convention, shares = read_convention(self, method), read_shares(self, q)
        copies = whole(self.weight)
        if not (convention.weighs or copies):
            fraction = float(self.weight[self.weight != np.rint(self.weight)][0])
            rule = f"whole numbers for the method {method!r}"
            raise bad(self, "weights", rule, fraction, "Use method='inverted_cdf', which takes any weights.")
        out = np.empty((*shares.shape, *self.missing_rows.shape))
        for j, (values, s) in enumerate(zip(self.values, self.slices, strict=True)):
            for k, weight in enumerate(self.weight[:, s]):
                out[..., k, j] = quantile(values, weight, shares, convention, copies)
        return out

    @property
    def minimum(self) -> Array:
        """Smallest value of each column (K, d); NaN where there is no row."""
        return self._first(1)

    @property
    def maximum(self) -> Array:
        """Largest value of each column (K, d); NaN where there is no row."""
        return self._first(-1)

    def _first(self, step: int) -> Array:
        out = np.full(self.missing_rows.shape, np.nan)
        for j, (values, s) in enumerate(zip(self.values, self.slices, strict=True)):
            here = self.rows[:, s][:, ::step] > 0
            some = here.any(axis=1)
            out[some, j] = values[::step][here[some].argmax(axis=1)] if len(values) else np.nan
        return out

    @classmethod
    def _side_by_side(cls, columns: Sequence[Rankings]) -> Rankings:
        values = tuple(values for column in columns for values in column.values)
        names = ("rows", "weight", "missing_rows", "missing_weight")
        return cls(values, *(_beside_each_other([getattr(column, name) for column in columns]) for name in names))

    def _live(self) -> Rankings:
        """Without the values that have no row."""
        keep = np.asarray(self.rows.any(axis=0))
        if keep.all():
            return self
        values = tuple(v[keep[s]] for v, s in zip(self.values, self.slices, strict=True))
        return Rankings(values, self.rows[:, keep], self.weight[:, keep], self.missing_rows, self.missing_weight)


def _beside_each_other(cells: Sequence[Array]) -> Array:
    """Cells of columns (K, V_j) as one array (K, V); one number that stands for all of them keeps doing so."""
    some = [column for column in cells if column.shape[1]]
    if some and all(stands_for_all(column) and column[0, 0] == some[0][0, 0] for column in some):
        return np.broadcast_to(some[0][:, :1], (1, sum(column.shape[1] for column in some)))
    return np.hstack(cells)


def _merged(columns: Sequence[Array]) -> tuple[Array, list[Array]]:
    """The distinct values of all sorted arrays, in order, and where each array's values are among them."""
    first = columns[0]
    if all(other is first or np.array_equal(other, first) for other in columns[1:]):
        return first, [np.arange(len(first))] * len(columns)
    together = np.concatenate(columns)
    order = np.argsort(together, kind="stable")  # which finds the sorted runs and merges them
    in_order = together[order]
    new = np.concatenate([[True], in_order[1:] != in_order[:-1]])
    places = np.empty(len(order), dtype=np.intp)
    places[order] = np.cumsum(new) - 1
    return in_order[new], np.split(places, list(accumulate(map(len, columns)))[:-1])


def _found(j: int, values: Array, others: Array) -> Array:
    """Where the other values are; those that are not there were never added."""
    at = np.searchsorted(values, others)
    strange = values[np.minimum(at, len(values) - 1)] != others if len(values) else np.ones(len(others), dtype=bool)
    if strange.any():
        raise never_added(f"the values of column {j}", f"{float(others[strange][0])}, which was never seen")
    return at


def _left(cells: Cells, taken: Cells) -> Cells:
    rows = remaining(cells[0], taken[0])
    return rows, remaining_weight(exact(cells[1]), exact(taken[1]), rows).value


def _no_cells(K: int, V: int) -> Cells:
    return np.zeros((K, V), dtype=np.int64), np.zeros((K, V))


def _starts(values: Sequence[Array]) -> list[int]:
    return list(accumulate(map(len, values), initial=0))


def _joined(places: Sequence[Array]) -> Array:
    return np.concatenate(places) if places else np.arange(0)


def _check_alike(parts: Sequence[Rankings]) -> None:
    """Only rankings of the same columns and components add."""
    mine = parts[0].missing_rows.shape
    for part in parts[1:]:
        if part.missing_rows.shape != mine:
            raise refusal(
                NotASummary,
                "Rankings",
                "",
                f"rankings of {mine[0]} components and {mine[1]} columns",
                Said(f"{part.missing_rows.shape[0]} and {part.missing_rows.shape[1]}"),
                "",
                "can only be added to",
            )
