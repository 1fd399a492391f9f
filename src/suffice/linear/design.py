"""The design matrix of linear models: the factors of a table, and products of them.

All levels are kept, because the first may come last; which of them is the base, and left out, is decided when a model
is estimated. Products of columns with missing cells are refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array, rows_of
from suffice.core.double_double import Pair, two_sum
from suffice.core.errors import Said, bad
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.design.factor_columns import FactorColumns
from suffice.linear.products_of_factors import count_products, products_of_factors
from suffice.linear.recentring import centre_for
from suffice.linear.terms import Factor, Term, term_name
from suffice.numerics.memory import memory

UNASKED = 256  # columns that there is room for, without asking how much memory there is
MANY = 10**15  # terms that are not counted out
ENOUGH = 1_000  # rows that say about where a column lies
TERMS = "_number_terms"  # among the attributes of a schema


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
    gaps : whether cells may be missing

    >>> from suffice.core.block import Coded
    >>> from suffice.core.kinds import Kind
    >>> from suffice.core.schema import Column
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
    gaps: bool = False
    centres: Mapping[Any, float] = field(default_factory=dict)  # of columns whose powers are taken about them

    def __post_init__(self) -> None:
        """Refuse columns that have no place in a matrix of numbers."""
        if not self.schema.features:
            raise self.schema.without_features(self.owner)
        texts = [places[0] for storage, places in self.schema.parts if storage is Storage.WORDS]
        for column in (self.schema.columns[i] for i in texts):
            rule = "of numbers or symbols"
            raise bad(self.owner, f"column {column.name!r}", rule, column.kind.value, "Leave it out, or count words.")

    @cached_property
    def factors(self) -> FactorColumns:
        """How the columns become factors."""
        return FactorColumns(self.owner, self.schema, self.gaps and self.degree == 1)

    def holes(self, parts: Sequence[Any], start: int = 0) -> frozenset[Any]:
        """The names of the columns in which a cell is missing; refused where none may be."""
        self.refuse_missing(parts, start)
        return self.factors.holes(parts) if self.factors.gaps else frozenset()

    def encode(self, parts: Sequence[Any], holes: frozenset[Any] = frozenset()) -> tuple[tuple[Term, ...], Array]:
        """All terms that a block shows, and their columns (n, p)."""
        return self._products(*self.factors.encode(parts, holes))

    def encode_pairs(self, parts: Sequence[Any]) -> Pair:
        """The columns of the same terms (n, p) as pairs: powers that hardly round."""
        factors, X = self.factors.encode(parts)
        U = two_sum(np.asarray(X, dtype=np.float64), -self._middles(factors))
        chosen = self._chosen(factors)
        place = {places: j for j, places in enumerate(chosen)}
        out = Pair(*(np.empty((len(X), len(chosen)), order="F") for _ in range(2)))
        for degree in range(1, self.degree + 1):
            mine = [places for places in chosen if len(places) == degree]
            if not mine:
                continue
            last = Pair(*(half[:, [places[-1] for places in mine]] for half in U))
            if degree > 1:  # a product of one factor less is a term too
                last = Pair(*(half[:, [place[places[:-1]] for places in mine]] for half in out)) * last
            for half, new in zip(out, last, strict=True):
                half[:, [place[places] for places in mine]] = new
        return out

    def near(self, parts: Sequence[Any], claimed: Array) -> Design:
        """The same about centres that are near for these rows."""
        if self.degree == 1:
            return self
        found: dict[Any, float] = {}
        for (storage, places), part in zip(self.schema.parts, parts, strict=True):
            if storage is Storage.NUMBERS and claimed.any():
                rows = np.flatnonzero(claimed)
                some = np.asarray(part[rows[:: max(1, len(rows) // ENOUGH)]], dtype=np.float64)
                with np.errstate(over="ignore", invalid="ignore"):
                    mean, spread = some.mean(axis=0), some.std(axis=0)
                names = [self.schema.columns[i].name for i in places]
                found |= {n: centre_for(float(m), float(s)) for n, m, s in zip(names, mean, spread, strict=True)}
        return replace(self, centres={name: c for name, c in found.items() if c != 0.0 and np.isfinite(c)})

    def _middles(self, factors: Sequence[Factor]) -> Array:
        return np.array([0.0 if f.symbol else self.centres.get(f.column, 0.0) for f in factors])

    def matrix(
        self, parts: Sequence[Any], terms: Sequence[Term], means: Mapping[Factor, float], start: int = 0
    ) -> Array:
        """The columns of these terms (n, p); what no term knows stands for the average row, by `means`."""
        gone = self.refuse_missing(parts, start)
        if self.plain(terms) and not gone:
            return np.asarray(parts[0], dtype=np.float64)
        factors = tuple(dict.fromkeys(factor for term in terms for factor in term))
        base = dict(zip(factors, self.factors.cells(parts, factors, means), strict=True))
        for factor, centre in zip(factors, self._middles(factors) if self.centres else (), strict=False):
            base[factor] = base[factor] - centre
        X = np.empty((rows_of(parts[0]), len(terms)))
        for j, term in enumerate(terms):
            X[:, j] = base[term[0]]
            with np.errstate(over="ignore"):
                for factor in term[1:]:
                    X[:, j] *= base[factor]
            if len(term) > 1:
                self._refuse_infinite(term, X[:, j], start)
        return X

    def _refuse_infinite(self, term: Term, values: Array, start: int) -> None:
        """Refuse a product that no number holds: its sum with another such is none."""
        finite = np.isfinite(values)
        if not finite.all():
            row = start + int(finite.argmin())
            name, rule = f"{term_name(term)!r}", "a product that numbers can hold"
            raise bad(self.owner, name, rule, Said(f"infinity in row {row}"), "Correct the cell, or scale the columns.")

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

    def shown(self, X: Any) -> tuple[Term, ...]:
        """The terms of a block of numbers alone, none of them missing."""
        few = len(self.numbers) == X.shape[1] <= UNASKED
        return self.numbers if few else self.encode([X[:0]])[0]

    def choose(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        """The terms of a model, in the order of the table: every level but the base."""
        if self.plain(terms):
            return self.numbers
        known = dict.fromkeys(factor for term in terms for factor in term)
        order = {factor: i for i, factor in enumerate(self.factors.ordered(known))}
        kept = [term for term in terms if all(factor in order for factor in term)]
        return tuple(sorted(kept, key=lambda term: (len(term), *(order[factor] for factor in term))))

    def _products(self, factors: tuple[Factor, ...], X: Array) -> tuple[tuple[Term, ...], Array]:
        """Products of up to `degree` factors; those that are always 0, or equal to a shorter one, are left out."""
        if self.degree == 1:
            self._refuse_many(factors, len(factors))
            return tuple((factor,) for factor in factors), X
        X = X - self._middles(factors) if self.centres else X
        chosen = self._chosen(factors)
        out = np.empty((len(X), len(chosen)), order="F")
        with np.errstate(over="ignore"):  # the sums refuse what is infinite
            for j, places in enumerate(chosen):
                np.prod(X[:, list(places)], axis=1, out=out[:, j])
        return tuple(tuple(factors[i] for i in places) for places in chosen), out

    def _chosen(self, factors: Sequence[Factor]) -> list[tuple[int, ...]]:
        """The places of the factors of each term, which are counted before any is made."""
        self._refuse_many(factors, count_products(factors, self.degree, self.interactions))
        return products_of_factors(factors, self.degree, self.interactions)

    def _refuse_many(self, factors: Sequence[Factor], terms: int) -> None:
        """Refuse more terms than there is room for their products, before any of them is made."""
        need = 4 * 8 * terms**2  # two triangles in pairs
        if need <= memory() // 2:
            return
        counts = Counter(factor.column for factor in factors if factor.symbol)
        column, levels = counts.most_common(1)[0] if counts else (None, 0)
        remedy = f"Leave column {column!r} out, which has {levels} levels" if levels > 1 else "Leave columns out"
        rule = "so few that their products fit into half of the memory"
        told = f"{terms:,}, for {need:,} bytes" if terms < MANY else f"over {MANY:,}"
        raise bad(self.owner, "the terms", rule, Said(told), f"{remedy}, or lower degree.")

    def refuse_missing(self, parts: Sequence[Any], start: int) -> bool:
        """Refuse the first cell that is too large, or missing where none may be; whether some number is missing."""
        return self.factors.refuse_missing(parts, start)
