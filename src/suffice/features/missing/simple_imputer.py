"""SimpleImputer: missing cells by the mean, median or most frequent value of their column, or by a given value."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.errors import bad
from suffice.estimators.boundary.doors import AnyTable, ArrayOrSparseRows
from suffice.estimators.faces.transformer import Transformer
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.missing.column_fill import (
    ByFunction,
    ByGiven,
    ByMean,
    ByMedian,
    ByMostFrequent,
    ColumnFillPlan,
)
from suffice.features.missing.fill_readings import ColumnFillReadings

ANY = AnyTable(allow_nan=True)
NUMBERS = ArrayOrSparseRows()
STRATEGIES = {"mean": ByMean, "median": ByMedian, "most_frequent": ByMostFrequent}


class SimpleImputer(ColumnFillReadings, OnePassTransformer):
    """One value a column for scikit-learn users: one pass, exact, mergeable, forgetting, over any table.

    Cells that are not there (NaN, None, the gaps of a file) are missing whatever `missing_values` says.

    Parameters
    ----------
    missing_values : a value that means missing too; NaN or None: none
    strategy : "mean", "median", or a function of the cells of a column (of numbers); "most_frequent" or "constant" (of
        numbers and symbols)
    fill_value : of "constant"; None: 0 for numbers and "missing_value" for symbols
    copy : taken for the sake of scikit-learn's interface; X is never changed
    add_indicator : whether a column of 0 and 1 is added for each that lacked cells
    keep_empty_features : whether columns without any cell stay, filled with 0 or the given value
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    statistics_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import SimpleImputer
    >>> nan = float("nan")
    >>> imputer = SimpleImputer().fit([[1.0, 4.0], [nan, 6.0], [3.0, nan]])
    >>> imputer.partial_fit([[5.0, 8.0]]).transform([[nan, nan]]).tolist()
    [[3.0, 6.0]]
    >>> SimpleImputer(strategy="most_frequent").fit_transform([["a", 1], ["a", 2], [None, 2]]).tolist()
    [['a', 1.0], ['a', 2.0], ['a', 2.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "missing_values": "no_validation",
        "strategy": [StrOptions({*STRATEGIES, "constant"}), callable],
        "fill_value": "no_validation",
        "copy": ["boolean"],
        "add_indicator": ["boolean"],
        "keep_empty_features": ["boolean"],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }

    @property
    def _door(self) -> Any:
        return ANY if self._symbols() else NUMBERS

    def _symbols(self) -> bool:
        return isinstance(self.strategy, str) and self.strategy in ("most_frequent", "constant")

    def __init__(
        self,
        *,
        missing_values: Any = np.nan,
        strategy: Any = "mean",
        fill_value: Any = None,
        copy: bool = True,
        add_indicator: bool = False,
        keep_empty_features: bool = False,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.missing_values = missing_values
        self.strategy = strategy
        self.fill_value = fill_value
        self.copy = copy
        self.add_indicator = add_indicator
        self.keep_empty_features = keep_empty_features
        self.threads = threads
        self.ledger = ledger

    def transform(self, X: Any) -> Any:
        """Rows with nothing missing (n, d'), then indicators where they were asked for.

        Parameters
        ----------
        X : table
        """
        filled = Transformer.transform(self, X)
        model = self._state()[0].model
        dropped = [str(name) for name, gone in zip(model.schema.names, model.empty, strict=True) if gone]
        if dropped and not self.keep_empty_features:
            told = f"Skipping features without any observed values: {dropped}. keep_empty_features=True keeps them."
            warnings.warn(f"{self._owner}: {told}", UserWarning, stacklevel=2)
        return filled

    def _plan(self) -> ColumnFillPlan:
        means = self._means_missing()
        how: Any = ByFunction(self.strategy) if callable(self.strategy) else None
        if how is None:
            how = ByGiven(self._fill()) if self.strategy == "constant" else STRATEGIES[self.strategy]()
        return ColumnFillPlan(self._owner, None, how, means, bool(self.add_indicator), bool(self.keep_empty_features))

    def _means_missing(self) -> Any:
        given = self.missing_values
        if given is None or type(given).__name__ == "NAType" or (isinstance(given, float) and given != given):
            return None
        if isinstance(given, (bool, int, float, str)):
            return given
        if isinstance(given, np.generic):
            return given.item()
        raise bad(self._owner, "missing_values", "a number, a text, NaN or None", given)

    def _fill(self) -> Any:
        given = self.fill_value.item() if isinstance(self.fill_value, np.generic) else self.fill_value
        if given is None or isinstance(given, (bool, int, float, str)):
            return given
        raise bad(self._owner, "fill_value", "a number or a text", given)

    def _parameters(self) -> dict[str, Any]:
        return {**super()._parameters(), "missing_values": self._means_missing(), "fill_value": self._fill()}

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.string = self._symbols()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
