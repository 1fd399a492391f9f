"""The plan in which features say nothing about the class: rows are kept as for any density, and read as one class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.by_class import ByClass
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.tally import Tally
from suffice.sources.tables.table import Table


@dataclass(frozen=True)
class FeaturelessModel:
    """Class shares, and one density of the features for all classes."""

    classes: tuple[Any, ...]
    log_prior: Array  # (K,)
    density: Any  # of one class

    def log_posterior(self, block: Block) -> Array:
        """The class shares, for every row (n, K)."""
        return np.tile(self.log_prior, (block.n, 1))

    def likeliest(self, block: Block) -> Array:
        """The class of the largest share (n,)."""
        return np.full(block.n, self.log_prior.argmax())

    def log_density(self, block: Block) -> Array:
        """log p(x) (n,)."""
        return np.asarray(self.density.log_density(block))


@dataclass(frozen=True)
class FeaturelessLearner:
    """Keeps what the learner of a density keeps of each class, and reads all classes together."""

    density: Any  # a learner of classes

    def summarize(self, block: Block, model: None = None) -> ByClass:
        """As the density does."""
        kept: ByClass = self.density.summarize(block)
        return kept

    def estimate(self, summary: ByClass, model: None = None) -> FeaturelessModel:
        """Class shares, and the density of all rows."""
        weight = summary.tally.weight.value
        with np.errstate(divide="ignore"):
            return FeaturelessModel(
                summary.labels, np.log(weight / weight.sum()), self.density.estimate(one_class(summary))
            )


def one_class(summary: ByClass) -> ByClass:
    """The same rows, as if all were of one class."""
    K = len(summary.labels)
    places = [np.where(np.arange(K) == k, 0, -1) for k in range(max(K, 1))]  # no classes are one without rows
    rows = Tally.sum([summary.tally.spread(place, 1) for place in places])
    kept = type(summary.summary).sum([summary.summary.spread(place, 1) for place in places])
    return ByClass((0,), rows, kept)


@saved
@dataclass(frozen=True)
class FeaturelessPlan:
    """The plan of a density, for all classes together."""

    face: ClassVar[str] = "probabilistic"

    density: Any  # a plan

    @property
    def kinds(self) -> Any:
        """Declared kinds, where the density has some."""
        return getattr(self.density, "kinds", None)

    @property
    def analyzer(self) -> Any:
        """How texts become words, where the density reads some."""
        return getattr(self.density, "analyzer", None)

    def open(self, X: Any) -> Table:
        """As the density does."""
        table: Table = self.density.open(X)
        return table

    def schema(self, table: Table) -> Schema:
        """As the density does."""
        schema: Schema = self.density.schema(table)
        return schema

    def declare(self, schema: Schema) -> Schema:
        """As the density does."""
        declared: Schema = self.density.declare(schema)
        return declared

    def keeps(self, schema: Schema) -> Any:
        """As the density does."""
        return self.density.keeps(schema)

    def learner(self, schema: Schema) -> FeaturelessLearner:
        """The density's, whose classes are read together."""
        return FeaturelessLearner(self.density.learner(schema))

    def lift(self, summary: ByClass, old: Schema, new: Schema) -> ByClass:
        """As the density does."""
        lifted: ByClass = self.density.lift(summary, old, new)
        return lifted

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """As the density does."""
        read: tuple[Table, Schema] = self.density.chunk(table, schema)
        return read

    def readings(self) -> tuple[type[Any], ...]:
        """Densities of rows."""
        from suffice.estimators.faces.density import Density

        return (Density,)
