"""Several labels a row: which of them each row has. No scikit-learn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from suffice.core.block import Array
from suffice.estimators.holder import Holder
from suffice.estimators.state.fitted import FittedModel


def by_labels(fitted: FittedModel) -> FittedModel:
    """The same fitted value, which answers by this face once it is loaded from its file."""
    return replace(fitted, plan=replace(fitted.plan, face="several_labels"))  # type: ignore[type-var]


class SeveralLabels:
    """`classes_` and `predict`, from a model that has `classes` and `labels`."""

    @property
    def classes_(self: Holder) -> Array:
        """The labels, in the order of the columns of `predict`."""
        return self._origin.classes(self._state()[0].model.classes)

    def predict(self: Holder, X: Any) -> Array:
        """Which labels each row has (n, K), 0 or 1."""
        state, X = self._state(X)
        return state.map(X, state.model.labels, self.threads)
