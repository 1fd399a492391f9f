"""From a schema to the families of a mixture: what each kind of column gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from suffice.core.errors import bad, shown
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.estimators.boundary.drawn_rows import drawn_columns, like_trained
from suffice.estimators.state.origin import Origin
from suffice.families.counts.categorical import Bernoulli, Categorical
from suffice.families.counts.multinomial import Multinomial
from suffice.families.family import Family
from suffice.families.normals.normal import DiagonalNormal
from suffice.families.product import Group, Product, fitting_family, groups_of
from suffice.mixtures.free_parameters import free_given, free_shares
from suffice.mixtures.learner import Mixture, MixtureModel
from suffice.mixtures.mixture_readings import MixtureReadings
from suffice.mixtures.profiles import Profile, profiles
from suffice.sources.tables.table import Table, open_table

DEFAULTS: Mapping[Kind, Family] = {
    Kind.BOOLEAN: Bernoulli(),
    Kind.CATEGORICAL: Categorical(),
    Kind.ORDINAL: Categorical(),
    Kind.COUNT: DiagonalNormal(),
    Kind.RATIO: DiagonalNormal(),
    Kind.QUANTITATIVE: DiagonalNormal(),
    Kind.DATE: DiagonalNormal(),
    Kind.TEXT: Multinomial(),
}


@saved
@dataclass(frozen=True)
class MixedPlan:
    """What the user said of kinds and families; the schema says the rest."""

    owner: str
    kinds: Mapping[Any, Any] = field(default_factory=dict)  # by column
    families: Mapping[Any, Family] = field(default_factory=dict)  # by column
    by_kind: Mapping[Any, Family] = field(default_factory=dict)
    alpha: float = 0.0  # virtual rows of each component

    face: ClassVar[str] = "density"

    def open(self, X: Any) -> Table:
        """Any table."""
        return open_table(X)

    def schema(self, table: Table) -> Schema:
        """What the columns show, then what the user declared."""
        return self.declare(table.infer())

    def declare(self, schema: Schema) -> Schema:
        """The kinds that were declared, in place of those that showed."""
        return schema.declare(self.owner, self.kinds)

    def keeps(self, schema: Schema) -> Any:
        """No summary: what is summed is relative to a pass."""
        return None

    def learner(self, schema: Schema) -> Mixture:
        """The learner of tables of this schema, which shares rows by their posterior."""
        return Mixture(self.product(schema), owner=self.owner)

    def lift(self, summary: Any, old: Schema, new: Schema) -> Any:
        """Nothing to do: passes begin when all columns are known."""
        return summary

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """A chunk of a file, whose kinds were declared when its rows were opened."""
        return table, schema

    def readings(self) -> tuple[type[Any], ...]:
        """Components, and what is expected in each."""
        return MixtureReadings, ProfileReadings

    def answer_type(self, origin: Origin) -> Any:
        """Always the same."""
        return np.float64

    def parameters(self, model: MixtureModel) -> int:
        """Number of free parameters."""
        factors, K = model.factors, len(model.log_weights)
        pairs = zip(factors.groups, factors.distributions, strict=True)
        return sum(free_given(group.family, mine) for group, mine in pairs) + free_shares(K, self.alpha)

    def table(self, model: MixtureModel, parts: Sequence[Any], schema: Schema, origin: Origin, n: int) -> Any:
        """Drawn rows as a table like the one learned from."""
        return like_trained(drawn_columns(model.factors.groups, parts, schema, n), origin)

    def product(self, schema: Schema) -> Product:
        """Columns of one part and one family together."""
        strange = [name for name in self.families if name not in schema.names]
        if strange:
            rule = f"about columns of the table ({shown(list(schema.names))})"
            raise bad(self.owner, "families", rule, strange[0], "Correct the name of the column.")
        known = {kind.value for kind in DEFAULTS}
        odd = [kind for kind in self._by_name if kind not in known]
        if odd:
            raise bad(self.owner, "by_kind", f"about kinds ({', '.join(sorted(known))})", odd[0], "Correct the kind.")
        groups = tuple(group for part in range(len(schema.parts)) for group in self._groups(schema, part))
        if not groups:
            raise schema.without_features(self.owner)
        return Product(groups)

    @property
    def _by_name(self) -> dict[Any, Family]:
        return {kind.value if isinstance(kind, Kind) else kind: family for kind, family in self.by_kind.items()}

    def _groups(self, schema: Schema, part: int) -> list[Group]:
        return groups_of(schema, part, self._family)

    def _family(self, column: Column) -> Family:
        usual = DEFAULTS[column.kind]
        return fitting_family(
            self.owner, column, self.families.get(column.name) or self._by_name.get(column.kind.value) or usual, usual
        )


class ProfileReadings:
    """What components of columns of every kind tell."""

    @property
    def schema_(self: Any) -> Schema:
        """Kinds of the columns."""
        schema: Schema = self._state()[0].schema
        return schema

    def profiles(self: Any) -> Profile:
        """Column -> what is expected in each component: means of numbers, label -> probabilities of symbols."""
        state = self._state()[0]
        return profiles(state.model.factors, state.schema)
