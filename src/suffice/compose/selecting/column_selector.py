"""What selectors around an estimator share: rows of numbers, and labels or numbers to predict as the estimator asks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import MetaEstimatorMixin, is_classifier, is_regressor
from sklearn.utils import get_tags

from suffice.compose.held import Held, to_save
from suffice.compose.selecting.chosen_columns import ChoicePlan, ChoiceReadings
from suffice.core.block import Array, Coded
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.boundary.targets import LabelColumn, NoTarget, NumberColumn
from suffice.estimators.glue.memory_transformer import MemorySupervisedTransformer
from suffice.estimators.state.described import plain
from suffice.estimators.state.loaded import SavedModel
from suffice.sources.engines.memory import MemorySource

NUMBERS, LABELS, NOTHING = NumberColumn(), LabelColumn(), NoTarget()
FULL = NumberRows({"dtype": ["float64", "float32"]})
GAPS = NumberRows({"dtype": ["float64", "float32"], "ensure_all_finite": "allow-nan"})


class ColumnSelector(ChoiceReadings, MetaEstimatorMixin, MemorySupervisedTransformer):  # type: ignore[misc]
    """A choice of columns by an estimator, in memory. A subclass supplies `_solve` and `_inner`."""

    @property
    def _target(self) -> Any:  # type: ignore[override]
        inner = self._inner()
        if is_regressor(inner):
            return NUMBERS
        return LABELS if is_classifier(inner) or get_tags(inner).target_tags.required else NOTHING

    @property
    def _door(self) -> Any:
        return GAPS if get_tags(self._inner()).input_tags.allow_nan else FULL

    def _plan(self) -> ChoicePlan:
        return ChoicePlan(self._owner)

    def _rows(self, source: MemorySource) -> tuple[Array, Array | None]:
        """Rows (n, d) and targets (n,), where there are such."""
        X = np.asarray(source.block(slice(0, source.table.n)).parts[0])
        if isinstance(source.y, Coded):
            return X, np.array(source.y.labels[0])[source.y.codes[:, 0]]
        return X, None if source.y is None else np.asarray(source.y)[:, 0]

    def _saved(self) -> SavedModel:
        """What is held is written as its own file would be."""
        return SavedModel(self._owner, to_save(self._owner, self._state()[0]), self._origin, plain(self._parameters()))

    def _restore(self, value: SavedModel) -> Self:
        """Take on what a file held, models as estimators."""
        state = replace(value.fitted.state, model=value.fitted.model.holding(Held.restored))
        return super()._restore(replace(value, fitted=replace(value.fitted, state=state)))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.target_tags.required = self._target is not NOTHING
        tags.input_tags.allow_nan = get_tags(self._inner()).input_tags.allow_nan
        return tags
