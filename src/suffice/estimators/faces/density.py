"""Densities of rows, and new rows drawn from them. No scikit-learn."""

from __future__ import annotations

from typing import Any

from suffice.core.block import Array
from suffice.estimators.holder import Holder


class Density:
    """`score_samples`, from a model that has `log_density`."""

    def score_samples(self: Holder, X: Any) -> Array:
        """log p(x) of each row (n,)."""
        state, X = self._state(X)
        answers = state.map(X, state.model.log_density, self.threads)
        kind = getattr(state.plan, "answer_type", None)  # plans whose models answer in the type of their rows
        return answers if kind is None else answers.astype(kind(self._origin))
