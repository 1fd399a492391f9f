"""TableEncoder: a whole table as numbers, each column by its kind.

numbers scaled, truth values as 0 and 1, ordinal values as ranks, categories as indicators, missing cells indicated
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from suffice.core.errors import bad
from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.features.encode.table_encoding import SCALES, TableEncodingPlan


class TableEncoder(OnePassTransformer):
    """A whole table as numbers, each column by its kind: one pass, mergeable, forgetting.

    Numbers are scaled, truth values become 0 and 1, ordinal values ranks from 0 to 1, categories indicators;
    identifiers are left out. No cell of the result is missing: a missing number becomes the centre of its column.

    Parameters
    ----------
    numbers : "standard" (mean and deviation), "robust" (median and quartiles), "range" (0 to 1) or "largest"
    indicate : whether a column with missing cells gets another that says where
    kinds : mapping column -> kind, or the values of an ordinal column, lowest first; overriding what columns show
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Examples
    --------
    >>> from suffice import TableEncoder
    >>> table = {"age": [20.0, 40.0, None], "site": ["north", "east", "north"]}
    >>> encoder = TableEncoder().fit(table)
    >>> encoder.get_feature_names_out().tolist()
    ['age', 'age_missing', 'site_east', 'site_north']
    >>> encoder.transform(table).tolist()
    [[-1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "numbers": "no_validation",
        "indicate": ["boolean"],
        "kinds": [Mapping, None],
        "ledger": "no_validation",
        "threads": "no_validation",
    }
    _door = AnyTable(allow_nan=True)

    def __init__(
        self,
        numbers: str = "standard",
        *,
        indicate: bool = True,
        kinds: Mapping[Any, Any] | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.numbers = numbers
        self.indicate = indicate
        self.kinds = kinds
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> TableEncodingPlan:
        if not isinstance(self.numbers, str) or self.numbers not in SCALES:
            raise bad(self._owner, "numbers", f"one of {tuple(SCALES)}", self.numbers)
        return TableEncodingPlan(self._owner, self.kinds, SCALES[self.numbers], bool(self.indicate))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.transformer_tags.preserves_dtype = []
        return tags
