"""Numbers predicted from a fitted value, and how well: for regressors and loaded models. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.targets import read_targets, read_weights
from suffice.estimators.faces.accuracy import refuse_no_rows
from suffice.estimators.faces.single_precision import answered
from suffice.estimators.holder import Holder


class Regressor:
    """Numbers for rows; the same for estimators and for loaded models."""

    def predict(self: Holder, X: Any) -> Array:
        """The number, or numbers, that the model gives each row: (n,) where y was one number a row, else (n, t)."""
        state, X = self._state(X)
        answers = answered(self, state, X, state.model.predict)
        flattens = getattr(state.plan, "flattens", False) and answers.shape[1] == 1
        return np.ascontiguousarray(answers[:, 0]) if flattens else self._origin.shaped(answers)

    def score(self: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R^2 = 1 - (sum of squared errors) / (sum of squares about the mean), averaged over targets.

        Parameters
        ----------
        X : table
        y : numbers, one a row, or a table of several targets
        sample_weight : one weight a row
        """
        true, answers = read_targets(self._owner, y).values, self.predict(X)
        answers = answers if answers.ndim == 2 else answers[:, None]
        if answers.shape != true.shape:
            raise bad(self._owner, "y", f"of shape {answers.shape}", Said(f"shape {true.shape}"), "One number a row.")
        refuse_no_rows(self._owner, len(true))
        w = read_weights(self._owner, sample_weight, len(true))
        mean = np.average(true, axis=0, weights=w)
        off, spread = (np.average(gap**2, axis=0, weights=w) for gap in (true - answers, true - mean))
        shares = np.divide(off, spread, out=np.where(off > 0, 1.0, 0.0), where=spread > 0)
        return float(np.mean(1.0 - shares))
