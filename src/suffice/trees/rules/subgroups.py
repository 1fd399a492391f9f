"""Subgroups of rows in which a class is more frequent: a model that maps rows to Boolean columns. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.numerics.wilson_interval import wilson_interval
from suffice.trees.conditions import merged
from suffice.trees.rules.conjunction import ConjunctiveRule
from suffice.trees.tree_models import CellCoding


class Subgroup(NamedTuple):
    """A subgroup in words and numbers."""

    description: str
    target: Any  # the class
    coverage: float  # share of the rows
    rows: float  # their weight
    share: float  # of the class, inside
    low: float  # its 95 % interval, by Wilson
    high: float
    among_all: float  # share of the class among all rows
    quality: float


class SubgroupTable(tuple[Subgroup, ...]):
    """One line a subgroup, best first in each class."""

    def __str__(self) -> str:
        """As a table."""
        if not self:
            return "no subgroup was found"
        width = max(len("subgroup"), *(len(line.description) for line in self))
        wide = max(len("class"), *(len(str(line.target)) for line in self))
        head = f"{'subgroup':<{width}}  {'class':<{wide}}  coverage   share  95 % interval   of all   quality"
        lines = [
            f"{s.description:<{width}}  {s.target!s:<{wide}}  {s.coverage:8.3f}  {s.share:6.3f}  "
            f"{s.low:.3f} to {s.high:.3f}  {s.among_all:6.3f}  {s.quality:8.4g}"
            for s in self
        ]
        return "\n".join([head, *lines])


class SubgroupReadings:
    """The subgroups in words and numbers."""

    def table(self: Any) -> SubgroupTable:
        """Description, coverage, share of the class with its interval, and quality of each subgroup."""
        model: SubgroupModel = self._state()[0].model
        return model.table(model.coding.names)


@saved
@dataclass(frozen=True)
class SubgroupModel:
    """Conjunctions, each for a class."""

    rules: tuple[ConjunctiveRule, ...]
    qualities: Array  # one a rule
    classes: tuple[Any, ...]
    total: Array  # (K,) class weights of all rows
    coding: CellCoding

    def map(self, block: Block) -> Block:
        """1 where a row belongs to a subgroup, else 0 (n, m)."""
        X = self.coding.rows(block.parts)
        held = [rule.covers(X) for rule in self.rules]
        out = np.column_stack(held) if held else np.zeros((len(X), 0))
        return block._replace(parts=(out.astype(np.float64),))

    def described(self, names: tuple[Any, ...]) -> list[str]:
        """Conditions in words."""
        words = self.coding.vocabularies
        return [" and ".join(c.text(names, words) for c in merged(rule.conditions)) for rule in self.rules]

    def table(self, names: tuple[Any, ...]) -> SubgroupTable:
        """In words and numbers."""
        found = []
        for text, rule, quality in zip(self.described(names), self.rules, self.qualities.tolist(), strict=True):
            n, all_ = float(rule.weights.sum()), float(self.total.sum())
            share = float(rule.weights[rule.head]) / n
            among, target = float(self.total[rule.head]) / all_, self.classes[rule.head]
            found.append(Subgroup(text, target, n / all_, n, share, *wilson_interval(n * share, n), among, quality))
        return SubgroupTable(found)

    def map_schema(self, schema: Schema) -> Schema:
        """One Boolean column a subgroup."""
        return Schema(tuple(Column(name, Kind.QUANTITATIVE) for name in self.names_out(schema.names)))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """Conditions in words."""
        return tuple(self.described(names))
