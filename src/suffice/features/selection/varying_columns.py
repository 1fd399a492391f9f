"""Columns that vary: the plan, learner and model behind `VarianceThreshold`. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.features.column_plan import NumberCells
from suffice.features.scaling import ScaleLearner
from suffice.features.selection.kept_columns import KeptColumns, get_support
from suffice.summaries.moments import Moments


class VarianceReadings:
    """Variances, and which columns stay."""

    get_support = get_support

    @property
    def variances_(self: Any) -> Array:
        """Variance of each column (d,); NaN where it had no cell."""
        return np.asarray(self._state()[0].model.variances)


@saved
@dataclass(frozen=True)
class VariancePlan(NumberCells):
    """By how much columns must vary."""

    threshold: float = 0.0

    def check_sparse(self) -> None:
        """Sparse rows are taken."""

    def learner(self, schema: Schema) -> VarianceLearner:
        """The learner."""
        return VarianceLearner(schema.names, True, True, plan=self)

    def readings(self) -> tuple[type[Any], ...]:
        """Variances, and which columns stay."""
        return (VarianceReadings,)


@dataclass(frozen=True)
class VarianceLearner(ScaleLearner):
    """Keeps the moments of each column."""

    plan: Any = None

    def estimate(self, summary: Moments, model: Any = None) -> VaryingColumns:  # type: ignore[override]
        """Variances, and which columns stay."""
        return VaryingColumns(self.plan, super().estimate(summary).variance)


@dataclass(frozen=True)
class VaryingColumns(KeptColumns):
    """The columns that vary."""

    plan: VariancePlan
    variances: Array  # (d,)

    @cached_property
    def support(self) -> Array:
        """True for the columns that stay (d,)."""
        mask = np.nan_to_num(self.variances) > self.plan.threshold
        if not mask.any():
            rule = "below some variance (No feature in X meets the variance threshold)"
            most = Said(f"{self.plan.threshold}, and variances of at most {np.nanmax(self.variances, initial=0.0)}")
            raise bad(self.plan.owner, "threshold", rule, most, "Use a smaller one, or columns that vary.")
        return np.asarray(mask)

    @property
    def told_by(self) -> str:
        """The estimator."""
        return self.plan.owner
