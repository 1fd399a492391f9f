"""From a schema to a naive Bayes learner: which family each column gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from suffice.bayes.learner import Bayes, GivenPrior, LearnedPrior
from suffice.bayes.lift import lift
from suffice.bayes.loaded import LoadedBayes
from suffice.core.block import Array
from suffice.core.by_class import ByClass, canonical
from suffice.core.errors import bad
from suffice.core.kinds import Kind, Storage
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.families.categorical import Bernoulli, Categorical
from suffice.families.family import Family
from suffice.families.multinomial import Multinomial
from suffice.families.normal import DiagonalNormal
from suffice.families.product import Group, Product
from suffice.sources.analyzer import Analyzer
from suffice.sources.codes import Codes
from suffice.sources.grid import Grid
from suffice.sources.matrix import Matrix
from suffice.sources.table import Table, open_table

DEFAULTS: Mapping[Kind, Family] = {
    Kind.BOOLEAN: Bernoulli(),
    Kind.CATEGORICAL: Categorical(),
    Kind.ORDINAL: Categorical(),
    Kind.COUNT: DiagonalNormal(),  # whole numbers are ages and years as often as events; Poisson is one word away
    Kind.RATIO: DiagonalNormal(),
    Kind.QUANTITATIVE: DiagonalNormal(),
    Kind.DATE: DiagonalNormal(),
    Kind.TEXT: Multinomial(),
}


@saved
@dataclass(frozen=True)
class NaivePlan:
    """What the user said of kinds, families and weights; the schema says the rest."""

    families: Mapping[Any, Family] = field(default_factory=dict)  # by column
    by_kind: Mapping[str, Family] = field(default_factory=dict)
    prior: GivenPrior | LearnedPrior = field(default_factory=LearnedPrior)
    weights: Mapping[Any, float] = field(default_factory=dict)  # by column
    kinds: Mapping[Any, Any] = field(default_factory=dict)  # by column
    analyzer: Analyzer = field(default_factory=Analyzer)

    def open(self, X: Any) -> Table:
        """Any table."""
        return open_table(X, self.analyzer)

    def schema(self, table: Table) -> Schema:
        """What the columns show, then what the user declared."""
        return table.infer().declare("NaiveBayes", self.kinds)

    def learner(self, schema: Schema) -> Bayes:
        """Group the columns of each part by family."""
        for owner, names in (("families", self.families), ("feature_weights", self.weights)):
            for name in names:
                if name not in schema.names:
                    raise bad(
                        "NaiveBayes", owner, f"about columns of the table {list(schema.names)}", name, "Correct it."
                    )
        groups = tuple(group for part in range(len(schema.parts)) for group in self._groups(schema, part))
        if not groups:
            raise bad("NaiveBayes", "the table", "at least one column that is a feature", str(schema), "Declare kinds.")
        powers = tuple(self._powers(schema, group) for group in groups) if self.weights else None
        return Bayes(Product(groups), self.prior, None, powers)

    def loaded(self, value: Any) -> LoadedBayes:
        """The model of a file."""
        return LoadedBayes(value)

    def lift(self, summary: ByClass, old: Schema, new: Schema) -> ByClass:
        """A summary over the parts of a joined schema."""
        return summary if old.parts == new.parts else lift(summary, old, new, self.learner(new))

    def follow(self, had: tuple[Any, ...], have: tuple[Any, ...]) -> NaivePlan:
        """Nothing to do: classes are open."""
        return self

    def _groups(self, schema: Schema, part: int) -> list[Group]:
        _, places = schema.parts[part]
        by_family: list[tuple[Family, list[int]]] = []
        for at, i in enumerate(places):
            family = self._family(schema.columns[i])
            same = next((columns for known, columns in by_family if known == family), None)
            by_family.append((family, same := [])) if same is None else None
            same.append(at)
        whole = len(by_family) == 1
        return [Group(part, family, None if whole else tuple(at)) for family, at in by_family]

    def _family(self, column: Column) -> Family:
        family = self.families.get(column.name) or self.by_kind.get(column.kind.value) or DEFAULTS[column.kind]
        if getattr(family, "storage", None) is not column.kind.storage:
            raise bad(
                "NaiveBayes", f"the family of column {column.name!r} ({column.kind.value})",
                f"a family of {column.kind.storage.value}", family, "Choose another family or declare another kind.",
            )  # fmt: skip
        if column.order and family == Categorical():
            return Categorical(vocabulary=column.order)
        return family

    def _powers(self, schema: Schema, group: Group) -> Array:
        _, places = schema.parts[group.part]
        columns = places if group.columns is None else [places[at] for at in group.columns]
        return np.array([float(self.weights.get(schema.columns[i].name, 1.0)) for i in columns])


@saved
@dataclass(frozen=True)
class FixedPlan:
    """One learner whatever the table: the drop-ins, whose columns are all of one kind."""

    bayes: Bayes
    storage: Storage
    names: tuple[Any, ...] | None = None  # of the columns, where the table had some

    def open(self, X: Any) -> Table:
        """An array or a sparse matrix."""
        return X if hasattr(X, "infer") else _DOORS[self.storage](X)

    def schema(self, table: Table) -> Schema:
        """What the array shows."""
        schema = table.infer()
        if self.names is None or len(self.names) != len(schema.columns):
            return schema
        return Schema(tuple(Column(name, c.kind) for name, c in zip(self.names, schema.columns, strict=True)))

    def learner(self, schema: Schema) -> Bayes:
        """The learner."""
        return self.bayes

    def loaded(self, value: Any) -> LoadedBayes:
        """The model of a file."""
        return LoadedBayes(value)

    def lift(self, summary: ByClass, old: Schema, new: Schema) -> ByClass:
        """Nothing to do: there is one part."""
        return summary

    def follow(self, had: tuple[Any, ...], have: tuple[Any, ...]) -> FixedPlan:
        """The declared classes after rows came or went: classes with rows, and those declared that never had any."""
        if self.bayes.classes is None:
            return self
        classes = canonical((*have, *(label for label in self.bayes.classes if label not in set(had))))
        return replace(self, bayes=replace(self.bayes, classes=classes))


_DOORS: Mapping[Storage, Callable[[Any], Table]] = {
    Storage.NUMBERS: Grid,
    Storage.SYMBOLS: Codes,
    Storage.WORDS: Matrix,
}
