"""CartesianProduct: several columns of symbols as one, whose values are their joint values."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.construct.joint_values import JointValuePlan
from suffice.features.indicator_readings import IndicatorReadings


class CartesianProduct(IndicatorReadings, OnePassTransformer):
    """Indicators of the joint values of all columns: what no column tells alone, two may tell together.

        z_uv = 1 if x_1 is u and x_2 is v, else 0

    Values are met as they come, so that shards merge and rows are forgotten. A row with a missing cell has a missing
    joint value, which is one of its own.

    Parameters
    ----------
    separator : between the values, in the name of a joint value
    buckets : None, or how many columns joint values are hashed to where they are too many
    sparse_output : whether `transform` gives a sparse matrix
    handle_unknown : "ignore" (zeros), "warn" or "error" for joint values that were never learned
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    categories_ : the joint values
    n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import CartesianProduct
    >>> crossed = CartesianProduct().fit([["circle", "red"], ["square", "blue"], ["circle", "blue"]])
    >>> crossed.categories_[0].tolist()
    ['circle & blue', 'circle & red', 'square & blue']
    >>> crossed.transform([["circle", "red"], ["square", "red"]]).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "separator": [str],
        "buckets": [Interval(Integral, 2, None, closed="left"), None],
        "sparse_output": ["boolean"],
        "handle_unknown": [StrOptions({"ignore", "warn", "error"})],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = AnyTable(allow_nan=True)

    def __init__(
        self,
        *,
        separator: str = " & ",
        buckets: int | None = None,
        sparse_output: bool = False,
        handle_unknown: str = "ignore",
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.separator = separator
        self.buckets = buckets
        self.sparse_output = sparse_output
        self.handle_unknown = handle_unknown
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> JointValuePlan:
        known = None if self.buckets is None else (tuple(range(int(self.buckets))),)
        return JointValuePlan(
            self._owner,
            known,
            unknown=self.handle_unknown,
            sparse=bool(self.sparse_output),
            kind=str(np.dtype(np.float64).str),
            separator=self.separator,
            buckets=None if self.buckets is None else int(self.buckets),
        )

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.transformer_tags.preserves_dtype = []
        return tags
