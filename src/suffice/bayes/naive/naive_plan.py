"""From a schema to a naive Bayes learner: which family each column gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from suffice.bayes.class_priors import ClassPrior, LearnedPrior
from suffice.bayes.learner import Bayes
from suffice.bayes.naive.lift_summary import lift
from suffice.core.block import Array
from suffice.core.by_class import ByClass
from suffice.core.errors import bad, shown
from suffice.core.kinds import Kind, Storage, kinds_above
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.families.counts.categorical import Bernoulli, Categorical
from suffice.families.counts.multinomial import Multinomial
from suffice.families.family import Family
from suffice.families.normals.normal import DiagonalNormal
from suffice.families.places import table_columns
from suffice.families.product import Group, Product, fitting_family, groups_of, keeper_of
from suffice.sources.tables.analyzer import PLAIN_WORDS, Analyzer
from suffice.sources.tables.parts import WORDS
from suffice.sources.tables.table import Table, open_table

OWNER = "NaiveBayes"
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
_NAMES = [kind.value for kind in Kind]


@saved
@dataclass(frozen=True)
class NaivePlan:
    """What the user said of kinds, families and weights; the schema says the rest."""

    face: ClassVar[str] = "probabilistic"
    together: ClassVar[bool] = False  # whether columns vary together
    by_column: ClassVar[bool] = True  # whether rows with one cell each say as much of their columns as whole ones

    families: Mapping[Any, Family] = field(default_factory=dict)  # by column
    by_kind: Mapping[str, Family] = field(default_factory=dict)
    prior: ClassPrior = field(default_factory=LearnedPrior)
    weights: Mapping[Any, float] = field(default_factory=dict)  # by column
    kinds: Mapping[Any, Any] = field(default_factory=dict)  # by column
    analyzer: Analyzer = PLAIN_WORDS
    classes: tuple[Any, ...] = ()  # that exist even where no row has them

    def open(self, X: Any) -> Table:
        """Any table."""
        return open_table(X, self.analyzer)

    def schema(self, table: Table) -> Schema:
        """What the columns show, then what the user declared."""
        return self.declare(table.infer())

    def declare(self, schema: Schema) -> Schema:
        """What the user declared in place of what the columns showed."""
        return schema.declare(OWNER, self.kinds)

    def keeps(self, schema: Schema) -> Any:
        """How texts become words, words counts, and which columns keep their values; else parameters change nothing."""
        texts = [group for group in self._product(schema).groups if schema.parts[group.part][0] is Storage.WORDS]
        how = self.analyzer if texts and schema != WORDS else None
        return how, [encoding_of(group.family) for group in texts], self._apart(schema)

    def _apart(self, schema: Schema) -> list[Any]:
        """What is kept of some columns beside what all of their part keep."""
        product = self._product(schema)
        parts = [(i, len(places)) for i, (_, places) in enumerate(schema.parts) if product.keeps_apart(i)]
        return [(i, product.apart(i, d)) for i, d in parts]

    def learner(self, schema: Schema) -> Bayes:
        """Group the columns of each part by family."""
        product = self._product(schema)
        powers = tuple(self._powers(schema, group) for group in product.groups) if self.weights else None
        return Bayes(product, self.prior, powers, self.classes)

    def lift(self, summary: ByClass, old: Schema, new: Schema) -> ByClass:
        """A summary over the parts of a joined schema."""
        return summary if old == new else lift(summary, old, new, self._product(old), self._product(new))

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """As it is, with the declared kinds."""
        return table, schema

    def readings(self) -> tuple[type[Any], ...]:
        """Evidence, densities and new rows."""
        from suffice.bayes.readings.generative import Generative

        return (Generative,)

    def show(self, model: Any) -> str:
        """The tables of conditional probabilities of a model of this plan."""
        from suffice.bayes.readings.probability_tables import show_tables

        return show_tables(model._state()[0], model._words)

    def _product(self, schema: Schema) -> Product:
        known = set(schema.names) if self.families or self.weights else set()
        for parameter, names in (("families", self.families), ("feature_weights", self.weights)):
            for name in names:
                if name not in known:
                    rule = f"about columns of the table ({shown(list(schema.names))})"
                    raise bad(OWNER, parameter, rule, name, "Correct the name of the column.")
        groups = tuple(group for part in range(len(schema.parts)) for group in self._groups(schema, part))
        if not groups:
            raise schema.without_features(OWNER)
        later = tuple(group for part in range(len(schema.parts)) for group in self._later(schema, part))
        return Product(groups, later)

    def _later(self, schema: Schema, part: int) -> list[Group]:
        """Families that keep more, which columns may get by their kind: wholes may turn out to be fractions."""
        keeping = {kind: family for kind, family in self.by_kind.items() if keeper_of(family) is not None}
        found: list[Group] = []
        for at, i in enumerate(schema.parts[part][1] if keeping else ()):
            column = schema.columns[i]
            above = {kind.value for kind in kinds_above(column.kind)} if column.name not in self.families else set()
            found += [Group(part, keeping[kind], (at,)) for kind in _NAMES if kind in above and kind in keeping]
        return found

    def _groups(self, schema: Schema, part: int) -> list[Group]:
        return groups_of(schema, part, lambda column: self._over_words(schema, self._family(column)))

    def _family(self, column: Column) -> Family:
        usual = DEFAULTS[column.kind]
        return fitting_family(
            OWNER, column, self.families.get(column.name) or self.by_kind.get(column.kind.value) or usual, usual
        )

    def _over_words(self, schema: Schema, family: Family) -> Family:
        """A family of documents over the vocabulary of the analyzer, where that is fixed; a matrix has its own."""
        lacking = family.storage is Storage.WORDS and getattr(family, "vocabulary", ()) is None
        if not lacking or self.analyzer.vocabulary is None or schema == WORDS:
            return family
        return replace(family, vocabulary=self.analyzer.vocabulary)  # type: ignore[type-var]

    def _powers(self, schema: Schema, group: Group) -> Array:
        return np.array([float(self.weights.get(column.name, 1.0)) for column in table_columns(schema, group)])


def encoding_of(family: Any) -> Any:
    """How a family of words encodes counts; None where it takes them as they are."""
    return getattr(family, "encoding", None)
