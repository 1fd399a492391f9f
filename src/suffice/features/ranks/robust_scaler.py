"""RobustScaler: columns centred at the median and divided by the distance of two quantiles, from rankings that add.

z = (x - median) / (Q3 - Q1)
"""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from suffice.core.errors import bad
from suffice.estimators.boundary.doors import ArrayOrSparseRows
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.ranks.rank_scaling import ByQuantiles, QuantileReadings, RankScalingPlan


class RobustScaler(QuantileReadings, OnePassTransformer):
    """Scaling that a few far cells do not move, for scikit-learn users: one pass, exact, mergeable, forgetting.

    Parameters
    ----------
    with_centering, with_scaling : whether columns are centred at their medians, and divided
    quantile_range : per cents of the two quantiles
    copy : taken for the sake of scikit-learn's interface; X is never changed
    unit_variance : whether normal columns come out with variance 1
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    center_, scale_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import RobustScaler
    >>> RobustScaler().fit([[1.0], [2.0], [3.0], [4.0], [1e9]]).transform([[5.0]]).tolist()
    [[1.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "with_centering": ["boolean"],
        "with_scaling": ["boolean"],
        "quantile_range": [tuple],
        "copy": ["boolean"],
        "unit_variance": ["boolean"],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = ArrayOrSparseRows()

    def __init__(
        self,
        *,
        with_centering: bool = True,
        with_scaling: bool = True,
        quantile_range: tuple[float, float] = (25.0, 75.0),
        copy: bool = True,
        unit_variance: bool = False,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.with_centering = with_centering
        self.with_scaling = with_scaling
        self.quantile_range = quantile_range
        self.copy = copy
        self.unit_variance = unit_variance
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> RankScalingPlan:
        try:
            below, above = (float(q) for q in self.quantile_range)
        except (TypeError, ValueError):
            raise bad(self._owner, "quantile_range", "two per cents", self.quantile_range) from None
        if not 0 <= below <= above <= 100:
            rule = "two per cents from 0 to 100, the smaller first (Invalid quantile range)"
            raise bad(self._owner, "quantile_range", rule, self.quantile_range)
        how = ByQuantiles(bool(self.with_centering), bool(self.with_scaling), below, above, bool(self.unit_variance))
        return RankScalingPlan(self._owner, how)

    def _parameters(self) -> dict[str, Any]:
        return {**super()._parameters(), "quantile_range": list(self.quantile_range)}

    @classmethod
    def _made_of(cls, parameters: Any) -> RobustScaler:
        return cls(**{**parameters, "quantile_range": tuple(parameters["quantile_range"])})

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self.with_centering
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
