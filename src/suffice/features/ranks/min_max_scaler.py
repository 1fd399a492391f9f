"""MinMaxScaler and MaxAbsScaler: columns between given ends, from rankings, which forget.

z = low + (high - low) (x - min) / (max - min),     z = x / max |x|
"""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from suffice.core.errors import bad
from suffice.estimators.boundary.doors import ArrayOrSparseRows, NumberRows
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.ranks.rank_scaling import ByLargest, LargestReadings, RangeReadings, RankScalingPlan, ToRange

DOOR = NumberRows({"dtype": ["float64", "float32"], "ensure_all_finite": "allow-nan"})
THREADS = [Interval(Integral, 1, None, closed="left"), None]


class MinMaxScaler(RangeReadings, OnePassTransformer):
    """Smallest and largest value of each column to the ends of a range, for scikit-learn users.

    One pass, mergeable; what is kept is the ranking of each column, so that extremes can be forgotten too.

    Parameters
    ----------
    feature_range : the ends
    copy : taken for the sake of scikit-learn's interface; X is never changed
    clip : whether cells of new rows beyond the ends are cut to them
    limits : known smallest and largest value of all columns, such as (0, 100) for an age; None: those that rows show
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    min_, scale_, data_min_, data_max_, data_range_, n_samples_seen_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import MinMaxScaler
    >>> scaler = MinMaxScaler(clip=True).fit([[10.0], [20.0]])
    >>> scaler.transform([[12.0], [99.0]]).ravel().tolist()
    [0.2, 1.0]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "feature_range": [tuple],
        "copy": ["boolean"],
        "clip": ["boolean"],
        "limits": "no_validation",
        "ledger": "no_validation",
        "threads": THREADS,
    }
    _door = DOOR

    def __init__(
        self,
        feature_range: Any = (0, 1),
        *,
        copy: bool = True,
        clip: bool = False,
        limits: Any = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.feature_range = feature_range
        self.copy = copy
        self.clip = clip
        self.limits = limits
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> RankScalingPlan:
        low, high = self._pair("feature_range", self.feature_range)
        limits = None if self.limits is None else self._pair("limits", self.limits)
        return RankScalingPlan(self._owner, ToRange(low, high, limits), bool(self.clip))

    def _pair(self, name: str, given: Any) -> tuple[float, float]:
        try:
            low, high = (float(end) for end in given)
        except (TypeError, ValueError):
            raise bad(self._owner, name, "two numbers", given) from None
        if not (np.isfinite(low) and np.isfinite(high) and low < high):
            rule = "two numbers, the smaller first (Minimum of desired feature range must be smaller than maximum)"
            raise bad(self._owner, name, rule, given)
        return low, high

    def _parameters(self) -> dict[str, Any]:
        limits = None if self.limits is None else list(self._pair("limits", self.limits))
        return {**super()._parameters(), "feature_range": list(self.feature_range), "limits": limits}

    @classmethod
    def _made_of(cls, parameters: Any) -> MinMaxScaler:
        return cls(**{**parameters, "feature_range": tuple(parameters["feature_range"])})

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class MaxAbsScaler(LargestReadings, OnePassTransformer):
    """Columns divided by their largest absolute value, for scikit-learn users: one pass, mergeable, forgetting.

    Parameters
    ----------
    copy : taken for the sake of scikit-learn's interface; X is never changed
    clip : whether cells of new rows beyond -1 and 1 are cut to them
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    scale_, max_abs_, n_samples_seen_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import MaxAbsScaler
    >>> MaxAbsScaler().fit_transform([[1.0], [-4.0]]).ravel().tolist()
    [0.25, -1.0]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "copy": ["boolean"],
        "clip": ["boolean"],
        "ledger": "no_validation",
        "threads": THREADS,
    }
    _door = ArrayOrSparseRows()

    def __init__(
        self, *, copy: bool = True, clip: bool = False, threads: int | None = None, ledger: Any = None
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.copy = copy
        self.clip = clip
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> RankScalingPlan:
        return RankScalingPlan(self._owner, ByLargest(), bool(self.clip))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
