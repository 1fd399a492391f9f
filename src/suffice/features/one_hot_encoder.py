"""OneHotEncoder: one column a category, from counts over open vocabularies.

z_jv = 1 if x_j is the category v, else 0
"""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions

from suffice.core.errors import bad
from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.categories import given_categories, infrequent
from suffice.features.indicator_readings import IndicatorReadings
from suffice.features.indicators import UNKNOWN, IndicatorPlan


class OneHotEncoder(IndicatorReadings, OnePassTransformer):
    """Indicators of categories for scikit-learn users: one pass, mergeable, forgetting.

    What is kept is how many rows have each category, so that a category whose last row is forgotten is gone. A missing
    cell is a category of its own, the last. Rows of weight 0 bring no category.

    Parameters
    ----------
    categories : 'auto' (those that rows show), or one list a column, in order
    drop : None, 'first' (the first category of each column has no indicator), 'if_binary' (of two), or one category a
        column
    sparse_output : whether `transform` gives a sparse matrix
    dtype : type of the indicators
    handle_unknown : 'error', 'ignore' (zeros), 'infrequent_if_exist' (as infrequent ones, zeros where none are), 'warn'
        (the same, and a warning)
    min_frequency : categories of less weight share one indicator; a float is a share of the rows
    max_categories : so many indicators a column at most; the least frequent categories share one
    feature_name_combiner : 'concat' (column_category), or a function of column and category
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    categories_, infrequent_categories_, drop_idx_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import OneHotEncoder
    >>> encoder = OneHotEncoder(sparse_output=False).fit([["north"], ["east"]])
    >>> encoder.merge(OneHotEncoder(sparse_output=False).fit([["west"]])).transform([["north"], ["west"]]).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "categories": [StrOptions({"auto"}), list],
        "drop": [StrOptions({"first", "if_binary"}), "array-like", None],
        "sparse_output": ["boolean"],
        "dtype": "no_validation",
        "handle_unknown": [StrOptions(set(UNKNOWN))],
        "min_frequency": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="neither"),
            None,
        ],
        "max_categories": [Interval(Integral, 1, None, closed="left"), None],
        "feature_name_combiner": [StrOptions({"concat"}), callable],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = AnyTable(allow_nan=True)

    def __init__(
        self,
        *,
        categories: Any = "auto",
        drop: Any = None,
        sparse_output: bool = True,
        dtype: Any = np.float64,
        handle_unknown: str = "error",
        min_frequency: float | None = None,
        max_categories: int | None = None,
        feature_name_combiner: Any = "concat",
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.categories = categories
        self.drop = drop
        self.sparse_output = sparse_output
        self.dtype = dtype
        self.handle_unknown = handle_unknown
        self.min_frequency = min_frequency
        self.max_categories = max_categories
        self.feature_name_combiner = feature_name_combiner
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> IndicatorPlan:
        rare = infrequent(self.min_frequency, self.max_categories)
        combine = None if isinstance(self.feature_name_combiner, str) else self.feature_name_combiner
        given = given_categories(self._owner, self.categories)
        sparse = bool(self.sparse_output)
        return IndicatorPlan(self._owner, given, self._drop(), self.handle_unknown, sparse, self._type(), rare, combine)

    def _drop(self) -> Any:
        if self.drop is None or isinstance(self.drop, str):
            return self.drop
        return tuple(np.asarray(self.drop, dtype=object).ravel().tolist())

    def _type(self) -> str:
        try:
            return str(np.dtype(self.dtype).str)
        except TypeError:
            raise bad(self._owner, "dtype", "a type of NumPy's", self.dtype, "Use numpy.float64.") from None

    def _parameters(self) -> dict[str, Any]:
        given, drop = given_categories(self._owner, self.categories), self._drop()
        categories = "auto" if given is None else [list(some) for some in given]
        drop = list(drop) if isinstance(drop, tuple) else drop
        return {**super()._parameters(), "dtype": self._type(), "categories": categories, "drop": drop}

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.transformer_tags.preserves_dtype = []
        return tags
