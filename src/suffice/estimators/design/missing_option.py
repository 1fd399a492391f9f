"""The parameter `missing`, and the door of models that read any table with missing cells by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.utils._param_validation import StrOptions

from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.design.gap_choice import ARRAY
from suffice.estimators.state.origin import library

MISSING_RULE = [StrOptions({"indicator", "error"}), None]  # for `_parameter_constraints`


@dataclass(frozen=True)
class RowsWithGaps(AnyTable):
    """Any table; the estimator remembers whether it came as an array, in which NaN is no cell of any table."""

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as it is; `first` sets what later tables must be like."""
        if learning:
            vars(estimator)[ARRAY] = library(X) in (None, "scipy")
        return super().check(estimator, X, first=first, learning=learning)


_DOORS = RowsWithGaps(allow_nan=False), RowsWithGaps(allow_nan=True)


def gap_door(estimator: Any) -> RowsWithGaps:
    """How X is read by an estimator with a parameter `missing`."""
    return _DOORS[estimator.missing == "indicator"]
