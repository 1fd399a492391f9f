"""OrdinalEncoder: categories as whole numbers, from counts over open vocabularies.

z = place of the category among those of its column
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions

from suffice.core.errors import BadType, bad, refusal
from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.categories import given_categories, infrequent
from suffice.features.encode.symbol_codes import CodePlan, CodeReadings, InOrder


class OrdinalEncoder(CodeReadings, OnePassTransformer):
    """Categories as whole numbers for scikit-learn users: one pass, mergeable, forgetting.

    Parameters
    ----------
    categories : 'auto' (those that rows show, sorted), or one list a column, in order
    dtype : type of the codes
    handle_unknown : 'error' or 'use_encoded_value'
    unknown_value : the code of categories that were never learned
    encoded_missing_value : the code of missing cells
    min_frequency : categories of less weight share one code, the last; a float is a share of the rows
    max_categories : so many codes a column at most; the least frequent categories share the last
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    categories_, infrequent_categories_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import OrdinalEncoder
    >>> OrdinalEncoder(categories=[["mild", "severe"]]).fit_transform([["severe"], ["mild"]]).ravel().tolist()
    [1.0, 0.0]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "categories": [StrOptions({"auto"}), list],
        "dtype": "no_validation",
        "handle_unknown": [StrOptions({"error", "use_encoded_value"})],
        "unknown_value": [Integral, type(np.nan), None],
        "encoded_missing_value": [Integral, type(np.nan), Real],
        "min_frequency": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="neither"),
            None,
        ],
        "max_categories": [Interval(Integral, 1, None, closed="left"), None],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _door = AnyTable(allow_nan=True)

    def __init__(
        self,
        *,
        categories: Any = "auto",
        dtype: Any = np.float64,
        handle_unknown: str = "error",
        unknown_value: Any = None,
        encoded_missing_value: Any = np.nan,
        min_frequency: float | None = None,
        max_categories: int | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.categories = categories
        self.dtype = dtype
        self.handle_unknown = handle_unknown
        self.unknown_value = unknown_value
        self.encoded_missing_value = encoded_missing_value
        self.min_frequency = min_frequency
        self.max_categories = max_categories
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> CodePlan:
        coded = self.handle_unknown == "use_encoded_value"
        value = self.unknown_value
        if coded and not isinstance(value, Integral) and not (isinstance(value, float) and np.isnan(value)):
            rule = "a whole number or numpy.nan when handle_unknown is 'use_encoded_value'"
            raise refusal(BadType, self._owner, "unknown_value", rule, value)
        if not coded and value is not None:
            rule = "None unless handle_unknown is 'use_encoded_value'"
            raise refusal(BadType, self._owner, "unknown_value", rule, value, "Leave it out.")
        kind = np.dtype(self.dtype)
        if coded and isinstance(value, float) and kind.kind != "f":
            rule = "a float dtype where unknown_value is np.nan (dtype parameter should be a float dtype)"
            raise bad(self._owner, "dtype", rule, kind)
        unknown = float(value) if coded else None
        order, rare = InOrder(self._given()), infrequent(self.min_frequency, self.max_categories)
        return CodePlan(self._owner, order, unknown, float(self.encoded_missing_value), kind.str, rare)

    def _given(self) -> tuple[tuple[Any, ...], ...] | None:
        return given_categories(self._owner, self.categories)

    def _parameters(self) -> dict[str, Any]:
        given = self._given()
        categories = "auto" if given is None else [list(some) for some in given]
        return {**super()._parameters(), "dtype": np.dtype(self.dtype).str, "categories": categories}

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.transformer_tags.preserves_dtype = []
        return tags
