"""VarianceThreshold: columns that vary by more than a threshold stay, from moments that add."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from suffice.estimators.boundary.doors import ArrayOrSparseRows
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.selection.varying_columns import VariancePlan, VarianceReadings


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
