"""Rows of a source as a model maps them: each pass maps its blocks anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from suffice.core.block import Block
from suffice.core.learner import Lift, Summarize
from suffice.core.schema import Schema
from suffice.core.summary import Summary
from suffice.sources.engines.wrapped_sources import WrappedSource


@dataclass(frozen=True)
class MappedSource(WrappedSource):
    """The blocks of a source that is read with a known schema, changed; their columns are others."""

    change: Callable[[Block], Block]
    columns: Schema  # of the mapped rows

    @property
    def schema(self) -> Schema:
        """That of the mapped rows."""
        return self.columns

    @property
    def settled(self) -> bool:
        """What the steps have learned says what the columns are."""
        return True

    def read_as(self, schema: Schema) -> MappedSource:
        """The columns are those that the steps give."""
        return self

    def reduce(self, open: Callable[[Schema], Summarize], lift: Lift) -> tuple[Schema, Summary]:
        """Blocks of mapped rows."""
        summarize, change = open(self.columns), self.change
        _, summary = self.source.reduce(lambda schema: lambda block: summarize(change(block)), lift)
        return self.columns, summary

    def _change(self) -> Callable[[Block], Block]:
        return self.change
