"""MissingAsValue: that a cell is missing is a value like others."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from suffice.core.errors import bad
from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.discretise.strategies import STRATEGIES, read_strategy
from suffice.features.missing.column_fill import ColumnFillPlan
from suffice.features.missing.fill_readings import ColumnFillReadings
from suffice.features.missing.own_value import OwnBin, OwnValue

NUMBERS = ("value", "bin")


class MissingAsValue(ColumnFillReadings, OnePassTransformer):
    """Missing cells as a value or a bin of their own, for tables of any kind: one pass, mergeable, forgetting.

    Where it tells something that a cell is missing (a test was not thought necessary), filling it in by what is usual
    throws that away. Trees can split off the own value of a number, naive Bayes counts its own bin.

    Parameters
    ----------
    numbers : "value" (numbers stay, missing ones get a number of their own) or "bin" (numbers become numbers of bins,
        missing ones the last)
    value : the own value of numbers; None: one range below the smallest cell of the column
    symbol : the own value of symbols
    strategy : of the bins, as in `Discretizer`; one that looks at values alone
    n_bins : number of bins
    kinds : mapping column -> kind, overriding what the column shows
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    statistics_ : the own value of each column, or the limits of its bins
    n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import MissingAsValue
    >>> nan = float("nan")
    >>> MissingAsValue().fit_transform([[1.0, "a"], [3.0, None], [nan, "b"]]).tolist()
    [[1.0, 'a'], [3.0, 'missing'], [-1.0, 'b']]
    >>> MissingAsValue("bin", n_bins=2).fit_transform([[1.0], [2.0], [8.0], [9.0], [nan]]).ravel().tolist()
    [0.0, 0.0, 1.0, 1.0, 2.0]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = dict.fromkeys(
        ("numbers", "value", "symbol", "strategy", "n_bins", "kinds", "threads", "ledger"), "no_validation"
    )
    _door = AnyTable(allow_nan=True)

    def __init__(
        self,
        numbers: str = "value",
        *,
        value: float | None = None,
        symbol: str = "missing",
        strategy: str = "equal_frequency",
        n_bins: int = 5,
        kinds: Any = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.numbers = numbers
        self.value = value
        self.symbol = symbol
        self.strategy = strategy
        self.n_bins = n_bins
        self.kinds = kinds
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> ColumnFillPlan:
        if not isinstance(self.numbers, str) or self.numbers not in NUMBERS:
            raise bad(self._owner, "numbers", f"one of {NUMBERS}", self.numbers)
        if not isinstance(self.symbol, str):
            raise bad(self._owner, "symbol", "a text", self.symbol)
        number = self._number()
        how = OwnValue(number, self.symbol)
        if self.numbers == "bin":
            how = OwnBin(None, self.symbol, self._cuts())
        return ColumnFillPlan(self._owner, self.kinds, how, keep_empty=True)

    def _number(self) -> float | None:
        given = self.value
        if given is None:
            return None
        if isinstance(given, bool) or not isinstance(given, (int, float, np.number)) or not np.isfinite(given):
            raise bad(self._owner, "value", "a finite number, or None", given)
        return float(given)

    def _cuts(self) -> Any:
        options = {"n_bins": self.n_bins, "objective": "information_gain", "stop": "mdl", "p": 0.05, "max_bins": None}
        found = read_strategy(self._owner, self.strategy, options)
        if found.supervised:
            plain = tuple(name for name in STRATEGIES if not STRATEGIES[name](options).supervised)
            raise bad(self._owner, "strategy", f"one of {plain}", self.strategy, "Others need labels: use Discretizer.")
        return found

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"] if self.numbers == "value" else []
        return tags
