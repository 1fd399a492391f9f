"""VarianceThreshold: columns that vary by more than a threshold stay, from moments that add."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.boundary.doors import ArrayOrSparseRows
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
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


class VarianceThreshold(VarianceReadings, OnePassTransformer):
    """Leaves out columns that hardly vary, for scikit-learn users: one pass, exact, mergeable, forgetting.

    Missing cells are left out of the variances. Sums are kept to twice the digits of a float, so that a column of equal
    cells has a variance of exactly 0, and is left out whatever the cells are.

    Parameters
    ----------
    threshold : columns whose variance is at most this are left out
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    variances_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import VarianceThreshold
    >>> chosen = VarianceThreshold().fit([[0.1, 1.0], [0.1, 2.0]])
    >>> chosen.variances_.tolist(), chosen.transform([[5.0, 6.0]]).tolist()
    ([0.0, 0.25], [[6.0]])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "threshold": [Interval(Real, 0, None, closed="left")],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = ArrayOrSparseRows()

    def __init__(self, threshold: float = 0.0, *, threads: int | None = None, ledger: Any = None) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.threshold = threshold
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> VariancePlan:
        return VariancePlan(self._owner, float(self.threshold))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


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
