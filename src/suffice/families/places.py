"""Where the columns of a group lie in the table."""

from __future__ import annotations

from suffice.core.schema import Column, Schema
from suffice.families.product import Group


def table_places(schema: Schema, group: Group) -> tuple[int, ...]:
    """The places of a group's columns in the table."""
    _, places = schema.parts[group.part]
    return places if group.columns is None else tuple(places[at] for at in group.columns)


def table_columns(schema: Schema, group: Group) -> list[Column]:
    """The columns of a group."""
    return [schema.columns[place] for place in table_places(schema, group)]
