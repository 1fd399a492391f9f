"""Filters as maps of rows: which columns stay is read from what was kept of all of them. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.sparse import is_sparse
from suffice.core.summary import Summary, Together
from suffice.core.tally import Tally
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.boundary.targets import ClassTarget, NumberTarget, Target
from suffice.features.selection.column_scores import OF_MOMENTS, ColumnScores, ScoredColumns
from suffice.features.selection.kept_columns import KeptColumns
from suffice.features.selection.number_scores import NUMBER_SCORES, read_numbers, summarize_numbers
from suffice.sources.tables.numbers import open_sparse, open_with_gaps
from suffice.sources.tables.table import Table
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.moments import Moments
from suffice.summaries.rankings import Rankings


@saved
@dataclass(frozen=True)
class FilterPlan(NumberPlan):
    """By which score columns are judged, and how many stay."""

    score: str = "f_classif"
    bins: int | None = None
    way: str = "count"  # one of WAYS
    amount: float | None = None  # columns, or per cent of them; None: all

    face: ClassVar[str] = "transformer"
    allow_nan: ClassVar[bool] = True
    whole: ClassVar[bool] = False
    linear: ClassVar[bool] = False  # which columns stay depends on the rows: a chain takes a pass for it

    def open(self, X: Any) -> Table:
        """An array, a sparse matrix or a table of numbers, of which some may be missing."""
        return open_with_gaps(self.owner, open_sparse(self.owner, X) if is_sparse(X) else X)

    def schema(self, table: Table) -> Schema:
        """All columns are numbers."""
        return self.numbers(table.infer())

    def keeps(self, schema: Schema) -> Any:
        """Full moments, moments by class, or rankings by class."""
        return self.score in NUMBER_SCORES, self.score in OF_MOMENTS

    @property
    def target(self) -> Target:
        """What y is."""
        return NumberTarget() if self.score in NUMBER_SCORES else ClassTarget()

    def learner(self, schema: Schema) -> FilterLearner:
        """The learner."""
        return FilterLearner(self, len(schema.names))

    def readings(self) -> tuple[type[Any], ...]:
        """Scores, p-values, and which columns stay."""
        from suffice.features.selection.filter_readings import FilterReadings

        return (FilterReadings,)


@dataclass(frozen=True)
class FilterLearner:
    """Keeps moments or rankings of each column, by class; or full moments, with the number to predict."""

    plan: FilterPlan
    width: int

    @property
    def by_columns(self) -> bool:
        """Whether columns are sorted, which threads divide better than rows."""
        return self.plan.score not in NUMBER_SCORES and self.plan.score not in OF_MOMENTS

    def summarize(self, block: Block, model: ColumnFilter | None = None) -> ByClass | FullMoments:
        """Of the rows of each class, or of all."""
        if self.plan.score in NUMBER_SCORES:
            return summarize_numbers(self.plan.owner, block)
        if not isinstance(block.y, Coded):  # in a chain y is what the last one takes
            rule = f"labels of classes for the score {self.plan.score!r}"
            raise bad(self.plan.owner, "y", rule, Said("numbers"), "Use the score 'f_regression' or 'correlation'.")
        labels, X = block.y.labels[0], block.parts[0] if block.parts else np.zeros((0, self.width))
        R = Shares.hard(block.y.codes[:, 0], len(labels), block.w)
        kept: Summary = (Moments if self.plan.score in OF_MOMENTS else Rankings).of(X, R)
        if not _finite(kept):
            raise bad(self.plan.owner, "X", "finite where it is not missing", Said("infinity"), "Correct the cell.")
        return ByClass.of(labels, Tally.of(R), Together((kept,)))

    def estimate(self, summary: ByClass | FullMoments, model: ColumnFilter | None = None) -> ColumnFilter:
        """Scores, and which columns stay."""
        if isinstance(summary, FullMoments):
            return ColumnFilter(self.plan, read_numbers(self.plan.score, summary))
        return ColumnFilter(self.plan, ColumnScores(summary).read(self.plan.score, self.plan.bins))


def _finite(kept: Summary) -> bool:
    """Whether no cell was infinite: of large tables nobody has asked before. Moments refuse such cells themselves."""
    ranked = kept.values if isinstance(kept, Rankings) else ()
    return all(np.isfinite(values[[0, -1]]).all() for values in ranked if len(values))


@dataclass(frozen=True)
class ColumnFilter(KeptColumns):
    """The columns that stay, and why."""

    plan: FilterPlan
    scored: ScoredColumns

    @cached_property
    def support(self) -> Array:
        """True for the columns that stay (d,)."""
        return WAYS[self.plan.way](np.nan_to_num(self.scored.scores, nan=-np.inf), self.plan.amount)

    @property
    def told_by(self) -> str:
        """The estimator."""
        return self.plan.owner


def _best(scores: Array, amount: float | None) -> Array:
    """So many; of equals the last, as in scikit-learn."""
    k = len(scores) if amount is None else min(int(amount), len(scores))
    mask = np.zeros(len(scores), dtype=bool)
    mask[np.argsort(scores, kind="stable")[len(scores) - k :]] = True
    return mask


def _share(scores: Array, amount: float | None) -> Array:
    """A percentage; of equals the first."""
    share = 100.0 if amount is None else float(amount)
    if share in (0.0, 100.0):
        return np.full(len(scores), share == 100.0)
    scores = np.where(np.isneginf(scores), np.finfo(np.float64).min, scores)
    cut = np.percentile(scores, 100.0 - share)
    mask = scores > cut
    ties = np.flatnonzero(scores == cut)
    mask[ties[: max(0, int(len(scores) * share / 100.0) - int(mask.sum()))]] = True
    return np.asarray(mask)


WAYS: Mapping[str, Callable[[Array, float | None], Array]] = {"count": _best, "percent": _share}
