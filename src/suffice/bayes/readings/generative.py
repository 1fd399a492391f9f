"""What only generative models can do: densities of rows, and new rows. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.bayes.readings.feature_evidence import Evidence
from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.boundary.drawn_rows import drawn_columns, like_trained


class Generative(Evidence):
    """The verbs of a classifier that holds p(class) and p(x | class)."""

    def score_samples(self: Any, X: Any) -> Array:
        """log p(x) of each row (n,): how probable the model finds the row, whatever its class."""
        state, X = self._state(X)
        return np.asarray(state.map(X, state.model.log_density, self.threads))

    def sample(self: Any, n_samples: int = 1, random_state: Any = None) -> tuple[Any, Array]:
        """New rows, as a table like the one trained on, and their labels.

        A class is drawn by its share, then each column from its density given the class. Columns that no density
        describes (identifiers, columns without a cell) are missing throughout.

        Parameters
        ----------
        n_samples : how many rows
        random_state : seed or `numpy.random.Generator`
        """
        if isinstance(n_samples, bool) or not (isinstance(n_samples, (int, np.integer)) and n_samples >= 1):
            raise bad(self._owner, "n_samples", "a whole number of at least 1", n_samples, "Say how many rows to draw.")
        try:
            rng = np.random.default_rng(random_state)
        except (TypeError, ValueError):
            rule = "None, a seed or a numpy.random.Generator"
            raise bad(self._owner, "random_state", rule, random_state, "Give a whole number of at least 0.") from None
        state, _ = self._state()
        codes, drawn = state.model.sample(int(n_samples), rng)
        columns = drawn_columns(state.model.factors.groups, drawn, state.schema, int(n_samples))
        return like_trained(columns, self._origin), self.classes_[codes]
