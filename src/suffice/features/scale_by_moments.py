"""VarianceScaler and SixSigmaScaler: scaling by moments other than the standard deviation alone.

z = (x - mean) / variance,     z = (x - mean) / (6 sd) + 1/2
"""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.scale_readings import ScaleReadings
from suffice.features.scaling import ScalingPlan

DOOR = NumberRows({"dtype": ["float64", "float32"], "ensure_all_finite": "allow-nan"})
CONSTRAINTS: dict[str, Any] = {"ledger": "no_validation", "threads": [Interval(Integral, 1, None, closed="left"), None]}


class VarianceScaler(ScaleReadings, OnePassTransformer):
    """Centred columns divided by their variance: one pass, mergeable, forgetting.

    Parameters
    ----------
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Examples
    --------
    >>> from suffice import VarianceScaler
    >>> VarianceScaler().fit_transform([[1.0], [5.0]]).ravel().tolist()
    [-0.5, 0.5]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = CONSTRAINTS
    _door = DOOR

    def __init__(self, *, threads: int | None = None, ledger: Any = None) -> None:
        """Keep the parameters."""
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> ScalingPlan:
        return ScalingPlan(self._owner, unit="variance")


class SixSigmaScaler(ScaleReadings, OnePassTransformer):
    """Columns mapped so that three standard deviations to either side of the mean are 0 and 1.

    More than 99 per cent of a normal column lie between 0 and 1, so that almost nothing needs clipping.

    Parameters
    ----------
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Examples
    --------
    >>> from suffice import SixSigmaScaler
    >>> SixSigmaScaler().fit([[1.0], [5.0]]).transform([[3.0], [9.0]]).ravel().tolist()
    [0.5, 1.0]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = CONSTRAINTS
    _door = DOOR

    def __init__(self, *, threads: int | None = None, ledger: Any = None) -> None:
        """Keep the parameters."""
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> ScalingPlan:
        return ScalingPlan(self._owner, unit="six_sigma")
