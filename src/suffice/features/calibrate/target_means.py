"""Categories as means of the target, shrunken to the mean of all rows: the plan, learners and model. No scikit-learn.

z = lambda_v mean(y | v) + (1 - lambda_v) mean(y)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import ByClass, canonical
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.features.categories import MISSING, category_array
from suffice.features.column_plan import ColumnLearner, SymbolCells
from suffice.summaries.counts import Counts
from suffice.summaries.moments import Moments


@saved
@dataclass(frozen=True)
class TargetPlan(SymbolCells):
    """How strongly means are shrunken, and whether the target is a number."""

    smooth: float | None = None  # rows that the overall mean counts for; None: from the variances
    continuous: bool = False
    categories: tuple[tuple[Any, ...], ...] | None = None

    @property
    def supervised(self) -> bool:  # type: ignore[override]
        """Rows are kept by class, where there are classes."""
        return not self.continuous

    @property
    def face(self) -> str:  # type: ignore[override]
        """Whether rows come with labels or with numbers."""
        return "number_supervised_transformer" if self.continuous else "supervised_transformer"

    def keeps(self, schema: Schema) -> Any:
        """Counts by class, or moments of the target by category."""
        return self.continuous

    def learner(self, schema: Schema) -> Any:
        """By the kind of the target."""
        return (TargetMeansLearner if self.continuous else ColumnLearner)(self, schema)

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> TargetMeans:
        """From counts by class; missing cells are a category."""
        tally, counts = kept.parts
        assert isinstance(tally, Tally)
        assert isinstance(counts, Counts)
        whole = tally.weight.value
        gone = tally.rows - np.array([counts.rows[:, s].sum(axis=1) for s in counts.slices]).reshape(-1, len(whole))
        means = whole / whole.sum() if len(labels) > 1 else np.zeros(len(labels))
        positive = range(len(labels)) if len(labels) > 2 else range(len(labels) - 1, len(labels))
        tables = []
        for j in range(len(counts.labels)):
            names, weight = [*counts.labels[j]], counts.column(j)
            if gone[j].sum() > 0:
                names, weight = (
                    [*names, MISSING],
                    np.column_stack([weight, np.maximum(whole - weight.sum(axis=1), 0.0)]),
                )
            self._check(j, names)
            for k in positive:
                n = weight.sum(axis=0)
                share = (weight[k] if len(labels) > 1 else 0.0) / np.where(n > 0, n, 1.0)  # one class is no target
                sizes = n, share, share * (1.0 - share)
                level = self.shrunken(sizes, float(means[k]), float(means[k] * (1.0 - means[k])))
                tables.append(dict(zip(names, level.tolist(), strict=True)))
        return TargetMeans(self, schema.names, labels, tuple(tables), means[list(positive)])

    def shrunken(self, sizes: tuple[Array, Array, Array], mean: float, variance: float) -> Array:
        """Means of categories with these weights, means and variances, drawn to the mean of all."""
        n, own, spread = sizes
        if self.smooth is not None:
            return np.asarray((n * own + self.smooth * mean) / np.maximum(n + self.smooth, 1e-300))
        with np.errstate(divide="ignore", invalid="ignore"):
            trust = variance * n / (variance * n + spread)
        return np.where(np.isnan(trust), mean, trust * own + (1.0 - trust) * mean)

    def _check(self, j: int, names: Sequence[Any]) -> None:
        if self.categories is None:
            return
        if j >= len(self.categories):
            raise bad(self.owner, "categories", "one list a column (Shape mismatch: if categories is an array)", j)

    def readings(self) -> tuple[type[Any], ...]:
        """Encodings."""
        return (TargetReadings,)


@dataclass(frozen=True)
class TargetMeansLearner:
    """Keeps the moments of a numeric target, of all rows and by the category of each column."""

    plan: TargetPlan
    schema: Schema

    def summarize(self, block: Block, model: Any = None) -> Together:
        """Of some rows."""
        part, y = block.parts[0], block.y
        if not isinstance(y, np.ndarray):
            raise bad(self.plan.owner, "the target", "numbers", Said("labels"), "Use target_type='binary'.")
        if y.shape[1] != 1:
            raise bad(self.plan.owner, "y", "one number a row", Said(f"shape {y.shape}"))
        everyone = Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w)
        kept: list[Any] = [Tally.of(everyone), Moments.of(y, everyone)]
        for j, labels in enumerate(part.labels):
            codes = part.codes[:, j]
            R = Shares.hard(np.where(codes < 0, len(labels), codes).astype(np.int32), len(labels) + 1, block.w)
            kept.append(ByClass.of((*labels, MISSING), Tally.of(R), Moments.of(y, R)))
        return Together(tuple(kept))

    def estimate(self, summary: Together, model: Any = None) -> TargetMeans:
        """Shrunken means."""
        _, overall, *columns = summary.parts
        assert isinstance(overall, Moments)
        mean, variance = float(overall.mean.value[0, 0]), float(overall.variance[0, 0])
        tables = []
        for column in columns:
            assert isinstance(column, ByClass)
            moments: Any = column.summary
            sizes = moments.weight.value[:, 0], moments.mean.value[:, 0], moments.variance[:, 0]
            level = self.plan.shrunken(sizes, mean, variance)
            tables.append(dict(zip(column.labels, level.tolist(), strict=True)))
        return TargetMeans(self.plan, self.schema.names, (), tuple(tables), np.array([mean]))


class TargetReadings:
    """Encodings, categories, means."""

    @property
    def categories_(self: Any) -> list[Array]:
        """The categories of each column, in order; a missing cell is the last."""
        model = self._state()[0].model
        return [category_array(model.shown(j)) for j in range(len(model.names))]

    @property
    def encodings_(self: Any) -> list[Array]:
        """The code of each category, column by column; for more than two classes, class by class in each column."""
        model = self._state()[0].model
        tables = enumerate(model.tables)
        return [np.array([t.get(v, model.mean_of(i)) for v in model.shown(i // model.width)]) for i, t in tables]

    @property
    def target_mean_(self: Any) -> Any:
        """Mean of the target; of more than two classes, the share of each."""
        mean = self._state()[0].model.mean
        return mean if len(mean) > 1 else float(mean[0])

    @property
    def classes_(self: Any) -> Array | None:
        """The labels; None where the target is a number."""
        model = self._state()[0].model
        return None if model.plan.continuous else np.array(model.labels)


@dataclass(frozen=True)
class TargetMeans:
    """The code of each category."""

    plan: TargetPlan
    names: tuple[Any, ...]
    labels: tuple[Any, ...]
    tables: tuple[dict[Any, float], ...]  # by column, then by class
    mean: Array

    @property
    def width(self) -> int:
        """Codes of a column."""
        return len(self.mean)

    def mean_of(self, i: int) -> float:
        """What a category without rows becomes."""
        return float(self.mean[i % self.width])

    def shown(self, j: int) -> tuple[Any, ...]:
        """The categories of a column, in order."""
        if self.plan.categories is not None:
            return self.plan.categories[j]
        known = self.tables[j * self.width]
        return (*canonical(v for v in known if v is not MISSING), *([MISSING] if MISSING in known else []))

    def map(self, block: Block) -> Block:
        """Codes (n, d K)."""
        part = block.parts[0]
        assert isinstance(part, Coded)
        out = np.empty((block.n, len(self.tables)))
        for i, table in enumerate(self.tables):
            j, other = i // self.width, self.mean_of(i)
            known = np.array([*(table.get(v, other) for v in part.labels[j]), table.get(MISSING, other)])
            out[:, i] = known[part.codes[:, j]]
        return block._replace(parts=(out,))

    def map_schema(self, schema: Schema) -> Schema:
        """Numbers."""
        return Schema(tuple(Column(name, Kind.QUANTITATIVE) for name in self.names_out(schema.names)))

    def names_out(self, names: Sequence[Any]) -> tuple[Any, ...]:
        """The names of the columns, with that of the class where there are more than two."""
        if self.width == 1:
            return tuple(names)
        return tuple(f"{name}_{label}" for name in names for label in self.labels)
