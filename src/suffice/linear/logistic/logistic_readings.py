"""What a fitted logistic regression tells of itself: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.estimators.faces.single_precision import answered
from suffice.estimators.faces.sparse_coefficients import as_shown, densify, sparsify
from suffice.estimators.holder import Holder
from suffice.linear.terms import term_name
from suffice.sources.tables.labels import class_numbers


class LogisticIdentities(NamedTuple):
    """What unpenalised logistic regression makes equal: what was true and what was predicted, class by class."""

    rows: Array  # (K, 2) number of rows, and sum of the probabilities
    sums: Array  # (K, p, 2) sum of each term over the rows of the class, and with probabilities as weights


class LogisticReadings:
    """Coefficients, their names, log odds, and the identities of calibration."""

    sparsify, densify = sparsify, densify

    @property
    def coef_(self: Any) -> Any:
        """Coefficients: (1, p) for two classes, (K, p) for more."""
        coef = self._origin.typed(self._state()[0].model.coef)
        return as_shown(self, coef)

    @property
    def intercept_(self: Any) -> Array:
        """Intercepts: (1,) for two classes, (K,) for more; 0 where there are none."""
        model: Any = self._state()[0].model
        return np.asarray(self._origin.typed(model.intercept))

    @property
    def n_iter_(self: Any) -> Array:
        """Passes over all rows (1,)."""
        state: Any = self._state()[0].state
        return np.array([state.passes], dtype=np.int32)

    def decision_function(self: Holder, X: Any) -> Array:
        """Log odds of the second class (n,) where there are two; else a score for each class (n, K)."""
        state, X = self._state(X)
        scores = answered(self, state, X, state.model.scores)
        return np.ascontiguousarray(scores[:, 0]) if scores.shape[1] == 1 else scores

    def get_feature_names_out(self: Holder, input_features: Any = None) -> Array:
        """The name of each coefficient: columns, and levels of symbols as column=level."""
        return np.array([term_name(term) for term in self._state()[0].model.terms], dtype=object)

    def identities(self: Holder, X: Any, y: Any) -> LogisticIdentities:
        """Sums that a model without penalty makes equal on the rows it was trained on.

        For each class: sum_i p(k | x_i) = number of its rows, and sum_i p(k | x_i) x_ij = sum of x_j over its rows.
        """
        state, X = self._state(X)
        block = state.block(X)
        p = np.exp(state.model.log_posterior(block))
        own = class_numbers(self._owner, y, state.model.classes, len(p))
        true, terms = np.eye(p.shape[1])[own], state.model.centred(block) + state.model.centre
        rows = np.stack([true.sum(axis=0), p.sum(axis=0)], axis=1)
        return LogisticIdentities(rows, np.stack([true.T @ terms, p.T @ terms], axis=2))
