"""What a classifier can tell whose log odds are sums over the features. No scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from suffice.bayes.readings.cell_logs import CellLogs
from suffice.bayes.readings.duplicate_features import Duplicate, copies, correlated
from suffice.bayes.readings.explanation import Explanation, explain
from suffice.bayes.readings.probability_tables import ColumnTable, column_tables
from suffice.bayes.readings.softmax import Softmax, softmax_of
from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.schema import Schema


class Evidence:
    """Joint scores, explanations, repeated columns, coefficients."""

    @property
    def schema_(self: Any) -> Schema:
        """The kinds of the columns; print it."""
        schema: Schema = self._state()[0].schema
        return schema

    def predict_joint_log_proba(self: Any, X: Any) -> Array:
        """log p(class, x) of each row and class (n, K)."""
        state, X = self._state(X)
        return np.asarray(state.map(X, state.model.log_joint, self.threads))

    def explain(self: Any, X: Any, target: Any = None, versus: Any = None) -> Explanation:
        """The evidence of each feature, in table order, for one class against another.

        Parameters
        ----------
        X : table
        target : the class spoken for; None: the most probable of each row
        versus : the class spoken against; None: the most probable other
        """
        return explain(self._owner, self._cell_logs(X), target, versus)

    def duplicate_features(self: Any, X: Any = None, at_least: float = 0.99) -> list[Duplicate]:
        """Columns whose evidence is counted twice: equal in the summary or, given rows, nearly equal within classes.

        Parameters
        ----------
        X : table; None finds copies from the summary alone
        at_least : correlation of the evidence within classes from which a pair is reported
        """
        if isinstance(at_least, bool) or not (isinstance(at_least, Real) and 0 < at_least <= 1):
            raise bad(self._owner, "at_least", "a correlation above 0, at most 1", at_least, "0.99 finds near copies.")
        if self._state()[0].plan.together:  # no evidence is counted twice
            return []
        if X is not None:
            return correlated(self._cell_logs(X), float(at_least))
        return copies(self._state()[0], self._words)

    def coefficients(self: Any) -> Softmax:
        """The posterior as a softmax of linear functions, where the log density of every column is linear in some."""
        return softmax_of(self._owner, self._state()[0], self._words)

    def _cell_logs(self: Any, X: Any) -> CellLogs:
        state, X = self._state(X)
        return CellLogs(state.model, state.block(X), state.schema, self._words)

    @property
    def _words(self: Any) -> Sequence[Any]:
        """Names of the columns, should they be words of a matrix."""
        return self._origin.names or [f"x{j}" for j in range(self._origin.width)]

    def tables(self: Any) -> list[ColumnTable]:
        """Everything that was learned, column by column."""
        return column_tables(self._state()[0], self._words)
