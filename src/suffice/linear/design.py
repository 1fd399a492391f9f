"""The design matrix: numbers as they are, truth values 0 and 1, a symbol one column for each of its levels.

All levels are kept, because the first may come last; which of them is the base, and left out, is decided when a model
is estimated. A missing cell is refused: no column may stand for what is not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.by_class import canonical
from suffice.core.errors import BadInput, Said, bad
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.linear.terms import Factor, Term
from suffice.numerics.memory import memory

TERMS = "_number_terms"  # among the attributes of a schema
LARGEST = 1e140  # squares of larger cells could be too large to be added


@saved
@dataclass(frozen=True)
class Design:
    """How rows of a schema become a matrix of terms.

    Parameters
    ----------
    owner : the estimator, for messages
    schema : the columns
    degree : products of up to so many factors
    interactions : whether a factor may be multiplied with other factors alone

    >>> from suffice.core.kinds import Kind
    >>> schema = Schema((Column("age", Kind.COUNT), Column("site", Kind.CATEGORICAL)))
    >>> parts = np.array([[31.0], [44.0]]), Coded(np.array([[0], [1]]), (("north", "east"),))
    >>> terms, X = Design("LinearRegression", schema).encode(parts)
    >>> [factor.name for (factor,) in terms], X.tolist()
    (['age', 'site=north', 'site=east'], [[31.0, 1.0, 0.0], [44.0, 0.0, 1.0]])
    """

    owner: str
    schema: Schema
    degree: int = 1
    interactions: bool = False

    def __post_init__(self) -> None:
        """Refuse columns that have no place in a matrix of numbers."""
        if not self.schema.features:
            rule = "one with a column that a model can learn from"
            raise bad(self.owner, "the table", rule, Said("none"), "Declare kinds or add columns.")
        texts = [places[0] for storage, places in self.schema.parts if storage is Storage.WORDS]
        for column in (self.schema.columns[i] for i in texts):
            rule = "of numbers or symbols"
            raise bad(self.owner, f"column {column.name!r}", rule, column.kind.value, "Leave it out, or count words.")

    def encode(self, parts: Sequence[Any], start: int = 0, check: bool = True) -> tuple[tuple[Term, ...], Array]:
        """All terms that a block shows, and their columns (n, p); unchecked where somebody else looks at the cells."""
        if check:
            self.refuse_missing(parts, start)
        factors: list[Factor] = []
        columns: list[Array] = []
        for (storage, places), part in zip(self.schema.parts, parts, strict=True):
            names = [self.schema.columns[i] for i in places]
            more, cells = (self._numbers if storage is Storage.NUMBERS else self._symbols)(names, part)
            factors += more
            columns.append(cells)
        return self._products(tuple(factors), _beside(columns))

    def matrix(
        self, parts: Sequence[Any], terms: Sequence[Term], shares: Mapping[Factor, float], start: int = 0
    ) -> Array:
        """The columns of these terms (n, p); a level that no term knows stands for the average row, by `shares`."""
        factors = tuple(dict.fromkeys(factor for term in terms for factor in term))
        where = {
            self.schema.columns[i].name: (storage, part, at)
            for (storage, places), part in zip(self.schema.parts, parts, strict=True)
            for at, i in enumerate(places)
        }
        self.refuse_missing(parts, start)
        base = {factor: _column(factor, *where[factor.column], shares) for factor in factors}
        n = len(next(iter(base.values()))) if base else _height(parts)
        X = np.empty((n, len(terms)))
        for j, term in enumerate(terms):
            X[:, j] = base[term[0]]
            for factor in term[1:]:
                X[:, j] *= base[factor]
        return X

    @property
    def bare(self) -> bool:
        """Whether the matrix is the block of numbers itself, so that nothing is copied."""
        return self.degree == 1 and [storage for storage, _ in self.schema.parts] == [Storage.NUMBERS]

    def plain(self, terms: Sequence[Term]) -> bool:
        """Whether the terms are the columns of a block of numbers, so that its part is the matrix."""
        return terms is self.numbers or tuple(terms) == self.numbers

    @property
    def numbers(self) -> tuple[Term, ...]:
        """The columns as terms, were all of them numbers; kept beside the schema, as there may be many."""
        known: dict[str, Any] = vars(self.schema)
        if TERMS not in known:
            known[TERMS] = tuple((Factor(column.name),) for column in self.schema.columns)
        terms: tuple[Term, ...] = known[TERMS]
        return terms

    def choose(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        """The terms of a model, in the order of the table: every level but the base."""
        if terms is self.numbers and self.bare:
            return self.numbers
        known = dict.fromkeys(factor for term in terms for factor in term)
        order = {factor: i for i, factor in enumerate(self._ordered(known))}
        kept = [term for term in terms if all(factor in order for factor in term)]
        return tuple(sorted(kept, key=lambda term: (len(term), *(order[factor] for factor in term))))

    def _ordered(self, known: Mapping[Factor, None]) -> list[Factor]:
        """The factors that stay, in the order of the table."""
        levels: dict[Any, list[Any]] = {}
        for factor in known:
            if factor.symbol:
                levels.setdefault(factor.column, []).append(factor.level)
        out: list[Factor] = []
        for column in self.schema.columns:
            if column.name in levels:
                out += [Factor(column.name, level, True) for level in _levels(column, levels[column.name])[1:]]
            elif Factor(column.name) in known:
                out.append(Factor(column.name))
        return out

    def _products(self, factors: tuple[Factor, ...], X: Array) -> tuple[tuple[Term, ...], Array]:
        """Products of up to `degree` factors; those that are always 0, or equal to a shorter one, are left out."""
        if self.degree == 1:
            self._refuse_many(factors, len(factors))
            return tuple((factor,) for factor in factors), X
        chosen = []
        for degree in range(1, self.degree + 1):
            for places in combinations_with_replacement(range(len(factors)), degree):
                if self._tells([factors[i] for i in places]):
                    chosen.append(places)
            self._refuse_many(factors, len(chosen))
        out = np.empty((len(X), len(chosen)), order="F")
        for j, places in enumerate(chosen):
            np.prod(X[:, list(places)], axis=1, out=out[:, j])
        return tuple(tuple(factors[i] for i in places) for places in chosen), out

    def _refuse_many(self, factors: Sequence[Factor], terms: int) -> None:
        """Refuse more terms than there is room for their products, before any of them is made."""
        need = 4 * 8 * terms**2  # two triangles in pairs
        if need <= memory() // 2:
            return
        counts = Counter(factor.column for factor in factors if factor.symbol)
        column, levels = counts.most_common(1)[0] if counts else (None, 0)
        remedy = f"Leave column {column!r} out, which has {levels} levels" if levels > 1 else "Leave columns out"
        rule = "so few that their products fit into half of the memory"
        raise bad(self.owner, "the terms", rule, Said(f"{terms:,}, for {need:,} bytes"), f"{remedy}, or lower degree.")

    def _tells(self, term: Sequence[Factor]) -> bool:
        symbols = [factor.column for factor in term if factor.symbol]
        repeated = len(set(term)) < len(term)
        return len(set(symbols)) == len(symbols) and not (self.interactions and repeated)

    def _numbers(self, columns: Sequence[Column], part: Array) -> tuple[list[Factor], Array]:
        return [Factor(column.name) for column in columns], part

    def _symbols(self, columns: Sequence[Column], part: Coded) -> tuple[list[Factor], Array]:
        factors = [
            Factor(c.name, level, True) for c, labels in zip(columns, part.labels, strict=True) for level in labels
        ]
        X, at = np.zeros((len(part.codes), len(factors))), 0
        for j, labels in enumerate(part.labels):
            X[np.arange(len(X)), at + part.codes[:, j]] = 1.0
            at += len(labels)
        return factors, X

    def refuse_missing(self, parts: Sequence[Any], start: int) -> None:
        """Refuse the first cell that is missing or too large, by the name of its column."""
        for (storage, places), part in zip(self.schema.parts, parts, strict=True):
            (self._refuse_cells if storage is Storage.NUMBERS else self._refuse_codes)(places, part, start)

    def _refuse_cells(self, places: Sequence[int], part: Array, start: int) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(part.sum()):  # what is too large to be squared is refused where products are taken
                return
        row, at = _first_odd(part)
        if row < 0:
            return
        column = self.schema.columns[places[at]]
        if np.isnan(part[row, at]):
            raise self._missing(column, start + row)
        rule = f"finite and at most {LARGEST:g} in size (Input X contains infinity or a value too large)"
        raise bad(
            self.owner,
            f"column {column.name!r}",
            rule,
            float(part[row, at]),
            f"Correct the cell in row {start + row}.",
        )

    def _refuse_codes(self, places: Sequence[int], part: Coded, start: int) -> None:
        if len(part.codes) and part.codes.min(initial=0) < 0:
            row, at = np.argwhere(part.codes < 0)[0]
            raise self._missing(self.schema.columns[places[at]], start + row)

    def _missing(self, column: Column, row: int) -> BadInput:
        return bad(
            self.owner,
            f"column {column.name!r}",
            "present in every row (Input X contains NaN)",
            Said(f"a missing cell in row {row}"),
            "Fill it in, or leave the row or the column out.",
        )


def _first_odd(part: Any) -> tuple[int, int]:
    """Row and column of the first cell that is missing or too large, of an array or of sparse rows; -1 if none is."""
    stored = part.data if hasattr(part, "indptr") else part
    odd = np.argwhere(~(np.abs(stored) <= LARGEST))
    if not len(odd):
        return -1, -1
    if stored is part:
        return int(odd[0, 0]), int(odd[0, 1])
    return int(np.searchsorted(part.indptr, odd[0, 0], side="right")) - 1, int(part.indices[odd[0, 0]])


def _levels(column: Column, seen: Sequence[Any]) -> list[Any]:
    """Levels with the base first: in the order declared, or in an order that does not depend on how they came."""
    declared = column.values
    if declared is None:
        return list(canonical(seen))
    present = set(seen)
    return [declared[0], *(level for level in declared[1:] if level in present)]


def _column(factor: Factor, storage: Storage, part: Any, at: int, shares: Mapping[Factor, float]) -> Array:
    """The cells of one factor (n,)."""
    if storage is Storage.NUMBERS:
        return np.asarray(part[:, at], dtype=np.float64)
    labels = part.labels[at]
    own = {level for level in labels if Factor(factor.column, level, True) in shares}
    value = [float(level == factor.level) if level in own else shares[factor] for level in labels]
    return np.asarray(np.array(value)[part.codes[:, at]])


def _beside(columns: Sequence[Array]) -> Array:
    return columns[0] if len(columns) == 1 else np.hstack(columns)


def _height(parts: Sequence[Any]) -> int:
    return len(parts[0].codes if isinstance(parts[0], Coded) else parts[0])
