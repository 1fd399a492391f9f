"""StandardScaler: columns of mean 0 and variance 1, from moments that add.

z = (x - mean) / scale
"""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from suffice.estimators.boundary.doors import ArrayOrSparseRows
from suffice.estimators.faces.transformer import Transformer
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.scale_readings import ScaleReadings
from suffice.features.scaling import ScalingPlan


class StandardScaler(ScaleReadings, OnePassTransformer):
    """Standardization for scikit-learn users: one pass, exact, mergeable, forgetting.

    Missing cells are left out of the moments and stay missing; a row of weight w counts as w copies. Sums are kept to
    twice the digits of a float, so that columns far from 0 and rows that are taken away again cost none.

    Parameters
    ----------
    copy : taken for the sake of scikit-learn's interface; X is never changed
    with_mean : whether columns are centred
    with_std : whether columns are divided by their standard deviation; constant ones are not
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    mean_, var_, scale_, n_samples_seen_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import StandardScaler
    >>> scaler = StandardScaler().fit([[1e8, 5.0], [1e8 + 2.0, 5.0]])
    >>> scaler.transform([[1e8 + 3.0, 6.0]]).tolist(), scaler.scale_.tolist()
    ([[2.0, 1.0]], [1.0, 1.0])
    >>> scaler.merge(StandardScaler().fit([[1e8 + 4.0, 5.0]])).mean_.tolist()
    [100000002.0, 5.0]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "copy": ["boolean"],
        "with_mean": ["boolean"],
        "with_std": ["boolean"],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = ArrayOrSparseRows()

    def __init__(
        self,
        *,
        copy: bool = True,
        with_mean: bool = True,
        with_std: bool = True,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.copy = copy
        self.with_mean = with_mean
        self.with_std = with_std
        self.threads = threads
        self.ledger = ledger

    transform = Transformer._transform_copy

    def _plan(self) -> ScalingPlan:
        return ScalingPlan(self._owner, bool(self.with_mean), bool(self.with_std))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self.with_mean
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
