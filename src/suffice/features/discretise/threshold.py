"""Threshold: columns of numbers as truth values.

z = 1 if x >= t, else 0
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from suffice.core.errors import bad
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.boundary.targets import LabelColumn, NoTarget
from suffice.estimators.glue.one_pass_transformer import OnePassSupervisedTransformer
from suffice.features.discretise.class_shares import SCORES
from suffice.features.discretise.threshold_plan import CENTRES, ThresholdPlan, ThresholdReadings

LABELS, NOTHING = LabelColumn(), NoTarget()


class Threshold(ThresholdReadings, OnePassSupervisedTransformer):
    """One threshold a column: given, at its mean or median, or where it separates classes best.

    Parameters
    ----------
    at : a number; "mean", "median", "midrange"; or a score of the split in two, which needs labels:
        "information_gain", "gini", "root_gini", "chi_square"
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    threshold_ : of each column
    score_ : of each split, where labels decide

    Examples
    --------
    >>> from suffice import Threshold
    >>> Threshold("information_gain").fit([[1.0], [2.0], [5.0], [6.0]], [0, 0, 1, 1]).threshold_.tolist()
    [3.5]
    >>> Threshold("median").fit_transform([[1.0], [2.0], [9.0]]).ravel().tolist()
    [0.0, 1.0, 1.0]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "at": "no_validation",
        "ledger": "no_validation",
        "threads": "no_validation",
    }
    _door = NumberRows({"dtype": ["float64", "float32"], "ensure_all_finite": "allow-nan"})

    def __init__(self, at: str | float = "median", *, threads: int | None = None, ledger: Any = None) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.at = at
        self.threads = threads
        self.ledger = ledger

    @property
    def _target(self) -> Any:  # type: ignore[override]
        return LABELS if isinstance(self.at, str) and self.at in SCORES else NOTHING

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._target is LABELS
        return tags

    def _plan(self) -> ThresholdPlan:
        number = isinstance(self.at, (int, float, np.number)) and not isinstance(self.at, bool)
        if not (number and np.isfinite(self.at)) and self.at not in (*CENTRES, *SCORES):
            raise bad(self._owner, "at", f"a finite number or one of {(*CENTRES, *SCORES)}", self.at)
        return ThresholdPlan(self._owner, float(self.at) if number else str(self.at))
