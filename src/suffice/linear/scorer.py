"""The scikit-learn glue of classifiers by linear scores: they have no probabilities of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import validate_data

from suffice.core.errors import Said, bad
from suffice.estimators.classifier import OnePassClassifier
from suffice.estimators.foreign import in_our_name
from suffice.estimators.origin import library
from suffice.linear.scores import TIES
from suffice.linear.scoring import Scoring
from suffice.sources.grid import Grid, as_array
from suffice.sources.table import open_table


class NoProbabilities:
    """An attribute that is not there, whatever a base class has."""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        """Remember the name."""
        self.name = name

    def __get__(self, instance: Any, owner: type[Any]) -> Any:
        """Never there; `hasattr` says so too."""
        raise AttributeError(
            f"{owner.__name__} has no {self.name}: its scores are no probabilities. Calibrate them first."
        )


class LinearScorer(Scoring, OnePassClassifier):  # type: ignore[misc]
    """A one-pass classifier by linear scores. A subclass supplies `_plan`."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **OnePassClassifier._parameter_constraints,
        "kinds": [Mapping, None],
        "ties": [StrOptions(set(TIES))],
    }

    predict_proba = NoProbabilities()
    predict_log_proba = NoProbabilities()
    posterior = NoProbabilities()

    def _check_X(self, X: Any, *, first: bool, learning: bool) -> Any:
        """A table as it is; scikit-learn looks at the number and the names of its columns only."""
        if isinstance(X, Mapping) and not hasattr(X, "tocsr"):  # some sparse matrices are mappings too
            if first:
                self.n_features_in_, self.feature_names_in_ = len(X), np.array(list(X), dtype=object)
            return X
        if library(X) is not None or not hasattr(X, "shape"):
            X = _read(X)
        shape: tuple[int, ...] = X.shape
        if len(shape) != 2:
            as_array(X)  # says what to do
        if shape[1] == 0:
            note = f"(Found array with 0 feature(s) (shape={tuple(shape)}) while a minimum of 1 is required.)"
            raise bad(self._owner, "X", f"a table with columns {note}", Said("none"), "Give it columns to learn from.")
        with in_our_name(self._owner):
            validate_data(self, X, reset=first, skip_check_array=True)
        return X

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def _read(X: Any) -> Any:
    """Lists as arrays, and tables that only speak Arrow as Arrow's; tables of two columns of one name are refused."""
    table: Any = X if hasattr(X, "tocsr") else open_table(X)
    if hasattr(X, "shape"):
        return X
    return table.X if isinstance(table, Grid) else table.frame.to_native()
