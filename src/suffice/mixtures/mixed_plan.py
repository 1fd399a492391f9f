"""From a schema to the families of a mixture: what each kind of column gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from suffice.core.errors import bad, shown
from suffice.core.kinds import Kind
from suffice.core.schema import Column, Schema
from suffice.families.categorical import Bernoulli, Categorical
from suffice.families.family import Family
from suffice.families.multinomial import Multinomial
from suffice.families.normal import DiagonalNormal
from suffice.families.product import Group, Product, group_of

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


@dataclass(frozen=True)
class MixedPlan:
    """What the user said of kinds and families; the schema says the rest."""

    owner: str
    kinds: Mapping[Any, Any] = field(default_factory=dict)  # by column
    families: Mapping[Any, Family] = field(default_factory=dict)  # by column
    by_kind: Mapping[Any, Family] = field(default_factory=dict)

    def declare(self, schema: Schema) -> Schema:
        """The kinds that were declared, in place of those that showed."""
        return schema.declare(self.owner, self.kinds)

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
            rule = "one with a column that a model can learn from"
            came = [column.kind.value for column in schema.columns]
            raise bad(self.owner, "the table", rule, came, "Declare kinds or add columns.")
        return Product(groups)

    @property
    def _by_name(self) -> dict[Any, Family]:
        return {kind.value if isinstance(kind, Kind) else kind: family for kind, family in self.by_kind.items()}

    def _groups(self, schema: Schema, part: int) -> list[Group]:
        found: list[tuple[Family, list[int]]] = []
        places = schema.parts[part][1]
        for at, i in enumerate(places):
            family = self._family(schema.columns[i])
            mine = next((columns for known, columns in found if known == family), None)
            if mine is None:
                found.append((family, mine := []))
            mine.append(at)
        whole = len(found) == 1
        return [
            group_of(part, family, None if whole else columns, [schema.columns[places[at]].name for at in columns])
            for family, columns in found
        ]

    def _family(self, column: Column) -> Family:
        kind = column.kind
        family = self.families.get(column.name) or self._by_name.get(kind.value) or DEFAULTS[kind]
        if isinstance(family, type) or getattr(family, "storage", None) is not kind.storage:
            what = f"the family of column {column.name!r}, which is {kind.value},"
            rule = f"one for {kind.storage.value}, such as {type(DEFAULTS[kind]).__name__}()"
            raise bad(self.owner, what, rule, family, "Choose another family or declare another kind.")
        if column.order and isinstance(family, Categorical) and family.vocabulary is None:
            return replace(family, vocabulary=column.order)
        return family
