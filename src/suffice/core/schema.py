"""The schema: which column is of which kind, and where its cells lie in a block.

A block has one part for all numbers, one for all symbols and one for each text, in this order; a part that would be empty
is left out. Schemas join as their columns' kinds do, so that shards may disagree.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from suffice.core.errors import BadInput, BadFile, bad
from suffice.core.kinds import Kind, Storage, join
from suffice.core.registry import saved


@saved
@dataclass(frozen=True)
class Column:
    """A column of a table. `order` lists the values of an ordinal column, lowest first."""

    name: Any
    kind: Kind
    order: tuple[Any, ...] | None = None


@saved
@dataclass(frozen=True)
class Schema:
    """The columns of a table, in table order.

    >>> schema = Schema((Column("age", Kind.COUNT), Column("site", Kind.CATEGORICAL)))
    >>> print(schema)
    column  kind
    age     count
    site    categorical
    """

    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[Any, ...]:
        """Column names, in table order."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def parts(self) -> tuple[tuple[Storage, tuple[int, ...]], ...]:
        """The parts of a block: how their cells are kept, and which columns (by place in the table) they hold."""
        where = {
            storage: tuple(i for i, c in enumerate(self.columns) if c.kind.storage is storage) for storage in Storage
        }
        tabular = [(s, where[s]) for s in (Storage.NUMBERS, Storage.SYMBOLS) if where[s]]
        return (*tabular, *((Storage.WORDS, (i,)) for i in where[Storage.WORDS]))

    @property
    def features(self) -> tuple[Column, ...]:
        """The columns a model may learn from, in table order."""
        return tuple(column for column in self.columns if column.kind.storage is not Storage.NOTHING)

    def declare(self, owner: object, kinds: Mapping[Any, Any]) -> Schema:
        """The same with some kinds given by the user; values may be a kind's name or an ordinal's list of values."""
        known = set(self.names)
        for name in kinds:
            if name not in known:
                raise bad(
                    owner, "kinds", f"about columns of the table ({_some(self.names)})", name, "Correct the name."
                )
        return Schema(tuple(_declared(owner, c, kinds[c.name]) if c.name in kinds else c for c in self.columns))

    def join(self, other: Schema) -> Schema:
        """The least schema that tables of both may be read with."""
        if self == other:
            return self
        if self.names != other.names:
            odd = [name for name in (*self.names, *other.names) if (name in self.names) != (name in other.names)]
            came = f"{odd[0]!r} in one of them only" if odd else "another order"
            raise BadInput(
                f"Schema: the columns must be the same in all tables, got {came}. Give every table the same columns."
            )
        return Schema(tuple(_joined(a, b) for a, b in zip(self.columns, other.columns, strict=True)))

    def to_json(self) -> str:
        """As text that `from_json` reads."""
        return json.dumps([{"name": c.name, "kind": c.kind.value, "order": c.order} for c in self.columns])

    @classmethod
    def from_json(cls, text: str) -> Schema:
        """From the text of `to_json`."""
        try:
            rows = json.loads(text)
            return cls(tuple(Column(r["name"], Kind(r["kind"]), r["order"] and tuple(r["order"])) for r in rows))
        except (ValueError, TypeError, KeyError) as error:
            raise BadFile(f"Schema: the text must be what to_json wrote, got an error: {error}.") from None

    def __str__(self) -> str:
        """Column names and kinds, as a table."""
        rows = [("column", "kind"), *((str(c.name), c.kind.value) for c in self.columns)]
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:{width}}  {kind}" for name, kind in rows)


def _declared(owner: object, column: Column, given: Any) -> Column:
    if isinstance(given, (list, tuple)):
        return Column(column.name, Kind.ORDINAL, tuple(given))
    return replace(column, kind=Kind.read(owner, column.name, given))


def _joined(a: Column, b: Column) -> Column:
    kind = join(a.kind, b.kind)
    if kind is None:
        raise BadInput(
            f"Schema: column {a.name!r} must hold values of one kind in all tables, got {a.kind.value} in one and "
            f"{b.kind.value} in another. Declare its kind for all of them."
        )
    order = a.order if a.order == b.order or b.order is None else b.order if a.order is None else None
    return Column(a.name, kind, order)


def _some(names: Sequence[Any], limit: int = 6) -> str:
    shown = ", ".join(map(repr, names[:limit]))
    return shown + (", ..." if len(names) > limit else "")
