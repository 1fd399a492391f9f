"""Normal classes of mixed tables: a symbol is an indicator for each of its levels but one.

The indicators of all levels add up to 1, so that no covariance of all of them has an inverse. One level is left out
when a model is read, the first in order: any other would give the same probabilities, as the densities of all classes
change by one factor.
A missing cell, and a level that was never met, are marginalised over, as missing numbers are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import numpy as np

from suffice.bayes.discriminants.discriminant_axes import NoInverse
from suffice.bayes.discriminants.discriminant_learner import NormalClasses
from suffice.bayes.discriminants.factor_moments import FactorMoments
from suffice.bayes.learner import BayesModel
from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import Said, bad, refusal
from suffice.core.kinds import Storage
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.estimators.design.factor_columns import FactorColumns
from suffice.estimators.design.factors import Factor, gap, levels_of
from suffice.families.product import Factors
from suffice.summaries.pattern_moments import PatternMoments

NO_COLUMNS = FactorColumns("X", Schema(()))


@dataclass(frozen=True)
class MixedClasses(NormalClasses):
    """Learns normal classes over numbers and indicators."""

    columns: FactorColumns = field(default=NO_COLUMNS, kw_only=True)

    def summarize(self, block: Block, model: BayesModel | None = None) -> ByClass:
        """Moments of numbers and indicators, per class."""
        assert isinstance(block.y, Coded)
        self.columns.refuse_missing(block.parts, block.start)
        factors, X = encode(self.columns.schema, block.parts)
        labels = block.y.labels[0]
        self.refuse_many(len(factors), len(labels))
        kept = FactorMoments.of(factors, X, Shares.hard(block.y.codes[:, 0], len(labels), block.w))
        return ByClass.of(labels, kept.moments.tally, Together((kept,)))

    def factors(self, summary: ByClass) -> MixedFactors:
        """The densities; raises where rows do not say them."""
        kept = mixed_part(summary)
        levels = levels_by_column(self.columns.schema, kept)
        factors = chosen(self.columns.schema, levels)
        try:
            plain = super().factors(replace(summary, summary=Together((kept.align(factors).moments,))))
        except NoInverse:
            self._refuse_absent(summary, kept, factors)
            raise
        (group,), (normals,) = plain.groups, plain.distributions
        parts = range(len(self.columns.schema.parts))
        return MixedFactors(
            tuple(replace(group, part=i) for i in parts), (normals,) * len(parts), self.columns, factors, levels
        )

    def _refuse_absent(self, summary: ByClass, kept: FactorMoments, factors: Sequence[Factor]) -> None:
        """Name a column of which a class has not all levels, as that leaves its covariance without an inverse."""
        for factor, rows in zip(kept.factors, kept.rows.T, strict=True):
            absent = np.flatnonzero((rows == 0) & (summary.tally.rows > 0))
            if factor.symbol and len(absent):
                remedy = "Leave it out, or set `reg_param`, `shrinkage` with solver='eigen', or `prior_strength`."
                got = Said(f"no row of class {summary.labels[absent[0]]!r} with {factor.name}")
                rule = "met with each of its levels in every class"
                raise refusal(NoInverse, self.owner, f"column {factor.column!r}", rule, got, remedy) from None


@dataclass(frozen=True)
class MixedFactors(Factors):
    """Normal classes over numbers and indicators; every part of a block has a group, all of them one distribution."""

    columns: FactorColumns
    factors: tuple[Factor, ...]  # q, in the order of the table
    levels: Mapping[Any, tuple[Any, ...]]  # of each symbol, the first of them left out

    def rows(self, parts: Sequence[Any]) -> Array:
        """Numbers and indicators (n, q); NaN where a cell is missing, or a level was never met."""
        self.columns.refuse_missing(parts)
        found: dict[Factor, Array] = {}
        for (storage, places), part in zip(self.columns.schema.parts, parts, strict=True):
            for at, i in enumerate(places):
                name = self.columns.schema.columns[i].name
                if storage is Storage.NUMBERS:
                    found[Factor(name)] = np.asarray(part[:, at], dtype=np.float64)
                else:
                    found |= self._indicators(name, part.codes[:, at], part.labels[at])
        return np.stack([found[factor] for factor in self.factors], axis=1)

    def _indicators(self, name: Any, codes: Array, labels: Sequence[Any]) -> dict[Factor, Array]:
        levels = self.levels.get(name, ())
        known = set(levels)
        values = (
            [*(float(label == level) if label in known else np.nan for label in labels), np.nan] for level in levels
        )
        return {Factor(name, level, True): np.array(value)[codes] for level, value in zip(levels, values, strict=True)}

    def log_density(self, parts: Sequence[Any]) -> Array:
        """Log density (n, K) of numbers and indicators."""
        return self.distributions[0].log_density(self.rows(parts))

    def log_evidence(self, parts: Sequence[Any]) -> Array:
        """Log density (n, K) but for what all components of a row share: enough for a posterior."""
        one = self.distributions[0]
        return np.asarray(getattr(one, "log_evidence", one.log_density)(self.rows(parts)))

    def cells(self, parts: Sequence[Any], k: int) -> list[Array]:
        """Log density of the cells of each part (n, d_g), that of a symbol over all of its indicators."""
        logs = self.distributions[0].cells(self.rows(parts), k)
        own = [factor.column for factor in self.factors]
        out: list[Array] = []
        for _, places in self.columns.schema.parts:
            names = [self.columns.schema.columns[i].name for i in places]
            mine = [[j for j, column in enumerate(own) if column == name] for name in names]
            out.append(np.stack([logs[:, at].sum(axis=1) for at in mine], axis=1))
        return out

    def sample(self, components: Array, rng: np.random.Generator) -> NoReturn:
        """Normal indicators are no levels."""
        name = next(factor.column for factor in self.factors if factor.symbol)
        remedy = "Use NaiveBayes, which draws levels, or leave the column out."
        raise bad(self.columns.owner, f"column {name!r}", "of numbers for rows to be drawn", Said("symbols"), remedy)


def encode(schema: Schema, parts: Sequence[Any]) -> tuple[tuple[Factor, ...], Array]:
    """All factors that rows show, and their columns (n, q), NaN where missing; levels of a symbol are all there."""
    factors: list[Factor] = []
    columns: list[Array] = []
    for (storage, places), part in zip(schema.parts, parts, strict=True):
        names = [schema.columns[i].name for i in places]
        if storage is Storage.NUMBERS:
            factors += [Factor(name) for name in names]
            columns.append(np.asarray(part, dtype=np.float64))
            continue
        for at, name in enumerate(names):
            factors += [*(Factor(name, level, True) for level in part.labels[at]), gap(name)]
            columns.append(_indicators(part.codes[:, at], len(part.labels[at])))
    return tuple(factors), np.hstack(columns)


def _indicators(codes: Array, levels: int) -> Array:
    """One column a level, and one of 0 (n, levels + 1); NaN in all of them where the cell is missing."""
    X = np.zeros((len(codes), levels + 1))
    there = np.flatnonzero(codes >= 0)
    X[there, codes[there]] = 1.0
    X[codes < 0] = np.nan
    return X


def levels_by_column(schema: Schema, kept: FactorMoments) -> dict[Any, tuple[Any, ...]]:
    """The levels of each symbol that were met, in an order that does not depend on how they came."""
    symbols = [column for column in schema.columns if column.kind.storage is Storage.SYMBOLS]
    seen = {column.name: set(kept.levels(column.name)) for column in symbols}
    return {
        column.name: tuple(level for level in levels_of(column, list(seen[column.name])) if level in seen[column.name])
        for column in symbols
    }


def chosen(schema: Schema, levels: Mapping[Any, tuple[Any, ...]]) -> tuple[Factor, ...]:
    """The columns of a model in the order of the table: every level but the first."""
    out: list[Factor] = []
    for column in schema.columns:
        if column.kind.storage is Storage.NUMBERS:
            out.append(Factor(column.name))
        out += [Factor(column.name, level, True) for level in levels.get(column.name, ())[1:]]
    return tuple(out)


def mixed_part(summary: ByClass) -> FactorMoments:
    """What is kept of the rows of a mixed table."""
    (kept,) = summary.summary.parts  # type: ignore[attr-defined]
    assert isinstance(kept, FactorMoments)
    return kept


def lifted(part: PatternMoments | FactorMoments, old: Schema, new: Schema) -> PatternMoments | FactorMoments:
    """What is kept of rows over the columns of a joined schema: those of which no cell was there are missing."""
    turned = {old.columns[place].name: words for place, words in old.turned(new).items()}
    pairs = list(zip(old.columns, new.columns, strict=True))
    empty = [b for a, b in pairs if a.kind.storage is Storage.NOTHING and b.kind.storage is not Storage.NOTHING]
    if not turned and not empty and is_mixed(old) == is_mixed(new):
        return part
    if isinstance(part, PatternMoments):
        numbers = tuple(Factor(column.name) for column in old.columns if column.kind.storage is Storage.NUMBERS)
        part = FactorMoments(numbers, np.repeat(part.fewest()[:, None], len(numbers), axis=1), part)
    part = part.spelled(turned).without_cells(
        [gap(c.name) if c.kind.storage is Storage.SYMBOLS else Factor(c.name) for c in empty]
    )
    if is_mixed(new):
        return part
    return part.align(tuple(Factor(c.name) for c in new.columns if c.kind.storage is Storage.NUMBERS)).moments


def is_mixed(schema: Schema) -> bool:
    """Whether some column is of symbols."""
    return any(storage is Storage.SYMBOLS for storage, _ in schema.parts)
