"""A table as columns of numbers: numbers as they are, truth values 0 and 1, a symbol one column for each of its levels.

Where cells may be missing, those of a column have an indicator of their own. What stands in their place is 0 while rows
are learned, so that it does not depend on other rows, and the mean of the column once a model is read from the sum.
All levels are kept, because the first may come last. No scikit-learn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.errors import BadInput, Said, bad
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Column, Schema
from suffice.estimators.design.factors import Factor, gap, levels_of
from suffice.numerics.arrays import all_finite

LARGEST = 1e140  # squares of larger cells could be too large to be added


@dataclass(frozen=True)
class FactorColumns:
    """How rows of a schema become columns of numbers.

    Parameters
    ----------
    owner : the estimator, for messages
    schema : the columns
    gaps : whether cells may be missing

    >>> from suffice.core.kinds import Kind
    >>> schema = Schema((Column("age", Kind.COUNT), Column("site", Kind.CATEGORICAL)))
    >>> parts = np.array([[31.0], [np.nan]]), Coded(np.array([[0], [1]]), (("north", "east"),))
    >>> columns = FactorColumns("LinearRegression", schema, gaps=True)
    >>> factors, X = columns.encode(parts, columns.holes(parts))
    >>> [factor.name for factor in factors], X.tolist()
    (['age', 'age is missing', 'site=north', 'site=east'], [[31.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])
    """

    owner: str
    schema: Schema
    gaps: bool = False

    def holes(self, parts: Sequence[Any]) -> frozenset[Any]:
        """The names of the columns in which a cell is missing."""
        out: set[Any] = set()
        for (storage, places), part in zip(self.schema.parts, parts, strict=True):
            if storage is Storage.NUMBERS:
                with np.errstate(over="ignore", invalid="ignore"):
                    empty = np.isnan(part).any(axis=0) if not np.isfinite(part.sum()) else np.zeros(len(places), bool)
            else:
                empty = part.codes.min(axis=0, initial=0) < 0
            out |= {self.schema.columns[i].name for i, some in zip(places, empty, strict=True) if some}
        return frozenset(out)

    def encode(self, parts: Sequence[Any], holes: frozenset[Any] = frozenset()) -> tuple[tuple[Factor, ...], Array]:
        """All factors that rows show, and their columns (n, q); 0 where a cell is missing."""
        factors: list[Factor] = []
        columns: list[Array] = []
        for (storage, places), part in zip(self.schema.parts, parts, strict=True):
            named = [self.schema.columns[i].name for i in places]
            more, cells = (_numbers if storage is Storage.NUMBERS else _symbols)(named, part, holes)
            factors += more
            columns.append(cells)
        return tuple(factors), columns[0] if len(columns) == 1 else np.hstack(columns)

    def cells(self, parts: Sequence[Any], factors: Sequence[Factor], means: Mapping[Factor, float]) -> list[Array]:
        """The columns (n,) of factors that a model knows.

        Where a level or a gap was never met, the average row stands for it: `means` are those of the factors.
        """
        where = {
            self.schema.columns[i].name: (storage, part, at)
            for (storage, places), part in zip(self.schema.parts, parts, strict=True)
            for at, i in enumerate(places)
        }
        return [_column(factor, *where[factor.column], means) for factor in factors]

    def ordered(self, known: Mapping[Factor, Any], base: bool = False) -> list[Factor]:
        """Factors in the order of the table, gaps after their column; of symbols the base only if asked for."""
        levels: dict[Any, list[Any]] = {}
        for factor in known:
            if factor.symbol:
                levels.setdefault(factor.column, []).append(factor.level)
        out: list[Factor] = []
        for column in self.schema.columns:
            name, seen = column.name, levels.get(column.name, [])
            if column.kind.storage is Storage.NUMBERS:
                out += [factor for factor in (Factor(name), gap(name)) if factor in known]
            elif seen:
                first = 0 if base and column.kind is not Kind.BOOLEAN else 1
                some = [Factor(name, level, True) for level in levels_of(column, seen)[first:]]
                out += [factor for factor in some if factor in known]
        return out

    def refuse_missing(self, parts: Sequence[Any], start: int = 0) -> bool:
        """Refuse the first cell that is too large, or missing where none may be; whether some number is missing."""
        missing = False
        for (storage, places), part in zip(self.schema.parts, parts, strict=True):
            if storage is Storage.NUMBERS:
                missing = self._refuse_cells(places, part, start)
            elif not self.gaps:
                self._refuse_codes([self.schema.columns[i] for i in places], part, start)
        return missing

    def _refuse_cells(self, places: Sequence[int], part: Array, start: int) -> bool:
        stored: Any = part.data if hasattr(part, "indptr") else part
        if all_finite(stored):  # what is too large to be squared is refused where products are taken
            return False
        empty = np.isnan(stored)
        odd = ~(np.abs(stored) <= LARGEST)
        if self.gaps:
            odd &= ~empty
        if not odd.any():
            return bool(empty.any())
        row, at = _place(part, np.argwhere(odd)[0])
        column = self.schema.columns[places[at]]
        if np.isnan(part[row, at]):
            raise self._missing(column, start + row)
        raise bad(
            self.owner,
            f"column {column.name!r}",
            f"finite and at most {LARGEST:g} in size (Input X contains infinity or a value too large)",
            float(part[row, at]),
            f"Correct the cell in row {start + row}.",
        )

    def _refuse_codes(self, columns: Sequence[Column], part: Coded, start: int) -> None:
        if len(part.codes) and part.codes.min(initial=0) < 0:
            row, at = np.argwhere(part.codes < 0)[0]
            raise self._missing(columns[at], start + row)

    def _missing(self, column: Column, row: int) -> BadInput:
        return bad(
            self.owner,
            f"column {column.name!r}",
            "present in every row (Input X contains NaN)",
            Said(f"a missing cell in row {row}"),
            "Fill it in, or leave the row or the column out.",
        )


def _place(part: Any, found: Array) -> tuple[int, int]:
    """Row and column of a cell: of an array its own, of sparse rows by its place among those that are stored."""
    if not hasattr(part, "indptr"):
        return int(found[0]), int(found[1])
    return int(np.searchsorted(part.indptr, found[0], side="right")) - 1, int(part.indices[found[0]])


def _numbers(names: Sequence[Any], part: Array, holes: frozenset[Any]) -> tuple[list[Factor], Array]:
    """The numbers, 0 where missing, and beside them the indicators of their gaps."""
    odd = [j for j, name in enumerate(names) if name in holes]
    factors = [*(Factor(name) for name in names), *(gap(names[j]) for j in odd)]
    if not odd:
        return factors, part
    empty = np.isnan(part)
    return factors, np.hstack([np.where(empty, 0.0, part), empty[:, odd]])


def _symbols(names: Sequence[Any], part: Coded, holes: frozenset[Any]) -> tuple[list[Factor], Array]:
    """One column a level; missing cells are a level of their own."""
    levels = [(*labels, *([None] if name in holes else [])) for name, labels in zip(names, part.labels, strict=True)]
    factors = [Factor(name, level, True) for name, some in zip(names, levels, strict=True) for level in some]
    X, at = np.zeros((len(part.codes), len(factors))), 0
    for j, some in enumerate(levels):
        codes = part.codes[:, j]
        X[np.arange(len(X)), at + np.where(codes < 0, len(some) - 1, codes)] = 1.0
        at += len(some)
    return factors, X


def _column(factor: Factor, storage: Storage, part: Any, at: int, means: Mapping[Factor, float]) -> Array:
    """The cells of one factor (n,)."""
    if storage is Storage.NUMBERS:
        cells = np.asarray(part[:, at], dtype=np.float64)
        if factor.missing:
            return np.isnan(cells).astype(np.float64)
        empty = np.isnan(cells)
        return np.where(empty, means.get(factor, 0.0), cells) if empty.any() else cells
    levels = [*part.labels[at], None]  # code -1 is the last
    own = {level for level in levels if Factor(factor.column, level, True) in means}
    value = [float(level == factor.level) if level in own else means[factor] for level in levels]
    return np.asarray(np.array(value)[part.codes[:, at]])
