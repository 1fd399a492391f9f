"""The door of estimators that take numbers only: arrays, sparse matrices and tables, by scikit-learn's check."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sklearn.utils.validation import validate_data

from suffice.estimators.boundary.odd_cells import odd_column
from suffice.estimators.boundary.remote import refuse_remote
from suffice.estimators.boundary.scikit_checks import in_our_name
from suffice.estimators.boundary.table_rows import as_numpy


@dataclass(frozen=True)
class Arrays:
    """Numbers (n, d), checked by the options of scikit-learn's `check_array`."""

    rules: Mapping[str, Any] = field(default_factory=dict)  # for rows to learn from
    predicting: Mapping[str, Any] | None = None  # for rows to predict; None: the same
    learned: Callable[[Any], Any] | None = None  # how rows to learn from are handed on, where not as they are
    predicted: Callable[[Any], Any] | None = None

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as an array; `first` sets what later ones must be like."""
        refuse_remote(estimator._owner, X)
        X = as_numpy(X)
        rules = self.rules if learning or self.predicting is None else self.predicting
        with in_our_name(estimator._owner):
            try:
                checked = validate_data(estimator, X, reset=first, **rules)
            except ValueError as error:
                if len(getattr(X, "shape", ())) == 2:
                    validate_data(estimator, X, reset=first, skip_check_array=True)  # other columns than in training
                raise odd_column(estimator, X, str(error)) or error from None
        handed = self.learned if learning else self.predicted
        return checked if handed is None else handed(checked)

    def tag(self, tags: Any) -> None:
        """What scikit-learn may expect of X."""
        tags.input_tags.sparse = bool(self.rules.get("accept_sparse", False))
        tags.input_tags.allow_nan = self.rules.get("ensure_all_finite") == "allow-nan"
