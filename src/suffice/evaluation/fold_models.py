"""The model of the other rows, fold by fold: the summaries of the folds are added, nothing is refitted.

Every row is read once. The model that never saw fold k is what the sum of all other folds says; sums from both ends
give all of them with three additions a fold, and nothing is subtracted.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice.core.block import Array
from suffice.core.folds import without_each
from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.splits import some_rows


@dataclass(frozen=True)
class FoldModels:
    """Estimators that have learned from all folds but one each, and can be read by other parameters."""

    estimators: tuple[Any, ...]  # K, each fitted without its fold
    first: Any  # what was kept of the first fold

    @classmethod
    def of(cls, estimator: Any, X: Any, y: Any, sample_weight: Any, folds: Array) -> FoldModels:
        """One pass over the rows, in the order of the folds."""
        like = clone(estimator)
        like._validate_params()
        parts = []
        for k in range(int(folds.max()) + 1):
            rows = np.flatnonzero(folds == k)
            some = (some_rows(table, rows) for table in (X, y, sample_weight))
            parts.append((clone(like), clone(like)._summarize(*some)))
        first, origin = parts[0][1]
        rest = without_each([fitted for _, (fitted, _) in parts], lambda a, b: a.merge([b]))
        found = (_adopted(one, fitted, origin) for (one, _), fitted in zip(parts, rest, strict=True))
        return cls(tuple(found), first)

    def read_by(self, parameters: Mapping[str, Any]) -> FoldModels | None:
        """The same rows by other parameters; None where the summaries cannot say what they ask for."""
        plan = copy.copy(self.estimators[0]).set_params(**parameters)._plan()
        if any(one.fitted_.replan(plan) is one.fitted_ for one in self.estimators):
            return None
        return FoldModels(tuple(copy.copy(one).set_params(**parameters) for one in self.estimators), self.first)

    def whole(self) -> Any:
        """An estimator that has learned from all rows."""
        one = self.estimators[0]
        return copy.copy(one)._adopt(one.fitted_.merge([self.first]), one._origin)


def _adopted(estimator: Any, fitted: Any, origin: Any) -> Any:
    estimator.n_features_in_ = origin.width
    if origin.names is not None:
        estimator.feature_names_in_ = np.array(origin.names, dtype=object)
    return estimator._adopt(fitted, origin)


def adds(estimator: Any) -> bool:
    """Whether the folds of an estimator can be added."""
    return isinstance(estimator, OnePass)
